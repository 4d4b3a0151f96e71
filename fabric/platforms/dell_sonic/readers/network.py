"""LLDP neighbours, BGP sessions and routes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.dell_sonic.lines import is_port
from fabric.reading.numbers import whole
from fabric.reading.tables import header_place, is_rule

if TYPE_CHECKING:
    from fabric.model.reading import Facts, Json

_LLDP = ("LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr")
_CAPABILITY = re.compile(r"[OBRWTCPS]+")
_BORDER = re.compile(r"-{60,}")  # community SONiC underlines column by column


def lldp_table(text: str) -> Reading:
    """Columns are 20 wide; where a long name runs over its border the line is left unread."""
    lines = text.split("\n")
    place = header_place(lines, *_LLDP)
    if place is None or not any(_BORDER.fullmatch(x.strip()) for x in lines[place + 1 : place + 2]):
        return Reading()
    starts = [lines[place].index(name) for name in _LLDP]
    neighbours: list[Json] = []
    unparsed: list[str] = []
    for line in lines[place + 2 :]:
        cells = [line[a:b].strip() for a, b in zip(starts, (*starts[1:], None), strict=True)]
        clean = all(line[a - 1 : a] in ("", " ") for a in starts[1:4])
        words = _CAPABILITY.fullmatch(cells[3]) or not cells[3]
        if is_port(cells[0]) and clean and words and len(cells[2].split()) <= 1:
            host, port = (cell or None for cell in cells[1:3])
            neighbours.append({"local_port": cells[0], "remote_host": host, "remote_port": port})
        elif line.strip() and not is_rule(line):
            unparsed.append(line.strip())
    return Reading({"neighbors": neighbours}, tuple(unparsed))


_HEAD = re.compile(
    r"^\s*BGP router identifier (?P<router_id>[^\s,]+), local AS number (?P<local_as>[\d.]+)"
    r"(?:\s+VRF\s+\S+)?\s*$",
    re.MULTILINE,
)
# FRR's own text and others that begin alike: of these no word stands in ours.
_FOREIGN = re.compile(r"vrf-id|RIB entries|[Tt]able version|PfxSnt", re.MULTILINE)
_COLUMNS = re.compile(r"\s*Neighbor\s+V\s+AS\s")
_PEER = re.compile(
    r"\s*(?P<peer>\S+)\s+4\s+(?P<remote_as>[\d.]+)(?:\s+\d+){4}\s+"
    r"(?:never|\d+-\d+-\d+ +\d+:\d+:\d+|\S*[a-z:]\S*)\s+(?P<state>\d+|[A-Z]\w+)\s*"
)
_TOTAL = re.compile(r"\s*Total number of neighbors")


def bgp_summary(text: str) -> Reading:
    """``local_as``, ``router_id``, ``peers``. It has FRR's columns but ``TblVer``.

    Old EOS prints the same table, but no number of neighbours below it.
    """
    head = _HEAD.search(text)
    if head is None or _FOREIGN.search(text):
        return Reading()
    peers: dict[str, Json] = {}
    unparsed: list[str] = []
    for line in text[head.end() :].split("\n"):
        row = _PEER.fullmatch(line)
        if row:
            found: Facts = {"remote_as": row["remote_as"], "state": row["state"]}
            if row["state"].isdecimal():
                found |= {"state": "Established", "prefixes_received": whole(row["state"])}
            peers.setdefault(row["peer"], found)
        elif (
            line.strip()
            and not any(form.match(line) for form in (_COLUMNS, _TOTAL, _HEAD))
            and not is_rule(line)
        ):
            unparsed.append(line.strip())
    return Reading({**head.groupdict(), "peers": peers}, tuple(unparsed))


_PREFIX = r"[0-9a-fA-F.:]+/\d{1,3}"
_ROUTE = re.compile(
    rf"\s*[A-Za-z](?P<selected>[> ]?)[*#qr ]{{0,2}}\s*(?P<prefix>{_PREFIX})\s+(?P<hop>.+?)"
    r"\s+\d+/\d+\s+\S+(?: ago)?\s*"
)
_MORE = re.compile(r"\s*(?:[*#qr]\s*)?(?P<hop>(?:via|Direct)\s+.+?)\s*")
_HOP = re.compile(r"via\s+(?P<via>[0-9a-fA-F.:]+)(?:\s+(?P<interface>[^\s(]+)(?:\(vrf \S+\))?)?")
_DIRECT = re.compile(r"Direct\s+(?P<interface>[^\s(]+)(?:\(vrf \S+\))?")
_LEGEND = re.compile(r"\s*(?:Codes:|.*\S - \S+|Destination\s+Gateway|VRF \S+:)")


def routes(text: str) -> Reading:
    """``Gateway`` is ``via …`` or ``Direct``; further next hops stand on lines of their own."""
    found: dict[str, list[re.Match[str]]] = {}
    unparsed: list[str] = []
    taking: list[re.Match[str]] | None = None
    for line in text.split("\n"):
        route = _ROUTE.fullmatch(line)
        hop = _hop(route or _MORE.fullmatch(line))
        if route and hop:
            taking = found.setdefault(route["prefix"], []) if route["selected"] == ">" else []
        if hop and taking is not None:
            taking.append(hop)
        elif line.strip() and not is_rule(line) and not _LEGEND.match(line):
            unparsed.append(line.strip())
    if not found:
        return Reading()
    return Reading({"routes": {p: _fact(hops) for p, hops in found.items()}}, tuple(unparsed))


def _hop(line: re.Match[str] | None) -> re.Match[str] | None:
    return (_HOP.fullmatch(line["hop"]) or _DIRECT.fullmatch(line["hop"])) if line else None


def _fact(hops: list[re.Match[str]]) -> Json:
    if len(hops) == 1 and hops[0].re is _DIRECT:
        return {"connected": hops[0]["interface"]}
    return {
        "next_hops": [{k: v for k, v in hop.groupdict().items() if v is not None} for hop in hops]
    }
