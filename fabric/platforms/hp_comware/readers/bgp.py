"""``display bgp peer ipv4``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.numbers import whole

if TYPE_CHECKING:
    from fabric.model.reading import Facts, Json

_HEADER = re.compile(r"\s*Peer\s+AS\s+MsgRcvd\s+MsgSent\s+OutQ\s+PrefRcv\s+Up/Down\s+State")
_COLUMNS = 8
_ROUTER_ID = re.compile(r"BGP local router ID\s*:\s*(\S+)")
_LOCAL_AS = re.compile(r"Local AS number\s*:\s*(\S+)")
_KNOWN = re.compile(
    r"\s*(?:BGP local router ID|Local AS number|Total number of peers|\* - Dynamically|$)"
)
_ADDRESS = re.compile(r"\*?(?:\d+\.){3}\d+$|\*?[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*$")


def peers(text: str) -> Reading:
    """``local_as``, ``router_id``, ``peers``.

    The summary lines stand in Huawei's output too; the order of the columns tells them apart.
    """
    local_as, router_id = _LOCAL_AS.search(text), _ROUTER_ID.search(text)
    lines = text.split("\n")
    place = next((n for n, line in enumerate(lines) if _HEADER.match(line)), None)
    if place is None:
        return Reading()
    found, left = _rows(lines[place + 1 :])
    left = [line.strip() for line in lines[:place] if not _KNOWN.match(line)] + left
    facts: Facts = {"peers": found}
    if local_as:
        facts["local_as"] = local_as[1]
    if router_id:
        facts["router_id"] = router_id[1]
    return Reading(facts, tuple(left))


def _rows(lines: list[str]) -> tuple[dict[str, Json], list[str]]:
    found: dict[str, Json] = {}
    left: list[str] = []
    alone: list[str] = []  # a long IPv6 address stands on a line of its own
    for line in lines:
        cells = [*alone, *line.split()]
        alone = []
        if len(cells) == 1 and _ADDRESS.match(cells[0]):
            alone = cells
        elif len(cells) == _COLUMNS and _ADDRESS.match(cells[0]) and whole(cells[1]) is not None:
            peer: dict[str, Json] = {"remote_as": cells[1], "state": cells[7]}
            received = whole(cells[5])
            if received is not None:
                peer["prefixes_received"] = received
            found[cells[0].lstrip("*")] = peer
        elif cells and not _KNOWN.match(line):
            left.append(" ".join(cells))
    return found, [*left, *alone]
