"""``set``, ``delete`` and ``edit``, where configuration is typed as paths (Junos, SR Linux)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli import braces, srl
from fabric.live.rehearsal.cli.forms import Braces
from fabric.live.rehearsal.cli.objects import Objects
from fabric.live.rehearsal.cli.tree import UnknownLineError
from fabric.live.rehearsal.cli.verbs.sources import source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.cli.terminal import Terminal

Done = tuple[str, dict[str, str]]


def assign(terminal: Terminal, *words: str) -> Done:
    """``set``; ``unknown``: what no statement begins with."""
    return _change(terminal, "set", " ".join(words))


def remove(terminal: Terminal, *words: str) -> Done:
    """``delete``; ``missing``: there is no such statement."""
    return _change(terminal, "delete", " ".join(words))


def _change(terminal: Terminal, verb: str, rest: str) -> Done:
    held, form = terminal.candidate, terminal.box.form
    if held is None:
        return "absent", {}
    try:
        if isinstance(form, Objects):
            there = form.typed(held.config, verb, rest)
        else:
            there = _braces(terminal, verb, braces.words_of(rest))
    except UnknownLineError as error:
        words = rest.split()
        glued = isinstance(form, Objects) and words[0] != "/"
        word = words[min(max(error.word - glued, 0), len(words) - 1)].lstrip("/")
        column = len(f"{verb} ") + rest.find(word)
        return "unknown", {"word": word, "caret": " " * column + "^"}
    return ("" if there else "missing"), {}


def _braces(terminal: Terminal, verb: str, words: tuple[str, ...]) -> bool:
    held = terminal.candidate
    assert held is not None  # noqa: S101 - the caller has looked
    if verb == "delete":
        return braces.delete(held.config, words, terminal.place)
    braces.put(held.config, words, terminal.place)
    return True


def edit(terminal: Terminal, *words: str) -> Done:
    """Into a part of the hierarchy; ``top`` with no words."""
    if not words:
        terminal.place = ()
        return "", {}
    form, held = terminal.box.form, terminal.candidate
    if not isinstance(form, Braces) or held is None:
        return "unknown", {}
    place, rest = terminal.place, tuple(" ".join(words).split())
    while rest:
        count = next(
            (n for n in range(1, len(rest) + 1) if _opens(held.config, place, rest[:n])), 0
        )
        if not count:
            return "unknown", {"word": rest[0], "caret": "^"}
        place, rest = (*place, " ".join(rest[:count])), rest[count:]
        held.config.node(place)
    terminal.place = place
    return "", {}


def _opens(config: object, place: tuple[str, ...], words: tuple[str, ...]) -> bool:
    rule = config.section(place).find(words)  # type: ignore[attr-defined]  # a Tree: Junos alone
    return rule is not None and rule.opens is not None


def info(terminal: Terminal, what: str, style: str, *path: str) -> Done:
    """SR Linux: a part of the configuration; ``-`` for the usual style."""
    form = terminal.box.form
    config, _ = source(terminal, what)
    if not isinstance(form, Objects) or config is None:
        return "absent", {}
    part = form.part(config, " ".join(path))
    lines = form.write(part, "" if style == "-" else style)
    return "", {"text": "".join(f"{line}\n" for line in lines)}


def state(terminal: Terminal, what: str, style: str = "") -> Done:
    """SR Linux: ``commit``, ``session`` or ``bgp`` of its state."""
    box = terminal.box
    told = srl.STATES[what](box)
    lines = box.form.write(told, style)
    return ("" if told else "none"), {"text": "".join(f"{line}\n" for line in lines)}


VERBS: Mapping[str, Callable[..., Done]] = {
    "set": assign,
    "delete": remove,
    "edit": edit,
    "info": info,
    "state": state,
}
