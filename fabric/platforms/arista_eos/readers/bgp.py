"""``show ip bgp summary``, as text and JSON. Peers of all VRFs; AS and id of the first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.json_output import json_of, mapping, number_of, text_of

if TYPE_CHECKING:
    from fabric.model.reading import Json

_COLUMNS = re.compile(
    r"\s*(?:Description\s+)?Neighbor\s+V\s+AS\s+MsgRcvd\s+MsgSent\s+InQ\s+OutQ\s+Up/Down"
)
_HEAD = re.compile(
    r"\s*(?:BGP r|R)outer identifier (?P<router_id>[^\s,]+), local AS number (?P<local_as>[\d.]+)"
)
_ROW = re.compile(
    r"(?:.*\s|)(?P<peer>\S+)\s+4\s+(?P<remote_as>[\d.]+)(?:\s+\d+){4}\s+(?P<since>\S+)"
    r"(?:\s+(?P<state>[A-Za-z]+)(?:\((?P<reason>[^)]*)\))?)?(?:\s+(?P<received>\d+)(?:\s.*)?)?\s*"
)
_NOISE = re.compile(r"$|BGP summary information|Neighbor Status Codes|BGP is|% BGP|BGP inactive")
ESTABLISHED = "Established"


def text(output: str) -> Reading:
    """``peers``, ``local_as``, ``router_id``."""
    if not any(_COLUMNS.match(line) for line in output.split("\n")):
        return Reading()
    facts: dict[str, Json] = {}
    peers: dict[str, Json] = {}
    unparsed: list[str] = []
    wrapped = ""  # a long address stands on a line of its own
    for line in output.split("\n"):
        head = _HEAD.match(line)
        row = _ROW.fullmatch(f"{wrapped} {line}")
        if head:
            facts = {**head.groupdict(), **facts}
        elif row and (row["state"] or row["received"]):
            peers.setdefault(row["peer"], _peer(row))
        elif not _COLUMNS.match(line) and not _NOISE.match(line.strip()):
            if len(line.split()) == 1 and re.search(r"[.:]", line):
                wrapped = line.strip()
                continue
            unparsed.append(line.strip())
        wrapped = ""
    return Reading({**facts, "peers": peers}, tuple(unparsed))


def _peer(row: re.Match[str]) -> Json:
    state = row["state"] or ESTABLISHED  # before 4.18 a count stands in its place
    found: dict[str, Json] = {
        "remote_as": row["remote_as"],
        "state": ESTABLISHED if state == "Estab" else state,
    }
    if row["reason"]:
        found["state_reason"] = row["reason"]
    if row["received"] is not None and found["state"] == ESTABLISHED:
        found["prefixes_received"] = int(row["received"])
    return found


def json(output: str) -> Reading:
    """``peers``, ``local_as``, ``router_id``."""
    value = mapping(json_of(output))
    vrfs = {name: mapping(vrf) for name, vrf in mapping(value.get("vrfs")).items()}
    tables = [vrf for vrf in vrfs.values() if isinstance(vrf.get("peers"), dict) and "asn" in vrf]
    if not tables:
        return Reading({"peers": {}}) if value.get("vrfs") == {} and len(value) == 1 else Reading()
    first = vrfs["default"] if vrfs.get("default") in tables else tables[0]
    facts: dict[str, Json] = {"local_as": text_of(first["asn"])}
    if router_id := text_of(first.get("routerId")):
        facts["router_id"] = router_id
    peers: dict[str, Json] = {}
    for vrf in tables:
        for name, inner in mapping(vrf["peers"]).items():
            peer = mapping(inner)
            if state := text_of(peer.get("peerState")):
                peers.setdefault(name, _json_peer(peer, state))
    return Reading({**facts, "peers": peers})


def _json_peer(peer: dict[str, Json], state: str) -> Json:
    found: dict[str, Json] = {"state": state}
    if remote := text_of(peer.get("asn")) or text_of(peer.get("peerAsn")):
        found["remote_as"] = remote
    family = mapping(peer.get("ipv4Unicast"))
    count = number_of(peer.get("prefixReceived", family.get("nlrisReceived")))
    if count is not None:
        found["prefixes_received"] = count
    if reason := text_of(peer.get("peerStateIdleReason")):
        found["state_reason"] = reason
    return found
