"""What a running lab says of itself: BGP sessions, LLDP neighbours, tables of the kernel."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from fabric.live.lab import nodes
from fabric.live.programs import ProgramError, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from fabric.live.lab.layout import Layout, Node

    T = TypeVar("T")

_AT_ONCE = 4
_AFI = {"ipv4": "ipv4Unicast", "ipv6": "ipv6Unicast"}


class SessionState(NamedTuple):
    """A session as FRR has it."""

    state: str
    asn: int


def each(of: Iterable[Node], ask: Callable[[Node], T]) -> list[tuple[Node, T]]:
    """Ask nodes a few at a time; the answers in their order."""
    listed = list(of)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(zip(listed, pool.map(ask, listed), strict=True))


def json_of(lab: str, node: Node, command: list[str]) -> dict[str, Any]:
    """JSON that a command prints inside a node; nothing where it cannot be had.

    A daemon that is down answers with words and an error: that is no answer.
    """
    try:
        value = json.loads(run(nodes.inside(lab, node, command)))
    except (ProgramError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def sessions(lab: str, node: Node) -> dict[tuple[str, str], SessionState]:
    """Sessions of a switch by (address or netdev, family)."""
    found = json_of(lab, node, ["vtysh", "-c", "show bgp summary json"])
    return {
        (key, family): SessionState(peer.get("state", "?"), peer.get("remoteAs", 0))
        for family, afi in _AFI.items()
        for key, peer in found.get(afi, {}).get("peers", {}).items()
    }


def neighbours(lab: str, node: Node) -> dict[str, tuple[str, str]]:
    """(device, netdev) that LLDP sees behind each netdev."""
    said = json_of(lab, node, ["lldpcli", "show", "neighbors", "-f", "json0"])
    found = {}
    for part in said.get("lldp", ()):
        for interface in part.get("interface", ()):
            chassis, port = interface["chassis"][0], interface["port"][0]
            device = chassis.get("name", chassis["id"])[0]["value"]
            found[interface["name"]] = (device, port["id"][0]["value"])
    return found


def routes(node: Node) -> dict[str, frozenset[str]]:
    """Prefix → netdevs, of the kernel's routes that BGP made: what packets really follow."""
    found: dict[str, frozenset[str]] = {}
    for family in ("-4", "-6"):
        words = ["ip", "-n", node.namespace, "-j", family, "route", "show", "proto", "bgp"]
        for route in json.loads(run(words) or "[]"):
            hops = route.get("nexthops", [route])
            netdevs = frozenset(hop["dev"] for hop in hops if "dev" in hop)
            prefix = _whole(route["dst"], family)
            found[prefix] = found.get(prefix, frozenset()) | netdevs
    return found


def _whole(prefix: str, family: str) -> str:
    """The kernel leaves the length of a host route out."""
    return prefix if "/" in prefix else f"{prefix}/{32 if family == '-4' else 128}"


def tables(layout: Layout) -> dict[str, dict[str, frozenset[str]]]:
    """Switch → prefix → neighbours that packets for it may be sent to."""
    found = {}
    for node, own in each(layout.switches, routes):
        peer = {port.netdev: port.peer for port in node.ports}
        found[node.name] = {
            prefix: frozenset(peer[netdev] for netdev in netdevs if netdev in peer)
            for prefix, netdevs in own.items()
        }
    return found


def sent(node: Node) -> dict[str, int]:
    """Packets that each netdev of a node has sent so far."""
    said = json.loads(run(["ip", "-n", node.namespace, "-j", "-s", "link", "show"]))
    return {item["ifname"]: item["stats64"]["tx"]["packets"] for item in said}
