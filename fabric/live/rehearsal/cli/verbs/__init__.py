"""What commands do. A verb gets the terminal and its arguments, and says how it went.

The outcome is empty when all went well, else a word by which the data has the reply. With it come
facts that the reply may speak of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from fabric.live.rehearsal.cli.verbs import (
    candidates,
    commits,
    files,
    loads,
    moving,
    shows,
    sources,
    trees,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.cli.terminal import Terminal

Done: TypeAlias = "tuple[str, dict[str, str]]"

VERBS: Mapping[str, Callable[..., Done]] = {
    **moving.VERBS,
    **candidates.VERBS,
    **commits.VERBS,
    **files.VERBS,
    **loads.VERBS,
    **shows.VERBS,
    **trees.VERBS,
}


def perform(terminal: Terminal, text: str, args: Mapping[str, str]) -> Done:
    """Do one thing: a verb and its arguments; ``{name}`` stands for what was typed."""
    name, *rest = text.split()
    return VERBS[name](terminal, *(_filled(word, args) for word in rest))


def _filled(word: str, args: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: args.get(found[1], ""), word)


def when(terminal: Terminal, condition: str, args: Mapping[str, str]) -> bool:
    """Whether a question is asked: whether all of these hold.

    ``dirty``, ``timed``, ``top``, ``kind=K``, ``file=F``, ``unset=V``.
    """
    return all(_holds(terminal, _filled(word, args)) for word in condition.split())


def _holds(terminal: Terminal, word: str) -> bool:
    word, _, value = word.partition("=")
    held = terminal.candidate
    if word == "dirty":
        return held is not None and held.dirty
    if word == "kind":
        return held is not None and held.kind in value.split(",")
    if word == "unset":
        return value not in terminal.vars
    if word == "timed":
        return terminal.box.timer is not None
    if word == "file":
        return sources.path(terminal, value) in terminal.box.disk
    return not terminal.place  # top
