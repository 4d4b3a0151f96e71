"""The table of results, by the words of its header.

Versions differ: ``error`` (the largest deviation) in place of ``#wrong`` (how many elements),
``redop`` and ``root`` there, empty or absent, further columns for iterations and times.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.reading import Json

_HEADER = re.compile(r"\s*#?\s*size\s+count\s+type\b.*\b(?:cpu)?time\b")
_START = re.compile(
    r"\s*(?P<size>\d{1,20})\s+\d{1,20}\s+[a-z]\w*(?:\s+[a-z]\w*)?(?:\s+-?\d+(?![\d.e]))?(?=\s|[a-z]|$)"
)
_VALUE = re.compile(r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|nan|inf)|N/A")
_TIMES = ("time", "cputime")
_KEYS = {"time": "time_us", "cputime": "time_us", "algbw": "algbw", "busbw": "busbw"}


@dataclass(slots=True)
class Results:
    """Rows by message size in bytes; ``wrong_sizes``: where elements were wrong."""

    header: bool = False
    rows: dict[str, Json] = field(default_factory=dict)
    wrong_sizes: list[Json] = field(default_factory=list)
    unparsed: list[str] = field(default_factory=list)


class Table:
    """Takes lines one by one; knows what a line is only after the header."""

    def __init__(self) -> None:
        self.results = Results()
        self._names: list[str] = []
        self._size: str | None = None  # of a row whose values another line has pushed away

    def takes(self, line: str) -> bool:
        """Whether the line belongs to the table; it is read then."""
        if _HEADER.match(line) and {"algbw", "busbw"} <= set(line.split()):
            words = line.split()
            first = next((n for n, word in enumerate(words) if word in _TIMES), len(words))
            self._names = [word for word in words[first:] if word != "timestamp"]
            self.results.header = True
            return True
        if not self._names:
            return False
        words = line.split()
        if self._size and len(words) >= len(self._names) and all(map(_VALUE.fullmatch, words)):
            self._row(self._size, words)
            self._size = None
            return True
        start = _START.match(line)
        return self._started(start["size"], line, line[start.end() :]) if start else False

    def _started(self, size: str, line: str, rest: str) -> bool:
        words = [
            word for word in line.split() if not re.fullmatch(r"\d+-\d+-\d+|\d+:\d+:\d+", word)
        ]
        before = len(words) - len(self._names)
        half = len(words) - len(self._names) // 2
        if 3 <= before <= 5 and all(map(_VALUE.fullmatch, words[before:])):  # noqa: PLR2004
            self._row(size, words[before:])
        elif 3 <= half <= 5 and all(map(_VALUE.fullmatch, words[half:])):  # noqa: PLR2004
            absent = ["N/A"] * (len(self._names) // 2)  # a replayed trace runs in place alone
            self._row(size, [*absent, *words[half:]])
        elif not rest.strip() or "NCCL" in rest:
            self._size = size
        else:
            return False
        return True

    def _row(self, size: str, words: list[str]) -> None:
        parts: dict[str, dict[str, Json]] = {"out_of_place": {}, "in_place": {}}
        wrong = False
        place = None
        for name, word in zip(self._names, words, strict=False):
            if name in _TIMES:
                place = "out_of_place" if place is None else "in_place"
            value = _number(word)
            if place is None or value is None:
                continue
            part = parts[place]
            if name in _KEYS:
                part[_KEYS[name]] = value
            elif name == "#wrong":
                part["wrong"] = value
                wrong = wrong or value != 0
            elif name == "error":
                part.update({"wrong": 0} if value == 0 else {"largest_error": value})
        key = str(int(size))
        row: dict[str, Json] = {name: part for name, part in parts.items() if part}
        if key == "0" or not row:
            return
        if key in self.results.rows:
            self.results.unparsed.append(f"size {key} once more: {' '.join(words)}")
            return
        self.results.rows[key] = row
        if wrong:
            self.results.wrong_sizes.append(int(size))


def _number(word: str) -> int | float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() else value
