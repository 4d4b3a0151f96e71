"""``show version`` and ``show lldp table``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.sonic.readers.columns import left, tables_with

if TYPE_CHECKING:
    from fabric.model.reading import Json

_FIELDS = {
    "version": re.compile(r"^\s*SONiC Software Version:\s*(?:SONiC\.)?(\S+)", re.MULTILINE),
    "platform": re.compile(r"^\s*Platform:\s*(\S+)", re.MULTILINE),
    "hwsku": re.compile(r"^\s*HwSKU:\s*(\S+)", re.MULTILINE),
    "asic": re.compile(r"^\s*ASIC:\s*(\S+)", re.MULTILINE),
}
_END = re.compile(r"-{20,}|Total entries displayed.*")


def version(text: str) -> Reading:
    """``show version``."""
    found = {name: pattern.search(text) for name, pattern in _FIELDS.items()}
    if found["version"] is None:
        return Reading()
    return Reading({name: match[1] for name, match in found.items() if match})


def lldp_table(text: str) -> Reading:
    """``show lldp table``: one line a neighbour."""
    found = tables_with(text, "localport", "remotedevice", "remoteportid")
    if not found:
        return Reading()
    rows = [row for table in found for row in table.rows]
    neighbours: list[Json] = [
        {
            "local_port": row["localport"],
            "remote_host": row["remotedevice"] or None,
            "remote_port": row["remoteportid"],
        }
        for row in rows
        if row["localport"] and not _END.fullmatch(row["localport"])
    ]
    odd = tuple(line for line in left(found) if not _END.fullmatch(line))
    return Reading({"neighbors": neighbours}, odd)
