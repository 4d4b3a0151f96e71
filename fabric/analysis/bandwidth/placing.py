"""How flows find their cables: hashed, least loaded next hop (DLB), over a middle group (Valiant).

A placer takes leaves of F flows and what hashes see of them, and gives the cables of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from fabric.analysis.bandwidth.demand import NoGroupsError
from fabric.analysis.bandwidth.hashing import fractions, mixed
from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.hashing import Words
    from fabric.analysis.bandwidth.paths import Ways
    from fabric.analysis.bandwidth.plant import Pairs
    from fabric.analysis.network import Bools, Ints

    Choices = np.ndarray[tuple[int, int, int], np.dtype[np.int64]]

MOST_PLACED = 400_000  # flows that are placed one by one
_LEAST_GROUPS = 3
_MINIMAL, _DETOURS = 2, 4  # draws of the UGAL-like choice (validation 2.6)


class TooManyFlowsError(ValueError):
    """Flows are placed one by one here, and there are too many."""


class Placer(Protocol):
    """Cables of flows from ``source`` to ``target`` leaves; ``keys``: what hashes see."""

    def cables(self, source: Ints, target: Ints, keys: Words) -> Pairs:
        """(F, n), NOWHERE beyond the last; NOWHERE first for a flow without a way."""


@dataclass(frozen=True, eq=False)
class Hashed:
    """Every switch hashes with its seed."""

    ways: Ways
    seeds: Words

    def cables(self, source: Ints, target: Ints, keys: Words) -> Pairs:
        """See :class:`Placer`."""
        return self.ways.sampled(source, target, keys, self.seeds)


@dataclass(frozen=True, eq=False)
class LeastLoaded:
    """Flows come one after another; every switch takes its next hop with the fewest flows.

    What a switch knows: the flows that it put on its own cables. Ties go by hash.
    """

    ways: Ways
    seeds: Words

    def cables(self, source: Ints, target: Ints, keys: Words) -> Pairs:
        """See :class:`Placer`.

        Raises:
            TooManyFlowsError: more than ``MOST_PLACED``.
        """
        _refuse_many(len(source))
        plant = self.ways.plant
        head = plant.network.head.tolist()
        load = [0.0] * len(head)
        each = (1.0 / np.where(plant.capacity > 0, plant.capacity, np.inf)).tolist()
        found: list[list[int]] = []
        for flow, (at, end) in enumerate(zip(source.tolist(), target.tolist(), strict=True)):
            way: list[int] = []
            here = at
            while here != end:
                arcs = self.ways.next_arcs(here, end)
                if not arcs:
                    way = [NOWHERE]
                    break
                least = min(load[arc] for arc in arcs)
                tied = [arc for arc in arcs if load[arc] == least]
                arc = tied[self._tie(keys[flow], here, len(tied))] if len(tied) > 1 else tied[0]
                load[arc] += each[arc]
                way.append(arc)
                here = head[arc]
            found.append(way)
        return padded(found)

    def _tie(self, key: np.uint64, switch: int, count: int) -> int:
        return int(fractions(np.array([key]), self.seeds[switch : switch + 1])[0] * count)


@dataclass(frozen=True, eq=False)
class Valiant:
    """Minimally to a random router of a third group, minimally on; straight within a group.

    Routers without a way from the source or to the target are not drawn; where none has both, the
    flow goes minimally.

    Raises:
        NoGroupsError: fewer than three groups with endpoints in service.
    """

    ways: Ways
    seeds: Words

    def __post_init__(self) -> None:
        plant = self.ways.plant
        groups = np.unique(plant.network.group[plant.leaves])
        if len(groups) < _LEAST_GROUPS or (groups < 0).any():
            msg = "a detour leads over a third group, and there are not three"
            raise NoGroupsError(msg)

    def cables(self, source: Ints, target: Ints, keys: Words) -> Pairs:
        """See :class:`Placer`."""
        plant = self.ways.plant
        group = plant.network.group
        routers = plant.leaves
        middle = target.copy()
        pending = np.flatnonzero(self._has_detour(source, target))
        tries = 0
        while len(pending):
            tries += 1
            drawn = fractions(keys[pending], np.full(len(pending), 2**32 + tries, np.uint64))
            middle[pending] = routers[(drawn * len(routers)).astype(np.int64)]
            third = group[middle[pending]]
            bad = (third == group[source[pending]]) | (third == group[target[pending]])
            bad |= ~self.ways.reach[source[pending], middle[pending]]
            bad |= ~self.ways.reach[middle[pending], target[pending]]
            pending = pending[bad]
        first = self.ways.sampled(source, middle, keys, self.seeds)
        second = self.ways.sampled(middle, target, mixed(keys), self.seeds)
        return np.concatenate((first, second), axis=1)

    def _has_detour(self, source: Ints, target: Ints) -> Bools:
        """F: whether some router of a third group has a way from the source and to the target."""
        group, routers = self.ways.plant.network.group, self.ways.plant.leaves
        apart: Bools = group[source] != group[target]
        if self.ways.reach[np.ix_(routers, routers)].all():
            return apart
        pairs, index = np.unique(np.stack((source, target)), axis=1, return_inverse=True)
        ends, third = group[pairs], group[routers]
        found = (third != ends[0][:, None]) & (third != ends[1][:, None])
        found &= self.ways.reach[pairs[0][:, None], routers]
        found &= self.ways.reach[routers, pairs[1][:, None]]
        some: Bools = found.any(axis=1)[index.reshape(-1)]
        return apart & some


@dataclass(frozen=True, eq=False)
class UgalLike:
    """Each flow takes the least loaded of 2 minimal ways and 4 detours, knowing every cable.

    A heuristic, and an optimistic one: no switch knows the load of cables far away.
    """

    ways: Ways
    seeds: Words

    def cables(self, source: Ints, target: Ints, keys: Words) -> Pairs:
        """See :class:`Placer`.

        Raises:
            TooManyFlowsError: more than ``MOST_PLACED``.
        """
        _refuse_many(len(source))
        detour = Valiant(self.ways, self.seeds)
        drawn = [
            self.ways.sampled(source, target, mixed(keys + np.uint64(n)), self.seeds)
            for n in range(_MINIMAL)
        ]
        drawn += [
            detour.cables(source, target, mixed(keys + np.uint64(_MINIMAL + n)))
            for n in range(_DETOURS)
        ]
        widest = max(part.shape[1] for part in drawn)
        choices = np.stack([_widened(part, widest) for part in drawn], axis=1)
        return self._chosen(choices)

    def _chosen(self, choices: Choices) -> Pairs:
        """(F, n) of (F, 6, n): one after another, by the sum of fourth powers of the loads.

        That lies between the worst cable (which ignores the rest of a detour) and the sum.
        """
        plant = self.ways.plant
        count = len(plant.capacity)
        load = np.zeros(count + 1)
        each = np.append(1.0 / np.where(plant.capacity > 0, plant.capacity, np.inf), 0.0)
        lanes = np.where(choices == NOWHERE, count, choices)
        none = np.where((choices == NOWHERE).all(axis=2), np.inf, 0.0)  # a way that there is not
        found = np.empty_like(choices[:, 0])
        for flow, ways in enumerate(lanes):
            best = int(np.argmin((load[ways] ** 4).sum(axis=1) + none[flow]))
            load[ways[best]] += each[ways[best]]
            found[flow] = choices[flow, best]
        return found


def padded(ways: list[list[int]]) -> Pairs:
    """Lists of cables as rows of one length."""
    widest = max((len(way) for way in ways), default=0)
    found = np.full((len(ways), widest), NOWHERE, dtype=np.int64)
    for number, way in enumerate(ways):
        found[number, : len(way)] = way
    return found


def _widened(part: Pairs, width: int) -> Pairs:
    more = np.full((len(part), width - part.shape[1]), NOWHERE, dtype=np.int64)
    return np.concatenate((part, more), axis=1)


def _refuse_many(flows: int) -> None:
    if flows > MOST_PLACED:
        msg = f"{flows:,} flows are placed one by one, {MOST_PLACED:,} at most"
        raise TooManyFlowsError(msg)
