"""EOS's text as a tree of lines: what stands below a line is indented further."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.platforms import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

CONFIG_FILE = "eos.cfg"

_SPAN = re.compile(r"([0-9]+)(?:-([0-9]+))?")


@dataclass(frozen=True, slots=True)
class Line:
    """A line without indentation, and the lines of its section. ``number`` counts from 1."""

    text: str
    number: int
    below: list[Line] = field(default_factory=list)

    def sections(self, word: str) -> Iterator[tuple[str, Line]]:
        """The sections that begin with ``word``, each with the rest of its first line."""
        for line in self.below:
            if line.text.startswith(f"{word} "):
                yield line.text[len(word) + 1 :], line

    def has(self, text: str) -> bool:
        """Whether the section holds this line."""
        return any(line.text == text for line in self.below)


def config_of(files: Mapping[str, str]) -> Line:
    """The whole config as one section.

    Raises:
        ConfigError: the file is missing, is indented like no config, or has no interface.
    """
    if CONFIG_FILE not in files:
        msg = f"there is no {CONFIG_FILE}"
        raise ConfigError(msg)
    root = Line("", 0)
    open_sections = [(-1, root)]
    for number, written in enumerate(files[CONFIG_FILE].splitlines(), 1):
        text = written.strip()
        if not text or text.startswith("!"):
            continue
        depth = len(written) - len(written.lstrip())
        while open_sections[-1][0] >= depth:
            open_sections.pop()
        if depth and len(open_sections) == 1:
            msg = f"line {number} of {CONFIG_FILE} is indented below nothing: {text!r:.60}"
            raise ConfigError(msg)
        line = Line(text, number)
        open_sections[-1][1].below.append(line)
        open_sections.append((depth, line))
    root.below[:] = in_force(root.below)
    if not any(root.sections("interface")):
        msg = f"{CONFIG_FILE} is no config of EOS: it has no interface"
        raise ConfigError(msg)
    return root


def in_force(lines: Iterable[Line]) -> list[Line]:
    """The lines of a section without those that a later ``no …`` or ``default …`` takes back."""
    left: list[Line] = []
    for line in lines:
        word, _, rest = line.text.partition(" ")
        if word in {"no", "default"}:
            left = [x for x in left if x.text != rest and not x.text.startswith(f"{rest} ")]
        left.append(line)
    return left


def numbers(text: str, below: int, line: Line) -> list[int]:
    """``0 1 5-7`` or ``0,1,5-7`` as numbers: EOS prints either.

    Raises:
        ConfigError: something else, or a number from ``below`` on.
    """
    found: list[int] = []
    for part in text.replace(",", " ").split():
        span = _SPAN.fullmatch(part)
        low, high = (int(span[1]), int(span[2] or span[1])) if span else (0, below)
        if high >= below or low > high:
            where = f"line {line.number} of {CONFIG_FILE}"
            msg = f"{where}: {part!r} is no number or range below {below}"
            raise ConfigError(msg)
        found.extend(range(low, high + 1))
    return found
