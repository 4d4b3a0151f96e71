"""Which packets leave a switch over which cable: one set of destinations for each arc.

A destination is a leaf, not an endpoint: endpoints on one leaf share everything but the last hop.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabric.analysis.bits import Matrix, Rows
    from fabric.analysis.network import Ints, Network


@dataclass(frozen=True, eq=False)
class Forwarding:
    """Next hops of every switch for every destination.

    ``destinations`` (D): the switch that each stands on. ``rows`` (A, words): bit d of row a is set
    when the tail of arc a may send packets for destination d over it (any of an ECMP set).
    ``floods``: a leaf also sends packets for itself back over its uplinks; no packet goes back over
    the cable that it came by (then each arc is one cable). ``notes``: what is assumed about the
    sets. ``senders`` (V, words): what each switch's endpoints send, where it is not every leaf to
    every other.
    """

    network: Network
    destinations: Ints
    rows: Rows
    floods: bool = False
    notes: tuple[str, ...] = field(default=())
    senders: Rows | None = None

    @cached_property
    def sources(self) -> Rows:
        """V, words: destinations that endpoints of each switch send to."""
        if self.senders is not None:
            return self.senders
        network, count = self.network, len(self.destinations)
        found = np.zeros((len(network.names), bits.width(count)), dtype=np.uint64)
        everything = bits.packed(np.ones((1, count), dtype=np.bool_))
        found[network.leaves] = everything[0]
        if not self.floods:
            bits.clear_bits(found, self.destinations, np.arange(count))
        return found

    @cached_property
    def known(self) -> Rows:
        """V, words: destinations that each switch has a next hop for, or that stand on it."""
        tails = bits.Gather(self.network.tail, len(self.network.names))
        found = tails.union(self.rows)
        bits.set_bits(found, self.destinations, np.arange(len(self.destinations)))
        return found

    @cached_property
    def unreachable(self) -> tuple[tuple[int, int], ...]:
        """Ordered pairs (source leaf, destination leaf) without a way, as switch numbers."""
        leaves = self.network.leaves
        lost = self.sources[leaves] & ~self.known[leaves]
        at, bit = np.nonzero(bits.unpacked(lost, len(self.destinations)))
        return tuple(zip(leaves[at].tolist(), self.destinations[bit].tolist(), strict=True))

    def destination_name(self, destination: int) -> str:
        """A destination for a reader: the switch that it stands on."""
        return self.network.names[int(self.destinations[destination])]

    def next_switches(self, switch: str, destination: str) -> frozenset[str]:
        """Names of the neighbours to which a switch sends packets for a leaf."""
        network = self.network
        number = network.number[switch]
        wanted = np.flatnonzero(self.destinations == network.number[destination])
        out = np.flatnonzero(network.tail == number)
        has = bits.unpacked(self.rows[out], len(self.destinations))[:, wanted].any(axis=1)
        return frozenset(network.names[n] for n in network.head[out[has]])


def of_tables(
    network: Network, tables: Mapping[str, Mapping[str, Iterable[str]]], at: Mapping[str, str]
) -> Forwarding:
    """Forwarding that is given: switch → destination → names of the next switches.

    ``at``: the switch on which each destination stands; destinations may be finer than leaves.

    Raises:
        KeyError: a switch or a neighbour that the network does not have.
    """
    order = {name: n for n, name in enumerate(at)}
    arcs: dict[tuple[int, int], list[int]] = {}
    for arc, pair in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        if network.count[arc]:
            arcs.setdefault(pair, []).append(arc)
    number = network.number
    where: list[int] = []
    which: list[int] = []
    for switch, table in tables.items():
        for destination, hops in table.items():
            for hop in hops:
                for arc in arcs[number[switch], number[hop]]:
                    where.append(arc)
                    which.append(order[destination])
    rows = bits.empty(len(network.tail), len(order))
    bits.set_bits(rows, np.array(where, dtype=np.int64), np.array(which, dtype=np.int64))
    destinations = np.array([number[name] for name in at.values()], dtype=np.int64)
    return Forwarding(network, destinations, rows)


@dataclass(frozen=True, eq=False)
class Twins:
    """Leaves with the same neighbours, which routing cannot tell apart.

    Exchanging two of them maps the fabric onto itself, so that routes to one are those to the
    other with the two exchanged. ``members``: by class its leaves in rising order; routes are
    worked out for the first alone. ``other``: by class a second member, or −1.
    """

    members: tuple[Ints, ...]

    @cached_property
    def firsts(self) -> Ints:
        """R: the leaf that stands for each class."""
        return np.array([m[0] for m in self.members], dtype=np.int64)

    @classmethod
    def of(cls, network: Network, labels: Ints) -> Twins:
        """``labels`` (V): what else routing looks at; only leaves of one label are alike."""
        leaves = network.leaves
        is_leaf = np.zeros(len(network.names), dtype=np.bool_)
        is_leaf[leaves] = True
        live = np.flatnonzero((network.count > 0) & is_leaf[network.tail])
        order = live[np.lexsort((network.kind[live], network.head[live], network.tail[live]))]
        starts = np.searchsorted(network.tail[order], leaves)
        ends = np.searchsorted(network.tail[order], leaves, side="right")
        heads, kinds = network.head[order], network.kind[order]
        fixed = zip(labels[leaves].tolist(), network.tier[leaves].tolist(), strict=True)
        classes: dict[object, list[int]] = {}
        for leaf, start, end, label in zip(leaves.tolist(), starts, ends, fixed, strict=True):
            key = (label, heads[start:end].tobytes(), kinds[start:end].tobytes())
            classes.setdefault(key, []).append(leaf)
        return cls(tuple(np.array(m, dtype=np.int64) for m in classes.values()))


def expanded(network: Network, twins: Twins, firsts: Matrix) -> Forwarding:
    """Forwarding to every leaf from that to the first leaf of each class.

    ``firsts`` (A, R): whether the tail of an arc sends packets for that leaf over it.
    """
    destinations = np.concatenate(twins.members) if twins.members else np.zeros(0, np.int64)
    rows = _copied(twins, firsts)
    if len(twins.members) < len(destinations):
        _mend_members(network, twins, firsts, rows)
    return Forwarding(network, destinations, rows)


def _copied(twins: Twins, firsts: Matrix) -> Rows:
    """Rows in which every member of a class is treated as the first."""
    sizes = [len(members) for members in twins.members]
    if len(sizes) == sum(sizes):
        return bits.packed(firsts)
    reduced = bits.packed(firsts)
    group, first = bits.alike(reduced, np.zeros(len(reduced), dtype=np.int64))
    wide = np.repeat(firsts[first], sizes, axis=1)
    rows: Rows = bits.packed(wide)[group]
    return rows


def _mend_members(network: Network, twins: Twins, firsts: Matrix, rows: Rows) -> None:
    """Arcs of the members themselves: one is a destination, and a neighbour for the others.

    To the first of its class a second member sends as each does to each other, and it is sent to
    as each is; what leads to the first itself leads to each for its own packets.
    """
    sizes = np.array([len(members) for members in twins.members], dtype=np.int64)
    total = int(sizes.sum())
    starts = np.cumsum(sizes) - sizes
    class_of = np.full(len(network.names), -1, dtype=np.int64)
    bit_of = np.full(len(network.names), -1, dtype=np.int64)
    other = np.full(len(sizes), -1, dtype=np.int64)
    masks = np.zeros((len(sizes), total), dtype=np.bool_)
    for n, members in enumerate(twins.members):
        class_of[members] = n
        bit_of[members] = starts[n] + np.arange(len(members))
        masks[n, starts[n] : starts[n] + len(members)] = True
        other[n] = members[1] if len(members) > 1 else -1
    words = bits.packed(masks)
    for near, far in ((network.tail, network.head), (network.head, network.tail)):
        arcs = np.flatnonzero((class_of[near] >= 0) & (network.count > 0))
        arcs = arcs[other[class_of[near[arcs]]] >= 0]
        group = class_of[near[arcs]]
        stand_in = _arc_between(network, other[group], far[arcs], arcs)
        value = firsts[stand_in, group]
        rows[arcs] &= ~words[group]
        rows[arcs[value]] |= words[group[value]]
        own = bit_of[near[arcs]]
        bits.clear_bits(rows, arcs, own)
        if near is network.head:
            first = _arc_between(network, twins.firsts[group], far[arcs], arcs)
            led = firsts[first, group]
            bits.set_bits(rows, arcs[led], own[led])


def _arc_between(network: Network, near: Ints, far: Ints, like: Ints) -> Ints:
    """For each i the arc of the kind and direction of arc ``like[i]``, with a twin as its near end.

    Twins have the same neighbours over the same kinds, so there is one.
    """
    outward = network.head[like] == far
    tail, head = np.where(outward, near, far), np.where(outward, far, near)
    size, kinds = len(network.names), max(1, len(network.kinds))
    live = np.flatnonzero(network.count > 0)
    keys = ((network.tail * size + network.head) * kinds + network.kind)[live]
    order = np.argsort(keys, kind="stable")
    wanted = (tail * size + head) * kinds + network.kind[like]
    found: Ints = live[order[np.searchsorted(keys[order], wanted)]]
    return found
