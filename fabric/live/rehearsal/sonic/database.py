"""CONFIG_DB: tables of rows of fields, and the rows that the system makes by itself."""

from __future__ import annotations

import json
import re
from typing import TypeAlias

Tables: TypeAlias = dict[str, dict[str, dict[str, str]]]

_NUMBER = re.compile(r"(\d+)")
# sonic-buildimage device/mellanox/x86_64-nvidia_sn5600-r0/ACS-SN5600 pg_profile_lookup.ini:
# speed and cable, then size, xon, xoff in bytes; threshold 0.
_HEADROOM = {
    ("400000", "5m"): ("250880", "19456", "231424"),
    ("400000", "40m"): ("303104", "19456", "283648"),
    ("800000", "5m"): ("304128", "38912", "257024"),
    ("800000", "40m"): ("410624", "38912", "362496"),
    ("100000", "5m"): ("133120", "19456", "113664"),
    ("200000", "40m"): ("177152", "19456", "157696"),
}


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


def make_rows(tables: Tables) -> None:
    """What buffermgrd adds in the traditional model (sonic-swss cfgmgr/buffermgr.cpp).

    For each port that is in the database with its state, has a cable length other than 0m, and
    enables PFC: a profile for its speed and cable, and a row for its lossless groups. Rows that are
    there already are left alone.
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
        numbers = _HEADROOM.get((row.get("speed", ""), lengths.get(port, "0m")))
        if not enabled or numbers is None or "admin_status" not in row:
            continue
        name = f"pg_lossless_{row['speed']}_{lengths[port]}_profile"
        size, xon, xoff = numbers
        profile = {
            "pool": "ingress_lossless_pool",
            "size": size,
            "xon": xon,
            "xoff": xoff,
            "dynamic_th": "0",
        }
        tables.setdefault("BUFFER_PROFILE", {}).setdefault(name, profile)
        for group in groups(enabled):
            tables.setdefault("BUFFER_PG", {}).setdefault(f"{port}|{group}", {"profile": name})


def groups(enabled: str) -> list[str]:
    """Neighbouring priorities as one key: ``2,3,4,6`` gives ``2-4`` and ``6``."""
    found: list[list[int]] = []
    for number in sorted(int(each) for each in enabled.split(",") if each):
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found]
