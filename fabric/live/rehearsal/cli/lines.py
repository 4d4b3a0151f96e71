"""Configuration lines typed at a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli import texts
from fabric.live.rehearsal.cli.refusing import refusal
from fabric.live.rehearsal.cli.tree import IncompleteLineError, UnknownLineError

if TYPE_CHECKING:
    from fabric.live.rehearsal.cli.forms import Config
    from fabric.live.rehearsal.cli.terminal import Terminal

_NUMBERED = re.compile(r"([A-Za-z-]+)(\d.*)?")


def target(terminal: Terminal) -> Config:
    """What a typed line changes: the running configuration, or the user's candidate."""
    if terminal.mode.lines == "candidate" and terminal.candidate is not None:
        return terminal.candidate.config
    return terminal.box.running


def type_line(terminal: Terminal, line: str) -> str:
    """Take a configuration line, or refuse it in the system's words."""
    box = terminal.box
    if box.world.faults.take("reject"):
        return refusal(terminal, "unknown", line, 0)
    if why := _closed(terminal):
        return texts.told(box, why, {})
    tree = target(terminal)
    try:
        default = line.split() if line.startswith("default ") else []
        if default and box.system.option("resets", default=False):
            terminal.place = tree.reset(terminal.place, tuple(default[1:]))
        else:
            terminal.place = tree.type(terminal.place, line)
    except UnknownLineError as error:
        name = "unknown" if error.word == 0 else "invalid"
        return refusal(terminal, name, line, error.word)
    except IncompleteLineError:
        return refusal(terminal, "incomplete", line, len(line.split()))
    if terminal.mode.lines == "running":
        box.changed = box.world.clock()
    elif terminal.candidate is not None:
        terminal.candidate.typed.append(line)
    return ""


def _closed(terminal: Terminal) -> str:
    """Why nobody may type this line now; empty: one may."""
    box = terminal.box
    if box.timer is not None and box.system.option("timer_locks", default=False):
        return "timer_runs"
    if terminal.mode.lines != "running":
        return ""
    if box.lock not in (None, terminal) or box.held_by_candidate():
        return "locked"
    return "locked" if _foreign(terminal) else ""


def _foreign(terminal: Terminal) -> bool:
    box = terminal.box
    return bool(box.system.option("lock_stops_lines", default=False)) and box.world.faults.on(
        "lock"
    )


def section_prompt(terminal: Terminal) -> str:
    """What the section that a user is in adds to the prompt."""
    tree = target(terminal)
    section = tree.section(terminal.place)
    words = terminal.place[-1].split()
    short = terminal.box.system.option("short", {})

    def cut(found: re.Match[str]) -> str:
        name = words[int(found[1])] if int(found[1]) < len(words) else ""
        parts = _NUMBERED.fullmatch(name)
        return f"{short.get(parts[1], parts[1])}{parts[2] or ''}" if parts else name

    return re.sub(r"\{(\d)\}", cut, section.prompt)
