"""What somebody else changed on a device meanwhile is never taken for ours."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric.live.push.journal import read
from fabric.live.push.run import PushError
from fabric.live.transport.errors import Kind
from fabric.model.push import TimerClass
from fabric.model.push_change import StepText
from tests.live.push.run.scene import Scene, outcomes
from tests.live.push.run.test_resume import Cut, PowerCut, lines_of
from tests.live.push.run.toy import BEFORE, TARGET, TIMER_S, Fault

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.push_change import Event

MINE = "snmp host 10.9.9.9\n"
TIMED = [timer for timer in TimerClass if timer is not TimerClass.NONE]


def cut_off(scene: Scene, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    Cut(monkeypatch, at, written=True)
    with pytest.raises(PowerCut):
        scene.run()
    monkeypatch.undo()


def step_begins(event: Event, device: str, step: str) -> bool:
    return (event.device, event.step, event.status) == (device, step, "begins")


@pytest.mark.parametrize("timer", TIMED, ids=lambda t: t.value)
def test_a_line_typed_after_the_timer_took_the_change_back_survives_a_resumed_push(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timer: TimerClass
) -> None:
    left_alone = 0
    for at in range(1, lines_of(tmp_path / "whole", timer)):
        scene = Scene(tmp_path / str(at), [["a"], ["b"]], timer)
        cut_off(scene, monkeypatch, at)
        scene.clock.sleep(TIMER_S + 300)
        box = scene.net.boxes["a"]
        box.tick()
        box.running += MINE
        box.startup = box.running
        report = scene.run(again=True)
        assert MINE in box.running, at
        assert MINE in box.startup, at
        if outcomes(report)["a"] == "failed-not-restored":
            left_alone += 1
            assert "    + snmp host 10.9.9.9" in report.results[0].message
    assert left_alone > 5


def test_nothing_was_in_force_so_nothing_is_restored(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]], TimerClass.NONE)
    box = scene.net.boxes["a"]

    def somebody(event: Event) -> None:
        if step_begins(event, "a", "lay the candidate down"):
            box.running = BEFORE + MINE

    scene.on_event = somebody
    scene.faults = {("a", "lay the candidate down"): Fault(Kind.LOST)}
    report = scene.run()
    assert outcomes(report) == {"a": "failed-not-restored"}
    assert "before anything of this push was in force" in report.results[0].message
    assert (box.running, box.startup, box.clean) == (BEFORE + MINE, BEFORE, True)


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_a_line_typed_while_the_candidate_is_laid_down_is_seen(
    tmp_path: Path, timer: TimerClass
) -> None:
    scene = Scene(tmp_path, [["a"]], timer)
    box = scene.net.boxes["a"]

    def somebody(event: Event) -> None:
        if step_begins(event, "a", "make a checkpoint"):
            box.running = BEFORE + MINE

    scene.on_event = somebody
    report = scene.run()
    assert outcomes(report) == {"a": "failed-not-restored"}
    assert "changed since the Change was made (RCE945)" in report.results[0].message
    assert (box.running, box.startup, box.clean) == (BEFORE + MINE, BEFORE, True)
    assert not {"load old", "save"} & set(box.commands)


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_another_push_of_the_same_plan_is_not_taken_back_by_one_that_only_staged(
    tmp_path: Path, timer: TimerClass
) -> None:
    scene = Scene(tmp_path, [["a"]], timer)
    box = scene.net.boxes["a"]

    def colleague(event: Event) -> None:
        if step_begins(event, "a", "make a checkpoint"):
            box.running = box.startup = TARGET

    scene.on_event = colleague
    report = scene.run()
    assert outcomes(report) == {"a": "failed-not-restored"}
    assert "another push of this plan is or was at work there" in report.results[0].message
    assert (box.running, box.startup) == (TARGET, TARGET)
    assert not {"load old", "clean"} & set(box.commands)  # its files bear the same names


@pytest.mark.parametrize("timer", TIMED, ids=lambda t: t.value)
def test_the_timer_of_another_push_is_not_stopped_by_one_that_only_staged(
    tmp_path: Path, timer: TimerClass
) -> None:
    scene = Scene(tmp_path, [["a"]], timer)
    box = scene.net.boxes["a"]

    def colleague(event: Event) -> None:
        if step_begins(event, "a", "make a checkpoint"):
            box.timer = scene.clock.now() + TIMER_S
            box.refused = {"checkpoint"}

    scene.on_event = colleague
    assert outcomes(scene.run()) == {"a": "failed-not-restored"}
    assert box.timer is not None


@pytest.mark.parametrize("timer", TIMED, ids=lambda t: t.value)
def test_a_push_that_ran_after_the_timer_took_ours_back_survives_a_resumed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timer: TimerClass
) -> None:
    left_alone = 0
    for at in range(1, lines_of(tmp_path / "whole", timer)):
        scene = Scene(tmp_path / str(at), [["a"], ["b"]], timer)
        cut_off(scene, monkeypatch, at)
        scene.clock.sleep(TIMER_S + 300)
        box = scene.net.boxes["a"]
        box.tick()
        box.running = box.startup = TARGET
        report = scene.run(again=True)
        assert (box.running, box.startup) == (TARGET, TARGET), at
        left_alone += outcomes(report)["a"] == "failed-not-restored"
    assert left_alone > 5


@pytest.mark.parametrize("half", ["", "host leaf\nmtu 9216\n"], ids=["changed", "half changed"])
def test_without_a_timer_a_line_typed_since_survives_a_resumed_push(
    tmp_path: Path, half: str
) -> None:
    scene = Scene(tmp_path, [["a"]], TimerClass.NONE)
    box = scene.net.boxes["a"]
    scene.faults = {("a", "load the candidate"): Fault(Kind.LOST, before=False, away_s=9000)}
    assert outcomes(scene.run()) == {"a": "unknown"}
    scene.clock.sleep(9000)
    box.running = box.startup = (half or box.running) + MINE
    report = scene.run(again=True)
    assert outcomes(report) == {"a": "failed-not-restored"}
    assert "    + snmp host 10.9.9.9" in report.results[0].message
    assert box.running == box.startup == (half or TARGET) + MINE


def test_without_a_timer_a_push_that_saved_since_survives_a_resumed_one(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]], TimerClass.NONE, boots=True)
    box = scene.net.boxes["a"]
    scene.faults = {("a", "load the candidate"): Fault(Kind.LOST, away_s=9000)}
    assert outcomes(scene.run()) == {"a": "unknown"}
    scene.clock.sleep(9000)
    box.running = box.startup = TARGET
    assert outcomes(scene.run(again=True)) == {"a": "failed-not-restored"}
    assert (box.running, box.startup) == (TARGET, TARGET)


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_a_line_typed_after_going_back_failed_survives_a_resumed_push(
    tmp_path: Path, timer: TimerClass
) -> None:
    scene = Scene(tmp_path, [["a"]], timer)
    box = scene.net.boxes["a"]
    box.refused = {"save", "load old"}
    assert outcomes(scene.run()) == {"a": "failed-not-restored"}
    box.refused, box.timer = set(), None
    box.running += MINE
    report = scene.run(again=True)
    assert outcomes(report) == {"a": "failed-not-restored"}
    assert "    + snmp host 10.9.9.9" in report.results[0].message
    assert MINE in box.running


@pytest.mark.parametrize("again", [False, True], ids=["same process", "resumed"])
def test_what_our_own_restore_left_half_way_is_ours(tmp_path: Path, again: bool) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]])
    scene.faults = {("b", "save"): Fault(Kind.REFUSED)}
    box = scene.net.boxes["a"]
    todo = [3 if again else 1]

    def half(event: Event) -> None:
        if step_begins(event, "a", "load the old configuration") and todo[0]:
            todo[0] -= 1
            box.running = "host leaf\nmtu 9216\nntp 10.0.0.1\n"
            scene.net.faults["a"] = Fault(Kind.LOST)

    scene.on_event = half
    report = scene.run()
    if again:
        assert outcomes(report)["a"] == "failed-not-restored"
        report = scene.run(again=True)
    scene.check(report)
    assert outcomes(report) == {"a": "failed-restored", "b": "failed-restored"}


@pytest.mark.parametrize("later_s", [0, TIMER_S + 300], ids=["at once", "after the timer"])
@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_another_device_at_the_address_is_not_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timer: TimerClass, later_s: float
) -> None:
    scene = Scene(tmp_path, [["a"]], timer)
    step = next(n for n, text in enumerate(journal(tmp_path / "whole", timer), 1) if "gate" in text)
    cut_off(scene, monkeypatch, step)
    scene.clock.sleep(later_s)
    box = scene.net.boxes["a"]
    box.timer, box.running, box.startup, box.version = None, MINE + "host x\n", MINE, "2.0"
    box.files.clear()
    said = len(box.commands)
    report = scene.run(again=True)
    assert outcomes(report) == {"a": "unknown"}
    assert "another device (it runs 2.0, the push began on one that runs 1.0)" in str(report)
    assert {c.split("-")[0] for c in box.commands[said:]} <= {"identify", "show", "pending"}


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_another_device_that_runs_our_text_is_not_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timer: TimerClass
) -> None:
    scene = Scene(tmp_path, [["a"]], timer)
    step = next(n for n, text in enumerate(journal(tmp_path / "whole", timer), 1) if "gate" in text)
    cut_off(scene, monkeypatch, step)
    box = scene.net.boxes["a"]
    box.version = "2.0"
    said = len(box.commands)
    assert outcomes(scene.run(again=True)) == {"a": "unknown"}
    assert {c.split("-")[0] for c in box.commands[said:]} <= {"identify", "show", "pending"}


@pytest.mark.parametrize("timer", TIMED, ids=lambda t: t.value)
def test_a_change_whose_timer_has_gone_is_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timer: TimerClass
) -> None:
    """Nothing would take it back: it goes back first, and is put in force under a timer again."""
    scene = Scene(tmp_path, [["a"]], timer)
    step = next(n for n, text in enumerate(journal(tmp_path / "whole", timer), 1) if "gate" in text)
    cut_off(scene, monkeypatch, step)
    box = scene.net.boxes["a"]
    assert box.running == TARGET
    box.timer = None
    said = len(box.commands)
    report = scene.run(again=True)
    scene.check(report)
    assert outcomes(report) == {"a": "changed"}
    assert box.commands[said:].index("load old") < box.commands[said:].index("confirm toy-1")


def journal(root: Path, timer: TimerClass) -> list[str]:
    scene = Scene(root, [["a"]], timer)
    scene.run()
    return [f"{r.event} {r.phase} {r.status}" for r in read(scene.folder.journal).records]


@pytest.mark.parametrize("what", ["users", "systems"])
def test_a_device_that_left_the_plan_is_refused_before_anything_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    scene = Scene(tmp_path, [["a", "b"]])
    cut_off(scene, monkeypatch, 14)
    said = {name: len(box.commands) for name, box in scene.net.boxes.items()}
    known = scene.prepared
    less = {"users": replace(known, users={"a": "admin"}), "systems": replace(known, systems={})}
    scene.prepared = less[what]
    with pytest.raises(PushError, match="which the plan no longer names") as caught:
        scene.run(again=True)
    assert caught.value.rule == "RCE948"
    assert {name: len(box.commands) for name, box in scene.net.boxes.items()} == said
    scene.prepared = known
    assert outcomes(scene.run(again=True)) == {"a": "changed", "b": "changed"}


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_commands_that_are_not_those_approved_are_not_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timer: TimerClass
) -> None:
    for at in range(2, len(journal(tmp_path / "whole", timer)) - 1):
        scene = Scene(tmp_path / str(at), [["a"]], timer)
        cut_off(scene, monkeypatch, at)
        box = scene.net.boxes["a"]
        (device,) = scene.prepared.change.devices
        other = replace(device, steps=(*device.steps[:-1], StepText("tidy", ("clean",))))
        scene.prepared = replace(
            scene.prepared, change=replace(scene.prepared.change, devices=(other,))
        )
        report = scene.run(again=True)
        scene.check(report)
        assert outcomes(report)["a"] in {"failed-restored", "skipped"}, (at, report)
        assert (box.running, box.startup) == (BEFORE, BEFORE) != (TARGET, TARGET)


def test_a_first_contact_cut_off_when_its_rounds_were_made_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Scene(tmp_path / "whole", [["a"], ["b"]], known=False)
    whole.run()
    records = read(whole.folder.journal).records
    confirming = [n for n, r in enumerate(records, 1) if r.step == "confirm" and r.device == "a"]
    for at in range(confirming[0], len(records)):
        scene = Scene(tmp_path / str(at), [["a"], ["b"]], known=False)
        cut_off(scene, monkeypatch, at)
        before = scene.clock.now()
        report = scene.run(again=True)
        assert scene.clock.now() - before < TIMER_S
        scene.check(report)
        assert outcomes(report) == {"a": "changed", "b": "changed"}, (at, report)


def test_a_change_that_was_made_offline_is_not_pushed(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    scene.prepared = replace(scene.prepared, change=replace(scene.prepared.change, offline=True))
    with pytest.raises(PushError, match="made offline") as caught:
        scene.run()
    assert caught.value.rule == "RCE946"
    assert scene.net.boxes["a"].commands == []
    assert not scene.folder.journal.exists()
