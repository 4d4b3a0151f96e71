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
    if _valley(near, tier, _leaves(topology, tier, set(cables))):
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


def _leaves(topology: Topology, tier: dict[str, int], cut: set[str]) -> list[str]:
    live = {x.b.device: None for x in topology.host_links if x.id not in cut}
    return [name for name in live if name in tier]


def _valley(near: Near, tier: dict[str, int], leaves: list[str]) -> bool:
    """Whether packets from some leaf come down to a switch that sends them up."""
    everything = (1 << len(leaves)) - 1
    waves = _waves(near, leaves)
    active = dict.fromkeys(near, 0)
    for n, leaf in enumerate(leaves):
        active[leaf] = everything & ~(1 << n)
    from_above, up = dict.fromkeys(near, 0), dict.fromkeys(near, 0)
    # From the farthest on, so that what reaches a switch is known before it sends.
    for nearer, farther in zip(waves[-2::-1], waves[:0:-1], strict=True):
        for here, bits in farther.items():
            for far in near[here]:
                sent = nearer.get(far, 0) & bits & active[here]
                if not sent:
                    continue
                active[far] |= sent
                if tier[far] > tier[here]:
                    up[here] |= sent
                else:
                    from_above[far] |= sent
    return any(from_above[name] & up[name] for name in near)


def _waves(near: Near, leaves: list[str]) -> list[dict[str, int]]:
    """By number of hops the switches that are as far away, and from which leaves."""
    waves = [{leaf: 1 << n for n, leaf in enumerate(leaves)}]
    reached = dict.fromkeys(near, 0) | waves[0]
    while waves[-1]:
        gained: dict[str, int] = {}
        for far, bits in waves[-1].items():
            for here in near[far]:
                gained[here] = gained.get(here, 0) | bits
        fresh = {here: new for here, bits in gained.items() if (new := bits & ~reached[here])}
        for here, new in fresh.items():
            reached[here] |= new
        waves.append(fresh)
    return waves
