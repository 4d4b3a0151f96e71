"""The buffer dependency graph (validation 1.2), whole, without listing every pair of cables.

A channel is a directed cable with a level: the ingress buffer at its far end. Channels that end at
one switch and hold the same destinations wait for the same channels, so they are one node
(*holders*); channels that leave a switch for the same destinations are waited for by the same
(*ways out*). A cycle through such nodes is one through channels and the reverse.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits, flooding

if TYPE_CHECKING:
    from fabric.analysis.bits import Rows
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Ints
    from fabric.analysis.priorities import Rising

_PAIRS = 1 << 20  # at once


@dataclass(frozen=True, eq=False)
class Traffic:
    """What can be in each buffer. ``rows[q]`` (A, words): destinations on an arc at level q."""

    forwarding: Forwarding
    rising: Rising
    rows: tuple[Rows, ...]

    @cached_property
    def levels_used(self) -> int:
        """Levels on which there is traffic, the highest counts."""
        used = [q for q, rows in enumerate(self.rows) if rows.any()]
        return used[-1] + 1 if used else 1

    @cached_property
    def demotes(self) -> bool:
        """Whether some packet would rise above the last level, and leaves the lossless class."""
        rising, network = self.rising, self.forwarding.network
        if not rising.steps.any():
            return False
        live = network.count > 0
        arcs = [np.flatnonzero(live & (rising.way == way)) for way in range(rising.ways)]
        for level, rows in enumerate(self.rows):
            for came, into in enumerate(arcs):
                held = bits.Gather(network.head[into], len(network.names)).union(rows[into])
                for way, out in enumerate(arcs):
                    if level + rising.steps[came, way] < rising.levels:
                        continue
                    if (held[network.tail[out]] & self.forwarding.rows[out]).any():
                        return True
        return False


def traffic(forwarding: Forwarding, rising: Rising) -> Traffic:
    """Follow packets from every leaf to every other, hop by hop, until nothing new is reached.

    Where tables loop this ends as well: a set of destinations only grows.
    """
    if forwarding.floods:
        return Traffic(forwarding, rising, flooding.rows_by_level(forwarding, rising))
    network = forwarding.network
    live = network.count > 0
    allowed = np.where(live[:, None], forwarding.rows, np.uint64(0))
    gathers = [
        (arcs, bits.Gather(network.head[arcs], len(network.names)))
        for arcs in (np.flatnonzero(live & (rising.way == way)) for way in range(rising.ways))
    ]
    # By (way that packets came by, level): V, words.
    held = {(rising.ways, 0): forwarding.sources}
    found: dict[int, Rows] = {}
    newest = dict(held)
    while newest:
        gained: dict[tuple[int, int], Rows] = {}
        for (came, level), rows in newest.items():
            for way, (arcs, gather) in enumerate(gathers):
                next_level = level + int(rising.steps[came, way])
                if next_level >= rising.levels or not len(arcs):
                    continue
                moved = rows[network.tail[arcs]] & allowed[arcs]
                at_level = found.setdefault(next_level, np.zeros_like(forwarding.rows))
                at_level[arcs] |= moved
                arrived = gather.union(moved)
                key = (way, next_level)
                gained[key] = gained[key] | arrived if key in gained else arrived
        newest = {}
        for key, rows in gained.items():
            fresh = rows & ~held[key] if key in held else rows
            if fresh.any():
                held[key] = held[key] | fresh if key in held else fresh
                newest[key] = fresh
    rows_by_level = tuple(
        found.get(q, np.zeros_like(forwarding.rows)) for q in range(max(found, default=0) + 1)
    )
    return Traffic(forwarding, rising, rows_by_level)


@dataclass(frozen=True, eq=False)
class Graph:
    """The dependency graph, with nodes for holders and for ways out.

    ``arc``, ``level``, ``holder``, ``way_out``: of each channel, an arc of ``count`` cables.
    ``waiting``: pairs (holder, way out) of which the first waits for the second.
    """

    traffic: Traffic
    arc: Ints
    level: Ints
    holder: Ints
    way_out: Ints
    holders: int
    ways_out: int
    waiting: tuple[Ints, Ints]

    @cached_property
    def count(self) -> Ints:
        """Cables of each channel."""
        return self.traffic.forwarding.network.count[self.arc]

    @cached_property
    def edges(self) -> int:
        """Dependencies between single channels."""
        into = np.bincount(self.holder, weights=self.count, minlength=self.holders)
        out = np.bincount(self.way_out, weights=self.count, minlength=self.ways_out)
        holder, way_out = self.waiting
        return int((into[holder] * out[way_out]).sum())


def graph(flow: Traffic) -> Graph:
    """The dependencies between all channels that carry traffic."""
    forwarding, network, rising = flow.forwarding, flow.forwarding.network, flow.rising
    channels = [np.flatnonzero(rows.any(axis=1)) for rows in flow.rows]
    arc = np.concatenate(channels)
    level = np.repeat(np.arange(len(channels)), [len(part) for part in channels])
    held = np.concatenate([rows[part] for rows, part in zip(flow.rows, channels, strict=True)])
    levels, ways = len(flow.rows), rising.ways
    # Flooding looks at the cable that a packet came by: there, no two arcs are alike.
    apart = arc if forwarding.floods else np.zeros_like(arc)
    kind = (network.head[arc] * ways + rising.way[arc]) * levels + level
    holder, first_in = bits.alike(held, kind * len(network.tail) + apart)
    allowed = forwarding.rows[arc]
    kind_out = (network.tail[arc] * ways + rising.way[arc]) * levels + level
    way_out, first_out = bits.alike(allowed, kind_out * len(network.tail) + apart)
    pairs = _candidates(
        network.head[arc[first_in]], network.tail[arc[first_out]], len(network.names)
    )
    found: list[tuple[Ints, Ints]] = []
    for some_in, some_out in pairs:
        one, two = first_in[some_in], first_out[some_out]
        rise = rising.steps[rising.way[arc[one]], rising.way[arc[two]]]
        fits = level[one] + rise == level[two]
        if forwarding.floods:
            fits &= arc[one] != arc[two] ^ 1
        one, two = one[fits], two[fits]
        met = bits.meeting(held, allowed, (one, two))
        found.append((holder[one[met]], way_out[two[met]]))
    waiting = (
        np.concatenate([a for a, _ in found] or [np.zeros(0, np.int64)]),
        np.concatenate([b for _, b in found] or [np.zeros(0, np.int64)]),
    )
    return Graph(flow, arc, level, holder, way_out, len(first_in), len(first_out), waiting)


def _candidates(ends: Ints, starts: Ints, switches: int) -> list[tuple[Ints, Ints]]:
    """Pairs (i, j) with ``ends[i] == starts[j]``, some at a time."""
    by_end, by_start = np.argsort(ends, kind="stable"), np.argsort(starts, kind="stable")
    first = np.searchsorted(starts[by_start], np.arange(switches))
    many = np.bincount(starts, minlength=switches)
    sizes = many[ends[by_end]]
    total = np.cumsum(sizes)
    parts = []
    begin = 0
    while begin < len(by_end):
        done = total[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(total, done + _PAIRS, side="right")))
        piece, size = by_end[begin:end], sizes[begin:end]
        offset = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
        partner = by_start[np.repeat(first[ends[piece]], size) + offset]
        parts.append((np.repeat(piece, size), partner))
        begin = end
    return parts
