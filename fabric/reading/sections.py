"""Output in sections: each begins with a line of a known form and goes on until the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Section:
    """``head``: the match of its first line; ``lines``: the ones below, as printed."""

    head: re.Match[str]
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The lines below the head in one."""
        return "\n".join(self.lines)


def sections(text: str, head: re.Pattern[str]) -> tuple[tuple[str, ...], list[Section]]:
    """Lines before the first section, and the sections. ``head`` must match at a line's start."""
    before: list[str] = []
    found: list[tuple[re.Match[str], list[str]]] = []
    for line in text.split("\n"):
        match = head.match(line)
        if match:
            found.append((match, []))
        elif found:
            found[-1][1].append(line)
        else:
            before.append(line)
    return tuple(before), [Section(match, tuple(lines)) for match, lines in found]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a configuration without indentation, with those indented below it.

    ``number`` counts from 1.
    """

    text: str
    number: int
    below: tuple[Line, ...] = ()

    def all(self, word: str) -> Iterator[tuple[str, Line]]:
        """Lines that begin with ``word``, each with the rest of its text."""
        for line in self.below:
            if line.text == word or line.text.startswith(f"{word} "):
                yield line.text[len(word) :].strip(), line

    def rest(self, word: str) -> str | None:
        """What follows ``word`` in the last line that begins with it."""
        found = None
        for rest, _ in self.all(word):
            found = rest
        return found

    def has(self, text: str) -> bool:
        """Whether this very line stands below."""
        return any(line.text == text for line in self.below)


def indented(text: str, comments: tuple[str, ...] = ("!", "#")) -> Line:
    """A configuration in which what belongs to a line is indented further, as a tree.

    Lines that begin with one of ``comments`` are left out, so a section also ends where the system
    prints such a line without indentation.
    """
    lines = [
        (len(raw) - len(raw.lstrip()), raw.strip(), number)
        for number, raw in enumerate(text.split("\n"), 1)
        if raw.strip() and not raw.strip().startswith(comments)
    ]
    below, _ = _below(lines, 0, -1)
    return Line("", 0, below)


def _below(lines: list[tuple[int, str, int]], at: int, depth: int) -> tuple[tuple[Line, ...], int]:
    found: list[Line] = []
    while at < len(lines) and lines[at][0] > depth:
        indent, text, number = lines[at]
        children, at = _below(lines, at + 1, indent)
        found.append(Line(text, number, children))
    return tuple(found), at
