"""Loading files and typed text into a candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli import texts
from fabric.live.rehearsal.cli.verbs.sources import path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.cli.terminal import Terminal

Done = tuple[str, dict[str, str]]


def load(terminal: Terminal, how: str, name: str) -> Done:
    """A file into the candidate: ``merge``, ``replace``, ``override``, ``set``.

    ``absent``: no such file; ``refused``: with errors, where the system then loads what it can or
    nothing (``load_is_whole``).
    """
    body = terminal.box.disk.get(path(terminal, name))
    if body is None:
        return "absent", {}
    return take(terminal, how, body.decode(errors="replace"))


def take(terminal: Terminal, how: str, text: str) -> Done:
    """A text into the candidate."""
    box = terminal.box
    if terminal.candidate is None:
        return "absent", {}
    into = box.form.copy(terminal.candidate.config)
    config, refused = box.form.read(text, into, how)
    facts = {"errors": str(len(refused)), "row": "", "line": ""}
    if refused:
        facts |= {"row": str(refused[0][0]), "line": refused[0][1]}
    if not refused or not box.system.option("load_is_whole", default=True):
        terminal.candidate.config = config
    return ("refused" if refused else ""), facts


def read_typed(terminal: Terminal, how: str) -> Done:
    """What is typed from now on, up to control-D, goes into the candidate."""
    box = terminal.box

    def done(text: str) -> str:
        if box.world.faults.take("reject"):
            text += "\nfabric-rehearsal rejects\n"
        outcome, facts = take(terminal, how, text)
        return texts.says(
            box,
            box.system.texts["loaded_" + (outcome or "ok")],
            "",
            {**texts.facts(box), **facts},
            "load",
        )

    terminal.capture = ([], done)
    return "", {}


def merge(terminal: Terminal, name: str) -> Done:
    """A file's lines go live, on top of what runs (``copy FILE running-config``)."""
    box = terminal.box
    body = box.disk.get(path(terminal, name))
    if body is None:
        return "absent", {}
    if box.held_by_candidate():
        return "locked", {}
    config, refused = box.form.read(body.decode(errors="replace"), box.form.copy(box.running), "")
    box.replace(config, terminal.user)
    return ("refused" if refused else ""), {"line": refused[0][1] if refused else ""}


VERBS: Mapping[str, Callable[..., Done]] = {"load": load, "read_typed": read_typed, "merge": merge}
