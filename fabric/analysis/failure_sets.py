"""Sets of failures: all of a kind, one for each orbit, or drawn."""

from __future__ import annotations

import math
import random
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.analysis.network import Ints, Network
    from fabric.analysis.orbits import Symmetry

MAX_SETS = 50_000  # that are worked out one by one


class FailureSet(NamedTuple):
    """``bundles``: pairs of arcs, one mention for each cable cut, rising. ``switches``: by number.

    ``twice``: twice the sets that it stands for, as a pair is met from each of its ends.
    """

    bundles: tuple[int, ...]
    switches: tuple[int, ...]
    twice: int

    def names(self, network: Network) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Ids of the cables, the first of each bundle, and names of the switches."""
        cables = tuple(
            network.cables[bundle][self.bundles[:n].count(bundle)].id
            for n, bundle in enumerate(self.bundles)
        )
        return cables, tuple(network.names[n] for n in self.switches)


class SweepTooLargeError(ValueError):
    """More sets than are worked out. ``sets``: that there are; ``needed``: at least to work out."""

    def __init__(self, what: str, sets: int, needed: int) -> None:
        self.sets, self.needed = sets, needed
        most = f"{MAX_SETS:,} are worked out at most"
        least = f"at least {needed:,} of them" if needed < sets else "all of them"
        super().__init__(f"there are {sets:,} {what}, {least} to work out; {most}")


def what(size: int) -> str:
    """The sets in words."""
    return {1: "single cables", 2: "sets of two cables"}.get(size, f"sets of {size} cables")


def cables(network: Network) -> int:
    """Cables in service."""
    return int(network.count[::2].sum())


def count(network: Network, size: int) -> int:
    """Sets of so many cables."""
    return math.comb(cables(network), size)


def single_switches(network: Network, symmetry: Symmetry | None) -> list[FailureSet]:
    """Every switch in service, or one for each orbit."""
    alive = np.flatnonzero(network.alive)
    orbit = np.arange(len(network.names)) if symmetry is None else symmetry.switches
    first, many = np.unique(orbit[alive], return_counts=True)
    sets = [
        FailureSet((), (n,), 2 * weight)
        for n, weight in zip(first.tolist(), many.tolist(), strict=True)
    ]
    return _checked("single switches", len(alive), sets)


def single_cables(network: Network, symmetry: Symmetry | None) -> list[FailureSet]:
    """Every cable in service, or one for each orbit; parallel ones are alike."""
    bundles, orbit, weight = _bundles(network, symmetry)
    first, number = np.unique(orbit, return_inverse=True)
    total = np.bincount(number.reshape(-1), weights=weight[bundles]).astype(np.int64)
    sets = [
        FailureSet((bundle,), (), 2 * many)
        for bundle, many in zip(first.tolist(), total.tolist(), strict=True)
    ]
    return _checked(what(1), count(network, 1), sets)


def _bundles(network: Network, symmetry: Symmetry | None) -> tuple[Ints, Ints, Ints]:
    """Bundles in service, the orbit of each, and cables of every bundle."""
    weight = network.count[::2]
    bundles = np.flatnonzero(weight)
    orbit = bundles if symmetry is None else symmetry.bundles[bundles]
    return bundles, orbit, weight


def cable_pairs(network: Network, symmetry: Symmetry | None) -> list[FailureSet]:
    """Every set of two cables, or one and sometimes two for each orbit."""
    bundles, orbit, weight = _bundles(network, symmetry)
    firsts, sizes = np.unique(orbit, return_counts=True)
    least = len(firsts) * (len(firsts) - 1) // 2
    if least > MAX_SETS:
        raise SweepTooLargeError(what(2), count(network, 2), least)
    sets: list[FailureSet] = []
    for first, size in zip(firsts.tolist(), sizes.tolist(), strict=True):
        own = int(weight[first])
        if own > 1:
            sets.append(FailureSet((first, first), (), 2 * size * math.comb(own, 2)))
        later = bundles[(orbit >= first) & (bundles != first)]
        beside = later if symmetry is None else symmetry.bundles_beside(first)[later]
        for other, others in _grouped(later, beside, orbit[np.searchsorted(bundles, later)]):
            halves = 1 if orbit[np.searchsorted(bundles, other)] == first else 2
            twice = halves * size * own * int(weight[others].sum())
            sets.append(FailureSet((min(first, other), max(first, other)), (), twice))
        _checked(what(2), count(network, 2), sets)
    return sets


def _grouped(bundles: Ints, *labels: Ints) -> Iterator[tuple[int, Ints]]:
    """The first and all of the bundles with the same labels."""
    if not len(bundles):
        return
    _, number = np.unique(np.column_stack(labels), axis=0, return_inverse=True)
    order = np.argsort(number.reshape(-1), kind="stable")
    starts = np.flatnonzero(np.diff(number.reshape(-1)[order], prepend=-1))
    for part in np.split(bundles[order], starts[1:]):
        yield int(part[0]), part


def _checked(kind: str, total: int, sets: list[FailureSet]) -> list[FailureSet]:
    if len(sets) > MAX_SETS:
        raise SweepTooLargeError(kind, total, len(sets))
    return sets


def drawn(network: Network, number: int, seed: int, size: int) -> list[FailureSet]:
    """``number`` different sets of ``size`` cables, every set as likely as any other.

    Raises:
        SweepTooLargeError: more than are worked out.
    """
    total = count(network, size)
    number = min(number, total)
    if number > MAX_SETS:
        raise SweepTooLargeError(what(size), total, number)
    rng = random.Random(seed)  # noqa: S311 — to be repeated, not to be secret
    of_cable = np.repeat(np.arange(len(network.count) // 2), network.count[::2]).tolist()
    everything = range(len(of_cable))
    chosen: dict[tuple[int, ...], None] = {}
    if 2 * number > total:
        chosen = dict.fromkeys(rng.sample(list(combinations(everything, size)), number))
    while len(chosen) < number:
        chosen[tuple(sorted(rng.sample(everything, size)))] = None
    return [FailureSet(tuple(of_cable[c] for c in cut), (), 2) for cut in chosen]
