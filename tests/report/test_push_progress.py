"""What a person reads while a push runs, and at its end."""

from __future__ import annotations

from itertools import count

from fabric.model.push_change import Event, Outcome, StepResult
from fabric.report.push_progress import Progress, end_lines
from fabric.report.text import Style

PLAIN = Style(colour=False, width=100)


def progress() -> Progress:
    seconds = count()
    return Progress(PLAIN, {1: 1, 2: 2}, lambda: float(next(seconds)))


def ended(device: str, status: str, message: str = "") -> Event:
    return Event("device", device, 2, status=status, message=f"{device}: {message}")


def test_devices_done_fall_again_when_they_go_back() -> None:
    screen = progress()
    told = [
        line
        for event in (ended("a", "changed"), ended("b", "changed"), ended("a", "failed-restored"))
        for line in screen.lines(event)
    ]
    assert [line.rpartition("(")[2] for line in told] == [f"{n} of 3 done)" for n in (1, 2, 1)]


def test_commands_of_a_long_message_are_left_for_the_end() -> None:
    (line,) = progress().lines(ended("a", "failed-not-restored", "it is wrong:\n    first\n    b"))
    assert line == "  wave 2  a  failed-not-restored  it is wrong: told at the end  (0 of 3 done)"


def test_a_gate_says_how_many_of_the_wave_are_through() -> None:
    screen = progress()
    events = [Event("gate", name, 2, status="passed") for name in ("a", "a", "b")]
    told = [line.rpartition("passed")[2] for event in events for line in screen.lines(event)]
    assert told == ["  (1 of 2 in the wave)", "  (1 of 2 in the wave)", "  (2 of 2 in the wave)"]


def test_what_only_followed_comes_last_with_one_command() -> None:
    results = [
        StepResult("a", Outcome.RESTORED, "", "a: everything goes back", "aborted"),
        StepResult("b", Outcome.RESTORED, "", "b: refused", "command refused"),
        StepResult("c", Outcome.SKIPPED, "", "c: not begun", ""),
    ]
    lines = end_lines(results, PLAIN, took_s={}, command=lambda names: f"again {' '.join(names)}")
    told = [line.strip() for line in lines if line]
    assert told[1:] == [
        "command refused: 1 device",
        "b: refused",
        "Only these: again b",
        "aborted: 1 device",
        "a: everything goes back",
        "not begun: 1 device",
        "c: not begun",
        "All of them again: again",
    ]


def test_the_name_of_a_step_is_told_once() -> None:
    event = Event("step", "a", 2, "load it", "failed", "a: load it: not done after 45 s")
    assert progress().lines(event) == ["  wave 2  a  load it  failed  not done after 45 s"]
