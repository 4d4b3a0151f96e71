"""kill -9 of a process that pushes, then --resume: nothing lost, nothing done twice."""

from __future__ import annotations

import multiprocessing
import signal
from typing import TYPE_CHECKING

import pytest

from fabric.cli._resuming import resume
from fabric.model.push import TimerClass
from tests.live.e2e.bench import LEAF, TIMER_S
from tests.live.e2e.process import Way, push_and_die
from tests.live.e2e.systems import SYSTEMS, TIMED

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.live.e2e.bench import Bench, Told

SECOND_S = 0.02  # time goes by in the process that is killed, so it does on its switches
IN_FULL = ("arista_eos", "hp_comware", "frr")  # one of each timer class: A, B, C
FORKED = multiprocessing.get_context("forkserver")
FORKED.set_forkserver_preload(["tests.live.e2e.process"])


def killed(one: Bench, line: int) -> None:
    """Push in a process of its own, which dies after a line of its journal."""
    way = Way(one.connections, one.contacts)
    asked = one.asked(devices=(LEAF,))
    process = FORKED.Process(target=push_and_die, args=(one.planned.folder, asked, way, line))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    journals = list(one.pushes.glob("*/journal.jsonl"))
    assert [len(path.read_text().splitlines()) for path in journals] == [line]


def resumed(one: Bench) -> Told:
    return one.told(lambda: resume(one.asked(folder=one.planned.folder), one))


def journal(bench: Callable[..., Bench], system: str) -> tuple[list[str], dict[str, str]]:
    """The lines of a push that goes well, and what it leaves."""
    one = bench(system)
    assert one.push().code == 0
    (path,) = one.pushes.glob("*/journal.jsonl")
    one.later()
    return path.read_text().splitlines(), dict(one.state())


@pytest.mark.parametrize("system", SYSTEMS)
def test_killed_and_resumed(bench: Callable[..., Bench], system: str) -> None:
    lines, changed = journal(bench, system)
    last = len(lines)
    places = range(1, last + 1) if system in IN_FULL else (1, last // 2, last - 1)
    trouble = []
    for line in places:
        one = bench(system, second_s=SECOND_S)
        killed(one, line)
        told = resumed(one)
        one.later()
        now = dict(one.state())
        if told.code != 0 or now != changed:
            trouble.append(
                f"line {line}, {lines[line - 1]}: exit {told.code} {told.messages[-900:]}"
            )
    assert not trouble, "\n".join(trouble)


@pytest.mark.parametrize("system", TIMED)
def test_nobody_comes_back(bench: Callable[..., Bench], system: str) -> None:
    """Killed when the change is in force and not confirmed: the switch goes back by itself."""
    lines, changed = journal(bench, system)
    gate = next(n for n, text in enumerate(lines, 1) if '"gate"' in text)
    one = bench(system, second_s=SECOND_S)
    before = dict(one.state())
    killed(one, gate)
    one.rehearsal.advance(2 * TIMER_S)
    assert dict(one.state()) == before
    told = resumed(one)
    assert told.code == 0, told.messages
    one.later()
    assert dict(one.state()) == changed


def test_each_timer_class_has_its_full_set() -> None:
    from tests.live.e2e.systems import timer_of  # noqa: PLC0415

    classes = {timer_of(system) for system in IN_FULL}
    assert classes == {TimerClass.CANDIDATE, TimerClass.LIVE, TimerClass.SCHEDULED}
