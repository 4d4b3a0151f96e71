"""kill -9 of ``fabric push``, then ``fabric push --resume``: nothing lost, nothing done twice."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from fabric.model.push import Effect, TimerClass
from tests.live.e2e.bench import LEAF, TIMER_S
from tests.live.e2e.outcome import unlike
from tests.live.e2e.systems import IN_FULL, SYSTEMS, TIMED, timer_of
from tests.live.e2e.turns import turns
from tests.live.e2e.typed import SECOND_S, User

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.live.e2e.bench import Bench
    from tests.live.e2e.turns import Turn

PROGRAM_SECOND_S = 0.1  # of fakes that a program is started for, which takes its time


@dataclass(frozen=True)
class GoodPush:
    """A push that goes well: its journal, what it leaves, what it has the device do that counts.

    ``first``: what the device was made to do first; ``once``: what is said in a step that counts
    and nowhere else (no question asked until it is answered), how often there, and in which step.
    """

    lines: list[str]
    changed: Mapping[str, str]
    first: str
    once: Mapping[str, tuple[int, Turn]]

    @classmethod
    def of(cls, bench: Callable[..., Bench], system: str) -> GoodPush:
        one = bench(system)
        found = turns(one, {})
        (path,) = one.pushes.glob("*/journal.jsonl")
        lines = path.read_text().splitlines()
        done = Counter(one.rehearsal.done(LEAF))
        steps = [step for phase in one.steps().values() for step in phase]
        asked = {command.text for step in steps if step.until for command in step.until.commands}
        one.later()
        once = {
            said: (count, turn)
            for turn in found
            for said, count in Counter(turn.done).items()
            if turn.effect >= Effect.RUNS and count == done[said] and said not in asked
        }
        change = {turn.step for turn in found if turn.effect in {Effect.RUNS, Effect.CONFIRMS}}
        assert change <= {turn.step for _, turn in once.values()}
        return cls(lines, dict(one.state()), found[0].done[0], once)

    def places(self, *, in_full: bool) -> list[int]:
        """Lines after which a push is killed: all, or those of the first, middle and last step."""
        if in_full:
            return list(range(1, len(self.lines) + 1))
        begun = [n for n, line in enumerate(self.lines, 1) if _is(line, "step", "begins")]
        return [begun[0], begun[len(begun) // 2], begun[-1]]


def _is(line: str, event: str, status: str) -> bool:
    record = json.loads(line)
    return (record["event"], record["status"]) == (event, status)


def done_twice(good: GoodPush, lines: list[str], done: tuple[str, ...]) -> str:
    """What counts and was carried out otherwise than once; empty: nothing was.

    ``lines``: the journal when it was killed. A change of which not all was in force then is taken
    back, and what counts is what was done anew; a step of saving that it was killed in is repeated.
    """
    records = [json.loads(line) for line in lines]
    if not any((r["event"], r.get("phase")) == ("phase", "apply") for r in records):
        done = done[len(done) - 1 - done[::-1].index(good.first) :]
    last, counts = records[-1], Counter(done)
    cut_off = (
        last.get("step") if last["status"] == "begins" and last.get("phase") == "save" else None
    )
    wrong = [
        f"{turn.step}: {counts[said]} times: {said}"
        for said, (count, turn) in good.once.items()
        if not count <= counts[said] <= count * (1 + (turn.step == cut_off))
    ]
    return "".join(f"\n    {line}" for line in wrong)


def wrong_after(good: GoodPush, one: Bench, lines: list[str], code: int) -> str:
    """What is not as after a push that nobody killed."""
    done = one.rehearsal.done(LEAF)
    one.later()
    found = unlike(good.changed, one.state()) + done_twice(good, lines, done)
    return f"exit {code}{found}" if code or found else ""


@pytest.mark.parametrize("system", SYSTEMS)
def test_killed_and_resumed(bench: Callable[..., Bench], system: str) -> None:
    good = GoodPush.of(bench, system)
    trouble = []
    for line in good.places(in_full=system in IN_FULL):
        one = bench(system, second_s=SECOND_S)
        user = User.of(one)
        assert user.forked(user.push(), line=line)[0] == -signal.SIGKILL
        lines = user.journal
        assert len(lines) == line
        code, out = user.forked(user.resume())
        text = wrong_after(good, one, lines, code)
        if text:
            trouble.append(f"line {line}, {lines[-1]}: {text}\n{out[-900:] if code else ''}")
    assert not trouble, "\n".join(trouble)


@pytest.mark.parametrize("system", IN_FULL)
def test_the_program_itself(bench: Callable[..., Bench], system: str) -> None:
    """From its start on, killed by somebody else at whatever it does then."""
    good = GoodPush.of(bench, system)
    for line in good.places(in_full=False):
        one = bench(system, second_s=PROGRAM_SECOND_S)
        user = User.of(one)
        program = user.started(user.push())
        while len(user.journal) < line and program.poll() is None:
            time.sleep(0.001)  # the step is short
        program.kill()
        out, _ = program.communicate()
        assert program.returncode == -signal.SIGKILL, out
        lines = user.journal
        resumed = user.started(user.resume())
        out, _ = resumed.communicate()
        assert wrong_after(good, one, lines, resumed.returncode) == "", out


@pytest.mark.parametrize("system", TIMED)
def test_nobody_comes_back(bench: Callable[..., Bench], system: str) -> None:
    """Killed when the change is in force and not confirmed: the switch goes back by itself."""
    good = GoodPush.of(bench, system)
    gate = next(n for n, line in enumerate(good.lines, 1) if _is(line, "gate", "passed"))
    one = bench(system, second_s=SECOND_S)
    user, before = User.of(one), dict(one.state())
    user.forked(user.push(), line=gate)
    one.rehearsal.advance(2 * TIMER_S)
    assert unlike({**before, "files": ""}, {**one.state(), "files": ""}) == ""
    code, out = user.forked(user.resume())
    assert code == 0, out
    one.later()
    assert unlike(good.changed, one.state()) == ""


def test_each_timer_class_has_its_full_set() -> None:
    classes = {timer_of(system) for system in IN_FULL}
    assert classes == {TimerClass.CANDIDATE, TimerClass.LIVE, TimerClass.SCHEDULED}
