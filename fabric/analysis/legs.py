"""Ways of two legs: over a middle, then on to the destination, so not by destination alone.

The fabric is laid out twice, once for each leg: switch n, and n + V for packets past their middle.
A packet changes over on the cable that ends at its middle. Each cable is there four times (on both
legs, and across in both directions) but is one buffer still, so the dependency graph is folded back
onto the fabric.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits, dependencies, priorities
from fabric.analysis.deadlock import Proof, components
from fabric.analysis.dependencies import Graph

if TYPE_CHECKING:
    from fabric.analysis.bits import Rows
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Bools, Ints, Network
    from fabric.analysis.priorities import Rising


@dataclass(frozen=True, eq=False)
class Legs:
    """Forwarding over a middle. ``forwarding``: on the two layers, see :func:`laid_out_twice`.

    A bit stands for a way: a middle and a destination, ``ends`` (bits) being the latter.
    """

    fabric: Network
    forwarding: Forwarding
    ends: Ints

    @cached_property
    def unreachable(self) -> tuple[tuple[int, int], ...]:
        """Ordered pairs (source leaf, destination leaf) that no middle joins, as switch numbers."""
        size, leaves = len(self.fabric.names), self.fabric.leaves
        usable = bits.unpacked(self.forwarding.sources & self._arriving, len(self.ends))
        either = usable[:size] | usable[size:]
        return tuple(
            (int(source), int(end))
            for source in leaves
            for end in leaves
            if source != end and not either[source, self.ends == end].any()
        )

    @cached_property
    def _arriving(self) -> Rows:
        """2·V, words: ways on which a packet at a switch can come to its end."""
        network, rows = self.forwarding.network, self.forwarding.rows
        tails = bits.Gather(network.tail, len(network.names))
        found = bits.empty(len(network.names), len(self.ends))
        bits.set_bits(found, len(self.fabric.names) + self.ends, np.arange(len(self.ends)))
        known = np.zeros_like(found)
        while (found != known).any():
            known = found
            found = known | tails.union(rows & known[network.head])
        return found


def laid_out_twice(fabric: Network) -> Network:
    """The two layers: 2·V switches, 4·A arcs.

    Arc a of the fabric is a on the first leg, A + a on the second and 2·A + 2·a from the first to
    the second, whose opposite nobody uses.
    """
    size, count = len(fabric.names), len(fabric.tail)
    low, high = fabric.tail, fabric.head + size
    across_tail = np.column_stack((low, high)).reshape(-1)
    across_head = np.column_stack((high, low)).reshape(-1)
    return replace(
        fabric,
        names=fabric.names + tuple(f"{name} (second leg)" for name in fabric.names),
        tier=np.tile(fabric.tier, 2),
        group=np.tile(fabric.group, 2),
        endpoints=np.concatenate((fabric.endpoints, np.zeros(size, dtype=np.int64))),
        alive=np.tile(fabric.alive, 2),
        tail=np.concatenate((fabric.tail, fabric.tail + size, across_tail)),
        head=np.concatenate((fabric.head, fabric.head + size, across_head)),
        kind=fabric.kind[_arc_of(count)],
        count=fabric.count[_arc_of(count)],
        cables=tuple(fabric.cables[arc // 2] for arc in _arc_of(count)[::2]),
    )


def across(fabric: Network) -> Bools:
    """4·A: arcs from the first leg to the second."""
    count = len(fabric.tail)
    found = np.zeros(4 * count, dtype=np.bool_)
    found[2 * count :: 2] = True
    return found


def prove(legs: Legs, rising: Rising | None = None) -> Proof:
    """As :func:`fabric.analysis.deadlock.prove`; ``rising``: a rule on the two layers."""
    network = legs.forwarding.network
    rule = priorities.none(network) if rising is None else rising
    graph = dependencies.graph(dependencies.traffic(legs.forwarding, rule))
    return components(_folded(graph, _arc_of(len(legs.fabric.tail))))


def _arc_of(count: int) -> Ints:
    """The arc of the fabric behind each of the 4·A; opposites stay opposites."""
    arcs = np.arange(count)
    crossing = np.column_stack((arcs, arcs ^ 1)).reshape(-1)
    return np.concatenate((arcs, arcs, crossing))


def _folded(graph: Graph, arc_of: Ints) -> Graph:
    """One channel for each cable and level, which waits for whatever any leg over it waits for."""
    from scipy.sparse import csr_array  # noqa: PLC0415 — as in deadlock.components

    levels = int(graph.level.max(initial=0)) + 1
    channels, place = np.unique(arc_of[graph.arc] * levels + graph.level, return_inverse=True)
    place, size = place.reshape(-1), len(channels)

    def relation(a: Ints, b: Ints, shape: tuple[int, int]) -> csr_array:
        return csr_array((np.ones(len(a), dtype=np.int64), (a, b)), shape=shape)

    held = relation(place, graph.holder, (size, graph.holders))
    waits = relation(*graph.waiting, (graph.holders, graph.ways_out))
    leads = relation(graph.way_out, place, (graph.ways_out, size))
    one, two = (held @ waits @ leads).nonzero()
    own = np.arange(size)
    pairs = (one.astype(np.int64), two.astype(np.int64))
    return Graph(graph.traffic, channels // levels, channels % levels, own, own, size, size, pairs)
