"""FRR: ``show bgp summary`` as text and JSON, ``show bgp neighbors json``, with and without VRFs.

A peer is named by its address or, where it has none of its own, by its interface. ``state`` is the
session's, as in RFC 4271; what FRR adds in brackets (``Admin``: shut down) is ``state_reason``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.clean import outdented
from fabric.reading.json_output import json_of, mapping, number_of, text_of
from fabric.reading.tables import is_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.reading import Json

ESTABLISHED = "Established"
_OURS = re.compile(
    r"^RIB entries \d|^BGP router identifier .* vrf-id|PfxSnt|NeighborName", re.MULTILINE
)
_NONE = re.compile(r"^(?:% ?)?No (?:\S+ ){1,2}[Nn]eighbors? (?:found|is configured)", re.MULTILINE)
_HEAD = re.compile(
    r"(?:BGP )?router identifier (?P<router_id>[^\s,]+),? local AS number (?P<local_as>[\d.]+)"
)
_COLUMNS = re.compile(r"Neigh\w+\s+V\s+AS\s.*Up/Down\s+State/PfxRcd")
_BEFORE_STATE = 9  # columns of the header up to Up/Down
_STATE = re.compile(r"(?P<state>\d+|\(Policy\)|[A-Za-z]+)(?: ?\((?P<reason>[A-Za-z ]+)\))?(?:\s|$)")
_NAMED = re.compile(r"\*?(?:[^()\s]+\((?P<inside>[^()\s]+)\)|(?P<bare>[^()\s]+))")
_NOISE = re.compile(
    r"$|BGP |IPv[46] |L2VPN |VRF |Instance |RIB entries|Peers? |Peer groups|Dynamic|Total number|"
    r"Displayed|Graceful|Read-only|Route refresh|Update-delay|-|\* - |\d+ dynamic|% ?No |No \S+ ",
    re.IGNORECASE,
)


def summary_text(text: str) -> Reading:
    """``local_as``, ``router_id``, ``peers``. Of a peer in several families the first counts."""
    text = outdented(text)
    if not _OURS.search(text) and not _NONE.search(text):
        return Reading()
    facts: dict[str, Json] = {}
    peers: dict[str, Json] = {}
    unparsed: list[str] = []
    inside, wrapped = False, ""
    for line in text.split("\n"):
        head = _HEAD.search(line)
        if head:
            facts = {**head.groupdict(), **facts}
        elif _COLUMNS.match(line.strip()):
            inside = True
        elif not line.strip() or line.startswith(("Total number", "Displayed")):
            inside = False
        elif inside and not is_rule(line):  # SONiC underlines its columns
            row = f"{wrapped} {line}".split(None, _BEFORE_STATE)
            wrapped = row[0] if len(row) == 1 else ""  # a long name stands on a line of its own
            peer = _peer(row)
            if peer:
                peers.setdefault(*peer)
            elif not wrapped:
                unparsed.append(line.strip())
        elif not _NOISE.match(line.strip()):
            unparsed.append(line.strip())
    return Reading({**facts, "peers": peers}, tuple(unparsed))


def _peer(row: list[str]) -> tuple[str, Json] | None:
    if len(row) <= _BEFORE_STATE:
        return None
    name, state = _NAMED.fullmatch(row[0]), _STATE.match(row[_BEFORE_STATE])
    if name is None or state is None or not re.fullmatch(r"[\d.]+", row[2]):
        return None
    found: dict[str, Json] = {"remote_as": row[2], "state": state["state"]}
    if state["state"].isdecimal():
        found |= {"state": ESTABLISHED, "prefixes_received": int(state["state"])}
    elif state["state"] in ("(Policy)", "NoNeg"):  # no policy lets routes in; another family
        found["state"] = ESTABLISHED
    elif state["reason"]:
        found["state_reason"] = state["reason"]
    return name["inside"] or name["bare"], found


def summary_json(text: str) -> Reading:
    """``local_as``, ``router_id``, ``peers``."""
    value = mapping(json_of(text))
    families = list(_families(value))
    if not families:
        return Reading({"peers": {}}) if _says_nothing(text, value) else Reading()
    facts: dict[str, Json] = {}
    peers: dict[str, Json] = {}
    for family in families:
        for key, name in (("local_as", "as"), ("router_id", "routerId")):
            if (said := text_of(family.get(name))) is not None:
                facts.setdefault(key, said)
        for name, peer in mapping(family.get("peers")).items():
            state = text_of(mapping(peer).get("state"))
            if state is not None:
                count = mapping(peer).get("pfxRcd", mapping(peer).get("prefixReceivedCount"))
                peers.setdefault(name, _json_peer(mapping(peer), state, number_of(count)))
    return Reading({**facts, "peers": peers})


def _families(value: dict[str, Json], depth: int = 3) -> Iterator[dict[str, Json]]:
    """Address families: objects with ``peers``, in a family's name and maybe a VRF's."""
    if isinstance(value.get("peers"), dict) and "as" in value:  # elsewhere it is `asn`
        yield value
    elif depth:
        for inner in value.values():
            yield from _families(mapping(inner), depth - 1)


def neighbours_json(text: str) -> Reading:
    """``peers`` of all VRFs."""
    value = mapping(json_of(text))
    peers: dict[str, Json] = {}
    for name, peer in _neighbours(value):
        families = mapping(peer.get("addressFamilyInfo"))
        family = families.get("ipv4Unicast", families.get("IPv4 Unicast"))
        count = number_of(mapping(family).get("acceptedPrefixCounter"))
        peers.setdefault(name, _json_peer(peer, str(peer["bgpState"]), count))
    if not peers and not _says_nothing(text, value):
        return Reading()
    return Reading({"peers": peers})


def _neighbours(value: dict[str, Json], depth: int = 2) -> Iterator[tuple[str, dict[str, Json]]]:
    for name, inner in value.items():
        peer = mapping(inner)
        if isinstance(peer.get("bgpState"), str):
            yield name, peer
        elif depth:
            yield from _neighbours(peer, depth - 1)


def _json_peer(peer: dict[str, Json], state: str, count: int | None) -> Json:
    word, _, reason = state.partition(" (")
    found: dict[str, Json] = {"state": word}
    if reason:
        found["state_reason"] = reason.rstrip(")")
    if (remote := text_of(peer.get("remoteAs"))) is not None:
        found["remote_as"] = remote
    if count is not None and state == ESTABLISHED:
        found["prefixes_received"] = count
    if (host := text_of(peer.get("hostname"))) is not None:
        found["hostname"] = host
    return found


def _says_nothing(text: str, value: dict[str, Json]) -> bool:
    """``{}``, or VRFs that hold their names alone."""
    vrfs = [mapping(inner) for inner in value.values()]
    return text.strip() == "{}" or (bool(vrfs) and all("vrfName" in vrf for vrf in vrfs))
