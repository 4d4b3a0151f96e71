"""Plain terminal text: aligned columns, wrapping, colour where the terminal has it."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_CODES = {"red": "31", "yellow": "33", "green": "32", "cyan": "36", "bold": "1", "dim": "2"}
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
MIN_WIDTH, MAX_WIDTH = 60, 120


@dataclass(frozen=True, slots=True)
class Style:
    """How wide and whether in colour."""

    width: int = 100
    colour: bool = False

    def paint(self, text: str, colour: str) -> str:
        """``text`` in that colour, or as it is."""
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self.colour and text else text


def terminal_style(*, is_terminal: bool) -> Style:
    """The style for this terminal; NO_COLOR and COLUMNS are respected."""
    colour = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size((100, 24)).columns
    return Style(max(MIN_WIDTH, min(MAX_WIDTH, width)), colour)


def visible_length(text: str) -> int:
    """Length without colour codes."""
    return len(_ESCAPE.sub("", text))


def columns(
    rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), indent: int = 2, gap: int = 2
) -> list[str]:
    """Rows as aligned lines; ``right``: indexes of columns aligned right."""
    if not rows:
        return []
    count = max(len(row) for row in rows)
    widths = [
        max((visible_length(row[i]) for row in rows if i < len(row)), default=0)
        for i in range(count)
    ]
    lines = []
    for row in rows:
        cells = []
        for index, cell in enumerate(row):
            pad = " " * (widths[index] - visible_length(cell))
            cells.append(pad + cell if index in right else cell + pad)
        lines.append((" " * indent + (" " * gap).join(cells)).rstrip())
    return lines


def wrapped(text: str, style: Style, *, indent: int = 0, first: str = "") -> list[str]:
    """``text`` within the width; following lines are indented, the first starts with ``first``."""
    return textwrap.wrap(
        text,
        style.width,
        initial_indent=first or " " * indent,
        subsequent_indent=" " * (indent or len(first)),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]
