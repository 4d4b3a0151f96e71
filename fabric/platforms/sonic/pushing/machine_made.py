"""Rows that buffermgrd writes into CONFIG_DB by itself, and those that it takes out of it.

sonic-swss e6b0c5b5, cfgmgr/buffermgr.cpp, doSpeedUpdateTask: in the traditional model each port
with a speed, a cable length other than ``0m`` and ``pfc_enable`` gets one row of BUFFER_PG for each
run of neighbouring priorities, which names ``pg_lossless_<speed>_<cable>_profile``, whatever stood
there. A profile that is there is taken as it is; else it is made of pg_profile_lookup.ini of the
SKU, once ``ingress_lossless_pool`` has a mode. Where that has no line of speed and cable, nothing
is made.
On Mellanox and Barefoot the row of a port that is down goes instead, if it names that profile. The
dynamic model (buffermgrdyn.cpp) writes to APPL_DB and STATE_DB alone.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from fabric.model.names import natural_key
from fabric.model.push import ReplyError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.changing.json_tables import Row, Tables

PGS, PROFILES = "BUFFER_PG", "BUFFER_PROFILE"
_POOL = "ingress_lossless_pool"
_COLUMNS = 6  # speed, cable, size, xon, xoff, threshold; xon_offset may follow
_PRIORITIES = 8


class _Group(NamedTuple):
    """A row of BUFFER_PG that buffermgrd looks after."""

    port: str
    priorities: str
    profile: str
    speed: str
    cable: str
    up: bool

    @property
    def key(self) -> str:
        return f"{self.port}|{self.priorities}"


def without(tables: Tables, lookup: str) -> Tables:
    """Tables without the rows that come and go by themselves; what contradicts them stays.

    ``lookup``: the text of pg_profile_lookup.ini. The row of a port that is down may be there or
    not.
    """
    made = _made(tables, lookup)
    idle = {group.key: {"profile": group.profile} for group in _groups(tables) if not group.up}
    own = {PGS: {**made[PGS], **idle}, PROFILES: made[PROFILES]}
    return {
        name: {key: row for key, row in rows.items() if own.get(name, {}).get(key) != row}
        for name, rows in tables.items()
    }


def stripped(tables: Tables, lookup: str) -> Tables:
    """Tables without what buffermgrd would make of the others again."""
    own = _made(tables, lookup)
    return {
        name: {key: row for key, row in rows.items() if own.get(name, {}).get(key) != row}
        for name, rows in tables.items()
    }


def completed(tables: Tables, lookup: str, said: Tables) -> Tables:
    """Tables with what buffermgrd makes of them; ``said``: those of the plan.

    Raises:
        ReplyError: it would write over a row of the plan.
    """
    made = _made(tables, lookup)
    for key, row in made[PGS].items():
        ours = said.get(PGS, {}).get(key, row)
        if ours != row:
            msg = (
                f"{PGS}|{key}: buffermgrd would put {row['profile']} in the place of the plan's "
                f"{ours.get('profile')}, as its pg_profile_lookup.ini has that speed and cable"
            )
            raise ReplyError(msg)
    down = {group.key for group in _groups(tables) if not group.up}
    groups = {key: row for key, row in made[PGS].items() if key not in down}
    used = {row["profile"] for row in groups.values()}
    profiles = {key: row for key, row in made[PROFILES].items() if key in used}
    return {
        **tables,
        **_joined(PGS, tables, {**tables.get(PGS, {}), **groups}),
        **_joined(PROFILES, tables, {**profiles, **tables.get(PROFILES, {})}),
    }


def _joined(name: str, tables: Tables, rows: dict[str, Row]) -> Tables:
    """A table with more rows, in natural order; as it is where there are none."""
    if rows == tables.get(name, {}):
        return {}
    return {name: dict(sorted(rows.items(), key=lambda item: natural_key(item[0])))}


def groups_without_headroom(tables: Tables) -> tuple[str, ...]:
    """``Ethernet0|3``: priorities of ports that are up with PFC and without headroom."""
    profiles = tables.get(PROFILES, {})
    covered = {
        f"{port}|{priority}"
        for key, row in tables.get(PGS, {}).items()
        if row.get("profile") == "NULL" or profiles.get(str(row.get("profile")), {}).get("xoff")
        for port, _, span in (key.rpartition("|"),)
        for priority in _span(span)
    }
    return tuple(
        f"{port}|{priority}"
        for port, row in tables.get("PORT_QOS_MAP", {}).items()
        if tables.get("PORT", {}).get(port, {}).get("admin_status") == "up"
        for priority in _enabled(row)
        if f"{port}|{priority}" not in covered
    )


def _made(tables: Tables, lookup: str) -> Tables:
    """The rows that buffermgrd makes of ports, cables, PFC and pools; also where they are there."""
    known, profiles = _lines(lookup), tables.get(PROFILES, {})
    mode = tables.get("BUFFER_POOL", {}).get(_POOL, {}).get("mode")
    found: Tables = {PGS: {}, PROFILES: {}}
    for group in _groups(tables):
        numbers = known.get((group.speed, group.cable))
        if numbers is None or not (mode or group.profile in profiles):
            continue
        found[PGS][group.key] = {"profile": group.profile}
        if mode:
            found[PROFILES][group.profile] = {"pool": _POOL, **_profile(numbers, str(mode))}
    return found


def _profile(numbers: tuple[str, ...], mode: str) -> Row:
    size, xon, xoff, threshold, *offset = numbers
    row = {"size": size, "xon": xon, "xoff": xoff, f"{mode}_th": threshold}
    return {**row, "xon_offset": offset[0]} if offset else row


def _lines(lookup: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """By speed and cable: size, xon, xoff, threshold, and xon_offset where the line has it."""
    rows = (line.split() for line in lookup.splitlines() if not line.startswith("#"))
    return {(row[0], row[1]): tuple(row[2 : _COLUMNS + 1]) for row in rows if len(row) >= _COLUMNS}


def _groups(tables: Tables) -> Iterator[_Group]:
    metadata = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    if metadata.get("buffer_model") == "dynamic":
        return
    cables = {
        port: str(length)
        for row in tables.get("CABLE_LENGTH", {}).values()
        for port, length in row.items()
    }
    for port, row in tables.get("PORT", {}).items():
        speed, cable = str(row.get("speed", "")), cables.get(port, "0m")
        if not speed or cable == "0m":
            continue
        profile, up = f"pg_lossless_{speed}_{cable}_profile", row.get("admin_status") == "up"
        for run in _runs(_enabled(tables.get("PORT_QOS_MAP", {}).get(port, {}))):
            yield _Group(port, run, profile, speed, cable, up)


def _enabled(row: Row) -> list[int]:
    words = str(row.get("pfc_enable", "")).split(",")
    return sorted({int(word) for word in words if word.isdecimal() and int(word) < _PRIORITIES})


def _runs(numbers: list[int]) -> Iterator[str]:
    """Neighbours as one word: 2, 3, 4 and 6 are ``2-4`` and ``6``."""
    starts = [n for before, n in pairwise([-2, *numbers]) if n != before + 1]
    for first in starts:
        last = first
        while last + 1 in numbers:
            last += 1
        yield f"{first}-{last}" if last > first else f"{first}"


def _span(text: str) -> range:
    first, _, last = text.partition("-")
    if not first.isdecimal() or not (last or first).isdecimal():
        return range(0)
    return range(int(first), int(last or first) + 1)
