"""Bisection by its definition: all splits of the endpoints, a min cut of networkx for each."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import networkx as nx

from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.analysis.bandwidth.plant import Plant

    Graph = nx.DiGraph[object]


def graph(plant: Plant) -> Graph:
    """Switches by number, endpoints as ("end", n), a bond with half its rate on each leaf."""
    found: Graph = nx.DiGraph()
    found.add_nodes_from(range(len(plant.network.names)))
    for arc, capacity in enumerate(plant.capacity.tolist()):
        _add(found, int(plant.network.tail[arc]), int(plant.network.head[arc]), capacity)
    for end in plant.attached.tolist():
        leaves = [leaf for leaf in plant.leaf[end].tolist() if leaf != NOWHERE]
        for leaf in leaves:
            _add(found, ("end", end), leaf, float(plant.rate[end]) / len(leaves))
            _add(found, leaf, ("end", end), float(plant.rate[end]) / len(leaves))
    return found


def _add(found: Graph, tail: object, head: object, capacity: float) -> None:
    before = found.edges[tail, head]["capacity"] if found.has_edge(tail, head) else 0.0
    found.add_edge(tail, head, capacity=before + capacity)


def cut(plant: Plant, first: Iterable[int]) -> float:
    """The least cut with these endpoints on one side and all others on the other."""
    found = graph(plant)
    one = set(first)
    for end in plant.attached.tolist():
        if end in one:
            found.add_edge("source", ("end", end))  # without a capacity: nothing limits it
        else:
            found.add_edge(("end", end), "sink")
    return float(nx.maximum_flow_value(found, "source", "sink"))


def least(plant: Plant) -> float:
    """The least over all equal halves."""
    ends = plant.attached.tolist()
    return min(cut(plant, half) for half in combinations(ends, len(ends) // 2))
