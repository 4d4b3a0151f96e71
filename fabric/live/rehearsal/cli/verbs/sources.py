"""Configurations by name: ``running``, ``startup``, ``candidate``, ``base``, ``checkpoint NAME``,
``history N`` (0: the latest), ``commit ID``, or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli.verbs.files import path

if TYPE_CHECKING:
    from fabric.live.rehearsal.cli.forms import Config, Refused
    from fabric.live.rehearsal.cli.terminal import Terminal


def source(terminal: Terminal, name: str) -> tuple[Config | None, Refused]:
    """A configuration and the lines of it that are not understood; ``None``: there is none."""
    box = terminal.box
    kind, _, detail = name.partition(":")
    held = terminal.candidate
    if kind == "candidate":
        return (held.config if held is not None else box.running), []
    if kind == "running":
        return box.running, []
    if kind == "base":
        return (held.base if held is not None else box.running), []
    if kind == "session":
        found = box.candidates.get(detail)
        return (found.config if found else None), []
    if kind == "empty":
        return box.form.empty(), []
    if kind == "checkpoint":
        return box.checkpoints.get(detail), []
    if kind in {"history", "commit"}:
        return _kept(terminal, kind, detail), []
    where = box.system.main["startup"] if kind == "startup" else path(terminal, name)
    if where not in box.disk:
        return None, []
    return box.form.read(box.disk[where].decode(errors="replace"), None, "override")


def _kept(terminal: Terminal, kind: str, detail: str) -> Config | None:
    history = terminal.box.history
    if kind == "commit":
        wanted = (one for one in history if str(one.number) == detail or one.label == detail)
        return next((one.config for one in wanted), None)
    back = int(detail or 0)
    if back == 0:
        return terminal.box.running
    return history[-1 - back].config if back < len(history) else None
