"""``display lldp neighbor``: a section a port, in it a block a neighbour."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.reading import Json

_PORT = re.compile(r"\s*(\S.*?) has (\d+) neighbors?(?:\(s\))?\s*:?\s*$")
_INDEX = re.compile(r"\s*Neighbor index\s*:")
_FIELD = re.compile(r"\s*(Port ID|System name)\s*:\s*(.*?)\s*$")
_NONE = {"", "-", "--", "NA"}


def neighbor(text: str) -> Reading:
    """``neighbors``; a port without any gives none."""
    _, found = sections(text, _PORT)
    if not found:
        return Reading()
    neighbours: list[Json] = [
        _one(section.head[1], block) for section in found for block in _blocks(section.lines)
    ]
    return Reading({"neighbors": neighbours})


def _blocks(lines: tuple[str, ...]) -> Iterator[list[str]]:
    block: list[str] | None = None
    for line in lines:
        if _INDEX.match(line):
            if block is not None:
                yield block
            block = []
        elif block is not None:
            block.append(line)
    if block is not None:
        yield block


def _one(port: str, block: list[str]) -> dict[str, Json]:
    said: dict[str, str] = {}
    for line in block:
        match = _FIELD.match(line)
        if match:
            said.setdefault(match[1], match[2])
    remote, host = said.get("Port ID", ""), said.get("System name", "")
    row: dict[str, Json] = {"local_port": port, "remote_host": None if host in _NONE else host}
    if remote not in _NONE:
        row["remote_port"] = remote
    return row


_BRIEF = re.compile(r"\s*(\S+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$")


def neighbor_brief(text: str) -> Reading:
    """``neighbors`` from the table of one line a neighbour."""
    lines = text.split("\n")
    head = re.compile(r"\s*Local Interface\s+Exptime\s*\(s\)\s+Neighbor Interface\s+Neighbor Dev")
    place = next((n for n, line in enumerate(lines) if head.match(line)), None)
    if place is None:
        return Reading()
    neighbours: list[Json] = []
    unparsed = []
    for line in lines[place + 1 :]:
        match = _BRIEF.match(line)
        if match:
            host = None if match[4] in _NONE else match[4]
            neighbours.append(
                {"local_port": match[1], "remote_host": host, "remote_port": match[3]}
            )
        elif line.strip() and set(line.strip()) != {"-"}:
            unparsed.append(line.strip())
    return Reading({"neighbors": neighbours}, tuple(unparsed))
