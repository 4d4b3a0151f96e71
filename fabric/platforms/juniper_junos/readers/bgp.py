"""``show bgp summary`` and ``show bgp neighbor | display json``."""

from __future__ import annotations

import re

from fabric.model.reading import Facts, Reading
from fabric.platforms.juniper_junos.readers.leaves import elements, has, leaf
from fabric.platforms.juniper_junos.readers.noise import said

_COUNTS = re.compile(r"\s*Groups: (\d+) +Peers: (\d+) +Down peers: (\d+)", re.MULTILINE)
_HEAD = re.compile(r"\s*Peer\s+AS\s+InPkt\s+OutPkt")
# Address, AS, packets in and out, queue, flaps, then how long and the state.
_PEER = re.compile(
    r"([\da-fA-F][\da-fA-F.:]*[.:][\w.:%/-]*)\s+([\d.]+)\s+\d+\s+\d+\s+\d+\s+\d+\s+(\S.*)"
)
_RIB = re.compile(r"\s*[\w.-]+: (\d+)/(\d+)/\d+/\d+")
_INLINE = re.compile(r"(\d+)/(\d+)/\d+/\d+")
_OFF = re.compile(r"^\s*BGP is not running\s*$", re.MULTILINE)
_OFF_JSON = re.compile(r'"data"\s*:\s*"BGP is not running"')
_ESTABLISHED = "Established"
_TOP = "bgp-information"


def summary(text: str) -> Reading:
    """``peers`` with AS, state and received prefixes, ``peer_count``, ``down_peers``."""
    if _OFF.search(text):
        return Reading({"peers": {}, "peer_count": 0, "down_peers": 0})
    counts = _COUNTS.search(text)
    if counts is None:
        return Reading()
    peers: dict[str, Facts] = {}
    unparsed: list[str] = []
    lines = text.split("\n")
    start = next((n for n, line in enumerate(lines) if _HEAD.match(line)), len(lines))
    last: Facts | None = None
    for line in lines[start + 1 :]:
        if row := _PEER.fullmatch(line.strip()):
            last = peers[row[1]] = _peer(row[2], row[3])
        elif last is not None and (rib := _RIB.fullmatch(line.rstrip())):
            _add(last, int(rib[2]))
        else:
            unparsed.append(line)
    facts: Facts = {
        "peers": {address: dict(peer) for address, peer in peers.items()},
        "peer_count": int(counts[2]),
        "down_peers": int(counts[3]),
    }
    return Reading(facts, said(unparsed))


def _peer(number: str, rest: str) -> Facts:
    """``rest``: how long the session has been so, then its state or the counts of one table."""
    found: Facts = {"remote_as": number}
    inline = _INLINE.findall(rest)
    if inline:
        found["state"] = _ESTABLISHED
        _add(found, sum(int(received) for _, received in inline))
        return found
    words = [word for word in rest.split() if word[0].isalpha() and word != "Never"]
    state = words[-1] if words else ""
    if state:
        found["state"] = _ESTABLISHED if state.startswith("Establ") else state
    return found


def _add(peer: Facts, received: int) -> None:
    so_far = peer.get("prefixes_received", 0)
    peer["prefixes_received"] = (so_far if isinstance(so_far, int) else 0) + received


def neighbors_json(text: str) -> Reading:
    """``peers`` by address, without the port that a session adds to it."""
    if _OFF_JSON.search(text):
        return Reading({"peers": {}})
    document = has(text, _TOP)
    if document is None:
        return Reading()
    peers: Facts = {}
    for element in elements(document, "bgp-peer"):
        address = leaf(element, "peer-address")
        if address is not None:
            own = {
                "remote_as": leaf(element, "peer-as"),
                "state": leaf(element, "peer-state"),
            }
            peers[address.partition("+")[0]] = {k: v for k, v in own.items() if v is not None}
    return Reading({"peers": peers})
