"""BGP sessions and routes of network-instance ``default``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.nokia_srl.readers.state import default_instance, port
from fabric.platforms.nokia_srl.tree import below, by_key, document, entries, number, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.reading import Facts, Json
    from fabric.platforms.nokia_srl.tree import Tree

_OWN = "host"  # the box's own address, or a broadcast address
_DISCARDS = ("discard", "reject")
_STATES = {"opensent": "OpenSent", "openconfirm": "OpenConfirm"}
_MOST_STEPS = 4  # from an indirect next hop to a port


def _of_default(text: str, *path: str, leaf: str) -> Tree:
    tree = document(text)
    instances = entries(tree, "network-instance")
    return below(default_instance(instances), *path) or (tree if leaf in tree else {})


def bgp(text: str) -> Reading:
    """``…/protocols/bgp``. A link-local peer, ``fe80::1%ethernet-1/1.0``, goes by its interface."""
    found = _of_default(text, "protocols", "bgp", leaf="autonomous-system")
    if "autonomous-system" not in found:
        return Reading()
    peers: Facts = {}
    for row in entries(found, "neighbor"):
        address = word(row, "peer-address") or ""
        name = port(address.partition("%")[2]) or address
        said = word(row, "session-state") or ""
        state = _STATES.get(said, said.capitalize())
        facts: Facts = {
            "remote_as": word(row, "peer-as"),
            "state": state or None,
            "prefixes_received": _received(row) if state == "Established" else None,
        }
        peers[name] = {key: value for key, value in facts.items() if value is not None}
    once: Facts = {
        "local_as": word(found, "autonomous-system"),
        "router_id": word(found, "router-id"),
    }
    return Reading({**{k: v for k, v in once.items() if v is not None}, "peers": peers})


def _received(peer: Tree) -> int | None:
    """Of the families that are up the first, as in FRR's table."""
    counts = {
        _bare(word(family, "afi-safi-name")): number(family, "received-routes")
        for family in entries(peer, "afi-safi")
        if word(family, "oper-state") == "up"
    }
    found = [counts.get(name) for name in ("ipv4-unicast", "ipv6-unicast")]
    return next((count for count in found if count is not None), None)


def _bare(identity: str | None) -> str:
    """``srl_nokia-common:local`` → ``local``."""
    return (identity or "").rpartition(":")[2]


def routes(text: str) -> Reading:
    """``…/route-table``: active routes, with the ports that their next hops resolve to."""
    table = _of_default(text, "route-table", leaf="next-hop-group")
    families = {"ipv4-unicast": "ipv4-prefix", "ipv6-unicast": "ipv6-prefix"}
    if not any(family in table for family in families):
        return Reading()
    hops = _Hops(table)
    found: Facts = {}
    unparsed: list[str] = []
    for family, key in families.items():
        for route in entries(table, family, "route"):
            prefix, kind = word(route, key), _bare(word(route, "route-type"))
            if prefix is None or kind == _OWN or route.get("active") is not True:
                continue
            group = word(route, "next-hop-group")
            fact = hops.fact(group, kind)
            if fact is None:
                unparsed.append(f"{prefix}: no next hop in next-hop-group {group}")
            else:
                found[prefix] = fact
    return Reading({"routes": found}, tuple(unparsed))


class _Hops:
    """Next-hop groups of a route table, and what they lead to."""

    def __init__(self, table: Tree) -> None:
        self._groups = by_key(table, "next-hop-group", key="index")
        self._hops = by_key(table, "next-hop", key="index")

    def fact(self, group: str | None, kind: str) -> Json:
        """``None``: nothing is known of where the group leads."""
        hops = [hop for hop in self._of(group) if hop]
        if not hops:
            return None
        discards = [name for hop in hops if (name := _bare(word(hop, "type"))) in _DISCARDS]
        if discards:
            return {"next_hops": [], "discard": discards[0]}
        ports = [found for hop in hops if (found := self._port(hop))]
        if kind == "local" and len(ports) == 1:
            return {"connected": ports[0]}
        rows = [{"via": word(hop, "ip-address"), "interface": self._port(hop)} for hop in hops]
        return {"next_hops": [{k: v for k, v in row.items() if v} for row in rows]}

    def _of(self, group: str | None) -> Iterator[Tree]:
        for row in entries(self._groups.get(group or "", {}), "next-hop"):
            if row.get("resolved") in ("true", "not-applicable", True):
                yield self._hops.get(word(row, "next-hop") or "", {})

    def _port(self, hop: Tree) -> str | None:
        """Port of a direct next hop, or of the route that an indirect one is resolved by."""
        for _ in range(_MOST_STEPS):
            if "subinterface" in hop:
                return port(word(hop, "subinterface"))
            resolving = below(hop, "indirect", "resolving-route")
            hop = next(self._of(word(resolving, "next-hop-group")), {})
        return None
