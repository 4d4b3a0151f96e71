"""``show ip route``, as text and JSON: the default VRF, or the only one that is printed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.json_output import json_of, listing, mapping, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.reading import Json

_LEGEND = re.compile(
    r"^\s*(?:Source )?Codes:\s+C - connected, S - static, K - kernel", re.MULTILINE
)
_VRF = re.compile(r"VRF(?: name)?: (?P<name>\S+)")
_ROUTE = re.compile(
    r"\s?(?P<code>[A-Z][A-Z0-9]?(?: (?:[A-Z][A-Z0-9]?))?)[ *#>%]*\s+"
    r"(?P<prefix>[0-9a-fA-F.:]+/\d{1,3})(?: \[\d+/\d+\])?(?P<hop>.*)"
)
_CONNECTED = re.compile(r"\s*(?:is )?directly connected, (?P<interface>[^\s,]+)")
_VIA = re.compile(  # behind a comma a tunnel may stand in the place of the interface
    r"\s+via (?P<via>[0-9a-fA-F]*[.:][0-9a-fA-F.:]*(?:%[\w./-]+)?)(?:/\d+)?"
    r"(?:, (?P<interface>[A-Za-z][A-Za-z-]*\d[^\s,]*))?(?:[\s,].*)?"
)
_VTEP = re.compile(r"\s+via VTEP (?P<via>\S+) .*\blocal-interface (?P<interface>\S+).*")
_NOISE = re.compile(
    r"\s*$|(?:Source )?Codes:|\s+[A-Z0-9 ]+ - |.* - .*,\s*$|\s+\S.* - |Gateway of last resort|"
    r"!|WARNING: |kernel, and they"
)


_PROTOCOLS = {
    "C": "connected", "S": "static", "K": "kernel", "B": "bgp", "O": "ospf", "I": "isis",
    "R": "rip", "O3": "ospf3",
}  # fmt: skip


def _protocol(code: str) -> str | None:
    """``B E``, ``A B`` (aggregate) → ``bgp``; ``None``: none of the routing protocols."""
    words = code.split()
    return _PROTOCOLS.get(words[1] if words[0] == "A" and len(words) > 1 else words[0])


class _Route:
    def __init__(self, protocol: str | None = None) -> None:
        self.protocol = protocol
        self.connected: str | None = None
        self.hops: list[Json] = []

    def takes(self, text: str) -> bool:
        """Whether ``text`` names a next hop; it is taken then."""
        connected, via = _CONNECTED.match(text), _VTEP.fullmatch(text) or _VIA.fullmatch(text)
        if connected:
            self.add(None, connected["interface"])
        elif via:
            self.add(via["via"], via["interface"])
        return bool(connected or via)

    def add(self, via: str | None, interface: str | None) -> None:
        if via is None and self.connected is None and not self.hops:
            self.connected = interface
            return
        named = {"via": via, "interface": interface}
        self.hops.append({key: value for key, value in named.items() if value})

    def fact(self) -> dict[str, Json]:
        origin: dict[str, Json] = {"protocol": self.protocol} if self.protocol else {}
        if not self.hops and self.connected:
            return {"connected": self.connected, **origin}
        first: list[Json] = [{"interface": self.connected}] if self.connected else []
        return {"next_hops": [*first, *self.hops], **origin}


def _wanted(names: Iterable[str]) -> str:
    """``show ip route vrf X`` prints that VRF alone; ``vrf all`` has the default one too."""
    printed = set(names)
    return printed.pop() if len(printed) == 1 else "default"


def text(output: str) -> Reading:
    """``routes``."""
    if not _LEGEND.search(output):
        return Reading()
    routes: dict[str, _Route] = {}
    unparsed: list[str] = []
    wanted = _wanted(found["name"] for line in output.split("\n") if (found := _VRF.match(line)))
    default, last = True, None
    for line in output.split("\n"):
        vrf, route = _VRF.match(line), _ROUTE.fullmatch(line)
        if vrf:
            default, last = vrf["name"] == wanted, None
        elif route:
            last = _Route(_protocol(route["code"]))
            if default:
                last = routes.setdefault(route["prefix"], last)
            if route["hop"].strip() and not last.takes(route["hop"]):
                unparsed.append(line.strip())
        elif not (last and last.takes(line)) and not _NOISE.match(line):
            unparsed.append(line.strip())
    return Reading({"routes": {p: route.fact() for p, route in routes.items()}}, tuple(unparsed))


def json(output: str) -> Reading:
    """``routes``."""
    value = mapping(json_of(output))
    vrfs = mapping(value.get("vrfs"))
    vrf = mapping(vrfs.get(_wanted(vrfs)))
    routes = vrf.get("routes")
    if not isinstance(routes, dict):
        return Reading()
    found: dict[str, Json] = {}
    for prefix, inner in routes.items():
        route = mapping(inner)
        if "vias" in route or "routeAction" in route:
            found[prefix] = _of_json(route)
    return Reading({"routes": found}) if found or not routes else Reading()


def _of_json(route: dict[str, Json]) -> dict[str, Json]:
    said = (text_of(route.get("routeType")) or "").lower()
    taken = _Route("bgp" if "bgp" in said else said or None)
    for via in _flat(route.get("vias")):
        address = text_of(via.get("nexthopAddr")) or text_of(via.get("vtepAddr"))
        interface = text_of(via.get("interface"))
        if address or interface:
            taken.add(address, interface)
    fact = taken.fact()
    action = text_of(route.get("routeAction"))
    if fact.get("next_hops") == [] and action != "forward":
        fact["discard"] = action
    return fact


def _flat(vias: Json) -> Iterable[dict[str, Json]]:
    """Next hops, those behind another next hop in its place."""
    for via in map(mapping, listing(vias)):
        inner = listing(via.get("vias"))
        yield from map(mapping, inner) if inner else (via,)
