"""What commands do. A verb gets the terminal and its arguments, and says how it went.

The outcome is empty when all went well, else a word by which the data has the reply. With it come
facts that the reply may speak of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from fabric.live.rehearsal.cli.verbs import candidates, commits, files, loads, moving, shows, trees

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
    """Whether a question is asked: always, ``dirty``, ``timed``, ``file NAME``."""
    word, _, name = condition.partition(" ")
    if word == "dirty":
        return terminal.candidate is not None and terminal.candidate.dirty
    if word == "timed":
        return terminal.box.timer is not None
    if word == "file":
        return files.path(terminal, _filled(name, args)) in terminal.box.disk
    if word == "top":
        return not terminal.place and when(terminal, name, args) if name else not terminal.place
    return True
