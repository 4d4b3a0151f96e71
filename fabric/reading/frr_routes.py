"""FRR: ``show ip route`` and ``show ipv6 route``, as text and as JSON.

A route is what the switch uses: of several entries for one prefix the selected one, of its next
hops those in the FIB. A next hop that is itself reached by a route (``recursive``) gives way to
the ones that it resolves to.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from fabric.model.reading import Reading
from fabric.reading.clean import outdented
from fabric.reading.json_output import listing, mapping, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.reading import Json

DEFAULT_VRF = "default"
_LEGEND = re.compile(r"^Codes: K - kernel route", re.MULTILINE)
_SELECTED_LINE = re.compile(r"^[A-Za-z](?:\[\d+\])?>[* a-z] *[0-9a-fA-F.:]+/\d+ ", re.MULTILINE)
_VRF = re.compile(r"(?:IPv[46] \S+ )?VRF (?P<name>[^\s:]+)[^:]*:$")
_ROUTE = re.compile(
    r"(?P<code>[A-Za-z])(?:\[\d+\])?(?P<selected>[> ])(?P<state>[* a-z])[a-z]? *"
    r"(?P<prefix>[0-9a-fA-F.:]+/\d{1,3})(?: \[\d+/\d+\])? (?P<hop>.+)"
)
_MORE_HOPS = re.compile(r" {2}(?P<state>[* a-z])[a-z]? {3,}(?P<hop>(?:via|is|unreachable|inact).*)")
_VIA = re.compile(r"via (?P<via>[^\s,]+)(?P<rest>.*)")
_CONNECTED = re.compile(r"is directly connected, (?P<interface>[^\s,]+)(?P<rest>.*)")
_DISCARD = re.compile(r"unreachable(?: \((?P<kind>[^)]*)\))?")
_PREFIX = re.compile(r"[0-9a-fA-F.:]+/\d{1,3}")
_PROTOCOLS = {
    "K": "kernel", "C": "connected", "L": "local", "S": "static", "R": "rip", "O": "ospf",
    "I": "isis", "B": "bgp", "E": "eigrp", "N": "nhrp", "T": "table", "A": "babel", "F": "pbr",
    "f": "openfabric",
}  # fmt: skip
_NOISE = re.compile(r"Codes: | {6,}\S+ - |.* - \S+.*, \S+ - |$|% ?No |No entries")


@dataclass(frozen=True, slots=True)
class _Hop:
    via: str | None = None
    interface: str | None = None
    fib: bool = False
    recursive: bool = False
    active: bool = True
    discard: str | None = None


def _wanted(lines: list[str]) -> str:
    """The default VRF, which may have a legend for a title; or the only one, of ``vrf X``."""
    titles: set[str] = set()
    for line in lines:
        if title := _VRF.fullmatch(line.strip()):
            titles.add(title["name"].lower())
        elif _LEGEND.match(line) if titles else _ROUTE.fullmatch(line.rstrip()):
            return DEFAULT_VRF
    return titles.pop() if len(titles) == 1 else DEFAULT_VRF


def routes_text(text: str) -> Reading:
    """``routes`` of the table as text."""
    text = outdented(text)
    if not (_LEGEND.search(text) or _SELECTED_LINE.search(text)):
        return Reading()
    hops: dict[str, list[_Hop]] = {}
    origins: dict[str, dict[str, Json]] = {}
    unparsed: list[str] = []
    taking: list[_Hop] | None = None  # of the route that is being read; None: it is not used
    default = True
    wanted = _wanted(text.split("\n"))
    for line in text.split("\n"):
        vrf = _VRF.fullmatch(line.strip())
        route = None if vrf else _ROUTE.fullmatch(line.rstrip())
        more = None if vrf or route else _MORE_HOPS.fullmatch(line.rstrip())
        if vrf:
            default = vrf["name"].lower() == wanted
        elif _LEGEND.match(line):  # repeated for each VRF; before 8 the default one has no title
            default = True
        elif route:
            used = default and route["selected"] == ">" and route["prefix"] not in hops
            taking = hops.setdefault(route["prefix"], []) if used else None
            if used and route["code"] in _PROTOCOLS:
                origins[route["prefix"]] = {"protocol": _PROTOCOLS[route["code"]]}
        if (found := route or more) and taking is not None:
            taking.append(_hop_of(found["hop"], fib=found["state"] == "*"))
        elif not (vrf or route or more or _NOISE.match(line)):
            unparsed.append(line.strip())
    routes: dict[str, Json] = {p: _fact(found) | origins.get(p, {}) for p, found in hops.items()}
    return Reading({"routes": routes}, tuple(unparsed))


def _hop_of(text: str, *, fib: bool) -> _Hop:
    connected = _CONNECTED.match(text)
    if connected:
        name = connected["interface"]
        if name == "Null0":
            return _Hop(fib=fib, discard="blackhole")
        return _Hop(None, name, fib, active="inactive" not in connected["rest"])
    via = _VIA.match(text)
    if via:
        rest = via["rest"]
        recursive = "(recursive" in rest
        fields = [part.strip() for part in rest.split(",")[1:]]
        named = fields[0] if fields and not recursive else ""
        known = named.split()[0] if named and not _is_detail(named) else None
        return _Hop(via["via"], known, fib, recursive, "inactive" not in rest)
    discard = _DISCARD.match(text)
    if discard:
        return _Hop(fib=fib, discard=discard["kind"] or "unreachable")
    return _Hop(active=False)


def _is_detail(text: str) -> bool:
    """Whether this is no interface: weight, label, source or age of the route."""
    return bool(re.match(r"(weight|label|src|rmac|seg6\S*|metric) |\d\d:\d\d:\d\d|\d+[dwy]", text))


def _fact(hops: list[_Hop]) -> dict[str, Json]:
    direct = [hop for hop in hops if hop.active and not hop.recursive]
    used = [hop for hop in direct if hop.fib] or direct or [hop for hop in hops if hop.recursive]
    discards = [hop.discard for hop in used if hop.discard]
    if discards:
        return {"next_hops": [], "discard": discards[0]}
    if len(used) == 1 and used[0].via is None and used[0].interface:
        return {"connected": used[0].interface}
    found: list[Json] = []
    for hop in used:
        named = {"via": hop.via, "interface": hop.interface}
        one: dict[str, Json] = {key: value for key, value in named.items() if value}
        if one and one not in found:
            found.append(one)
    return {"next_hops": found}


def routes_json(text: str) -> Reading:
    """``routes`` of the JSON. ``vrf all`` prints one object for each VRF, or one that holds all."""
    tables = [table for value in _values(text) for table in _tables(value)]
    if not tables:
        return Reading({"routes": {}}) if text.strip() in ("{}", "[]") else Reading()
    routes: dict[str, Json] = {}
    unparsed: list[str] = []
    for table in tables:
        for prefix, entries in table.items():
            used = [e for e in map(mapping, listing(entries)) if _is_used(e)]
            if not used:
                continue
            if prefix in routes:  # an old FRR that does not name the VRF
                unparsed.append(f"{prefix} once more, of a VRF without a name")
                continue
            hops = [_json_hop(mapping(hop)) for hop in listing(used[0].get("nexthops"))]
            fact = _fact(hops)
            if protocol := text_of(used[0].get("protocol")):
                fact["protocol"] = protocol
            routes[prefix] = fact
    return Reading({"routes": routes}, tuple(unparsed))


def _values(text: str) -> Iterator[dict[str, Json]]:
    """Every JSON object in ``text``, one after the other."""
    scanner = json.JSONDecoder()
    place = text.find("{")
    while place >= 0:
        try:
            value, place = scanner.raw_decode(text, place)
        except (ValueError, RecursionError):
            place += 1
        else:
            yield cast("dict[str, Json]", value)
        place = text.find("{", place)


def _tables(value: dict[str, Json]) -> Iterator[dict[str, Json]]:
    """What is a table of routes: prefixes, each with a list of entries."""
    value = {key.replace("\\", ""): inner for key, inner in value.items()}  # escaped twice: \\/
    if value and all(_PREFIX.fullmatch(key) for key in value):
        entries = [mapping(e) for found in value.values() for e in listing(found)]
        if entries and all("nexthops" in entry or "protocol" in entry for entry in entries):
            yield value
        return
    for key, inner in value.items():
        if key.lower() == DEFAULT_VRF:
            yield from _tables(mapping(inner))


def _is_used(entry: dict[str, Json]) -> bool:
    """Whether it is the selected one, in the default VRF: by name, before 7.5 by number alone."""
    name = (text_of(entry.get("vrfName")) or DEFAULT_VRF).lower()
    elsewhere = name != DEFAULT_VRF or entry.get("vrfId") not in (None, 0)
    return entry.get("selected") is True and not elsewhere


def _json_hop(hop: dict[str, Json]) -> _Hop:
    discard = None
    if hop.get("unreachable") is True:
        kinds = ("blackhole", "reject", "adminProhibited", "admin-prohibited")
        discard = next((kind for kind in kinds if hop.get(kind) is True), "unreachable")
    return _Hop(
        None if hop.get("directlyConnected") is True else text_of(hop.get("ip")),
        text_of(hop.get("interfaceName")),
        fib=hop.get("fib") is True,
        recursive=hop.get("recursive") is True,
        active=hop.get("active") is not False and hop.get("duplicate") is not True,
        discard=discard,
    )
