"""What a look at a device may do, and what it never does."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from fabric.changing.section_preview import STARTUP
from fabric.live.push.asking import ask, lay_down
from fabric.live.push.looking import Looking
from fabric.live.push.survey import _boots_what_runs
from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Ask, Command, Effect, Step
from tests.live.push.toy import Switch, Talk

if TYPE_CHECKING:
    from tests.live.push.conftest import Bench


def talk() -> Talk:
    return Talk(Switch("leaf-0", "192.0.2.10", lock="held", running="hello\n"))


@pytest.mark.parametrize("effect", [Effect.RUNS, Effect.CONFIRMS, Effect.SAVES])
def test_a_preview_never_puts_anything_in_force(effect: Effect) -> None:
    session = talk()
    steps = [
        Step("harmless", Effect.STAGES, (Command("show lock"),)),
        Step("bold", effect, (Command("save"),)),
    ]
    with pytest.raises(ValueError, match="'bold' would change what is in force"):
        lay_down(session, steps)
    assert session._switch.log == []


def test_a_step_is_waited_for() -> None:
    session = talk()
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            session._switch.lock = ""

    until = Ask((Command("show lock"),), lambda replies: replies[0] or None)
    step = Step("abort", Effect.STAGES, (), until=until, until_s=10.0)
    lay_down(session, [step], now=lambda: sum(slept), sleep=sleep)
    assert len(slept) == 3


def test_a_step_is_not_waited_for_without_end() -> None:
    session = talk()
    slept: list[float] = []
    until = Ask((Command("show lock"),), lambda replies: replies[0] or None)
    step = Step("abort", Effect.STAGES, (), until=until, until_s=2.0)
    with pytest.raises(DeviceError, match="leaf-0: abort: not done in time: held") as caught:
        lay_down(session, [step], now=lambda: sum(slept), sleep=slept.append)
    assert caught.value.kind is Kind.TIMEOUT


def test_a_check_of_a_reply() -> None:
    command = Command("show lock", check=lambda reply: f"{reply} is no answer")
    with pytest.raises(DeviceError, match="held is no answer"):
        ask(talk(), Ask((command,), lambda replies: replies))


def test_a_bug_of_one_system_leaves_the_others_alone(
    planned: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushing = importlib.import_module("fabric.platforms.toy_os.pushing")
    target = pushing.Preview.target

    def buggy(preview: object, running: dict[str, str], rendered: dict[str, str]) -> object:
        if "hostname leaf-1" in rendered["toy.conf"]:
            raise KeyError(rendered["toy.conf"][:0])
        return target(preview, running, rendered)

    monkeypatch.setattr(pushing.Preview, "target", buggy)
    done = planned.push(as_json=True)
    (refused,) = done.json["refused"]
    assert (refused["device"], refused["rule"]) == ("leaf-1", "RCE923")
    assert "internal error: KeyError" in refused["message"]
    assert sum(len(wave) for wave in done.json["waves"]) == 4


def test_sessions_at_a_time(planned: Bench) -> None:
    most = 0
    toys = planned.toys
    dial = type(toys).__call__

    def counted(self: object, device: str) -> Talk:
        nonlocal most
        opened: Talk = dial(toys, device)
        most = max(most, sum(s.open_sessions for s in toys.switches.values()))
        assert self is toys
        return opened

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(toys), "__call__", counted)
        assert planned.push(request=planned.request(workers=1)).code == 0
    assert most == 1


def _laid_down(bench: Bench) -> set[str]:
    """The ids of all that one look laid down on devices; it took away just the same."""
    for switch in bench.toys.switches.values():
        switch.log.clear()
        switch.files["fabric-of-a-push"] = "its checkpoint"
    assert bench.push().code == 0
    logs = [line for switch in bench.toys.switches.values() for line in switch.log]
    put, removed = (
        {line.removeprefix(word) for line in logs if line.startswith(word)}
        for word in ("put /tmp/", "remove ")
    )
    assert put == removed
    assert all(
        s.files == {"fabric-of-a-push": "its checkpoint"} for s in bench.toys.switches.values()
    )
    return put


def test_a_look_takes_away_nothing_of_a_push_or_of_another_look(planned: Bench) -> None:
    (first,), (second,) = _laid_down(planned), _laid_down(planned)
    shown = planned.push(devices=("leaf-1",)).out
    (push_id,) = set(re.findall(r"\bcommit (fabric-\S+)", shown))
    assert len({push_id, first, second}) == 3
    assert first.startswith(f"{push_id}-")


def test_a_look_has_a_mark_that_can_be_given() -> None:
    parts: list[Any] = [None] * 4
    one, other = Looking(*parts), Looking(*parts)
    assert one.mark != other.mark
    assert replace(one, mark="1").mark == "1"


def test_what_boots_becomes_what_runs_where_it_would_lock_us_out() -> None:
    """Systems without sections name the file: it is written from the target of a rollback."""
    before = {"a.conf": "user anna\nnew\n", "startup a.conf": "user anna\nnew\n"}
    target = {"a.conf": "user anna\nold\n", "startup a.conf": "old\n"}
    assert _boots_what_runs(before, target) == {
        "a.conf": "user anna\nold\n",
        "startup a.conf": "user anna\nold\n",
    }
    sections = {"a.cfg": "user anna\nold\n", STARTUP: "old\n"}
    now = {"a.cfg": "user anna\nnew\n", STARTUP: "user anna\nnew\n"}
    assert _boots_what_runs(now, sections) == {**sections, STARTUP: now[STARTUP]}
