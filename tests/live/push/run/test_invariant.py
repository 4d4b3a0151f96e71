"""Whatever happens in whatever order: a device is as it is said to be, or nobody is told it is."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.live.push.journal import Journal
from fabric.live.push.means import Stop
from fabric.live.push.open_pushes import standings
from fabric.live.transport.errors import Kind
from fabric.model.push import TimerClass
from tests.live.push.run.scene import Scene, outcomes
from tests.live.push.run.toy import BEFORE, TARGET, TIMER_S, Fault

if TYPE_CHECKING:
    from fabric.live.push.journal import Record
    from fabric.live.push.terms import Report
    from fabric.model.device import DeviceModel
    from fabric.model.push_change import Event

NAMES = ["a", "b", "c"]
KINDS = [Kind.REFUSED, Kind.LOST, Kind.TIMEOUT, Kind.FILE, Kind.CLOSED, Kind.LOGIN, Kind.REPLY]
FAULT = st.tuples(
    st.sampled_from(NAMES),
    st.integers(0, 40),  # at the n-th step that begins on it
    st.builds(
        Fault,
        st.sampled_from(KINDS),
        before=st.booleans(),
        times=st.integers(1, 4),
        away_s=st.sampled_from([0.0, 10.0, 200.0, TIMER_S + 50.0, 5000.0]),
    ),
)


class PowerCut(BaseException):
    """The process is gone."""


def one_process(scene: Scene, cut_at: int, stop_at: int, *, again: bool) -> Report | None:
    """A process of `fabric`, which may be cut off (``None``) or asked to stop."""
    write, left = Journal.write, [cut_at, stop_at]

    def counted(journal: Journal, record: Record) -> None:
        left[0] -= 1
        left[1] -= 1
        if left[1] == 0:
            scene.stop.ask()
        if left[0] <= 0:
            raise PowerCut
        write(journal, record)

    Journal.write = counted  # type: ignore[method-assign,assignment]
    try:
        return scene.run(again=again)
    except PowerCut:
        return None
    finally:
        Journal.write = write  # type: ignore[method-assign]
        scene.stop = Stop()


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(
    timer=st.sampled_from(list(TimerClass)),
    known=st.booleans(),
    faults=st.lists(FAULT, max_size=5),
    processes=st.lists(st.tuples(st.integers(2, 90), st.integers(2, 90)), max_size=3),
    pauses=st.lists(st.sampled_from([0.0, 100.0, TIMER_S + 10.0]), min_size=4, max_size=4),
)
def test_no_sequence_of_faults_ends_unsaid(
    timer: TimerClass,
    known: bool,
    faults: list[tuple[str, int, Fault]],
    processes: list[tuple[int, int]],
    pauses: list[float],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder), [["a"], ["b", "c"]], timer, known=known)
        begun = dict.fromkeys(NAMES, 0)
        armed = {(device, at): fault for device, at, fault in faults}

        def arm(event: Event) -> None:
            if (event.event, event.status) == ("step", "begins"):
                fault = armed.pop((event.device, begun[event.device]), None)
                begun[event.device] += 1
                if fault:
                    scene.net.faults[event.device] = Fault(**vars(fault))

        scene.on_event = arm
        report = None
        for (cut_at, stop_at), pause in zip([*processes, (10**9, 10**9)], pauses, strict=False):
            state = standings(scene.folder).push
            if state.status and not state.unended:
                break
            report = one_process(scene, cut_at, stop_at, again=bool(state.status))
            if report is not None:
                truth(scene, report)
            scene.clock.sleep(pause)
        assert report is not None
        scene.check(report)
        assert not standings(scene.folder).push.open


def truth(scene: Scene, report: Report) -> None:
    """What is told when a process ends is so at that moment."""
    for result in report.results:
        box = scene.net.boxes[result.device]
        if result.outcome.value in {"changed", "failed-restored", "skipped", "unreachable"}:
            meant = TARGET if result.outcome.value == "changed" else BEFORE
            assert (box.running, box.startup, box.clean) == (meant, meant, True), result
    assert len(report.results) == len(NAMES)


def test_an_error_of_our_own_leaves_no_device_changed(tmp_path: Path) -> None:
    def broken(_device: str) -> DeviceModel | None:
        raise ZeroDivisionError

    scene = Scene(tmp_path, [["a", "b"]], model=broken)
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "failed-restored", "b": "failed-restored"}
    assert "internal error: ZeroDivisionError" in report.results[0].message
    assert "confirm toy-1" not in scene.net.boxes["a"].commands
