"""Configurations by name.

``running``, ``startup``, ``candidate``, ``base`` (what the candidate began as), ``empty``,
``session:NAME``, ``checkpoint:NAME``, ``history:N`` (0: the latest), ``commit:ID``, or a file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.live.rehearsal.cli.forms import Config, Refused
    from fabric.live.rehearsal.cli.terminal import Terminal


def path(terminal: Terminal, name: str) -> str:
    """Where a file lies that the CLI calls so."""
    for pattern, where in terminal.box.system.main.get("places", {}).items():
        if re.fullmatch(pattern, name):
            return re.sub(pattern, where, name)
    return name


def source(terminal: Terminal, name: str) -> tuple[Config | None, Refused]:
    """A configuration and the lines of it that are not understood; ``None``: there is none."""
    box = terminal.box
    kind, _, detail = name.partition(":")
    if kind in _HELD:
        return _held(terminal, kind, detail), []
    where = box.system.main["startup"] if kind == "startup" else path(terminal, name)
    if where not in box.disk:
        return None, []
    return box.form.read(box.disk[where].decode(errors="replace"), None, "override")


_HELD = frozenset(
    {"running", "candidate", "base", "empty", "session", "checkpoint", "history", "commit"}
)


def _held(terminal: Terminal, kind: str, detail: str) -> Config | None:
    box, held = terminal.box, terminal.candidate
    if kind == "empty":
        return box.form.empty()
    if kind == "checkpoint":
        return box.checkpoints.get(detail)
    if kind in {"history", "commit"}:
        return _kept(terminal, kind, detail)
    if kind == "session":
        found = box.candidates.get(detail)
        return found.config if found else None
    if held is None or kind == "running":
        return box.running
    return held.config if kind == "candidate" else held.base


def _kept(terminal: Terminal, kind: str, detail: str) -> Config | None:
    history = terminal.box.history
    if kind == "commit":
        wanted = (one for one in history if str(one.number) == detail or one.label == detail)
        return next((one.config for one in wanted), None)
    back = int(detail or 0)
    if back == 0:
        return terminal.box.running
    return history[-1 - back].config if back < len(history) else None
