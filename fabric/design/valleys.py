"""What an ASN plan does to routes that go down and up again: judged by the plan, not its name.

RFC 7938 numbering refuses such valleys because a switch that finds its own ASN in the path drops
the route. That holds for any plan under which all switches above a switch share one ASN: the
second of them refuses what came from the first.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabric.model.topology import Topology

Below = dict[str, set[str]]


def valley(topology: Topology, asns: Mapping[str, int]) -> tuple[str, str, str] | None:
    """(switch, one above, another above) where a route may come down and go up again.

    ``None``: none may. Cables within a tier count as a way up: they lead past the tiers.
    """
    for name, above in _neighbours(topology, up=True).items():
        for one, two in combinations(sorted(above), 2):
            if asns[one] != asns[two]:
                return (name, one, two)
    return None


def refused_pair(topology: Topology, asns: Mapping[str, int]) -> tuple[str, str, str] | None:
    """(switch, one below, another below) of one ASN with different leaves beneath.

    Routes between those leaves are refused on this way even with nothing failed.
    """
    below = _neighbours(topology, up=False)
    reach = _leaves(topology, below)
    for name, one, two in _same_asn(below, asns):
        if reach[one] != reach[two]:
            return (name, one, two)
    return None


def _same_asn(below: Below, asns: Mapping[str, int]) -> Iterator[tuple[str, str, str]]:
    for name, switches in below.items():
        first: dict[int, str] = {}
        for switch in sorted(switches):
            if asns[switch] in first:
                yield (name, first[asns[switch]], switch)
            first.setdefault(asns[switch], switch)


def _neighbours(topology: Topology, *, up: bool) -> Below:
    """Switches above (``up``, or beside) or below each switch."""
    tier = {switch.name: switch.position.tier for switch in topology.switches}
    found: Below = {name: set() for name in tier}
    for link in topology.fabric_links:
        a, b = link.a.device, link.b.device
        for one, two in ((a, b), (b, a)):
            if (tier[two] >= tier[one]) if up else (tier[two] < tier[one]):
                found[one].add(two)
    return found


def _leaves(topology: Topology, below: Below) -> dict[str, frozenset[str]]:
    """The lowest switches beneath each switch, itself where nothing is."""
    found: dict[str, frozenset[str]] = {}
    for switch in topology.switches_in_order():
        parts = [found[name] for name in below[switch.name]]
        found[switch.name] = frozenset().union(*parts) if parts else frozenset({switch.name})
    return found
