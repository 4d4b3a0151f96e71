"""Rows of a traffic matrix file, CSV or JSON, each with what is needed to find it again."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric.files.json_text import load_json
from fabric.files.reading import decode
from fabric.model.finding import Finding, InputError, Location, Severity
from fabric.model.traffic import UNITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RULE = "RCE027"
PHASE, FROM, TO = "phase", "from", "to"
_KNOWN = (PHASE, FROM, TO, *UNITS)
_HEADER = "head it from,to,gbps (or rate, or bytes), with a column phase where there are several"
_LIST = 'write {"traffic": [{"from": "gpu-1", "to": "gpu-2", "gbps": 100}, …]}'


@dataclass(frozen=True)
class Rows:
    """``unit``: of the amounts. ``each``: number of a row, and its cells by column or its fault.

    ``place``: of a row and column; ``word``: what a row is called in messages.
    """

    name: str
    unit: str
    phased: bool
    each: Iterator[tuple[int, dict[str, Any] | str]]
    place: Callable[[int, str], Location]
    word: Callable[[int], str]


def csv_rows(content: bytes, name: str) -> Rows:
    """Rows under a header; comma, semicolon or tab; ``#`` begins a comment.

    Raises:
        InputError: RCE001 no text; RCE027 a header that does not say what is what, no CSV.
    """
    lines = _cells(decode(content, name), name)
    line, header = next(lines, (1, []))
    columns = [cell.lower() for cell in header]
    unit = _unit(columns, Location(name, line, 1), _HEADER)

    def each() -> Iterator[tuple[int, dict[str, Any] | str]]:
        for number, cells in lines:
            if len(cells) == len(columns):
                yield number, dict(zip(columns, cells, strict=True))
            else:
                yield number, f"{len(cells)} cells, expected the {len(columns)} of the header"

    def place(number: int, column: str) -> Location:
        return Location(name, number, columns.index(column) + 1)

    return Rows(name, unit, PHASE in columns, each(), place, lambda n: f"row {n}")


def json_rows(content: bytes, name: str) -> Rows:
    """Rows of the list ``traffic``, all with the keys of the first.

    Raises:
        InputError: RCE001, RCE002, RCE004, RCE006 no JSON object; RCE027 no such list, or odd keys.
    """
    loaded = load_json(content, name)
    rows, others = loaded.data.get("traffic"), loaded.data.keys() - {"traffic"}
    if others:
        message = f"the key {min(others)} is not known at the top, only traffic"
        raise _refusal(message, _LIST, loaded.locate((min(others),)))
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        message = "traffic is not a list of objects" if "traffic" in loaded.data else "no traffic"
        raise _refusal(message, _LIST, loaded.locate(("traffic",)))
    columns = list(rows[0]) if rows else [FROM, TO, UNITS[0]]
    unit = _unit(columns, loaded.locate(("traffic", 0)), _LIST)

    def each() -> Iterator[tuple[int, dict[str, Any] | str]]:
        for number, row in enumerate(rows):
            if row.keys() == rows[0].keys():
                yield number, row
            else:
                found = ", ".join(row) or "no keys"
                yield number, f"found {found}, expected as in the first row {', '.join(columns)}"

    def place(number: int, column: str) -> Location:
        return loaded.locate(("traffic", number, column))

    return Rows(name, unit, PHASE in columns, each(), place, lambda n: f"traffic[{n}]")


def _cells(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    first = next((x for x in text.splitlines() if x.strip() and not x.startswith("#")), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped) and not stripped[0].startswith("#"):
                yield reader.line_num, stripped
    except csv.Error as error:
        place = Location(name, reader.line_num, 1)
        message = f"not CSV: {error}"
        raise _refusal(message, "see whether a quote is open", place) from None


def _unit(columns: list[str], place: Location, fix: str) -> str:
    """The one column of amounts.

    Raises:
        InputError: columns that are not known, missing or there twice.
    """
    said = [f"the column {c or '(empty)'} is not known" for c in columns if c not in _KNOWN]
    said += [f"the column {c} stands twice" for c in _KNOWN if columns.count(c) > 1]
    said += [f"there is no column {c}" for c in (FROM, TO) if c not in columns]
    units = [unit for unit in UNITS if unit in columns]
    if len(units) != 1:
        found = " and ".join(units) or "none of them"
        said.append(f"one column says how much: {', '.join(UNITS)}; found {found}")
    if said:
        raise InputError(tuple(finding(message, fix, place) for message in said))
    return units[0]


def finding(message: str, fix: str, place: Location) -> Finding:
    """A fault of the file."""
    return Finding(RULE, Severity.ERROR, place.file, message, fix=fix, location=place)


def _refusal(message: str, fix: str, place: Location) -> InputError:
    return InputError((finding(message, fix, place),))
