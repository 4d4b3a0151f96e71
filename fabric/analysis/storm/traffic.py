"""Who sends to whom: traffic patterns between the NICs of a network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.analysis.network import Ints, Network, Table
    from fabric.model.deadlock import CycleStep
    from fabric.model.topology import Topology

UNIFORM, PERMUTATION, SHIFT, WORST = "uniform", "permutation", "shift", "worst"


class Nic(NamedTuple):
    """A NIC: its name, and the number of the switch that it hangs on."""

    name: str
    leaf: int


Way = tuple[tuple[str, str], ...]  # cables one after the other: (link id, switch that sends)


@dataclass(frozen=True, eq=False)
class Demand:
    """Flows of one seed, sorted by source. ``source``, ``destination`` (F): numbers of NICs.

    ``way`` (F): −1, or which of ``ways`` the flow takes where routing allows it. ``onward``: where
    routing leaves a choice, go to the next leaf in order (patterns that turn round a ring).
    """

    source: Ints
    destination: Ints
    way: Ints
    ways: tuple[Way, ...] = ()
    onward: bool = False

    @classmethod
    def of(cls, pairs: Table, *, onward: bool = False) -> Demand:
        """Flows (F, 2) without fixed ways."""
        ordered = pairs[np.argsort(pairs[:, 0], kind="stable")]
        free = np.full(len(ordered), -1, dtype=np.int64)
        return cls(ordered[:, 0], ordered[:, 1], free, onward=onward)


def nics_of(network: Network) -> tuple[Nic, ...]:
    """The NICs of leaves in service, as ``leaf-h0``, ``leaf-h1``, …"""
    return tuple(
        Nic(f"{network.names[leaf]}-h{n}", leaf)
        for leaf in network.leaves.tolist()
        for n in range(int(network.endpoints[leaf]))
    )


def nics_of_topology(topology: Topology, network: Network) -> tuple[Nic, ...]:
    """The NICs of a topology as ``host/port``: those of ``network`` with a cable in service."""
    at = ((x.a, network.hung[x.id]) for x in topology.host_links if x.id in network.hung)
    return tuple(Nic(f"{a.device}/{a.port}", leaf) for a, leaf in at if network.alive[leaf])


def uniform(nics: Sequence[Nic]) -> Demand:
    """Every NIC sends each packet to any other one."""
    one, two = np.divmod(np.arange(len(nics) ** 2, dtype=np.int64), max(1, len(nics)))
    apart = one != two
    return Demand.of(np.column_stack((one[apart], two[apart])))


def permutation(nics: Sequence[Nic], rng: np.random.Generator) -> Demand:
    """Every NIC sends to one other, every one receives from one: a random derangement."""
    size = len(nics)
    order = np.arange(size, dtype=np.int64)
    if size < 2:  # noqa: PLR2004 — one NIC has nobody to send to
        return Demand.of(np.zeros((0, 2), dtype=np.int64))
    while True:  # e draws on average
        drawn = rng.permutation(size)
        if (drawn != order).all():
            return Demand.of(np.column_stack((order, drawn)))


def shift(nics: Sequence[Nic], leaves: Ints, hops: int) -> Demand:
    """The n-th NIC of each leaf sends to the n-th of the leaf so many places on, in order.

    On a ring that is clockwise: where both ways are equally long, the one over the next leaf.
    """
    place = {int(leaf): n for n, leaf in enumerate(leaves)}
    at = _by_leaf(nics)
    pairs = []
    for leaf, own in at.items():
        there = at[int(leaves[(place[leaf] + hops) % len(leaves)])]
        pairs += _one_to_one(own, there)
    return Demand.of(np.array(pairs, dtype=np.int64).reshape(-1, 2), onward=True)


def worst(nics: Sequence[Nic], network: Network, cycle: Sequence[CycleStep]) -> Demand:
    """The flows that a cycle of buffers names, over the cables of the cycle.

    Each NIC of a step's source sends to one of its destination, over the cable of the step and
    that of the next one.
    """
    at = _by_leaf(nics)
    rows: dict[tuple[int, int, int], None] = {}
    ways = []
    for n, (step, following) in enumerate(zip(cycle, (*cycle[1:], cycle[0]), strict=True)):
        ways.append(((step.link, step.sender), (following.link, following.sender)))
        ends = (at[network.number[leaf]] for leaf in (step.source, step.destination))
        rows.update(dict.fromkeys((a, b, n) for a, b in _one_to_one(*ends)))
    table = np.array(sorted(rows), dtype=np.int64).reshape(-1, 3)
    return Demand(table[:, 0], table[:, 1], table[:, 2], tuple(ways))


def _by_leaf(nics: Sequence[Nic]) -> dict[int, list[int]]:
    at: dict[int, list[int]] = {}
    for number, nic in enumerate(nics):
        at.setdefault(nic.leaf, []).append(number)
    return at


def _one_to_one(sources: list[int], destinations: list[int]) -> list[tuple[int, int]]:
    return [
        (source, destinations[n % len(destinations)])
        for n, source in enumerate(sources)
        if source != destinations[n % len(destinations)]
    ]
