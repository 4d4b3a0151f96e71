"""Putting candidates and files in force, for good or for a time; undoing that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli.keeping import Timer
from fabric.live.rehearsal.cli.verbs.sources import source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.cli.forms import Config
    from fabric.live.rehearsal.cli.keeping import Candidate
    from fabric.live.rehearsal.cli.terminal import Terminal

Done = tuple[str, dict[str, str]]
_OK: Done = ("", {})


def seconds_of(text: str) -> int:
    """``HH:MM:SS``, ``5m`` or seconds."""
    if ":" in text:
        hours, minutes, seconds = (int(part) for part in text.split(":"))
        return hours * 3600 + minutes * 60 + seconds
    return int(text[:-1]) * 60 if text.endswith("m") else int(text)


def commit(terminal: Terminal, name: str = "-", label: str = "") -> Done:
    """A candidate comes into force. ``confirmed``: it was, and only waited for this.

    Outcomes: ``locked``, ``absent``, ``timer_runs`` (somebody else's change waits), ``same``.
    """
    found = _named(terminal, name)
    box = terminal.box
    if box.timer is not None and found is not None and _ours(terminal, found):
        if not found.dirty:
            return confirm(terminal, box.timer.persist)
    elif box.timer is not None:
        return "timer_runs", {}
    if outcome := _hindered(terminal, found):
        return outcome, {}
    box.timer = None
    return _apply(terminal, found, label)


def _ours(terminal: Terminal, found: Candidate) -> bool:
    """Whether a plain commit of this candidate confirms the change that waits."""
    timer, option = terminal.box.timer, terminal.box.system.option
    if timer is None or (timer.persist and option("persist_asks", default=False)):
        return False
    if not option("commit_confirms", default=True):
        return False
    return timer.name == found.name or bool(option("confirm_any", default=False))


def remark(terminal: Terminal, *words: str) -> Done:
    """What the user says of the latest commit."""
    history = terminal.box.history
    history[-1] = replace(history[-1], label=" ".join(words).strip('"'))
    return _OK


def check(terminal: Terminal) -> Done:
    """``commit check``: it confirms a change that waits, and finds nothing wrong."""
    found = terminal.candidate
    if terminal.box.timer is not None and found is not None and _ours(terminal, found):
        return confirm(terminal)
    return _OK


def trial(terminal: Terminal, time: str, name: str = "-", persist: str = "") -> Done:
    """The same for a time; again inside the time, the time starts anew."""
    found = _named(terminal, name)
    box = terminal.box
    low, high = box.system.option("timer_range", [1, 10**9])
    if not low <= seconds_of(time) <= high:
        return "bad_time", {}
    if box.timer is not None and (found is None or not _ours(terminal, found)):
        return "timer_runs", {}
    if outcome := _hindered(terminal, found):
        return outcome, {}
    before = box.timer.before if box.timer is not None else box.form.copy(box.running)
    same = _apply(terminal, found, "")
    if same[0] == "same" and box.system.option("empty_trial", default="same") == "same":
        return same
    arm(terminal, seconds_of(time), before, found.name if found else "", persist)
    if found is not None:
        found.state = "timed"
    return "", {"seconds": str(seconds_of(time)), "minutes": str(seconds_of(time) // 60)}


def arm(terminal: Terminal, seconds: int, before: Config, name: str, persist: str = "") -> None:
    """Start the timer that brings ``before`` back."""
    ends = terminal.box.world.clock() + seconds
    terminal.box.timer = Timer(ends, seconds, before, name, terminal, persist)


def _named(terminal: Terminal, name: str) -> Candidate | None:
    return terminal.candidate if name == "-" else terminal.box.candidates.get(name)


def _hindered(terminal: Terminal, found: Candidate | None) -> str:
    box = terminal.box
    if found is None:
        return "absent"
    if box.world.faults.on("lock") and box.system.option("lock_stops_commit", default=False):
        return "locked"
    return "locked" if box.lock not in (None, terminal) else ""


def _apply(terminal: Terminal, found: Candidate | None, label: str) -> Done:
    if found is None:
        return "absent", {}
    box = terminal.box
    same = found.config == box.running
    if same and box.system.option("same_says", default=False):
        return "same", {}
    if terminal.box.world.faults.on("disk-full") and box.system.option("commit_saves"):
        return "disk_full", {}
    box.replace(found.config, terminal.user, label)
    found.base = box.form.copy(found.config)
    found.typed.clear()
    found.state = "completed" if box.system.option("commit_completes", default=False) else "pending"
    return "", {"text": ""}


def confirm(terminal: Terminal, persist: str = "") -> Done:
    """The change that waits stays; ``absent`` where none does, ``other`` where it is not ours."""
    box, timer = terminal.box, terminal.box.timer
    if timer is None:
        return "absent", {}
    if timer.persist != persist:
        return "other", {}
    box.timer = None
    if (found := box.candidates.get(timer.name)) is not None:
        found.state = (
            "completed" if box.system.option("commit_completes", default=False) else ("pending")
        )
    return "confirmed", {}


def abort(terminal: Terminal, persist: str = "") -> Done:
    """The change that waits is undone now."""
    timer = terminal.box.timer
    if timer is None:
        return "absent", {}
    if timer.persist != persist:
        return "other", {}
    terminal.box.revert("aborted")
    if terminal.candidate is not None:
        config = terminal.box.form.copy(terminal.box.running)
        terminal.candidate.config, terminal.candidate.base = config, terminal.box.form.copy(config)
    return _OK


def restore(terminal: Terminal, what: str, time: str = "") -> Done:
    """A file or checkpoint comes into force; ``refused`` where it has lines that are not known."""
    box = terminal.box
    config, refused = source(terminal, what)
    if config is None:
        return "absent", {}
    if refused:
        return "refused", {"line": refused[0][1], "row": str(refused[0][0])}
    if box.timer is not None and box.system.option("timer_stops_restore", default=True):
        return "timer_runs", {}
    if box.world.faults.on("lock") and box.system.option("lock_stops_commit", default=False):
        return "locked", {}
    low, high = box.system.option("restore_range", [1, 10**9])
    if time and not low <= seconds_of(time) <= high:
        return "bad_time", {}
    before, same = box.form.copy(box.running), config == box.running
    box.replace(config, terminal.user)
    if time:
        arm(terminal, seconds_of(time), before, "\0file")
    return ("same" if same and not time else ""), {}


def delay(terminal: Terminal, time: str) -> Done:
    """What is typed from now on is undone at the end; again: the time changes, not the point."""
    box = terminal.box
    low, high = box.system.option("timer_range", [1, 10**9])
    if not low <= seconds_of(time) <= high:
        return "bad_time", {}
    before = box.timer.before if box.timer is not None else box.form.copy(box.running)
    arm(terminal, seconds_of(time), before, "")
    return _OK


VERBS: Mapping[str, Callable[..., Done]] = {
    "commit": commit,
    "remark": remark,
    "check": check,
    "trial": trial,
    "confirm": confirm,
    "abort": abort,
    "restore": restore,
    "delay": delay,
}
