"""``show ip route``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Facts, Reading
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.reading.sections import Section

_TABLE = re.compile(r"\s*IP(?:v6)? (?:Route|Routing) Table for VRF \"([^\"]+)\"")
_PREFIX = re.compile(r"\s*([\da-fA-F.:]+/\d+), ubest/mbest: \d+/\d+")
_VIA = re.compile(
    r"\s*\*via (?:vrf \S+, )?([^,%\s]+)(?:%[^,\s]+)?,\s*(?:([A-Za-z][\w/.-]*),\s*)?(.*)"
)
_PROTOCOL = re.compile(r"\[\d+/\d+\],\s*[^,]+,\s*([a-z]+)")
_OTHER = re.compile(r"\s*(?:\*\*)?via |\s*'|\s*$|Route not found", re.IGNORECASE)
_DEFAULT = "default"


def routes(text: str) -> Reading:
    """``routes`` of the default VRF, or of the one that the output is about.

    Next hops are those marked best; others of the table are not in use.
    """
    before, tables = sections(text, _TABLE)
    if not tables:
        return Reading()
    names = [table.head[1] for table in tables]
    wanted = _DEFAULT if _DEFAULT in names else names[0]
    found: dict[str, Json] = {}
    unparsed = [line.strip() for line in before if line.strip()]
    for table in tables:
        if table.head[1] == wanted:
            unparsed += _fill(found, table)
    return Reading({"routes": found}, tuple(unparsed))


def _fill(found: dict[str, Json], table: Section) -> list[str]:
    hops: list[Json] | None = None
    route: Facts = {}
    unparsed = []
    for line in table.lines:
        prefix, via = _PREFIX.match(line), _VIA.match(line)
        if prefix:
            hops = []
            route = {"next_hops": hops}
            found[prefix[1]] = route
        elif via and hops is not None:
            hop: Facts = {"via": via[1]} | ({"interface": via[2]} if via[2] else {})
            route |= _origin(via)
            if hop not in hops:
                hops.append(hop)
        elif not _OTHER.match(line):
            unparsed.append(line.strip())
    return unparsed


def _origin(via: re.Match[str]) -> Facts:
    """The protocol, and the port of a prefix that is the switch's own."""
    said = _PROTOCOL.match(via[3])
    if said is None:
        return {}
    own = said[1] in {"direct", "local"} and via[2]
    return {"protocol": said[1]} | ({"connected": via[2]} if own else {})
