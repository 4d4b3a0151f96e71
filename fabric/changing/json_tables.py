"""Configurations that are tables of rows of fields, as JSON: what of them is ours, and the change.

A place is written ``TABLE``, ``TABLE|key`` or ``TABLE|key|field``; keys hold ``|`` themselves. In
the words of a manifest a ``*`` stands for anything.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fabric.model.names import natural_key
from fabric.model.push import ReplyError

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = dict[str, Any]
Tables = dict[str, dict[str, Row]]


class Owner(Enum):
    """Whose a place is."""

    PLAN = "plan"  # what the plan says, and nothing else
    DEVICE = "device"  # what the device says
    MACHINE = "machine"  # rows that the device adds beside ours: the plan's, else the device's
    SHARED = "shared"  # what the device says, and what the plan adds


@dataclass(frozen=True, slots=True)
class Ownership:
    """The words of a manifest.

    ``owns``: places of the plan. ``ignores``: a table or a field that the device makes itself, or
    rows that it adds beside ours. ``keeps``: tables that a plan writes for a new device alone.
    ``yields``: owned tables that stay the device's where the plan writes none of their rows.
    """

    owns: tuple[str, ...]
    ignores: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    yields: tuple[str, ...] = ()


def read_tables(text: str, what: str) -> Tables:
    """Tables of rows.

    Raises:
        ReplyError: it is no such JSON.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        msg = f"{what} is no JSON: {error}"
        raise ReplyError(msg) from error
    rows = data.values() if isinstance(data, dict) else [None]
    if not all(isinstance(r, dict) and all(isinstance(f, dict) for f in r.values()) for r in rows):
        msg = f"{what} does not hold tables of rows of fields"
        raise ReplyError(msg)
    return dict(data)


def written(tables: Tables) -> str:
    """The text, four spaces a level, as the device itself writes it."""
    return json.dumps(tables, indent=4) + "\n"


def merged(device: Tables, plan: Tables, ownership: Ownership) -> Tables:
    """The device's tables with what is the plan's replaced; order of tables as on the device."""
    found: Tables = {}
    for table in dict.fromkeys((*device, *plan)):
        theirs, ours = device.get(table, {}), plan.get(table, {})
        if not ours and table in left_to_device(plan, ownership):
            found[table] = theirs
            continue
        rows = _rows(table, theirs, ours, ownership)
        if rows or (table in device and not theirs):
            found[table] = rows
    return found


def left_to_device(plan: Tables, ownership: Ownership) -> frozenset[str]:
    """Owned tables of which the plan writes nothing, so that the device's stay."""
    return frozenset(name for name in ownership.yields if not plan.get(name))


def _rows(
    table: str, theirs: dict[str, Row], ours: dict[str, Row], ownership: Ownership
) -> dict[str, Row]:
    """Rows of one table; in natural order where the plan adds one, else as on the device."""
    found = {}
    for key in dict.fromkeys((*theirs, *ours)):
        row = _row(f"{table}|{key}", theirs.get(key), ours.get(key), ownership)
        if row is not None:
            found[key] = row
    if found.keys() <= theirs.keys():
        return found
    return dict(sorted(found.items(), key=lambda item: natural_key(item[0])))


def _row(place: str, theirs: Row | None, ours: Row | None, ownership: Ownership) -> Row | None:
    owner = row_owner(place, ownership)
    if owner is Owner.PLAN:
        row = ours
    elif owner is Owner.MACHINE:
        row = theirs if ours is None else ours
    elif owner is Owner.SHARED and ours is not None:
        row = {**(theirs or {}), **ours}
    else:
        row = theirs
    if ours is None:
        return row
    fields = dict.fromkeys((*(theirs or {}), *ours))
    special = {f: w for f in fields if (w := _field_owner(f"{place}|{f}", ownership))}
    return _with_fields(row or {}, theirs or {}, ours, special) if special else row


def _with_fields(row: Row, theirs: Row, ours: Row, special: dict[str, Owner]) -> Row:
    """A row of which some fields belong to somebody else than the row."""
    found = dict(row)
    for field, owner in special.items():
        first, second = (ours, {}) if owner is Owner.PLAN else (theirs, ours)
        source = first if field in first else second
        if field in source:
            found[field] = source[field]
        else:
            found.pop(field, None)
    return {field: found[field] for field in dict.fromkeys((*theirs, *found)) if field in found}


@lru_cache(maxsize=65536)
def row_owner(place: str, ownership: Ownership) -> Owner:
    """Whose a row is: the word for the row counts before the word for its table."""
    table = place.partition("|")[0]
    if any("|" in word and fnmatchcase(place, word) for word in ownership.ignores):
        return Owner.MACHINE
    if any("|" in word and fnmatchcase(place, word) for word in ownership.owns):
        return Owner.PLAN
    if table in ownership.ignores or table in ownership.keeps:
        return Owner.DEVICE
    return Owner.PLAN if table in ownership.owns else Owner.SHARED


@lru_cache(maxsize=65536)
def _field_owner(place: str, ownership: Ownership) -> Owner | None:
    """Whose a field is, where a word names it; a word for the whole row is none for its fields."""
    row = place.rpartition("|")[0]
    for words, owner in ((ownership.ignores, Owner.DEVICE), (ownership.owns, Owner.PLAN)):
        if any("|" in w and fnmatchcase(place, w) and not fnmatchcase(row, w) for w in words):
            return owner
    return None


def differences(before: Tables, after: Tables, ownership: Ownership) -> tuple[str, ...]:
    """``- PORT|Ethernet0|mtu 9100`` and ``+ PORT|Ethernet0|mtu 9216``, in natural order of places.

    Values are compared as text. What the device makes itself is no difference.
    """
    old, new = dict(_leaves(before, ownership)), dict(_leaves(after, ownership))
    lines = []
    for place in sorted({*old, *new}, key=natural_key):
        if old.get(place) != new.get(place):
            lines += [f"- {place}{old[place]}"] if place in old else []
            lines += [f"+ {place}{new[place]}"] if place in new else []
    return tuple(lines)


def canonical(tables: Tables, ownership: Ownership) -> str:
    """One text for equal tables, without what the device makes itself."""
    leaves = sorted(_leaves(tables, ownership), key=lambda leaf: natural_key(leaf[0]))
    return "".join(f"{place}{value}\n" for place, value in leaves)


def _leaves(tables: Tables, ownership: Ownership) -> Iterator[tuple[str, str]]:
    """Each field with its value, and each row without fields; an empty table is none."""
    for table, rows in tables.items():
        for key, row in rows.items():
            place = f"{table}|{key}"
            theirs = table in ownership.ignores and row_owner(place, ownership) is Owner.DEVICE
            fields = {f: v for f, v in row.items() if _counts(f"{place}|{f}", theirs, ownership)}
            if not row and not theirs:
                yield place, ""
            for field, value in fields.items():
                yield f"{place}|{field}", f" {_text(value)}"


def _counts(place: str, ignored: bool, ownership: Ownership) -> bool:
    owner = _field_owner(place, ownership)
    return owner is Owner.PLAN if ignored else owner is not Owner.DEVICE


def _text(value: object) -> str:
    """A value as one word; in lists, too, a number is its text."""
    if isinstance(value, list):
        return json.dumps([str(item) for item in value])
    return value if isinstance(value, str) else json.dumps(value)
