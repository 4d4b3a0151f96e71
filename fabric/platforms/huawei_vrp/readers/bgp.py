"""``display bgp peer``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.huawei_vrp.readers.rows import body

if TYPE_CHECKING:
    from fabric.model.reading import Facts, Json

_ROUTER = re.compile(r"BGP local router ID\s*:\s*(\S+)", re.IGNORECASE)
_ASN = re.compile(r"local AS number\s*:\s*(\S+)", re.IGNORECASE)
_NO_PEER = re.compile(r"Total number of peers\s+:\s*0\b", re.IGNORECASE)
_ADDRESS = re.compile(r"\s*\*?([\da-fA-F]*[.:][\da-fA-F.:]+)(?:%\S+)?")
_REST = re.compile(r"\s*\d+\s+([\d.]+)\s+\d+\s+\d+\s+\d+\s+(\S+)\s+(\S.*?)\s+(\d+)\s*$")
_OTHER = re.compile(r"\s*(VPN-Instance|Peer of .* for vpn instance)", re.IGNORECASE)


def peer(text: str) -> Reading:
    """``peers`` of the public network, ``local_as``, ``router_id``.

    A long address stands on a line of its own, its columns on the next; VRP prints capitals.
    """
    table = body(text, "Peer", "V", "AS", "MsgRcvd", "MsgSent", "OutQ", "Up/Down", "State")
    router, asn = _ROUTER.search(text), _ASN.search(text)
    if table is None and not (router and asn and _NO_PEER.search(text)):
        return Reading()
    facts: Facts = {}
    if asn:
        facts["local_as"] = asn[1]
    if router:
        facts["router_id"] = router[1]
    peers: dict[str, Json] = {}
    unparsed: list[str] = []
    waiting = ""
    for line in table.lines if table else ():
        if _OTHER.match(line):
            break
        address = _ADDRESS.match(line)
        name = address[1].lower() if address else waiting
        rest = _REST.fullmatch(line[address.end() :] if address else line)
        if name and rest:
            peers[name] = {
                "remote_as": rest[1],
                "state": rest[3],
                "prefixes_received": int(rest[4]),
            }
            waiting = ""
        elif address and not line[address.end() :].strip():
            waiting = name
        else:
            unparsed.append(line.strip())
    return Reading({**facts, "peers": peers}, tuple(unparsed))
