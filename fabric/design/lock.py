"""The lock's text: what was handed out once and stays. Pure; reading and writing files is not here.

One row a line, sorted, no time and no path, so that two branches that grew merge like code::

    {
      "lock": "roce-fabric",
      "schema": 1,
      "fabric": "train64",
      "pools": {"link": "10.254.0.0/16"},
      "rows": [
        ["link", "leaf-0", 0, 4, "spine-[0-3]"]
      ]
    }

A row: pool, owner, start and size in units of the pool, and whose the places of the block are.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fabric.design.members import read_members, write_members
from fabric.model.addressing import Lock, LockRow
from fabric.model.finding import Problem, ProblemError
from fabric.model.names import natural_key

if TYPE_CHECKING:
    from collections.abc import Iterable

PROGRAM = "roce-fabric"
SCHEMA = 1
_FIELDS = ("lock", "schema", "fabric", "pools", "rows")
_MOST_NAMES = 1 << 22  # of a block: twice what a fabric may have of anything
_MEMBERS = 4  # place of the members in a row
_FIX = "restore the file from version control; without it everything is numbered afresh"


class _BrokenError(ValueError):
    """The text is not a lock that this program reads."""


def sorted_rows(rows: Iterable[LockRow]) -> tuple[LockRow, ...]:
    """Rows in the order of the file: pool, start, owner."""
    return tuple(sorted(rows, key=lambda r: (r.pool, r.start, natural_key(r.key), r.size)))


def lock_text(lock: Lock) -> str:
    """The lock as JSON, one row a line; the same lock gives the same bytes."""
    rows = ",\n    ".join(_row_text(row) for row in sorted_rows(lock.rows))
    parts = (
        f'"lock": {_json(PROGRAM)}',
        f'"schema": {SCHEMA}',
        f'"fabric": {_json(lock.fabric)}',
        f'"pools": {_json(dict(sorted(lock.pools)))}',
        f'"rows": [\n    {rows}\n  ]' if rows else '"rows": []',
    )
    return "{\n  " + ",\n  ".join(parts) + "\n}\n"


def read_lock(text: bytes | str, name: str) -> Lock:
    """Read what ``lock_text`` wrote; ``name`` is the file's name, for messages.

    Raises:
        ProblemError: RCE206, the text is broken, foreign or of a newer program.
    """
    try:
        return _lock_of(_loaded(text))
    except _BrokenError as error:
        message = f"{name}: {error}"
        raise ProblemError((Problem("RCE206", (), message, _FIX, subject=name),)) from None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _row_text(row: LockRow) -> str:
    cells: list[str | int] = [row.pool, row.key, row.start, row.size]
    if row.members:
        cells.append(write_members(row.members))
    return _json(cells)


def _loaded(text: bytes | str) -> dict[str, Any]:
    try:
        plain = text.decode() if isinstance(text, bytes) else text
    except UnicodeDecodeError:
        msg = "the lock is not UTF-8 text"
        raise _BrokenError(msg) from None
    if any(line.startswith(("<<<<<<<", ">>>>>>>")) for line in plain.splitlines()):
        msg = "the lock has merge conflicts: keep the rows of both sides where they do not overlap"
        raise _BrokenError(msg)
    try:
        data = json.loads(plain, object_pairs_hook=_object)
    except _BrokenError:
        raise
    except (ValueError, RecursionError) as error:
        msg = f"the lock is not JSON ({error})"
        raise _BrokenError(msg) from None
    if not isinstance(data, dict) or data.get("lock") != PROGRAM:
        msg = "this file is not a lock of this program"
        raise _BrokenError(msg)
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        msg = "the lock has a key twice"
        raise _BrokenError(msg)
    return found


def _lock_of(data: dict[str, Any]) -> Lock:
    schema = data.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        msg = f"the lock's schema is {schema!r}, not a number from 1"
        raise _BrokenError(msg)
    if schema > SCHEMA:
        msg = f"the lock was written by a newer program (schema {schema}, this one reads {SCHEMA})"
        raise _BrokenError(msg)
    wrong = sorted(set(data) ^ set(_FIELDS))
    if wrong:
        msg = f"the lock has wrong or missing keys: {', '.join(wrong)}"
        raise _BrokenError(msg)
    fabric, pools, rows = data["fabric"], data["pools"], data["rows"]
    if not isinstance(fabric, str) or not isinstance(pools, dict) or not isinstance(rows, list):
        msg = "fabric must be a text, pools an object and rows a list"
        raise _BrokenError(msg)
    if not all(isinstance(prefix, str) for prefix in pools.values()):
        msg = "pools must give a text for each pool"
        raise _BrokenError(msg)
    read = tuple(_row(cells, number) for number, cells in enumerate(rows, 1))
    return Lock(fabric, sorted_rows(read), tuple(sorted(pools.items())))


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _row(cells: Any, number: int) -> LockRow:
    if not isinstance(cells, list) or len(cells) not in (_MEMBERS, _MEMBERS + 1):
        msg = f"row {number} is not [pool, owner, start, size, members]"
        raise _BrokenError(msg)
    pool, key, start, size = cells[:_MEMBERS]
    text = cells[_MEMBERS] if len(cells) > _MEMBERS else ""
    if not all(isinstance(x, str) for x in (pool, key, text)) or not (
        _whole(start) and _whole(size)
    ):
        msg = f"row {number} is not two texts, two whole numbers and the members"
        raise _BrokenError(msg)
    if start < 0 or size < 1:
        msg = f"row {number} starts at {start} and has {size} places"
        raise _BrokenError(msg)
    try:
        members = read_members(text, min(size, _MOST_NAMES))
    except ValueError as error:
        msg = f"row {number}: {error}"
        raise _BrokenError(msg) from None
    return LockRow(pool, key, start, size, members)
