"""Whether shortest paths of one state go down and up again anywhere; without arrays.

Sets of leaves are Python integers, one bit a leaf.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.deadlock import Certificate

if TYPE_CHECKING:
    from collections.abc import Collection

    from fabric.model.topology import Topology

Near = dict[str, set[str]]

_ARGUMENT = (
    "No switch sends up what came down to it, on any shortest path to any leaf.",
    "So buffers on the way up wait for those nearer the top or on the way down.",
    "Those on the way down wait for those nearer the hosts: no ring can close.",
    "That was looked at for this state alone; another failure can make a valley.",
)


def valley_certificate(
    topology: Topology, cables: Collection[str] = (), switches: Collection[str] = ()
) -> Certificate | None:
    """No cycle on the shortest paths with these failures; ``None``: not shown so.

    Asks for tiers, no cable within one and no switch that may send up what came down. A valley by
    itself proves nothing: it takes two for a ring.
    """
    tier = {s.name: s.position.tier for s in topology.switches if s.name not in switches}
    near = _neighbours(topology, tier, set(cables))
    if any(tier[a] == tier[b] for a, others in near.items() for b in others):
        return None
    if _valley(near, tier, _leaves(topology, tier)):
        return None
    return Certificate(
        "up, then down",
        _ARGUMENT,
        survives_failures=False,
    )


def _neighbours(topology: Topology, tier: dict[str, int], cut: set[str]) -> Near:
    near: Near = {name: set() for name in tier}
    for link in topology.fabric_links:
        a, b = link.a.device, link.b.device
        if a in tier and b in tier and link.id not in cut:
            near[a].add(b)
            near[b].add(a)
    return near


def _leaves(topology: Topology, tier: dict[str, int]) -> list[str]:
    return [name for name in {x.b.device: None for x in topology.host_links} if name in tier]


def _valley(near: Near, tier: dict[str, int], leaves: list[str]) -> bool:
    """Breadth-first from all leaves at once; ``from_above``, ``up``: by switch for which leaves."""
    newest = {leaf: 1 << n for n, leaf in enumerate(leaves)}
    reached = dict.fromkeys(near, 0) | newest
    from_above, up = dict.fromkeys(near, 0), dict.fromkeys(near, 0)
    while newest:
        gained: dict[str, int] = {}
        for far, bits in newest.items():
            for here in near[far]:
                gained[here] = gained.get(here, 0) | bits
        gained = {here: new for here, bits in gained.items() if (new := bits & ~reached[here])}
        for here, new in gained.items():
            reached[here] |= new
            for far in near[here]:
                sent = newest.get(far, 0) & new
                if sent and tier[far] > tier[here]:
                    up[here] |= sent
                elif sent:
                    from_above[far] |= sent
        newest = gained
    return any(from_above[name] & up[name] for name in near)
