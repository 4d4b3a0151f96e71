"""Spraying: every switch splits each flow evenly over its next hops, packet by packet (fluid)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits
from fabric.analysis.bandwidth import patterns
from fabric.analysis.bandwidth.effective import Sample, summary
from fabric.analysis.bandwidth.hashing import SPRAY
from fabric.analysis.bandwidth.placing import TooManyFlowsError
from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.analysis.bandwidth.demand import Matrix
    from fabric.analysis.bandwidth.effective import Load
    from fabric.analysis.bandwidth.paths import Ways
    from fabric.analysis.bandwidth.plant import Floats, Plant
    from fabric.analysis.network import Bools, Ints
    from fabric.model.bandwidth import Effective

MOST_CELLS = 60_000_000  # cables × pairs
_EQUAL = 1e-9


def sprayed(
    ways: Ways, load: Load, *, progress: Callable[[int, int], None] | None = None
) -> Effective:
    """Effective bandwidth when packets are sprayed; the number of QPs does not matter.

    Raises:
        TooManyFlowsError: too many cables times pairs.
    """
    samples = []
    for number in range(load.trials):
        random = np.random.default_rng((load.seed, number))
        samples.append(_trial(ways, *patterns.drawn(ways.plant, load.pattern, random)))
        if progress:
            progress(number + 1, load.trials)
    return summary(samples, load, SPRAY)


def _trial(ways: Ways, source: Ints, target: Ints) -> Sample:
    plant = ways.plant
    cells = len(plant.bundled.tail) * len(source)
    if cells > MOST_CELLS:
        msg = f"spraying {len(source):,} pairs looks at {cells:,} cells, {MOST_CELLS:,} at most"
        raise TooManyFlowsError(msg)
    share, routed = _spread(ways, source, target)
    pairs = np.arange(len(source))
    out = np.zeros((len(plant), len(source)))
    into = out.copy()
    out[source, pairs] = into[target, pairs] = routed
    legs, leg_rate = _legs(plant, source, target)
    capacity = np.concatenate((plant.capacity, plant.rate, plant.rate, leg_rate))
    rates = fluid_max_min(np.concatenate((share, out, into, legs * routed)), capacity)
    rates[~routed] = 0.0
    return Sample(
        float(rates.mean()), float(rates.min()), float(rates.mean()), float(1 - routed.mean())
    )


def _spread(ways: Ways, source: Ints, target: Ints) -> tuple[Matrix, Bools]:
    """(cables, pairs): part of each pair's packets on each cable; whether it has a way.

    A bond to two leaves receives half over each, but from a leaf that it hangs on all of it there;
    parallel cables carry the same, fast or slow.
    """
    plant = ways.plant
    double = (plant.leaf[target] != NOWHERE).all(axis=1)
    first, routed = _shares(ways, source, target, plant.leaf[target, 0])
    if double.any():
        end = np.where(double, plant.leaf[target, 1], plant.leaf[target, 0])
        second, also = _shares(ways, source, target, end)
        first, routed = (first + second) / 2, routed & also
    count = np.maximum(plant.bundled.count, 1)
    each = first / count[:, None]
    live = plant.network.count > 0
    return each[plant.bundle] * live[:, None], routed


def _legs(plant: Plant, source: Ints, target: Ints) -> tuple[Matrix, Floats]:
    """Legs of bonds to two leaves: what each receives of each pair, and its rate.

    What starts at a leaf of the target comes by that one, the rest half by each. Sending is even.
    """
    double = np.flatnonzero((plant.leaf != NOWHERE).all(axis=1))
    shares = np.zeros((2, len(double), len(source)))
    ends, theirs = plant.leaf[target], plant.leaf[source]
    bonds, to = np.flatnonzero(np.isin(target, double)), np.searchsorted(double, target)
    for column in (0, 1):
        leaf = theirs[:, column]
        part = np.where((theirs != NOWHERE).all(axis=1), 0.5, 1.0) * (leaf != NOWHERE)
        direct = (leaf[:, None] == ends).any(axis=1)
        for leg in (0, 1):
            got = part * np.where(direct, leaf == ends[:, leg], 0.5)
            shares[leg, to[bonds], bonds] += got[bonds]
    return shares.reshape(-1, len(source)), np.tile(plant.rate[double] / 2, 2)


def _shares(ways: Ways, source: Ints, target: Ints, end: Ints) -> tuple[Matrix, Bools]:
    """(bundled arcs, pairs): part of each pair's packets to leaf ``end`` on each arc."""
    plant, forwarding = ways.plant, ways.forwarding
    network = plant.bundled
    pairs = np.arange(len(source))
    amount = np.zeros((len(network.names), len(source)))
    arrived: Floats = np.zeros(len(source))
    part = np.where((plant.leaf[source] != NOWHERE).all(axis=1), 0.5, 1.0)
    for column in (0, 1):
        leaf = plant.leaf[source, column]
        connected = (leaf[:, None] == plant.leaf[target]).any(axis=1)
        has, there = leaf != NOWHERE, (leaf != NOWHERE) & connected
        arrived[there] += part[there]
        away = has & ~connected
        np.add.at(amount, (leaf[away], pairs[away]), part[away])
    where = ways.destination[end]
    known = (end != NOWHERE) & (where != NOWHERE)
    used = bits.unpacked(forwarding.rows, len(forwarding.destinations))[:, np.maximum(where, 0)]
    weight = used.astype(np.float64) * network.count[:, None]
    out = np.zeros_like(amount)
    np.add.at(out, network.tail, weight)
    share = np.divide(weight, out[network.tail], out=np.zeros_like(weight), where=weight > 0)
    carried = np.zeros_like(weight)
    amount[:, ~known] = 0.0
    for _ in range(2 * len(network.names) + 1):
        arrived = arrived + amount[end, pairs]
        amount[end, pairs] = 0.0
        if not amount.any():
            break
        moved = share * amount[network.tail]
        carried += moved
        amount = np.zeros_like(amount)
        np.add.at(amount, network.head, moved)
    routed: Bools = arrived > 1 - _EQUAL
    carried[:, ~routed] = 0.0
    return carried, routed


def fluid_max_min(share: Matrix, capacity: Floats) -> Floats:
    """Rates of F flows of which link l carries the part ``share[l, f]``: max-min fair."""
    rates: Floats = np.full(share.shape[1], np.inf)
    left = capacity.astype(np.float64).copy()
    open_flows = (share > 0).any(axis=0)
    while open_flows.any():
        load = share[:, open_flows].sum(axis=1)
        used = load > _EQUAL
        level = np.full(len(left), np.inf)
        level[used] = np.maximum(left[used], 0) / load[used]
        least = float(level.min())
        full = level <= least * (1 + _EQUAL) + _EQUAL
        frozen = open_flows & (share[full] > 0).any(axis=0)
        rates[frozen] = least
        left = left - share[:, frozen].sum(axis=1) * least
        open_flows &= ~frozen
    return rates
