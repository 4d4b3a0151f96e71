"""``display interface brief``: one table of routed ports, one of switched ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.numbers import speed_mbps, up_or_down

if TYPE_CHECKING:
    from fabric.model.reading import Json

_HEADER = re.compile(r"\s*Interface\s+Link\s+(Protocol|Speed)\s")
_LINK = {"UP": "up", "DOWN": "down", "ADM": "down", "STBY": "down"}
_KNOWN = re.compile(
    r"(?i)\s*(?:(?:the )?brief information (?:of|on) interface|link:|protocol:|speed|duplex:|type:"
    r"|$)"
)
_LEAST = 3  # name, link, and one more


def brief(text: str) -> Reading:
    """``interfaces``: states, and the speed of switched ports that have one."""
    ports: dict[str, Json] = {}
    left: list[str] = []
    third = ""  # what the third column is; empty: before the first table
    alone = ""  # a name that is too long for its column stands on a line of its own
    for line in text.split("\n"):
        header = _HEADER.match(line)
        if header:
            third = header[1]
            continue
        if _KNOWN.match(line):
            alone = ""
            continue
        cells = f"{alone} {line}".split()
        alone = ""
        if third and len(cells) >= _LEAST and cells[1].upper() in _LINK:
            ports[cells[0]] = _port(cells[1].upper(), third, cells[2])
        elif third and len(cells) == 1 and re.fullmatch(r"[A-Za-z][\w-]*\d[\d/:.]*", cells[0]):
            alone = cells[0]
        else:
            left.append(line.strip())
    if not third:
        return Reading()
    return Reading({"interfaces": ports}, (*left, *([alone] if alone else [])))


def _port(link: str, third: str, cell: str) -> dict[str, Json]:
    found: dict[str, Json] = {"oper": _LINK[link], "admin": "down" if link == "ADM" else "up"}
    bare = cell.partition("(")[0]
    value: Json = up_or_down(bare) if third == "Protocol" else speed_mbps(bare)
    if value is not None:
        found["protocol" if third == "Protocol" else "speed_mbps"] = value
    return found
