"""VRP's tables: a header found by its words, rows below it, rules of dashes anywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fabric.reading.tables import header_place, is_rule

PORT = re.compile(r"[A-Za-z0-9][\w-]*?\d+(?:/\d+)*(?::\d+)?(?:\.\d+)?(?:\(\d+[A-Z]+\))?")


@dataclass(frozen=True, slots=True)
class Body:
    """The lines below a table's header, without rules and empty ones. ``header``: its words."""

    header: str
    lines: tuple[str, ...]


def body(text: str, *words: str) -> Body | None:
    """The table whose header has all these words, in this order; ``None``: there is none."""
    lines = text.split("\n")
    place = header_place(lines, *words)
    if place is None:
        return None
    below = tuple(line for line in lines[place + 1 :] if line.strip() and not is_rule(line))
    return Body(lines[place], below)


def named(row: list[str], columns: list[str]) -> dict[str, str]:
    """Cells by column, as far as the row goes; ``-`` and ``--`` are empty."""
    return {
        column: cell for column, cell in zip(columns, row, strict=False) if cell not in {"-", "--"}
    }


def columns(header: str, known: tuple[str, ...]) -> list[str]:
    """Which of the ``known`` columns the header has, in its own order."""
    places = {name: header.lower().find(name.lower()) for name in known}
    return sorted((n for n in known if places[n] >= 0), key=lambda name: places[name])


def number(cell: str | None) -> int | None:
    """``3*``, ``[100]``, ``640(B)``, ``1,600`` → the number; ``None``: none."""
    match = re.match(r"\[?(\d[\d,]*)", cell.strip()) if cell else None
    return int(match[1].replace(",", "")) if match else None
