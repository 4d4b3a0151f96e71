"""``display ip routing-table``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.model.reading import Reading

if TYPE_CHECKING:
    from fabric.model.reading import Json

_HEADER = re.compile(r"\s*Destination/Mask\s+Proto\s+Pre\s+Cost\s+NextHop\s+Interface")
_ROW = re.compile(
    r"(?:(?P<prefix>[\d.]+/\d+)\s+|\s+)"  # further protocols of a prefix stand below it
    r"(?P<proto>[A-Za-z]\S*)\s+(?P<pre>\d+)\s+(?P<cost>\d+)\s+(?P<via>[\d.]+)\s+(?P<port>\S+)\s*"
)
_MORE = re.compile(r"\s+(?P<via>(?:\d+\.){3}\d+)\s+(?P<port>\S+)\s*")
_ALONE = re.compile(r"(?P<prefix>[\d.]+/\d+)\s*")
_KNOWN = re.compile(r"\s*(?:Destinations\s*:|Routing Table|Summary [Cc]ount|[<\[]\S+[>\]]|$)")
_CONNECTED = "Direct"


@dataclass(slots=True)
class _Table:
    connected: dict[str, Json] = field(default_factory=dict)
    hops: dict[str, list[Json]] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    prefix: str | None = None

    def read(self, line: str) -> None:
        row = _ROW.fullmatch(line)
        if row and row["prefix"]:
            self.prefix = row["prefix"]
        hop = row or _MORE.fullmatch(line)
        if row and self.prefix and row["proto"] == _CONNECTED:
            self.connected.setdefault(self.prefix, row["port"])
        elif hop and self.prefix:
            entry: Json = {"via": hop["via"], "interface": hop["port"]}
            self.hops.setdefault(self.prefix, []).append(entry)
        elif alone := _ALONE.fullmatch(line):
            self.prefix = alone["prefix"]
        elif not _KNOWN.match(line):
            self.left.append(line.strip())

    def routes(self) -> dict[str, Json]:
        found: dict[str, Json] = {p: {"connected": port} for p, port in self.connected.items()}
        return found | {p: {"next_hops": h} for p, h in self.hops.items() if p not in found}


def table(text: str) -> Reading:
    """``routes``: connected ones by interface, others with all their next hops."""
    lines = text.split("\n")
    place = next((n for n, line in enumerate(lines) if _HEADER.match(line)), None)
    if place is None:
        return Reading()
    found = _Table(left=[line.strip() for line in lines[:place] if not _KNOWN.match(line)])
    for line in lines[place + 1 :]:
        found.read(line)
    return Reading({"routes": found.routes()}, tuple(found.left))
