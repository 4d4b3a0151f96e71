"""Candidates: opened, thrown away, filled from elsewhere; locks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli.keeping import Candidate
from fabric.live.rehearsal.cli.verbs.sources import source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.cli.terminal import Terminal

Done = tuple[str, dict[str, str]]
_OK: Done = ("", {})


def open_candidate(terminal: Terminal, mode: str, kind: str = "", name: str = "") -> Done:
    """Go into a candidate's mode; one of that name is taken up again.

    Outcomes: ``locked`` by somebody else, ``held`` by another login, ``modified`` (the shared one
    holds changes already), ``timer_runs``.
    """
    box = terminal.box
    if box.world.faults.on("lock") and kind in box.system.option("lock_stops_open", []):
        return "locked", {}
    if box.timer is not None and kind in box.system.option("timer_stops_open", []):
        return "timer_runs", {}
    name = name or _usual(terminal, kind)
    found = box.candidates.get(name)
    if found is not None and found.state == "completed":
        found = None
    if outcome := _taken(terminal, found, kind):
        return outcome, {"holder": found.user if found else ""}
    if found is None:
        found = _new(terminal, kind, name)
    found.holder, terminal.candidate = terminal, found
    terminal.mode, terminal.place = box.system.modes[mode], ()
    return _OK


def _usual(terminal: Terminal, kind: str) -> str:
    """The name that the system gives to a candidate without one."""
    found = terminal.box.system.option("names", {}).get(kind, "")
    return str(found).replace("<<login>>", terminal.user)


def _taken(terminal: Terminal, found: Candidate | None, kind: str) -> str:
    held = found is not None and found.holder not in (None, terminal)
    if held and terminal.box.system.option("one_holder", default=False):
        return "held"
    if found is not None and kind in terminal.box.system.option("needs_clean", []) and found.dirty:
        return "modified"
    return ""


def _new(terminal: Terminal, kind: str, name: str) -> Candidate:
    box = terminal.box
    if not name and kind in box.system.option("own", []):
        name = f"{terminal.user}-{len(box.candidates)}"
    running = box.form.copy(box.running)
    candidate = Candidate(name, terminal.user, running, box.form.copy(running), terminal, kind)
    box.candidates[name] = candidate
    return candidate


def close(terminal: Terminal, mode: str) -> Done:
    """Leave a candidate as it is; one without changes is gone where the system has it so."""
    held = terminal.candidate
    if held is not None:
        held.holder = None
        if not held.dirty and terminal.box.system.option("clean_goes", default=True):
            terminal.box.candidates.pop(held.name, None)
    terminal.candidate = None
    terminal.mode, terminal.place = terminal.box.system.modes[mode], ()
    return _OK


def drop(terminal: Terminal, mode: str = "", name: str = "") -> Done:
    """Throw a candidate away and leave it; ``absent`` where there is none of that name.

    One whose change waits to be confirmed: the change is undone.
    """
    box = terminal.box
    if not name and terminal.candidate is None:
        return "absent", {}
    name = name or (terminal.candidate.name if terminal.candidate else "")
    if box.timer is not None and box.timer.name == name:
        box.revert("aborted")
    elif name not in box.candidates:
        return "absent", {}
    box.forget(name, mode)
    return _OK


def clear(terminal: Terminal, mode: str, name: str) -> Done:
    """Throw away one that nobody is in; ``held`` where somebody is, ``absent`` where none is."""
    found = terminal.box.candidates.get(name)
    if found is not None and found.holder is not None:
        return "held", {"holder": found.user}
    return drop(terminal, mode, name)


def clean(terminal: Terminal) -> Done:
    """The candidate is as the running configuration again; the user stays in it."""
    return refill(terminal, "running")


def refill(terminal: Terminal, what: str) -> Done:
    """The candidate becomes another configuration; ``absent`` where that is not there."""
    config, _ = source(terminal, what)
    if config is None or terminal.candidate is None:
        return "absent", {}
    terminal.candidate.config = terminal.box.form.copy(config)
    if what == "running":
        terminal.candidate.base = terminal.box.form.copy(config)
        terminal.candidate.typed.clear()
    terminal.place = ()
    return _OK


def lock(terminal: Terminal) -> Done:
    """Nobody else may configure; ``locked`` where somebody else has it."""
    box = terminal.box
    if box.world.faults.on("lock") or box.lock not in (None, terminal):
        return "locked", {}
    box.lock = terminal
    return _OK


def unlock(terminal: Terminal) -> Done:
    """Others may configure again."""
    if terminal.box.lock is not terminal:
        return "absent", {}
    terminal.box.lock = None
    return _OK


VERBS: Mapping[str, Callable[..., Done]] = {
    "open": open_candidate,
    "close": close,
    "drop": drop,
    "clear": clear,
    "clean": clean,
    "refill": refill,
    "lock": lock,
    "unlock": unlock,
}
