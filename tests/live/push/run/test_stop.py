"""Ctrl-C: once, twice, at a question; and who may push at the same time."""

from __future__ import annotations

import getpass
import json
import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from fabric.live.push.crew import each
from fabric.live.push.ending import exit_code
from fabric.live.push.lock import LockedError, holder, locked, owner
from fabric.live.push.means import HardStop, Stop
from fabric.live.push.open_pushes import standings
from fabric.live.push.run import PushError
from fabric.model.push import TimerClass
from tests.live.push.run.scene import Scene, outcomes
from tests.live.push.run.toy import BEFORE, TARGET

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.push_change import Event


def stop_at(scene: Scene, device: str, step: str, times: int = 1, status: str = "begins") -> None:
    def watch(event: Event) -> None:
        if (event.device, event.step or event.event, event.status) == (device, step, status):
            for _ in range(times):
                scene.stop.ask()

    scene.on_event = watch


def resumed(scene: Scene) -> dict[str, str]:
    scene.stop = Stop()
    scene.on_event = lambda _: None
    report = scene.run(again=True)
    scene.check(report)
    return outcomes(report)


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_stopped_at_every_step_and_resumed(tmp_path: Path, timer: TimerClass) -> None:
    steps = Scene(tmp_path / "steps", [["b"]], timer).steps()
    for step in steps:
        scene = Scene(tmp_path / step, [["a"], ["b"], ["c"]], timer)
        stop_at(scene, "b", step)
        report = scene.run()
        scene.check(report)
        found = outcomes(report)
        finishing = step in {"confirm", "save", "clean up"}
        assert found["b"] == ("changed" if finishing else "failed-restored"), step
        assert (found["a"], found["c"]) == ("changed", "skipped")
        assert report.interrupted
        assert exit_code(report) == 130
        assert standings(scene.folder).push.open
        assert set(resumed(scene).values()) == {"changed"}


def test_stopped_while_sessions_are_waited_for(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]])
    box = scene.net.boxes["b"]

    def watch(event: Event) -> None:
        if (event.device, event.step, event.status) == ("b", "commit for a time", "done"):
            box.peers["10.0.0.2"] = "Active"
            sleep = scene.clock.sleep

            def asked(seconds: float) -> None:
                scene.stop.ask_softly()
                sleep(seconds)

            scene.clock.sleep = asked  # type: ignore[method-assign]

    scene.on_event = watch
    report = scene.run()
    assert outcomes(report) == {"a": "changed", "b": "failed-restored"}
    assert report.interrupted


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_stopped_hard_says_what_is_open_and_is_resumed(tmp_path: Path, timer: TimerClass) -> None:
    for step in Scene(tmp_path / "steps", [["b"]], timer).steps():
        scene = Scene(tmp_path / step, [["a"], ["b"], ["c"]], timer)
        stop_at(scene, "b", step, times=2)
        report = scene.run()
        assert report.hard
        assert exit_code(report) == 130
        assert outcomes(report)["a"] == "changed"
        open_ones = [r for r in report.results if r.outcome.value == "unknown"]
        assert [r.device for r in open_ones] in ([], ["b"])
        assert all("open:" in r.message for r in open_ones)
        assert set(resumed(scene).values()) == {"changed"}


def test_stopped_while_a_timer_is_let_run_out(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]], known=False)
    sleep = scene.clock.sleep

    def asked(seconds: float) -> None:
        scene.stop.ask_softly()
        sleep(seconds)

    scene.clock.sleep = asked  # type: ignore[method-assign]
    report = scene.run()
    assert outcomes(report) == {"a": "failed-restored", "b": "skipped"}
    assert report.interrupted
    assert scene.clock.now() < 1_000_000 + 60


def test_ctrl_c_at_the_question_stops_there(tmp_path: Path) -> None:
    def go_on(_question: str) -> bool:
        scene.stop.ask()  # what the signal handler does
        return True

    scene = Scene(tmp_path, [["a"], ["b"]], known=False, go_on=go_on)
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "changed", "b": "skipped"}
    assert report.interrupted


def test_real_signals_are_taken_and_given_back(tmp_path: Path) -> None:
    import signal  # noqa: PLC0415

    before = signal.getsignal(signal.SIGINT)
    scene = Scene(tmp_path, [["a"], ["b"]])
    scene.on_event = lambda e: (
        os.kill(os.getpid(), signal.SIGINT) if (e.device, e.status) == ("a", "changed") else None
    )
    report = scene.run()
    scene.check(report)
    assert report.interrupted
    assert outcomes(report)["a"] == "changed"
    assert any(e.status == "stopping" for e in scene.events)
    assert signal.getsignal(signal.SIGINT) is before


def test_the_lock_names_its_owner_and_lets_nobody_in(tmp_path: Path) -> None:
    with locked(tmp_path, "p1", take_over=False, now=0.0):
        found = owner(tmp_path)
        assert found is not None
        assert (found.host, found.pid, found.push) == (socket.gethostname(), os.getpid(), "p1")
        assert found.time == "1970-01-01T00:00:00+00:00"
        assert holder(tmp_path) == found
        with (
            pytest.raises(LockedError, match=rf"process {os.getpid()}\) since 1970") as caught,
            locked(tmp_path, "p2", take_over=True, now=0.0),
        ):
            pass
        assert caught.value.rule == "RCE940"
    assert owner(tmp_path) is None
    with locked(tmp_path, "p2", take_over=False, now=0.0):
        pass


def test_a_user_without_a_name_takes_the_lock_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown() -> str:
        raise KeyError

    monkeypatch.setattr(getpass, "getuser", unknown)
    with locked(tmp_path, "p1", take_over=False, now=0.0):
        found = owner(tmp_path)
        assert found is not None
        assert found.user == f"user {os.getuid()}"


HOLD = """
import os, signal, sys
from pathlib import Path
from fabric.live.push.lock import locked
with locked(Path(sys.argv[1]), "p1", take_over=False, now=0.0):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_lock_that_a_dead_process_left_is_told_and_taken_over_only_on_purpose(
    tmp_path: Path,
) -> None:
    subprocess.run([sys.executable, "-c", HOLD, str(tmp_path)], check=False, timeout=60)
    assert owner(tmp_path) is not None
    assert holder(tmp_path) is None
    with (
        pytest.raises(LockedError, match="its process is gone") as caught,
        locked(tmp_path, "p2", take_over=False, now=0.0),
    ):
        pass
    assert caught.value.rule == "RCE941"
    with locked(tmp_path, "p2", take_over=True, now=0.0):
        pass


def test_a_lock_of_another_host_is_never_taken_over(tmp_path: Path) -> None:
    left = {"user": "u", "host": "elsewhere", "pid": 1, "time": "t", "push": "p"}
    (tmp_path / "push.lock").write_text(json.dumps(left))
    with (
        pytest.raises(LockedError, match="u on elsewhere"),
        locked(tmp_path, "p2", take_over=True, now=0.0),
    ):
        pass


def test_a_locked_fabric_is_not_pushed_to(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    fabric = scene.folder.path.parent.parent
    with (
        locked(fabric, "other", take_over=False, now=0.0),
        pytest.raises(PushError, match="is being pushed to by"),
    ):
        scene.run()
    assert scene.net.boxes["a"].commands == []
    assert not scene.folder.journal.exists()


def test_hundreds_of_devices_need_ten_sessions(tmp_path: Path) -> None:
    names = [f"d{n}" for n in range(300)]
    scene = Scene(tmp_path, [names[:1], names[1:]], workers=10)
    report = scene.run()
    assert set(outcomes(report).values()) == {"changed"}
    assert scene.net.most_open <= 10
    assert scene.net.open == 0
    assert all(box.running == TARGET != BEFORE for box in scene.net.boxes.values())


def test_each_raises_what_work_raises_and_leaves_the_rest_out_when_stopped() -> None:
    stop = Stop()

    def work(item: int) -> int:
        if item == 2:
            stop.ask()
        return item * item

    found = each(work, range(5), workers=1, stop=stop, begin_all=False)
    assert found == [(0, 0), (1, 1), (2, 4)]
    assert len(each(work, range(5), workers=3, stop=Stop(), begin_all=False)) == 5
    with pytest.raises(ZeroDivisionError):
        each(lambda item: 1 // item, [0], workers=1, stop=Stop(), begin_all=True)
    stop.ask()
    with pytest.raises(HardStop):
        each(work, [1], workers=1, stop=stop, begin_all=True)
