"""The two forms of `nv show`: attributes with their operational and applied value, and tables.

::

                        operational  applied            RoCE pool config
    ------------------  -----------  --------           ===================
    mode                lossless     lossless               name       mode
    pfc                                                 -  ---------  -------
      pfc-priority      3                               0  lossy-def  Dynamic
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from fabric.reading.tables import Table, gapped, is_rule, ruled

if TYPE_CHECKING:
    from fabric.model.reading import Json

_UNDERLINE = re.compile(r"={3,}")
_COLUMN = re.compile(r"-+")
_VALUES = ("operational", "applied", "pending")
_NAME = re.compile(r"\[?[A-Za-z][\w./-]*\]?")
_MOST = 4096  # DSCPs, priorities, classes: what is above is no such number
_NOTHING = ("-", "n/a", "N/A", "none")


@dataclass(frozen=True, slots=True)
class Shown:
    """``values``: what is in force, else what is applied, by path; one path may come again.

    ``tables``: by their title. ``unparsed``: lines that are neither.
    """

    values: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    unparsed: tuple[str, ...] = ()

    def value(self, *path: str) -> str | None:
        """The value at a path; ``None``: none, or a dash."""
        found = [word for word in self.values.get(path, ()) if word not in _NOTHING]
        return found[0] if found else None

    def table(self, *words: str) -> Table | None:
        """The first table whose title has these words."""
        return next((t for title, t in self.tables.items() if all(w in title for w in words)), None)


def shown(text: str) -> Shown:
    """The output of one `nv show`."""
    lines = [line.rstrip() for line in text.split("\n")]
    titles = [n for n in range(1, len(lines)) if _UNDERLINE.fullmatch(lines[n].strip())]
    titles = [n - 1 for n in titles if lines[n - 1].strip()]
    first = titles[0] if titles else len(lines)
    values, unparsed = _attributes(lines[:first])
    tables: dict[str, Table] = {}
    for start, end in pairwise([*titles, len(lines)]):
        body = [line for line in lines[start + 2 : end] if line.strip()]
        tables[lines[start].strip()] = ruled(body)
    return Shown(values, tables, tuple(unparsed))


def table_of(text: str, *columns: str) -> Table | None:
    """The table whose header starts with the first of ``columns`` and has all of them."""
    lines = [line for line in text.split("\n") if line.strip()]
    start = next((n for n, line in enumerate(lines) if line.split()[0] == columns[0]), None)
    table = ruled(lines[start:]) if start is not None else None
    if table is None or not table.rows or not set(columns) <= table.rows[0].keys():
        return None
    return table


def _attributes(lines: list[str]) -> tuple[dict[tuple[str, ...], list[str]], list[str]]:
    place = next((n for n, line in enumerate(lines) if n and is_rule(line)), None)
    head = lines[place - 1].split() if place else []
    if place is None or not head or head[0] not in _VALUES:
        return {}, []
    spans = [match.span() for match in _COLUMN.finditer(lines[place])]
    columns = [n for n, word in enumerate(head, 1) if word in _VALUES]
    values: dict[tuple[str, ...], list[str]] = {}
    unparsed: list[str] = []
    parents: list[tuple[int, str]] = []
    for line in lines[place + 1 :]:
        cells = _cells(line, spans)
        if not line.strip():
            continue
        if not _NAME.fullmatch(cells[0]):
            unparsed.append(line.strip())
            continue
        depth = len(line) - len(line.lstrip())
        parents = [(d, name) for d, name in parents if d < depth] + [(depth, cells[0])]
        said = [cells[n] for n in columns if n < len(cells) and cells[n]]
        path = tuple(name for _, name in parents)
        values.setdefault(path, []).extend(said[:1])
    return values, unparsed


def _cells(line: str, spans: list[tuple[int, int]]) -> list[str]:
    """By the dashes; where a cell crosses a border, by gaps of two blanks."""
    starts = [0, *(start for start, _ in spans[1:])]
    if any(
        line[start - 1 : start].strip() and line[start : start + 1].strip() for start in starts[1:]
    ):
        return gapped(line)
    return [line[a:b].strip() for a, b in zip(starts, [*starts[1:], len(line)], strict=True)]


def numbers(text: str | None) -> list[int]:
    """``0,3`` or ``0-3,5`` → the numbers; a dash or nothing: none."""
    found: list[int] = []
    for part in (text or "").replace(" ", "").split(","):
        low, _, high = part.partition("-")
        if low.isdecimal() and (high.isdecimal() or not high) and int(high or low) < _MOST:
            found.extend(range(int(low), int(high or low) + 1))
    return found


def words(text: str | None) -> list[Json]:
    """``pcp,dscp`` → its words."""
    return [part.strip() for part in (text or "").split(",") if part.strip()]
