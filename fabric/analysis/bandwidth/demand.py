"""Traffic matrices over the places where endpoints hang: uniform, shift, adversarial, permutation.

A *place* is a leaf, or the pair of leaves of bonds to two of them. Endpoints of one place are alike
for everything but the last hop, so matrices are kept place by place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Floats, Pairs, Plant
    from fabric.analysis.network import Ints

    Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]


class NoGroupsError(ValueError):
    """Adversarial traffic goes from group to group, and there are none."""


@dataclass(frozen=True, eq=False)
class Places:
    """``leaves`` (P, 2): switches of each place, the second ``NOWHERE`` for a single leaf.

    ``of`` (N): place of each endpoint, ``NOWHERE`` for one without a live cable.
    """

    leaves: Pairs
    of: Ints

    @classmethod
    def of_plant(cls, plant: Plant) -> Places:
        """The places of the endpoints in service."""
        on = plant.attached
        leaves, index = np.unique(plant.leaf[on], axis=0, return_inverse=True)
        of = np.full(len(plant), NOWHERE, dtype=np.int64)
        of[on] = index.reshape(-1)
        return cls(leaves, of)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.leaves)


@dataclass(frozen=True, eq=False)
class Demand:
    """``amount`` (P, P): what the endpoints of one place send to those of another, in NIC rates.

    What stays within a place crosses no cable between switches and is left out (the diagonal is
    0), though it is part of what each endpoint sends. ``nics``: the multiple at which the first NIC
    is full, sending or receiving at the rate that it has left.
    """

    name: str
    places: Places
    amount: Matrix
    nics: float = float("inf")


def uniform(plant: Plant) -> Demand:
    """Every endpoint sends 1 in all, as much to each other endpoint, to those of its leaf too."""
    places = Places.of_plant(plant)
    counts = np.bincount(places.of[plant.attached], minlength=len(places)).astype(np.float64)
    others = max(1.0, counts.sum() - 1)
    amount = _off_diagonal(np.outer(counts, counts) / others)
    return Demand("uniform", places, amount, _slowest(plant))


def shift(plant: Plant) -> Demand:
    """Endpoint i sends 1 to endpoint i + N/2 (of those attached, numbered leaf by leaf)."""
    count = len(plant.attached)
    return permuted(plant, np.roll(np.arange(count), -(count // 2)), "shift")


def adversarial(plant: Plant) -> Demand:
    """Every endpoint of group i sends 1, spread evenly over the endpoints of group i + 1.

    Raises:
        NoGroupsError: the switches are in no groups, or in one.
    """
    places = Places.of_plant(plant)
    group = plant.network.group[places.leaves[:, 0]]
    present = np.unique(group)
    if len(present) < 2 or (present < 0).any():  # noqa: PLR2004 - from one to another
        msg = "the switches are not in several groups"
        raise NoGroupsError(msg)
    counts = np.bincount(places.of[plant.attached], minlength=len(places)).astype(np.float64)
    following = present[(np.searchsorted(present, group) + 1) % len(present)]
    amount = np.zeros((len(places), len(places)))
    for source in range(len(places)):
        there = group == following[source]
        amount[source, there] = counts[source] * counts[there] / counts[there].sum()
    into = np.divide(amount.sum(axis=0), counts)[places.of]
    limit = _nic_limit(plant, np.ones(len(plant)), into)
    return Demand("adversarial", places, _off_diagonal(amount), limit)


def permuted(plant: Plant, target: Ints, name: str) -> Demand:
    """Attached endpoint n sends 1 to attached endpoint ``target[n]``; to itself: nothing."""
    places = Places.of_plant(plant)
    of = places.of[plant.attached]
    amount = np.zeros((len(places), len(places)))
    np.add.at(amount, (of, of[target]), 1.0)
    return Demand(name, places, _off_diagonal(amount), _slowest(plant))


def of_pairs(plant: Plant, source: Ints, target: Ints, amount: Floats, name: str) -> Demand:
    """What given endpoints send to others, in NIC rates."""
    places = Places.of_plant(plant)
    at, to = places.of[source], places.of[target]
    there = (at != NOWHERE) & (to != NOWHERE)
    found = np.zeros((len(places), len(places)))
    np.add.at(found, (at[there], to[there]), amount[there])
    out, into = (
        np.bincount(ends[there], weights=amount[there], minlength=len(plant)).astype(np.float64)
        for ends in (source, target)
    )
    return Demand(name, places, _off_diagonal(found), _nic_limit(plant, out, into))


def _slowest(plant: Plant) -> float:
    """Where each endpoint sends and receives 1."""
    ones = np.ones(len(plant))
    return _nic_limit(plant, ones, ones)


def _nic_limit(plant: Plant, out: Floats, into: Floats) -> float:
    """N: what each endpoint sends and receives in all; of those in service the least that binds."""
    on = plant.attached
    busy = np.maximum(out, into)[on]
    used = busy > 0
    return float((plant.rate[on][used] / busy[used]).min(initial=np.inf))


def _off_diagonal(amount: Matrix) -> Matrix:
    np.fill_diagonal(amount, 0.0)
    return amount
