"""Whether buffers can wait for each other in a ring: the exact answer (validation 1.1, 1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import dependencies, priorities

if TYPE_CHECKING:
    from fabric.analysis.dependencies import Graph
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Bools, Ints
    from fabric.analysis.priorities import Rising


_ROUNDS = 32  # of peeling: as many as the longest way of buffers in a fabric of 16 tiers


@dataclass(frozen=True, eq=False)
class Proof:
    """The dependency graph with its strongly connected components.

    ``cyclic``: of each channel the number of its component, −1 where it is on no cycle.
    """

    graph: Graph
    cyclic: Ints

    @cached_property
    def component_sizes(self) -> Ints:
        """Channels (single cables) of each component with a cycle, in no order."""
        on = self.cyclic >= 0
        if not on.any():
            return np.zeros(0, dtype=np.int64)
        _, place = np.unique(self.cyclic[on], return_inverse=True)
        return np.bincount(place.reshape(-1), weights=self.graph.count[on]).astype(np.int64)

    @property
    def cbd(self) -> bool:
        """Whether there is a cyclic buffer dependency."""
        return bool((self.cyclic >= 0).any())

    @property
    def largest_scc(self) -> int:
        """Channels of the largest component with a cycle; 0 without one."""
        return int(self.component_sizes.max(initial=0))

    @property
    def edges(self) -> int:
        """Dependencies between channels."""
        return self.graph.edges

    @property
    def priorities(self) -> int:
        """Levels that active traffic uses."""
        return self.graph.traffic.levels_used


def prove(forwarding: Forwarding, rising: Rising | None = None) -> Proof:
    """Every ECMP path of every pair of leaves, exactly; ``rising``: none unless given."""
    rule = priorities.none(forwarding.network) if rising is None else rising
    return components(dependencies.graph(dependencies.traffic(forwarding, rule)))


def components(graph: Graph) -> Proof:
    """Strong components of a dependency graph."""
    holder, way_out = graph.waiting
    size = graph.holders + graph.ways_out
    # A way out leads to the holders at the far ends of its cables.
    start = np.concatenate((holder, graph.holders + graph.way_out))
    end = np.concatenate((graph.holders + way_out, graph.holder))
    left = _peeled(start, end, size)
    if not left.any():
        return Proof(graph, np.full(len(graph.arc), -1, dtype=np.int64))
    label = _labels(start[left], end[left], size)
    inside = label[graph.holder]
    on_cycle = inside == label[graph.holders + graph.way_out]
    return Proof(graph, np.where(on_cycle, inside, -1).astype(np.int64))


def _peeled(start: Ints, end: Ints, size: int) -> Bools:
    """Edges that are left when those that nothing leads to have gone, a number of times.

    None is left in a graph without cycles whose paths are no longer than that.
    """
    left = np.ones(len(start), dtype=np.bool_)
    for _ in range(_ROUNDS):
        led_to = np.zeros(size, dtype=np.bool_)
        led_to[end[left]] = True
        fewer = left & led_to[start]
        if not fewer.any() or (fewer == left).all():
            return fewer
        left = fewer
    return left


def _labels(start: Ints, end: Ints, size: int) -> Ints:
    """Of each node the number of its strong component."""
    from scipy.sparse import csr_array  # noqa: PLC0415 — 0.2 s that a fabric without cycles saves
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    matrix = csr_array((np.ones(len(start), dtype=np.int8), (start, end)), shape=(size, size))
    _, label = connected_components(matrix, directed=True, connection="strong")
    return np.asarray(label, dtype=np.int64)
