"""Tables by the words of their header: columns may move, widen, or be missing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

_GAP = re.compile(r"\s{2,}|\t+")
_RULE = re.compile(r"[\s|+=-]*[=-]{2,}[\s|+=-]*")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows as {header word: cell}; absent cells are empty. ``unparsed``: lines that are no rows.

    ``names``: the words of the header, which a table without a row has too.
    """

    rows: list[dict[str, str]] = field(default_factory=list)
    unparsed: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def is_rule(line: str) -> bool:
    """Whether a line only underlines: ``----- ---``."""
    return bool(_RULE.fullmatch(line))


def header_place(lines: list[str], *words: str) -> int | None:
    """Index of the first line that has all these words, in this order; ``None``: none has."""
    pattern = re.compile(r".*?".join(re.escape(w) for w in words), re.IGNORECASE)
    return next((n for n, line in enumerate(lines) if pattern.search(line)), None)


def ruled(lines: list[str]) -> Table:
    """The table whose columns are underlined one by one: header lines, dashes, rows.

    A row is cut at gaps of two blanks if that gives a cell a column, else where the dashes begin
    (cells may be empty or hold blanks), else at every blank. ``lines``: header first; what stands
    after an empty line is no row.
    """
    place = next((n for n, line in enumerate(lines) if len(_spans(line)) > 1), None)
    if place is None or place == 0:
        return Table()
    spans = _spans(lines[place])
    names = _header_names(lines[:place], spans)
    rows, unparsed = [], []
    for line in lines[place + 1 :]:
        if not line.strip():
            break
        cells = _cells(line, spans)
        if cells is None:
            unparsed.append(line.strip())
        else:
            rows.append(dict(zip(names, cells, strict=True)))
    return Table(rows, tuple(unparsed), tuple(names))


def tables(text: str) -> list[Table]:
    """Every underlined table of a text. The line above the dashes is the header, one line alone.

    Rows go on after empty lines until the next header; a table without a row is there all the same.
    """
    lines = text.split("\n")
    rules = [n for n, line in enumerate(lines) if n and len(_spans(line)) > 1]
    found = []
    for place, following in pairwise((*rules, len(lines) + 1)):
        body = [line for line in lines[place + 1 : following - 1] if line.strip()]
        if lines[place - 1].strip():
            found.append(ruled([*lines[place - 1 : place + 1], *body]))
    return found


def _spans(line: str) -> list[tuple[int, int]]:
    if not is_rule(line):
        return []
    return [m.span() for m in re.finditer(r"[=-]+", line)]


def _header_names(header: list[str], spans: list[tuple[int, int]]) -> list[str]:
    if len(header) == 1 and len(gapped(header[0])) == len(spans):
        return gapped(header[0])
    ends = [*(start for start, _ in spans[1:]), None]
    names = []
    for (start, _), end in zip(spans, ends, strict=True):
        parts = [line[start:end].strip() for line in header]
        names.append(" ".join(part for part in parts if part))
    return names


def _cells(line: str, spans: list[tuple[int, int]]) -> list[str] | None:
    """The cells of a row, one a column; ``None``: no way of cutting gives that many."""
    cells = gapped(line)
    if len(cells) == len(spans):
        return cells
    starts = [start for start, _ in spans]
    borders = [start for start in starts[1:] if start < len(line)]
    if all(line[start - 1] == " " for start in borders) and not line[: starts[0]].strip():
        ends = [*starts[1:], len(line)]
        return [line[a:b].strip() for a, b in zip(starts, ends, strict=True)]
    cells = line.split()
    return cells if len(cells) == len(spans) else None


def gapped(line: str) -> list[str]:
    """The cells of a line whose columns stand two blanks or more apart."""
    return _GAP.split(line.strip())
