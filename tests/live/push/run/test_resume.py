"""A push whose process died at each line of its journal, and is resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.live.push.ending import by_status
from fabric.live.push.journal import Journal
from fabric.live.push.open_pushes import standings
from fabric.live.push.run import PushError
from fabric.model.push import Ask, TimerClass
from tests.live.push.run.scene import Scene, outcomes
from tests.live.push.run.toy import TIMER_S
from tests.live.push.run.toy_procedures import ToyCommit

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.live.push.journal import Record
    from fabric.model.push_change import Event


class PowerCut(BaseException):
    """The process is gone."""


class Cut:
    """Cuts the power at the n-th line of the journal, before or after it reached the disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int, *, written: bool) -> None:
        self.left, self.written = at, written
        self._write = Journal.write
        monkeypatch.setattr(Journal, "write", lambda journal, record: self(journal, record))  # noqa: PLW0108

    def __call__(self, journal: Journal, record: Record) -> None:
        self.left -= 1
        if self.left == 0:
            if self.written:
                self._write(journal, record)
            raise PowerCut
        if self.left > 0:
            self._write(journal, record)
        else:
            raise PowerCut  # nothing is written any more, whatever still runs

    def over(self) -> None:
        self.left = 10**9


def lines_of(tmp_path: Path, timer: TimerClass) -> int:
    scene = Scene(tmp_path, [["a"], ["b"]], timer)
    scene.run()
    return len(scene.folder.journal.read_text().splitlines())


@pytest.mark.parametrize("later_s", [0, TIMER_S + 60], ids=["at once", "after the timer"])
@pytest.mark.parametrize("written", [False, True], ids=["before the line", "after the line"])
@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_cut_off_at_every_line_and_resumed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    timer: TimerClass,
    written: bool,
    later_s: float,
) -> None:
    count = lines_of(tmp_path / "whole", timer)
    assert count > 15
    for at in range(1, count + 1):
        scene = Scene(tmp_path / str(at), [["a"], ["b"]], timer)
        cut = Cut(monkeypatch, at, written=written)
        with pytest.raises(PowerCut):
            scene.run()
        monkeypatch.undo()
        scene.clock.sleep(later_s)
        begun = at > 1 or written
        if not begun:
            assert outcomes(scene.run()) == {"a": "changed", "b": "changed"}
            continue
        if not standings(scene.folder).push.open:
            assert at == count
            assert written
            continue
        with pytest.raises(PushError, match="begun already"):
            scene.run()
        report = scene.run(again=True)
        assert cut.left <= 0
        scene.check(report)
        assert outcomes(report) == {"a": "changed", "b": "changed"}, (at, report)
        assert not standings(scene.folder).push.open


def test_cut_off_where_a_timer_cannot_be_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a confirm that was cut off took place is not known: it is repeated, or taken back."""
    ends = set()
    for at in range(2, lines_of(tmp_path / "whole", TimerClass.LIVE)):
        scene = Scene(tmp_path / str(at), [["a"], ["b"]], TimerClass.LIVE)
        monkeypatch.setattr(ToyCommit, "pending", lambda *_: Ask((), lambda _: None))
        Cut(monkeypatch, at, written=False)
        with pytest.raises(PowerCut):
            scene.run()
        monkeypatch.undo()
        monkeypatch.setattr(ToyCommit, "pending", lambda *_: Ask((), lambda _: None))
        report = scene.run(again=True)
        monkeypatch.undo()
        scene.check(report)
        ends |= set(outcomes(report).values())
    assert ends == {"changed", "failed-restored", "skipped"}


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_nothing_is_done_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timer: TimerClass
) -> None:
    """Cut off after the gate: what was applied is not applied again, what was saved not saved."""
    scene = Scene(tmp_path, [["a"], ["b"]], timer)
    count = lines_of(tmp_path / "whole", timer)
    Cut(monkeypatch, count - 2, written=True)  # `phase save done` of b is on the disk
    with pytest.raises(PowerCut):
        scene.run()
    monkeypatch.undo()
    said = {name: len(box.commands) for name, box in scene.net.boxes.items()}
    scene.check(scene.run(again=True))
    again = {name: box.commands[said[name] :] for name, box in scene.net.boxes.items()}
    assert again["a"] == []
    assert not [c for c in again["b"] if c.split()[0] in {"put", "load", "commit", "save", "arm"}]


@pytest.mark.parametrize("before_the_end", [5, 4], ids=["saved", "cleaning begins"])
def test_what_was_saved_is_not_saved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before_the_end: int
) -> None:
    """Cut off behind the first step of saving: only what follows it is done."""
    whole = Scene(tmp_path / "whole", [["a"]], TimerClass.CANDIDATE)
    whole.run()
    count = len(whole.folder.journal.read_text().splitlines())
    scene = Scene(tmp_path / "cut", [["a"]], TimerClass.CANDIDATE)
    Cut(monkeypatch, count - before_the_end, written=True)
    with pytest.raises(PowerCut):
        scene.run()
    monkeypatch.undo()
    said = len(scene.net.boxes["a"].commands)
    report = scene.run(again=True)
    scene.check(report)
    assert outcomes(report) == {"a": "changed"}
    again = [command.split()[0] for command in scene.net.boxes["a"].commands[said:]]
    assert again.count("clean") == 1
    assert "save" not in again


def test_cut_off_while_everything_goes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Scene(tmp_path / "whole", [["a"], ["b"]])
    whole.net.boxes["b"].refused = {"confirm toy-1"}
    whole.run()
    lines = whole.folder.journal.read_text().splitlines()
    begin = next(n for n, line in enumerate(lines, 1) if '"failed"' in line)
    for at in range(begin, len(lines)):
        scene = Scene(tmp_path / str(at), [["a"], ["b"]])
        scene.net.boxes["b"].refused = {"confirm toy-1"}
        Cut(monkeypatch, at, written=True)
        with pytest.raises(PowerCut):
            scene.run()
        monkeypatch.undo()
        scene.net.boxes["b"].refused = set()
        report = scene.run(again=True)
        scene.check(report)
        assert set(outcomes(report).values()) == {"failed-restored"}, (at, report)


@pytest.mark.parametrize("how", ["gate", "clean up"], ids=["gate", "read-back after saving"])
@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_what_failed_without_a_step_does_not_go_forward_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timer: TimerClass, how: str
) -> None:
    def scene_of(root: Path) -> Scene:
        scene = Scene(root, [["a"]], timer)

        forward = len(scene.steps()) - (2 if timer is TimerClass.NONE else 3)
        last = scene.steps()[forward - 1] if how == "gate" else how
        todo = [last]  # going back has a step of that name, too

        def strange(event: Event) -> None:
            if event.status == "done" and event.step in todo:
                todo.clear()
                scene.net.boxes["a"].running += "mtu 68\n"

        scene.on_event = strange
        return scene

    whole = scene_of(tmp_path / "whole")
    assert outcomes(whole.run()) == {"a": "failed-restored"}
    lines = whole.folder.journal.read_text().splitlines()
    begin = next(n for n, line in enumerate(lines, 1) if '"failed"' in line)
    for at in range(begin, len(lines)):
        scene = scene_of(tmp_path / str(at))
        Cut(monkeypatch, at, written=True)
        with pytest.raises(PowerCut):
            scene.run()
        monkeypatch.undo()
        box = scene.net.boxes["a"]
        box.running = box.running.replace("mtu 68\n", "")  # whoever did that takes it back
        report = scene.run(again=True)
        scene.check(report)
        assert outcomes(report) == {"a": "failed-restored"}, (at, report)


def test_an_unfinished_push_is_tried_again(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]])
    scene.net.boxes["b"].refused = {"save", "load old"}
    report = scene.run()
    assert outcomes(report) == {"a": "failed-restored", "b": "failed-not-restored"}
    assert not standings(scene.folder).push.open  # another push may begin
    scene.net.boxes["b"].refused = set()
    report = scene.run(again=True)
    scene.check(report)
    assert outcomes(report) == {"a": "failed-restored", "b": "failed-restored"}
    with pytest.raises(PushError, match="nothing is open"):
        scene.run(again=True)


def test_a_half_written_last_line_is_tolerated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]])
    Cut(monkeypatch, 9, written=True)
    with pytest.raises(PowerCut):
        scene.run()
    monkeypatch.undo()
    with scene.folder.journal.open("a") as file:
        file.write('{"n": 10, "event": "st\u00e4')
    report = scene.run(again=True)
    scene.check(report)
    assert by_status(report) == {"changed": 2}
    assert any("half-written" in e.message for e in scene.events)


@pytest.mark.parametrize("how", ["not JSON", "a line is missing", "edited"])
def test_a_damaged_journal_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]])
    Cut(monkeypatch, 9, written=True)
    with pytest.raises(PowerCut):
        scene.run()
    monkeypatch.undo()
    lines = scene.folder.journal.read_text().splitlines(keepends=True)
    if how == "not JSON":
        lines[3] = lines[3][:20] + "\n"
    elif how == "a line is missing":
        del lines[3]
    else:
        lines[3] = lines[3].replace('"event"', '"evemt"')
    scene.folder.journal.write_text("".join(lines))
    said = list(scene.net.boxes["a"].commands)
    with pytest.raises(PushError, match=":4: this is no line 4 of a journal") as caught:
        scene.run(again=True)
    assert caught.value.rule == "RCE943"
    assert scene.net.boxes["a"].commands == said


def test_another_push_does_not_begin_while_one_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace  # noqa: PLC0415

    from fabric.live.push.folder import PushFolder, private_folder  # noqa: PLC0415

    scene = Scene(tmp_path, [["a"], ["b"]])
    Cut(monkeypatch, 9, written=True)
    with pytest.raises(PowerCut):
        scene.run()
    monkeypatch.undo()
    path = scene.folder.path.with_name("20261202-080000-def")
    scene.prepared = replace(scene.prepared, folder=PushFolder(private_folder(path)))
    with pytest.raises(PushError, match="cut off and is open") as caught:
        scene.run()
    assert caught.value.rule == "RCE941"
    assert "--resume" in caught.value.fix
