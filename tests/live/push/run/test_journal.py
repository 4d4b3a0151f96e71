"""The journal: on the disk before the next thing begins, whole lines alone, one fsync for many."""

from __future__ import annotations

import errno
import json
import os
import shutil
import threading
from functools import partial
from typing import TYPE_CHECKING

import pytest

from fabric.live.push.ending import exit_code
from fabric.live.push.journal import Journal, JournalError, Record, read
from fabric.live.push.log import Log, PhaseLog
from fabric.live.push.standing import Standings
from fabric.model.push import Effect, Step, TimerClass
from tests.live.push.run.scene import Scene, outcomes

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.push_change import Event

STEP = Record(
    "step", "begins", "leaf-0", 2, "apply", "arm", Effect.RUNS, "ä", peers=("10.0.0.1",), at=3.5
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    records = [STEP, Record("step", "begins", "b", effect=Effect.READS), Record("push", "closed")]
    for record in records:
        journal.write(record)
    journal.close()
    assert list(read(path).records) == records
    assert [json.loads(line)["n"] for line in path.read_text().splitlines()] == [1, 2, 3]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_line_is_on_the_disk_before_write_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, seen = Journal(tmp_path / "j"), []
    monkeypatch.setattr(os, "fsync", lambda fd: seen.append(os.fstat(fd).st_size))
    journal.write(STEP)
    assert seen == [(tmp_path / "j").stat().st_size]


def test_one_fsync_serves_all_who_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, calls = Journal(tmp_path / "j"), []
    gate, begun = threading.Event(), threading.Event()

    def slow(_fd: int) -> None:
        calls.append(1)
        begun.set()
        gate.wait(10)

    monkeypatch.setattr(os, "fsync", slow)
    threads = [threading.Thread(target=journal.write, args=(STEP,)) for _ in range(8)]
    threads[0].start()
    assert begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    while (tmp_path / "j").read_text().count("\n") < 8:
        pass
    gate.set()
    for thread in threads:
        thread.join(10)
    assert len(calls) == 2
    assert len(read(tmp_path / "j").records) == 8


def test_a_half_line_is_cut_off_before_the_next(tmp_path: Path) -> None:
    path = tmp_path / "j"
    journal = Journal(path)
    journal.write(STEP)
    journal.close()
    with path.open("ab") as file:
        file.write(b'{"n": 2, "event": "s\xc3')
    journal = Journal(path)
    assert journal.half_line
    journal.write(STEP)
    journal.close()
    assert read(path).records == (STEP, STEP)
    assert read(path).half_line == ""


def test_after_a_failure_nothing_more_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path / "j")
    write = os.write

    def full(fd: int, data: bytes) -> int:
        return write(fd, data[:7])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(JournalError, match="half a line") as caught:
        journal.write(STEP)
    assert caught.value.rule == "RCE944"
    monkeypatch.undo()
    with pytest.raises(JournalError, match="an earlier line"):
        journal.write(STEP)
    assert read(tmp_path / "j").half_line == '{"n": 1'


def test_a_step_that_cannot_be_journalled_does_not_begin_unless_it_brings_a_device_back(
    tmp_path: Path,
) -> None:
    scene = Scene(tmp_path, [["a"]])
    journal = Journal(tmp_path / "j")
    journal.close()
    log = Log(journal, Standings.of(()), scene.observe, scene.clock)
    step = Step("arm", Effect.RUNS, ())
    with pytest.raises(JournalError):
        PhaseLog(log, "a", 1, "apply").step(step, "begins")
    assert scene.events == []
    PhaseLog(log, "a", 1, "restore").step(step, "begins")
    assert [e.step for e in scene.events] == ["arm"]


def test_a_closed_journal_is_not_written_to(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.close()
    other = os.open(tmp_path / "other", os.O_RDWR | os.O_CREAT)  # gets the number of the journal
    with pytest.raises(JournalError):
        journal.write(STEP)
    os.close(other)
    assert (tmp_path / "other").read_text() == ""


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_a_full_disk_stops_the_push_and_devices_go_back_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timer: TimerClass
) -> None:
    whole = Scene(tmp_path / "whole", [["a"], ["b"]], timer)
    whole.run()
    count = len(whole.folder.journal.read_text().splitlines())
    for at in range(2, count - 1):
        scene = Scene(tmp_path / str(at), [["a"], ["b"]], timer)
        monkeypatch.setattr(os, "write", FullAfter(at))
        report = scene.run()
        monkeypatch.undo()
        scene.check(report)
        assert exit_code(report) in {0, 3}
        assert "No space left on device" in report.message
        if exit_code(report) == 0:  # the disk was full only when all devices were done
            assert set(outcomes(report).values()) == {"changed"}
            assert at >= count - 2


@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_a_removed_folder_stops_the_push_and_devices_go_back_all_the_same(
    tmp_path: Path, timer: TimerClass
) -> None:
    """The texts of the device in work are in memory; those of one that was done are gone."""
    for step in Scene(tmp_path, [["a"]], timer).steps():
        scene = Scene(tmp_path / step.replace(" ", "-"), [["a"], ["b"]], timer)
        scene.on_event = partial(_removes, scene, step)
        report = scene.run()
        scene.check(report)
        box = scene.net.boxes["b"]
        ended = "skipped" if step == "look" else "failed-restored"  # nothing was laid down yet
        assert outcomes(report) == {"a": "unknown", "b": ended}, step
        assert (box.running, box.startup, box.clean) == (scene.before, scene.before, True)
        assert "cannot be written" in report.results[1].message
        told = report.results[0].message
        assert "it may be as the plan wants it, saved" in told
        assert "back from a copy" in told
        assert exit_code(report) == 4


def _removes(scene: Scene, step: str, event: Event) -> None:
    if (event.device, event.step, event.status) == ("b", step, "begins"):
        shutil.rmtree(scene.root / ".fabric", ignore_errors=True)


def test_resumed_without_texts_it_is_said_what_it_may_be(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]], TimerClass.CANDIDATE)
    journal = Journal(scene.folder.journal)
    journal.write(Record("push", "begins"))
    now = scene.clock.now()
    journal.write(Record("step", "begins", "a", 1, "apply", "commit", Effect.RUNS, at=now))
    journal.close()
    shutil.rmtree(scene.folder.path / "checkpoints")
    (result,) = scene.run(again=True).results
    assert result.outcome.value == "unknown"
    assert "it may be changed until its own timer takes that back" in result.message


def test_a_journal_that_was_replaced_takes_no_line(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.write(STEP)
    (tmp_path / "j").rename(tmp_path / "old")
    (tmp_path / "j").write_bytes((tmp_path / "old").read_bytes())
    with pytest.raises(JournalError, match="another file is there"):
        journal.write(STEP)
    journal.close()


class FullAfter:
    """`os.write` on a disk that has room for so many lines of a journal."""

    def __init__(self, lines: int) -> None:
        self._left, self._write = lines, os.write

    def __call__(self, descriptor: int, data: bytes) -> int:
        self._left -= data.startswith(b'{"n"')
        if self._left < 0 and data.startswith(b'{"n"'):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self._write(descriptor, data)


def test_a_broken_pipe_of_the_observer_does_not_stop_a_push(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])

    def broken(_event: object) -> None:
        raise BrokenPipeError

    scene.on_event = broken
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "changed"}
    assert "progress is not shown any more" in report.message


def test_a_timer_runs_from_the_first_step_that_can_arm_it() -> None:
    begun = [(1.0, Effect.STAGES), (2.0, Effect.RUNS), (3.0, Effect.RUNS), (4.0, Effect.CONFIRMS)]
    lines = [Record("step", "begins", "a", 1, "apply", "s", e, at=at) for at, e in begun]
    assert Standings.of(lines)["a"].armed_at == 2.0
    assert Standings.of(lines)["a"].began is Effect.CONFIRMS
    assert not Standings.of(lines)["a"].saving
    save = Record("step", "begins", "a", 1, "save", "s", Effect.SAVES, at=5.0)
    assert Standings.of([*lines, save])["a"].saving
    tidy = Record("step", "begins", "a", 1, "save", "t", Effect.STAGES, at=5.5)
    assert Standings.of([*lines, save, tidy])["a"].saving  # the furthest counts, not the last
    back = Record("step", "begins", "a", 1, "restore", "s", Effect.RUNS, at=6.0)
    assert Standings.of([*lines, save, back])["a"].saving  # until the restore is through


def test_standings_follow_the_lines(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"], ["b"]])
    scene.run()
    records = read(scene.folder.journal).records
    whole = Standings.of(records)
    assert whole.push.status == "closed"
    assert whole["a"].done == {"apply", "confirm", "save"}
    assert whole["a"].peers == ("10.0.0.2",)
    half = Standings.of(records[: next(n for n, r in enumerate(records) if r.phase == "confirm")])
    assert half.push.open
    assert half["a"].touched
    assert not half["a"].confirming
    assert half["a"].armed_at is not None
    assert not half["b"].touched
