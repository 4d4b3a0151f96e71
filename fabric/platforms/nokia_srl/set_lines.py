"""What of an SR Linux configuration is ours, and the ``delete`` and ``set`` lines between two.

Owned are whole subtrees, given by patterns of their places. One in which anything differs is
deleted and set anew: a candidate puts only the net difference in force.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.push import ReplyError
from fabric.platforms.nokia_srl.places import UNKNOWN, entries_of, flat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.reading import Json
    from fabric.platforms.nokia_srl.places import Place, Value
    from fabric.platforms.nokia_srl.tree import Tree

_PLAIN = re.compile(r"[A-Za-z0-9_.:/@+-]+")


@dataclass(frozen=True, slots=True)
class Owned:
    """Places that are the plan's: each pattern matches such a place as a whole."""

    patterns: tuple[str, ...]

    def root(self, place: Place) -> Place | None:
        """The owned place that this one is or is below; ``None``: it is not owned."""
        for count in range(1, len(place) + 1):
            if self.has(place[:count]):
                return place[:count]
        return None

    def has(self, place: Place) -> bool:
        """Whether the place itself is that of an owned subtree."""
        text = " ".join(place)
        return any(re.fullmatch(pattern, text) for pattern in self.patterns)


def merged(running: Tree, rendered: Tree, owned: Owned, above: Place = ()) -> Tree:
    """``running`` with the owned subtrees as rendered, and with what is rendered beside them.

    All else stands as it was, in its order.
    """
    found: Tree = {}
    for name in dict.fromkeys((*running, *rendered)):
        old, new = running.get(name), rendered.get(name)
        value = new if owned.has((*above, name)) else _one(old, new, owned, (*above, name))
        if value is not None:
            found[name] = value
    return found


def remediation(before: Tree, after: Tree, owned: Owned) -> tuple[str, ...]:
    """The lines that lead a candidate from one to the other.

    Raises:
        ReplyError: in what has to be typed is a list whose keys are not known.
    """
    old, new = _by_root(before, owned), _by_root(after, owned)
    gone: list[Place] = []
    comes: dict[Place, Value] = {}
    for root in dict.fromkeys((*old, *new)):
        there, wanted = old.get(root, {}), new.get(root, {})
        if root is None:  # beside what is owned: leaf by leaf
            differ = {p: v for p, v in wanted.items() if p not in there or there[p] != v}
            gone += [p for p in there if p not in wanted or isinstance(differ.get(p), tuple)]
            comes.update(differ)
        elif there != wanted:
            gone += [root] if there else []
            comes.update(wanted)
    unknown = next((p for p in (*gone, *comes) if any(w.startswith(UNKNOWN) for w in p)), None)
    if unknown is not None:
        msg = f"the keys of a list are not known: {' '.join(unknown)}"
        raise ReplyError(msg)
    return (
        *(f"delete / {_typed(place)}" for place in gone),
        *(f"set / {shown(place, value)}" for place, value in comes.items()),
    )


def shown(place: Place, value: Value) -> str:
    """A leaf on one line, as the CLI shows it."""
    return f"{_typed(place)} {_value(value)}".rstrip()


def _one(old: Json, new: Json, owned: Owned, place: Place) -> Json:
    """What becomes of one value that is not owned as a whole; ``None``: nothing."""
    before, after = entries_of(old, place), entries_of(new, place)
    if before or after:
        rows = (
            after.get(where)
            if owned.has(where)
            else _one(before.get(where), after.get(where), owned, where)
            for where in dict.fromkeys((*before, *after))
        )
        return [row for row in rows if row is not None] or None
    if isinstance(old, dict) or isinstance(new, dict):
        below = merged(_tree(old), _tree(new), owned, place)
        return below if below or old == {} or new == {} else None
    return old if new is None else new


def _tree(value: Json) -> Tree:
    return value if isinstance(value, dict) else {}


def _by_root(tree: Tree, owned: Owned) -> dict[Place | None, dict[Place, Value]]:
    found: dict[Place | None, dict[Place, Value]] = {}
    for place, value in flat(tree):
        found.setdefault(owned.root(place), {})[place] = value
    return found


def _typed(words: Iterable[str]) -> str:
    return " ".join(map(_word, words))


def _value(value: Value) -> str:
    if value is None:
        return ""
    return _word(value) if isinstance(value, str) else f"[ {_typed(value)} ]"


def _word(word: str) -> str:
    """A word as the CLI takes it: in quotes where it is more than letters, digits and marks."""
    if _PLAIN.fullmatch(word):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
