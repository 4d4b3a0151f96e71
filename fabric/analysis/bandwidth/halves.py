"""The least cut between given halves of the endpoints: max-flow, exact for that split."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis.bandwidth.carriers import Carriers
from fabric.analysis.bandwidth.demand import Places
from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.analysis.bandwidth.plant import Floats, Plant
    from fabric.analysis.network import Ints

_SWAPS, _SWAP_CELLS = 200, 20_000  # swaps, and swaps × places, that are tried at most
_DRAWS = 20


class Legs(NamedTuple):
    """A bond has two legs of half its rate. By leg: place, leaf, NIC rates of one endpoint."""

    place: Ints
    leaf: Ints
    rate: Floats


@dataclass(frozen=True, eq=False)
class Halves:
    """Splits of a plant's endpoints, place by place. ``counts`` (P): endpoints of each place."""

    plant: Plant

    @cached_property
    def places(self) -> Places:
        """Endpoints of the same leaves and of one rate: which of them are in a half is all one."""
        plant, on = self.plant, self.plant.attached
        table = np.column_stack((plant.leaf[on], plant.rate[on]))
        alike, index = np.unique(table, axis=0, return_inverse=True)
        of = np.full(len(plant), NOWHERE, dtype=np.int64)
        of[on] = index.reshape(-1)
        return Places(alike[:, :2].astype(np.int64), of)

    @cached_property
    def carriers(self) -> Carriers:
        """Cables between switches; ``node``: the first leaf of each place."""
        leaves = self.places.leaves.copy()
        leaves[:, 1] = NOWHERE
        return Carriers.of(self.plant, Places(leaves, self.places.of))

    @cached_property
    def legs(self) -> Legs:
        """NICs of each place on each of its leaves."""
        leaves, on = self.places.leaves, self.plant.attached
        rate = np.empty(len(leaves))
        rate[self.places.of[on]] = self.plant.rate[on]
        double = np.flatnonzero(leaves[:, 1] != NOWHERE)
        rate[double] /= 2
        place = np.concatenate((np.arange(len(leaves)), double))
        return Legs(place, np.concatenate((leaves[:, 0], leaves[double, 1])), rate[place])

    @cached_property
    def counts(self) -> Ints:
        """P: endpoints of each place."""
        return np.bincount(self.places.of[self.plant.attached], minlength=len(self.places))

    @cached_property
    def size(self) -> int:
        """Endpoints of the smaller half."""
        return int(self.counts.sum()) // 2

    @cached_property
    def scale(self) -> float:
        """What makes the capacity of every cable and leg a whole number; speeds are whole Gb/s."""
        halves = 2 * self.plant.nic_gbps
        values = np.concatenate((self.carriers.capacity, self.legs.rate)) * halves
        return halves / int(np.gcd.reduce(np.round(values).astype(np.int64)))

    @cached_property
    def rate(self) -> float:
        """NIC rate of an endpoint; where they differ, the mean."""
        return float(self.plant.rate[self.plant.attached].mean())

    def cut(self, first: Ints) -> float:
        """The least cut when ``first`` (P) endpoints of each place are in one half."""
        from scipy.sparse import csr_array  # noqa: PLC0415
        from scipy.sparse.csgraph import maximum_flow  # noqa: PLC0415

        net, legs, scale = self.carriers, self.legs, self.scale
        source, sink = net.nodes, net.nodes + 1
        second = self.counts - first
        tail = np.concatenate((net.tail, np.full(len(legs.leaf), source), legs.leaf))
        head = np.concatenate((net.head, legs.leaf, np.full(len(legs.leaf), sink)))
        sending, receiving = first[legs.place] * legs.rate, second[legs.place] * legs.rate
        whole = np.concatenate((net.capacity, sending, receiving))
        capacity = np.round(whole * scale).astype(np.int32)
        graph = csr_array((capacity, (tail, head)), shape=(sink + 1, sink + 1))
        return float(maximum_flow(graph.astype(np.int32), source, sink).flow_value) / scale

    def searched(self, seed: int = 1) -> float:
        """The least cut that a search finds: an upper bound on the bisection.

        Starts: halves in the order of the places, of groups, alternating, and drawn ones; then
        swaps of places between the halves as long as one makes the cut smaller.
        """
        random = np.random.default_rng(seed)
        tried = [self.filled(order) for order in self._orders(random)]
        cuts = [self.cut(first) for first in tried]
        best = int(np.argmin(cuts))
        return self._swapped(tried[best], cuts[best], random)

    def filled(self, order: Ints) -> Ints:
        """The half that takes places in this order until it is full; the last may be split."""
        room = np.cumsum(self.counts[order]) - self.counts[order]
        first = np.zeros(len(order), dtype=np.int64)
        first[order] = np.clip(self.size - room, 0, self.counts[order])
        return first

    def _orders(self, random: np.random.Generator) -> Iterator[Ints]:
        count = len(self.counts)
        places = np.arange(count)
        leaf = self.places.leaves[:, 0]
        group = self.plant.network.group[leaf]
        yield places
        yield np.concatenate((places[::2], places[1::2]))
        yield np.argsort(self._uplinks(), kind="stable")  # those that lost capacity on one side
        present = np.unique(group)
        if 1 < len(present) < count:
            for _ in range(_DRAWS // 2):
                rank = np.argsort(random.permutation(len(present)))
                yield np.argsort(rank[np.searchsorted(present, group)], kind="stable")
        for _ in range(_DRAWS):
            yield random.permutation(count)

    def _uplinks(self) -> Floats:
        """P: capacity of the cables that leave each place's leaf."""
        total: Floats = np.zeros(self.carriers.nodes)
        np.add.at(total, self.carriers.tail, self.carriers.capacity)
        return total[self.carriers.node]

    def _swapped(self, first: Ints, cut: float, random: np.random.Generator) -> float:
        for _ in range(min(_SWAPS, max(10, _SWAP_CELLS // len(first)))):
            full = np.flatnonzero(first == self.counts)
            none = np.flatnonzero(first == 0)
            if not len(full) or not len(none):
                break
            one, other = random.choice(full), random.choice(none)
            if self.counts[one] != self.counts[other]:
                continue
            swapped = first.copy()
            swapped[[one, other]] = swapped[[other, one]]
            found = self.cut(swapped)
            if found < cut:
                first, cut = swapped, found
        return cut
