"""The network that a demand goes through: switches, and one node more for each pair of leaves.

A bond to two leaves is a node of its own with a cable to either, of half the rate of its NICs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.demand import Places
    from fabric.analysis.bandwidth.plant import Floats, Plant
    from fabric.analysis.network import Ints


@dataclass(frozen=True, eq=False)
class Carriers:
    """Nodes 0 … M−1, the switches first; ``node`` (P): where each place sends from and receives.

    ``tail``, ``head``, ``capacity``: live arcs, parallel cables of one pair as one.
    """

    nodes: int
    tail: Ints
    head: Ints
    capacity: Floats
    node: Ints

    @classmethod
    def of(cls, plant: Plant, places: Places) -> Carriers:
        """Those of a plant."""
        network = plant.network
        switches = len(network.names)
        live = np.flatnonzero(plant.capacity > 0)
        tail, head, capacity = [network.tail[live]], [network.head[live]], [plant.capacity[live]]
        double = np.flatnonzero(places.leaves[:, 1] != NOWHERE)
        node = places.leaves[:, 0].copy()
        node[double] = switches + np.arange(len(double))
        total = np.bincount(
            places.of[plant.attached], weights=plant.rate[plant.attached], minlength=len(places)
        )
        for column in (0, 1):
            leaf, half = places.leaves[double, column], total[double] / 2
            tail += [node[double], leaf]
            head += [leaf, node[double]]
            capacity += [half, half]
        joined = _merged(np.concatenate(tail), np.concatenate(head), np.concatenate(capacity))
        return cls(switches + len(double), *joined, node)


def _merged(tail: Ints, head: Ints, capacity: Floats) -> tuple[Ints, Ints, Floats]:
    nodes = int(max(tail.max(initial=0), head.max(initial=0))) + 1
    keys, index = np.unique(tail * nodes + head, return_inverse=True)
    total: Floats = np.zeros(len(keys))
    np.add.at(total, index, capacity)
    return keys // nodes, keys % nodes, total
