"""A configuration as ``set`` lines: ours from the curly form, and what takes one into another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.platforms.juniper_junos.tree import Path, curly_paths

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

_OPPOSITE = {"set": "delete", "deactivate": "activate", "protect": "unprotect"}
VERBS = tuple(f"{verb} " for verb in _OPPOSITE)
# Typed, not written: in the curly form a statement has an end.
_COMMAND = re.compile(r"(?:wildcard )?(?:delete|activate|deactivate|rename|insert)\b[^:;{}]*$")
_PLAIN = re.compile(r"[^\s\"\[\]{};#]+")


def set_lines(text: str) -> tuple[str, ...]:
    """The configuration line by line; of the curly form one line a statement.

    Raises:
        BrokenTextError: braces that do not match.
    """
    lines = [line.strip() for line in text.split("\n")]
    if any(line.startswith("set ") for line in lines):
        return tuple(line for line in lines if line.startswith(VERBS))
    return tuple(f"set {_written(path)}" for path in curly_paths(text))


def not_said(text: str) -> str:
    """The first line that ``set_lines`` passes over, commands of another form; empty: none."""
    lines = [line.strip() for line in text.split("\n")]
    if any(line.startswith("set ") for line in lines):
        verbs = ("#", *VERBS)
        return next((line for line in lines if line and not line.startswith(verbs)), "")
    return next((line for line in lines if _COMMAND.match(line)), "")


def merged(running: Iterable[str], rendered: Iterable[str], owned: Sequence[str]) -> list[str]:
    """Lines of ``running`` that are not owned, in their order, then those that are rendered."""
    ours = [re.compile(pattern) for pattern in owned]
    kept = [line for line in running if _root(line, ours) is None]
    there = set(kept)
    return [*kept, *(line for line in rendered if line not in there)]


def remediation(before: Iterable[str], after: Iterable[str], owned: Sequence[str]) -> list[str]:
    """What ``load set`` needs to get from one to the other.

    An owned statement (group ``root`` of its pattern) in which something differs is deleted and
    set anew, which also gives its parts the right order; other lines go one by one.
    """
    ours = [re.compile(pattern) for pattern in owned]
    old, new = _by_root(before, ours), _by_root(after, ours)
    roots = [root for root in old if root is not None and old[root] != new.get(root)]
    single = set(new.get(None, ()))
    gone = [line for line in old.get(None, ()) if line not in single]
    there = set(old.get(None, ()))
    gone.sort(key=lambda line: line.startswith("set "))  # deleting takes the rest with it
    kept = {line.partition(" ")[2] for lines in new.values() for line in lines}
    tops = dict.fromkeys(root if root in new else _emptied(root, kept) for root in roots)
    return [
        *(f"delete {top}" for top in tops),
        *(_undone(line) for line in gone),
        *(
            line
            for root, lines in new.items()
            for line in lines
            if (line not in there if root is None else old.get(root) != lines)
        ),
    ]


def _emptied(root: str, kept: Collection[str]) -> str:
    """A statement that goes, with those above it that would be left with nothing in them."""
    words = root.split()
    while len(words) > 1:
        above = " ".join(words[:-1])
        if any(line == above or line.startswith(f"{above} ") for line in kept):
            break
        words.pop()
    return " ".join(words)


def _by_root(lines: Iterable[str], ours: Sequence[re.Pattern[str]]) -> dict[str | None, list[str]]:
    found: dict[str | None, list[str]] = {}
    for line in lines:
        found.setdefault(_root(line, ours), []).append(line)
    return found


def _root(line: str, ours: Sequence[re.Pattern[str]]) -> str | None:
    """The owned statement that a line belongs to; whatever is done with it, set or deactivated."""
    statement = line.partition(" ")[2]
    for pattern in ours:
        match = pattern.match(statement)
        if match:
            return match["root"]
    return None


def _undone(line: str) -> str:
    verb, _, statement = line.partition(" ")
    return f"{_OPPOSITE[verb]} {statement}"


def _written(path: Path) -> str:
    return " ".join(word if _PLAIN.fullmatch(word) else _quoted(word) for word in path)


def _quoted(word: str) -> str:
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
