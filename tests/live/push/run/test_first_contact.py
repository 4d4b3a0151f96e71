"""The first push to a system takes one device through the whole way, there and back."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from fabric.live.push.contacts import contacts_file
from fabric.live.push.ending import exit_code
from fabric.live.transport.errors import Kind
from fabric.model.push import TimerClass
from tests.live.push.run.scene import Scene, outcomes
from tests.live.push.run.toy import BEFORE, TARGET, TIMER_S, Fault

if TYPE_CHECKING:
    from pathlib import Path


def heads(scene: Scene, device: str) -> list[str]:
    """What was done to the device's configuration, in order, without questions."""
    words = ("commit", "load", "confirm", "save", "arm")
    said = scene.net.boxes[device].commands
    return [c.split()[0] + (" old" if c == "load old" else "") for c in said if c.startswith(words)]


def test_one_device_there_and_back_twice_then_for_good(tmp_path: Path) -> None:
    asked: list[tuple[str, dict[str, str]]] = []

    def go_on(question: str) -> bool:
        asked.append((question, {n: box.running for n, box in scene.net.boxes.items()}))
        return True

    scene = Scene(tmp_path, [["a"], ["b", "c"]], known=False, go_on=go_on)
    report = scene.run()
    scene.check(report)
    assert set(outcomes(report).values()) == {"changed"}
    there_and_back = ["commit", "load old"]  # the timer took it back first, then we
    assert heads(scene, "a") == [*there_and_back, *there_and_back, "commit", "confirm", "save"]
    assert heads(scene, "b") == ["commit", "confirm", "save"]
    ((question, then),) = asked
    assert "a (frr 1.0)" in question
    assert "other 2 devices" in question
    assert then == {"a": TARGET, "b": BEFORE, "c": BEFORE}
    (line,) = scene.contacts.read_text().splitlines()
    found = json.loads(line)
    assert (found["platform"], found["os_version"], found["device"]) == ("frr", "1.0", "a")
    assert found["timer"] is True
    assert scene.clock.now() > 1_000_000 + TIMER_S  # it was really let run out


def test_without_the_proof_of_the_timer_it_is_there_and_back_once(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]], known=False, prove_timer=False)
    scene.check(scene.run())
    assert heads(scene, "a") == ["commit", "load old", "commit", "confirm", "save"]
    assert json.loads(scene.contacts.read_text())["timer"] is False
    assert scene.clock.now() < 1_000_000 + TIMER_S + 100


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_the_second_push_needs_no_first_contact(tmp_path: Path, timer: TimerClass) -> None:
    scene = Scene(tmp_path / "one", [["a"]], timer, known=False)
    scene.check(scene.run())
    other = Scene(tmp_path / "two", [["a"]], timer)
    other.contacts.write_text(scene.contacts.read_text())
    other.check(other.run())
    assert not [e for e in other.events if e.event == "contact"]
    assert [e for e in scene.events if e.event == "contact"]


def test_no_means_no(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]], known=False, go_on=lambda _: False)
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "changed", "b": "skipped"}
    assert "ended after the first contact" in report.message
    assert exit_code(report) == 0


def test_a_timer_that_does_not_fire_is_found_out_and_nobody_else_is_touched(
    tmp_path: Path,
) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]], known=False)
    box = scene.net.boxes["a"]
    box.tick = lambda: None  # type: ignore[method-assign]
    report = scene.run()
    assert outcomes(report) == {"a": "failed-restored", "b": "skipped"}
    assert "its timer did not take the change back" in report.results[0].message
    assert report.results[0].cause == "timer not proven"
    assert box.running == BEFORE
    assert "confirm toy-1" not in box.commands
    assert not scene.contacts.exists()
    assert scene.net.boxes["b"].commands == []


def test_a_first_contact_that_fails_is_not_recorded(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]], known=False)
    scene.faults = {("a", "confirm"): Fault(Kind.REFUSED)}
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "failed-restored", "b": "skipped"}
    assert not scene.contacts.exists()


def test_another_version_is_another_first_contact(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    scene.contacts.write_text('{"platform": "frr", "os_version": "0.9"}\nrubbish\n')
    scene.check(scene.run())
    told = [e for e in scene.events if e.event == "contact"]
    assert list(dict.fromkeys(e.status for e in told)) == ["begins", "round", "waits", "done"]
    assert [e.message for e in told if e.status == "round"] == [
        "round 1 of 3: changed, for its own timer to take back",
        "round 1 of 3: its own timer took the change back",
        "round 2 of 3: changed, for us to take back",
        "round 2 of 3: taken back, it is as before",
        "round 3 of 3: changed for good",
    ]
    left_s = [float(e.message.split()[-3]) for e in told if e.status == "waits"]
    assert left_s == sorted(left_s, reverse=True)
    assert all(60 <= a - b < 90 for a, b in pairwise(left_s))  # by the device's own clock


def test_the_record_is_the_installation_s_not_the_fabric_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FABRIC_STATE", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert contacts_file() == tmp_path / "fabric" / "contacts.jsonl"
    monkeypatch.setenv("FABRIC_STATE", str(tmp_path / "own"))
    assert contacts_file() == tmp_path / "own" / "contacts.jsonl"
