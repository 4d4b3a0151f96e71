"""``display ip routing-table verbose``: a block a route, several blocks for ECMP."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.reading import Json

_TABLE = re.compile(r"\s*Routing Tables?\s*:\s*(\S+)")
_PUBLIC = {"public", "_public_"}
_DESTINATION = re.compile(r"\s*Destination\s*:\s*(\S+)(?:\s+PrefixLength\s*:\s*(\d+))?\s*$")
# Two fields a line; a value ends where the next field begins or the line does.
_FIELD = re.compile(
    r"([A-Z][A-Za-z]*(?: ?I[Dd])?)\s*:\s*(\S.*?)?(?=\s{2,}[A-Z]|\s+[A-Z]\w+\s*:|\s*$)"
)
_DIRECT = "Direct"
_BGP = {"EBGP", "IBGP", "BGP"}
_DISCARD = "NULL0"


def verbose(text: str) -> Reading:
    """``routes`` of the public network that are in use (state Active), with all next hops.

    A route to NULL0 discards: it has no next hop. Addresses in small letters, VRP prints capitals.
    """
    _, tables = sections(text, _TABLE)
    if not tables:
        return Reading()
    routes: dict[str, Json] = {}
    for table in tables:
        if table.head[1].lower() in _PUBLIC:
            for prefix, fields in _blocks(table.text):
                _add(routes, prefix, fields)
    return Reading({"routes": routes})


def _blocks(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    _, blocks = sections(text, _DESTINATION)
    for block in blocks:
        length = block.head[2]
        prefix = (f"{block.head[1]}/{length}" if length else block.head[1]).lower()
        yield prefix, {m[1]: m[2] or "" for line in block.lines for m in _FIELD.finditer(line)}


def _add(routes: dict[str, Json], prefix: str, fields: dict[str, str]) -> None:
    interface = fields.get("Interface")
    if "Active" not in fields.get("State", "").split() or not interface:
        return
    protocol = fields.get("Protocol", "")
    if protocol == _DIRECT:
        routes[prefix] = {"connected": interface}
        return
    origin: dict[str, Json] = {"protocol": "bgp" if protocol in _BGP else protocol.lower()}
    known = routes.setdefault(prefix, {"next_hops": []} | (origin if protocol else {}))
    hops = known.get("next_hops") if isinstance(known, dict) else None
    hop: Json = {"via": fields.get("NextHop", "").lower(), "interface": interface}
    if isinstance(hops, list) and interface != _DISCARD and hop not in hops:
        hops.append(hop)
