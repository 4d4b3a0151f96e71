"""iproute2: ``ip route show`` and ``ip -j route show``.

Of several routes to one prefix the kernel takes the one of the lowest metric; among equals of
several tables or hosts in one text the last one stands. Routes of other tables than ``main`` and
those that only deliver to the host itself (local, broadcast) are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.json_output import json_of, listing, mapping, number_of, text_of
from fabric.reading.numbers import whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.reading import Json

_KINDS = ("unicast", "local", "broadcast", "multicast", "anycast", "throw", "nat")
_DISCARDS = ("unreachable", "blackhole", "prohibit")
_ADDRESS = re.compile(r"default|\d+(?:\.\d+){3}(?:/\d+)?|[0-9a-fA-F]*:[0-9a-fA-F:.]*(?:/\d+)?")
_NEXT_HOP = re.compile(r"\s+nexthop ")


@dataclass(slots=True)
class _Route:
    prefix: str
    metric: int = 0
    discard: str = ""
    protocol: str = ""
    hops: list[tuple[str | None, str | None, bool]] = field(default_factory=list)  # via, dev, dead
    elsewhere: bool = False  # delivered to this host, or of another table

    def fact(self) -> Json:
        return self._way() | ({"protocol": self.protocol} if self.protocol else {})

    def _way(self) -> dict[str, Json]:
        if self.discard:
            return {"next_hops": [], "discard": self.discard}
        alive = [hop for hop in self.hops if not hop[2]] or self.hops
        if len(alive) == 1 and alive[0][0] is None:
            return {"connected": alive[0][1]}
        return {
            "next_hops": [
                {k: v for k, v in (("via", via), ("interface", dev)) if v} for via, dev, _ in alive
            ]
        }


def route_text(text: str) -> Reading:
    """``routes``."""
    routes: list[_Route] = []
    unparsed: list[str] = []
    for line in text.split("\n"):
        if routes and _NEXT_HOP.match(line):
            routes[-1].hops.append(_hop(line.split()))
        elif route := _route(line.split()):
            routes.append(route)
        elif line.strip():
            unparsed.append(line.strip())
    return Reading({"routes": _best(routes)}, tuple(unparsed)) if routes else Reading()


def _route(words: list[str]) -> _Route | None:
    kind = words[0] if words and words[0] in (*_KINDS, *_DISCARDS) else "unicast"
    rest = words[1:] if words and words[0] == kind else words
    if not rest or not _ADDRESS.fullmatch(rest[0]):
        return None
    if not {"dev", "via", "proto", "nhid", "metric", "table"} & set(rest[1:]):
        return None
    values = {
        key: rest[n + 1] for n, key in enumerate(rest[:-1]) if key in ("metric", "table", "proto")
    }
    route = _Route(_prefix(rest[0]), whole(values.get("metric")) or 0)
    route.discard = kind if kind in _DISCARDS else ""
    route.protocol = values.get("proto", "")
    delivers = kind not in ("unicast", *_DISCARDS)
    route.elsewhere = delivers or values.get("table", "main") != "main"
    if {"dev", "via"} & set(rest):
        route.hops.append(_hop(rest))
    return route


def _hop(words: list[str]) -> tuple[str | None, str | None, bool]:
    found: dict[str, str] = {}
    for place, word in enumerate(words[:-1]):
        if word in ("via", "dev") and word not in found:
            after = words[place + 1 :]
            family = after[0] in ("inet", "inet6") and len(after) > 1
            found[word] = after[1] if family else after[0]
    return found.get("via"), found.get("dev"), "dead" in words


def _prefix(address: str) -> str:
    if address == "default" or "/" in address:
        return address
    if ":" in address:
        return f"{address}/128"
    return f"{address}/32"


def _best(routes: Iterable[_Route]) -> dict[str, Json]:
    best: dict[str, _Route] = {}
    for route in routes:
        if route.elsewhere or not (route.hops or route.discard):
            continue
        known = best.get(route.prefix)
        if known is None or route.metric < known.metric:
            best[route.prefix] = route
        elif route.metric == known.metric:
            _replace_or_join(best, known, route)
    return {prefix: route.fact() for prefix, route in best.items()}


def _replace_or_join(best: dict[str, _Route], known: _Route, route: _Route) -> None:
    """Equal paths of IPv6 are lines of their own where nexthops are not printed."""
    both = [*known.hops, *route.hops]
    if ":" in route.prefix and all(via for via, _, _ in both):
        known.hops = list(dict.fromkeys(both))
    else:
        best[route.prefix] = route


def route_json(text: str) -> Reading:
    """``routes``."""
    value = json_of(text)
    found = [one for one in map(mapping, listing(value)) if isinstance(one.get("dst"), str)]
    if not found:
        return Reading({"routes": {}}) if text.strip() == "[]" else Reading()
    return Reading({"routes": _best(map(_json_route, found))})


def _json_route(value: dict[str, Json]) -> _Route:
    kind = text_of(value.get("type")) or "unicast"
    table = text_of(value.get("table")) or "main"
    route = _Route(_prefix(str(value["dst"])), number_of(value.get("metric")) or 0)
    route.discard = kind if kind in _DISCARDS else ""
    route.protocol = text_of(value.get("protocol")) or ""
    route.elsewhere = kind not in ("unicast", *_DISCARDS) or table not in ("main", "254")
    hops = [mapping(hop) for hop in listing(value.get("nexthops"))] or [value]
    for hop in hops:
        via = text_of(hop.get("gateway")) or text_of(mapping(hop.get("via")).get("host"))
        device = text_of(hop.get("dev"))
        if via or device:
            route.hops.append((via, device, "dead" in listing(hop.get("flags"))))
    return route
