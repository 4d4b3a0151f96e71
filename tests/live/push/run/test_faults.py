"""A fault at every step of the procedure, the steps taken from the procedure's own lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.live.push.ending import exit_code
from fabric.live.transport.errors import Kind
from fabric.model.push import TimerClass
from tests.live.push.run.scene import Scene, outcomes
from tests.live.push.run.toy import BEFORE, TARGET, TIMER_S, Fault

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.push_change import Event

FAULTS = {
    "refused": Fault(Kind.REFUSED),
    "lost, not done": Fault(Kind.LOST),
    "lost, done": Fault(Kind.LOST, before=False),
    "lost for a while": Fault(Kind.LOST, before=False, away_s=60),
    "lost until the timer ran out": Fault(Kind.LOST, before=False, away_s=TIMER_S + 20),
    "silent, done": Fault(Kind.TIMEOUT, before=False),
    "file not written": Fault(Kind.FILE),
}


APPLIED_BY = {
    TimerClass.CANDIDATE: "commit for a time",
    TimerClass.LIVE: "type the lines",
    TimerClass.SCHEDULED: "restart",
    TimerClass.NONE: "load the candidate",
}
BEFORE_THE_TIMER = {"look", "make a checkpoint", "lay the candidate down"}


def every_step() -> list[tuple[TimerClass, str]]:
    steps = [
        (timer, step)
        for timer in TimerClass
        for step in Scene.steps(_Named(timer))  # type: ignore[arg-type]
    ]
    assert len(steps) >= 20
    return steps


class _Named:
    """What the list of steps needs of a scene."""

    def __init__(self, timer: TimerClass) -> None:
        self.timer, self.before = timer, BEFORE


def fresh(fault: Fault) -> Fault:
    return Fault(fault.kind, fault.before, fault.times, fault.away_s)


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize(("timer", "step"), every_step(), ids=lambda v: str(getattr(v, "value", v)))
def test_a_fault_at_every_step_ends_restored(
    tmp_path: Path, timer: TimerClass, step: str, name: str
) -> None:
    timed = timer is not TimerClass.NONE and step not in BEFORE_THE_TIMER
    if name == "lost until the timer ran out" and not timed:
        return  # nobody waits that long without a timer: see the device that stays away
    scene = Scene(tmp_path, [["a"], ["b", "c"]], timer)
    scene.faults = {("b", step): fresh(FAULTS[name])}
    report = scene.run()
    scene.check(report)
    tolerated = step == "restart" and name.startswith(("lost", "silent"))
    if tolerated and "ran out" not in name:
        assert set(outcomes(report).values()) == {"changed"}, report
        return
    assert set(outcomes(report).values()) <= {"failed-restored", "skipped"}, report
    assert outcomes(report)["a"] == "failed-restored"
    assert exit_code(report) == 3
    assert all(box.running == box.startup == BEFORE for box in scene.net.boxes.values())
    failed = next(r for r in report.results if r.device == "b")
    assert failed.step in (step, "gate")
    assert "b" in failed.message
    assert "wave 2" in report.message


@pytest.mark.parametrize("timer", list(TimerClass))
def test_a_device_that_stays_away_is_unknown_and_said_so(tmp_path: Path, timer: TimerClass) -> None:
    last = APPLIED_BY[timer]
    scene = Scene(tmp_path, [["a", "b"]], timer)
    scene.faults = {("b", last): Fault(Kind.LOST, before=False, away_s=1e9)}
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "failed-restored", "b": "unknown"}
    assert exit_code(report) == 4
    text = next(r.message for r in report.results if r.device == "b")
    assert "cannot be reached" in text
    assert "To go back by hand:" in text
    assert "load old" in text
    # Nobody gave up before the device's own timer had surely run out.
    waited = scene.clock.now() - 1_000_000
    assert waited > (0 if timer is TimerClass.NONE else TIMER_S)
    assert ("by its own timer, which has run out" in text) == (timer is not TimerClass.NONE)


def test_a_restore_that_is_refused_is_not_restored(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    scene.net.boxes["a"].refused = {"save", "load old"}
    report = scene.run()
    assert outcomes(report) == {"a": "failed-not-restored"}
    assert exit_code(report) == 4
    assert "step 'load the old configuration' of the restore" in report.results[0].message
    back = [e for e in scene.events if e.step == "load the old configuration"]
    told = [e.message.startswith("a: going back: ") for e in back if e.status == "failed"]
    assert told
    assert all(told)


def test_a_restore_that_does_nothing_though_answered_well_is_found_out(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    box = scene.net.boxes["a"]
    box.refused, box.deaf = {"clean"}, {"load"}
    report = scene.run()
    assert outcomes(report) == {"a": "failed-not-restored"}
    assert "as the plan wants it and could not be restored" in report.results[0].message


def test_a_timer_that_a_restore_leaves_running_is_found_out(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    box = scene.net.boxes["a"]
    box.refused, box.deaf = {"confirm toy-1"}, {"cancel"}
    report = scene.run()
    assert outcomes(report) == {"a": "failed-not-restored"}
    assert "its configuration is as before" in report.results[0].message
    assert "its timer still runs" in report.results[0].message


def test_a_restore_that_fails_once_is_begun_again(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    scene.faults = {
        ("a", "save"): Fault(Kind.REFUSED),
        ("a", "load the old configuration"): Fault(Kind.LOST),
    }
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "failed-restored"}


def test_what_somebody_else_changed_after_us_is_left_alone(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]])

    def somebody(event: object) -> None:
        if getattr(event, "device", "") == "b" and getattr(event, "step", "") == "look":
            scene.net.boxes["a"].running += "snmp public\n"

    scene.on_event = somebody
    scene.faults = {("b", "commit for a time"): Fault(Kind.REFUSED)}
    report = scene.run()
    assert outcomes(report) == {"a": "failed-not-restored", "b": "failed-restored"}
    assert scene.net.boxes["a"].running.endswith("snmp public\n")
    assert "changed by somebody else" in report.results[0].message


def test_an_unreachable_device_aborts_and_nothing_is_said_of_it_but_that(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]])
    scene.net.boxes["b"].away_until = 1e12
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "failed-restored", "b": "unreachable"}
    assert exit_code(report) == 3


@pytest.mark.parametrize(
    ("attribute", "value", "text"),
    [
        ("running", BEFORE + "somebody was here\n", "changed since"),
        ("holder", "admin on vty3", "locked by somebody else: admin on vty3"),
        ("version", "1.1", "it runs 1.1"),
    ],
)
def test_a_device_that_is_not_as_approved_is_not_touched(
    tmp_path: Path, attribute: str, value: str, text: str
) -> None:
    scene = Scene(tmp_path, [["a"]])
    setattr(scene.net.boxes["a"], attribute, value)
    report = scene.run()
    assert outcomes(report) == {"a": "skipped"}
    assert text in report.results[0].message
    assert report.results[0].message.endswith("nothing was changed")
    assert not {"checkpoint", "clean"} & set(scene.net.boxes["a"].commands)
    assert exit_code(report) == 3


@pytest.mark.parametrize("text", ["target", "before"])  # no step tells the one to go back to
def test_texts_that_were_edited_on_our_disk_are_not_pushed(tmp_path: Path, text: str) -> None:
    scene = Scene(tmp_path, [["a"]])
    scene.folder.keep("a", text, {"config": "host leaf\nshutdown\n"})
    report = scene.run()
    assert outcomes(report) == {"a": "skipped"}
    told = {"target": "not those that were approved", "before": "it was edited or damaged"}
    assert told[text] in report.results[0].message


@pytest.mark.parametrize("text", ["host leaf\nmtu 68\n", "mtu 68\n"], ids=["edited", "damaged"])
def test_a_checkpoint_that_was_edited_is_never_put_in_force(tmp_path: Path, text: str) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]])
    scene.net.boxes["b"].refused = {"confirm toy-1"}

    def edited(event: Event) -> None:
        if (event.device, event.step, event.status) == ("b", "confirm", "begins"):
            scene.folder.keep("a", "before", {"config": text})

    scene.on_event = edited
    report = scene.run()
    box = scene.net.boxes["a"]
    assert outcomes(report) == {"a": "unknown", "b": "failed-restored"}
    told = report.results[0].message
    assert "checkpoints/a/before is not what was in force when the change was approved" in told
    assert "may be changed and not saved, changed and saved" in told
    assert (box.running, box.startup) == (TARGET, TARGET)
    scene.folder.keep("a", "before", {"config": BEFORE})
    report = scene.run(again=True)
    assert outcomes(report) == {"a": "failed-restored", "b": "failed-restored"}
    scene.check(report)


def test_a_checkpoint_that_was_edited_before_the_push_keeps_the_device_out(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    scene.folder.keep("a", "before", {"config": "host leaf\nmtu 68\n"})
    report = scene.run()
    assert outcomes(report) == {"a": "skipped"}
    assert report.results[0].message.endswith("nothing was changed")


def test_what_was_never_in_force_is_cleaned_and_not_restored(tmp_path: Path) -> None:
    """A restore would restart what runs well; on a full disk it could not even be laid down."""
    scene = Scene(tmp_path, [["a"], ["b"]], TimerClass.CANDIDATE)
    scene.faults = {("b", "lay the candidate down"): Fault(Kind.FILE)}
    report = scene.run()
    failed = next(r for r in report.results if r.device == "b")
    assert failed.outcome.value == "failed-restored"
    assert "nothing was in force" in failed.message
    begun = [e.step for e in scene.events if e.device == "b" and e.status == "begins"]
    assert begun[-2:] == ["lay the candidate down", "take the candidate away"]


def test_what_reads_as_before_is_restored_though_the_restore_is_refused(tmp_path: Path) -> None:
    """Somebody's lock refuses the change and the way back alike: nothing was ever in force."""
    scene = Scene(tmp_path, [["a"]], timer=TimerClass.NONE)
    scene.net.boxes["a"].refused = {"load candidate", "load old"}
    report = scene.run()
    assert outcomes(report) == {"a": "failed-restored"}
    assert exit_code(report) == 3
    assert "as before the push, by its read-back" in report.results[0].message
    assert "may lie there still" in report.results[0].message


def test_a_device_that_is_just_taking_the_change_back_is_let_finish(tmp_path: Path) -> None:
    """Two restores at once would undo each other's steps."""
    scene = Scene(tmp_path, [["a"]], TimerClass.SCHEDULED)
    box = scene.net.boxes["a"]
    scene.faults = {("a", "restart"): Fault(Kind.LOST, before=False, away_s=TIMER_S + 5)}
    half_until: list[float] = []
    seen: list[str] = []
    load = box._do_load

    def takes_its_time() -> None:
        if box.timer is not None and scene.clock.now() >= box.timer:
            box.running, box.timer = "host leaf\nhalf\n", None
            half_until.append(scene.clock.now() + 20)
        elif half_until and scene.clock.now() >= half_until[-1]:
            box.running = BEFORE

    def loads(path: str) -> None:
        seen.append(box.running)
        load(path)

    box.tick, box._do_load = takes_its_time, loads  # type: ignore[method-assign]
    assert outcomes(scene.run()) == {"a": "failed-restored"}
    assert half_until
    assert not any("half" in running for running in seen)
