"""A device is as before only when what it boots from is as before, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.live.transport.errors import Kind
from fabric.model.push import TimerClass
from tests.live.push.run.scene import Scene, outcomes
from tests.live.push.run.test_other_hands import MINE, TIMED, cut_off, step_begins
from tests.live.push.run.test_resume import lines_of
from tests.live.push.run.toy import BEFORE, TARGET, TIMER_S, Fault

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.push_change import Event


@pytest.mark.parametrize("more", ["", MINE], ids=["ours", "ours and more"])
@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_what_somebody_saved_while_ours_was_in_force_goes_back_too(
    tmp_path: Path, timer: TimerClass, more: str
) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]], timer, boots=True)
    box = scene.net.boxes["a"]

    def somebody(event: Event) -> None:
        if (event.event, event.device) == ("gate", "a"):
            box.startup = box.running + more

    scene.on_event = somebody
    scene.net.boxes["a"].refused = {"save", "confirm toy-1"}

    def may_save_old(event: Event) -> None:
        somebody(event)
        if step_begins(event, "a", "save the old configuration"):
            box.refused = set()

    scene.on_event = may_save_old
    report = scene.run()
    assert outcomes(report)["a"] == "failed-restored"
    scene.check(report)


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_nothing_was_in_force_and_somebody_saved_something_else(
    tmp_path: Path, timer: TimerClass
) -> None:
    scene = Scene(tmp_path, [["a"]], timer, boots=True)
    box = scene.net.boxes["a"]

    def somebody(event: Event) -> None:
        if step_begins(event, "a", "make a checkpoint"):
            box.startup = TARGET
            scene.net.faults["a"] = Fault(Kind.REFUSED)

    scene.on_event = somebody
    report = scene.run()
    assert outcomes(report) == {"a": "failed-not-restored"}
    text = report.results[0].message
    assert "somebody saved something else meanwhile" in text
    assert "before/startup" in text
    assert (box.running, box.startup) == (BEFORE, TARGET)


@pytest.mark.parametrize("timer", TIMED, ids=lambda t: t.value)
@pytest.mark.parametrize("saved", [TARGET, BEFORE + MINE], ids=["the plan", "something else"])
def test_the_timer_took_ours_back_and_something_else_boots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timer: TimerClass, saved: str
) -> None:
    told = 0
    for at in range(4, lines_of(tmp_path / "whole", timer)):
        scene = Scene(tmp_path / str(at), [["a"], ["b"]], timer, boots=True)
        cut_off(scene, monkeypatch, at)
        scene.clock.sleep(TIMER_S + 300)
        box = scene.net.boxes["a"]
        box.tick()
        if box.running != BEFORE:
            continue
        box.startup = saved
        report = scene.run(again=True)
        outcome = outcomes(report)["a"]
        if outcome in {"changed", "failed-restored", "skipped"}:
            scene.check(report)
        else:
            assert (box.running, box.startup) == (BEFORE, saved), at
            told += 1
    assert told


def test_what_was_in_force_and_is_saved_by_now_is_as_before(tmp_path: Path) -> None:
    unsaved = f"{BEFORE}ntp 10.0.0.9\n"
    scene = Scene(tmp_path, [["a"]], before=unsaved, boots=True)
    box = scene.net.boxes["a"]
    box.running = unsaved

    def somebody(event: Event) -> None:
        if step_begins(event, "a", "make a checkpoint"):
            box.startup = unsaved

    scene.on_event = somebody
    scene.faults = {("a", "commit for a time"): Fault(Kind.REFUSED)}
    report = scene.run()
    assert outcomes(report) == {"a": "failed-restored"}
    scene.check(report)
