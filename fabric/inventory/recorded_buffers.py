"""``buffers:`` of recorded facts: BUFFER_POOL and BUFFER_PROFILE of the box's own CONFIG_DB."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric.model.hardware import BufferPool, BufferProfile, BufferTable, HeadroomRow

if TYPE_CHECKING:
    from collections.abc import Callable

    Note = Callable[[tuple[str, ...], str], None]  # path below the facts, message

_POOLS, _PROFILES = "BUFFER_POOL", "BUFFER_PROFILE"
_HEADROOM = re.compile(r"pg_lossless_(?P<mbps>\d{4,7})_(?P<metres>\d{1,6})m_profile")
_LONGEST = 15  # digits; no chip has a petabyte
_DIRECTIONS, _MODES = ("ingress", "egress", "both"), ("dynamic", "static")


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a box says of its buffers; ``rows`` are its ``pg_lossless_<speed>_<cable>_profile``."""

    table: BufferTable
    rows: tuple[HeadroomRow, ...]


def recorded_buffers(data: dict[str, Any], note: Note) -> Recorded | None:
    """The table and the headroom rows; ``None`` when a row is wrong: each one goes to ``note``."""
    wrong: list[tuple[tuple[str, ...], str]] = []
    pools = tuple(
        _pool(name, _Row(row, ("buffers", _POOLS, name), wrong))
        for name, row in _rows(data, _POOLS, wrong)
    )
    every = _rows(data, _PROFILES, wrong)
    stock = [(name, row) for name, row in every if not _HEADROOM.fullmatch(name)]
    profiles = tuple(
        _profile(name, _Row(row, ("buffers", _PROFILES, name), wrong)) for name, row in stock
    )
    rows = tuple(
        _headroom(match, _Row(row, ("buffers", _PROFILES, name), wrong))
        for name, row in every
        if (match := _HEADROOM.fullmatch(name))
    )
    known = {pool.name for pool in pools}
    for profile in profiles:
        if profile.pool not in known:
            where = ("buffers", _PROFILES, profile.name, "pool")
            wrong.append((where, f"there is no pool {profile.pool}"))
    for path, message in wrong:
        note(path, message)
    if wrong:
        return None
    digest = hashlib.sha256(repr((pools, profiles, rows)).encode()).hexdigest()[:8]
    return Recorded(BufferTable(f"recorded-{digest}", pools, profiles), rows)


def _rows(
    data: dict[str, Any], table: str, wrong: list[tuple[tuple[str, ...], str]]
) -> list[tuple[str, dict[str, Any]]]:
    rows = data.get(table)
    if not isinstance(rows, dict) or not all(isinstance(row, dict) for row in rows.values()):
        wrong.append((("buffers", table), f"{table} must be rows by name, as in CONFIG_DB"))
        return []
    return sorted(rows.items())


class _Row:
    """One row; what it lacks or spells wrong goes to ``wrong``."""

    def __init__(
        self,
        row: dict[str, Any],
        path: tuple[str, ...],
        wrong: list[tuple[tuple[str, ...], str]],
    ) -> None:
        self._row, self._path, self._wrong = row, path, wrong

    def word(self, key: str, choices: tuple[str, ...] = ()) -> str:
        value = self._row.get(key)
        if isinstance(value, str) and (not choices or value in choices):
            return value
        wanted = f"one of {', '.join(choices)}" if choices else "text"
        self._wrong.append(((*self._path, key), f"{key} must be {wanted}"))
        return ""

    def number(self, key: str, *, optional: bool = False) -> int | None:
        text = str(self._row.get(key, "")).strip()
        if not text and optional:
            return None
        if text.removeprefix("-").isdecimal() and len(text) <= _LONGEST:
            return int(text)
        self._wrong.append(((*self._path, key), f"{key} must be a whole number of bytes"))
        return None


def _pool(name: str, row: _Row) -> BufferPool:
    return BufferPool(
        name=name,
        direction=row.word("type", _DIRECTIONS),
        mode=row.word("mode", _MODES),
        size_bytes=row.number("size") or 0,
        xoff_bytes=row.number("xoff", optional=True),
    )


def _headroom(match: re.Match[str], row: _Row) -> HeadroomRow:
    return HeadroomRow(
        speed_gbps=int(match["mbps"]) // 1000,
        cable_m=int(match["metres"]),
        size_bytes=row.number("size") or 0,
        xon_bytes=row.number("xon") or 0,
        xoff_bytes=row.number("xoff") or 0,
        threshold=row.number("dynamic_th") or 0,
        xon_offset_bytes=row.number("xon_offset", optional=True),
    )


def _profile(name: str, row: _Row) -> BufferProfile:
    return BufferProfile(
        name=name,
        pool=row.word("pool"),
        size_bytes=row.number("size") or 0,
        dynamic_th=row.number("dynamic_th", optional=True),
        static_th_bytes=row.number("static_th", optional=True),
        xon_bytes=row.number("xon", optional=True),
        xoff_bytes=row.number("xoff", optional=True),
        xon_offset_bytes=row.number("xon_offset", optional=True),
    )
