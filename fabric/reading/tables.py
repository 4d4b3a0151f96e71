"""Tables by the words of their header: columns may move, widen, or be missing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_GAP = re.compile(r"\s{2,}|\t+")
_RULE = re.compile(r"[\s|+=-]*[=-]{2,}[\s|+=-]*")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows as {header word: cell}; absent cells are empty. ``unparsed``: lines that are no rows."""

    rows: list[dict[str, str]] = field(default_factory=list)
    unparsed: tuple[str, ...] = ()


def is_rule(line: str) -> bool:
    """Whether a line only underlines: ``----- ---``."""
    return bool(_RULE.fullmatch(line))


def header_place(lines: list[str], *words: str) -> int | None:
    """Index of the first line that has all these words, in this order; ``None``: none has."""
    pattern = re.compile(r".*?".join(re.escape(w) for w in words), re.IGNORECASE)
    return next((n for n, line in enumerate(lines) if pattern.search(line)), None)


def ruled(lines: list[str]) -> Table:
    """A table whose second line underlines each column: cells are cut where the dashes are.

    The first of ``lines`` is the header (several header lines: join them first). A cell that is
    wider than its dashes pushes the rest; then the row is cut at gaps of two blanks instead.
    """
    place = next((n for n, line in enumerate(lines) if is_rule(line)), None)
    if place is None or place == 0:
        return Table()
    spans = [m.span() for m in re.finditer(r"[=-]+", lines[place])]
    if len(spans) < 2:  # noqa: PLR2004 - one rule below all says nothing of columns
        return Table()
    names = _header_names(lines[:place], spans)
    rows, unparsed = [], []
    for line in lines[place + 1 :]:
        if not line.strip() or is_rule(line):
            continue
        cells = _cut(line, spans)
        if cells is None:
            unparsed.append(line.strip())
        else:
            rows.append(dict(zip(names, cells, strict=True)))
    return Table(rows, tuple(unparsed))


def _header_names(header: list[str], spans: list[tuple[int, int]]) -> list[str]:
    ends = [start for start, _ in spans[1:]] + [10_000]
    names = []
    for (start, _), end in zip(spans, ends, strict=True):
        parts = [line[start:end].strip() for line in header]
        names.append(" ".join(part for part in parts if part))
    return names


def _cut(line: str, spans: list[tuple[int, int]]) -> list[str] | None:
    """Cells by place; where one crosses a border, by gaps. ``None``: neither fits."""
    starts = [start for start, _ in spans]
    crossing = any(
        0 < start <= len(line) - 1 and line[start - 1] != " " and line[start] != " "
        for start in starts[1:]
    )
    if not crossing:
        ends = [*starts[1:], len(line)]
        return [line[a:b].strip() for a, b in zip(starts, ends, strict=True)]
    cells = _GAP.split(line.strip())
    if len(cells) != len(spans):
        cells = line.split()
    return cells if len(cells) == len(spans) else None


def gapped(line: str) -> list[str]:
    """The cells of a line whose columns stand two blanks or more apart."""
    return _GAP.split(line.strip())
