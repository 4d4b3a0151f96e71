"""CONFIG_DB: tables of rows of fields, and the rows that the system makes by itself."""

from __future__ import annotations

import json
import re
from typing import TypeAlias

Tables: TypeAlias = dict[str, dict[str, dict[str, str]]]

_NUMBER = re.compile(r"(\d+)")
_NAMED = 6  # columns of pg_profile_lookup.ini that every line has


class TablesError(ValueError):
    """A text that holds no tables."""


def read(text: str) -> Tables:
    """Tables out of JSON; every value becomes a string, as redis keeps them.

    Raises:
        TablesError: it is no JSON object of tables.
    """
    try:
        found = json.loads(text)
    except ValueError as error:
        raise TablesError(str(error)) from error
    if not isinstance(found, dict):
        message = "it is no object of tables"
        raise TablesError(message)
    return {
        table: {
            key: {field: _text(value) for field, value in row.items()}
            if isinstance(row, dict)
            else {}
            for key, row in rows.items()
        }
        for table, rows in found.items()
        if isinstance(rows, dict)
    }


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def natural(text: str) -> list[tuple[int, str]]:
    """A sort key by which Ethernet8 comes before Ethernet16, as ``sonic-cfggen`` sorts."""
    return [(int(part) if part.isdigit() else -1, part) for part in _NUMBER.split(text)]


def show(tables: Tables) -> str:
    """What ``sonic-cfggen -d --print-data`` prints: sorted, indented by four."""
    ordered = {
        table: {
            key: dict(sorted(tables[table][key].items()))
            for key in sorted(tables[table], key=natural)
        }
        for table in sorted(tables)
        if tables[table]
    }
    return json.dumps(ordered, indent=4) + "\n"


def copy(tables: Tables) -> Tables:
    """Tables that share nothing with the given ones."""
    return {table: {key: dict(row) for key, row in rows.items()} for table, rows in tables.items()}


def merge(tables: Tables, more: Tables) -> None:
    """Add and overwrite fields; nothing is ever removed (``sonic-cfggen --write-to-db``)."""
    for table, rows in more.items():
        for key, row in rows.items():
            tables.setdefault(table, {}).setdefault(key, {}).update(row)


def follow(tables: Tables, lookup: str, *, reclaims: bool) -> None:
    """What buffermgrd does to the rows in the traditional model (sonic-swss cfgmgr/buffermgr.cpp).

    For each port that has a cable length other than 0m and enables PFC: a profile for its speed and
    cable out of ``lookup`` (pg_profile_lookup.ini), and a row for its lossless groups, in place of
    one with another profile. ``reclaims``: the chip is one on which a port that is down gives its
    row back.
    """
    meta = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    if meta.get("buffer_model", "traditional") == "dynamic":
        return
    lengths = {
        port: length
        for row in tables.get("CABLE_LENGTH", {}).values()
        for port, length in row.items()
    }
    for port, row in sorted(tables.get("PORT", {}).items()):
        enabled = tables.get("PORT_QOS_MAP", {}).get(port, {}).get("pfc_enable", "")
        length = lengths.get(port, "0m")
        if not enabled or length == "0m" or "speed" not in row:
            continue
        name = f"pg_lossless_{row['speed']}_{length}_profile"
        keys = [f"{port}|{group}" for group in groups(enabled)]
        present = tables.setdefault("BUFFER_PG", {})
        if reclaims and row.get("admin_status", "down") == "down":
            for key in keys:
                if present.get(key, {}).get("profile") == name:
                    del present[key]
        elif _has_profile(tables, name, _numbers(lookup, row["speed"], length)):
            present.update({key: {"profile": name} for key in keys})


def _has_profile(tables: Tables, name: str, numbers: list[str]) -> bool:
    """Make the profile unless it is there; without a pool, or its numbers, it cannot be."""
    mode = tables.get("BUFFER_POOL", {}).get("ingress_lossless_pool", {}).get("mode", "")
    profiles = tables.setdefault("BUFFER_PROFILE", {})
    if numbers and name not in profiles and mode:
        size, xon, xoff, threshold, *offset = numbers
        profiles[name] = {"pool": "ingress_lossless_pool", "xon": xon, "xoff": xoff, "size": size}
        profiles[name] |= {
            f"{mode}_th": threshold,
            **dict(zip(("xon_offset",), offset, strict=False)),
        }
    return bool(numbers) and name in profiles


def _numbers(lookup: str, speed: str, length: str) -> list[str]:
    rows = (line.split() for line in lookup.splitlines() if not line.startswith("#"))
    found = [row[2:] for row in rows if len(row) >= _NAMED and row[:2] == [speed, length]]
    return found[-1] if found else []


def groups(enabled: str) -> list[str]:
    """Neighbouring priorities as one key: ``2,3,4,6`` gives ``2-4`` and ``6``."""
    found: list[list[int]] = []
    for number in sorted(int(each) for each in enabled.split(",") if each):
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found]
