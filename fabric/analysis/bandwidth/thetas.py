"""θ of each kind of traffic on one state: named patterns, a drawn permutation, given matrices."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth import demand, patterns
from fabric.analysis.bandwidth.demand import NoGroupsError
from fabric.analysis.bandwidth.program import ProgramError
from fabric.analysis.bandwidth.throughput import (
    TooLargeError,
    best_theta,
    even_theta,
    volumetric_bound,
)
from fabric.model.bandwidth import Matrices, Theta
from fabric.model.traffic import BYTES, GBPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.analysis.bandwidth.answer import State
    from fabric.analysis.bandwidth.demand import Demand
    from fabric.analysis.bandwidth.plant import Floats, Plant
    from fabric.analysis.network import Ints
    from fabric.model.traffic import TrafficMatrix

_CLOSE = 1e-9
KINDS: dict[str, Callable[[Plant], Demand]] = {
    "uniform": demand.uniform,
    "shift": demand.shift,
    "adversarial": demand.adversarial,
}


def theta(state: State, word: str, time_limit_s: float) -> Theta:
    """θ of one kind of traffic; what could not be had is said."""
    try:
        matrix = KINDS[word](state.plant)
    except NoGroupsError as error:
        return Theta(word, None, None, None, f"{error}")
    return _of(state, matrix, time_limit_s)


def permutation(state: State, seed: int, time_limit_s: float) -> Theta:
    """Each endpoint sends 1 to one other: the pattern of trial 0 of the effective rates."""
    plant = state.plant
    random = np.random.default_rng((seed, 0))
    source, target = patterns.drawn(plant, patterns.PERMUTATION, random)
    ones = np.ones(len(source))
    matrix = demand.of_pairs(plant, source, target, ones, patterns.PERMUTATION)
    return replace(_of(state, matrix, time_limit_s), pairs=len(source), seed=seed)


def given(state: State, matrix: TrafficMatrix, time_limit_s: float) -> Matrices:
    """What a file asks for."""
    phases = tuple(_phases(state, matrix, time_limit_s))
    return Matrices(matrix.file, matrix.unit, phases)


def _phases(state: State, matrix: TrafficMatrix, time_limit_s: float) -> Iterator[Theta]:
    """One for each phase of a file, named as there. Amounts are in NIC rates.

    Bytes count as rates such that the NIC with most of them, sent or received, has 1: whatever has
    failed. Pairs with an end out of service are left out and counted.
    """
    plant = state.plant
    number = {name: n for n, name in enumerate(plant.names)}
    own = np.array([number[name] for name in matrix.nics], dtype=np.int64)
    for phase in matrix.phases:
        source = own[np.asarray(phase.source, dtype=np.int64)]
        target = own[np.asarray(phase.target, dtype=np.int64)]
        amount = np.asarray(phase.amount, dtype=np.float64)
        busiest = _busiest(plant, source, target, amount)
        scale = {BYTES: 1.0, GBPS: busiest / plant.nic_gbps}.get(matrix.unit, busiest)
        live = (plant.rate[source] > 0) & (plant.rate[target] > 0)
        ends = (source[live], target[live])
        # Solved with the busiest NIC at 1, so that no amount drowns in the solver's tolerances.
        one = demand.of_pairs(plant, *ends, amount[live] / busiest, phase.name)
        sending = amount > 0
        yield replace(
            _of(state, one, time_limit_s, scale),
            pairs=int(sending.sum()),
            left_out=int((sending & ~live).sum()),
        )


def _busiest(plant: Plant, source: Ints, target: Ints, amount: Floats) -> float:
    out = np.bincount(source, weights=amount, minlength=len(plant))
    into = np.bincount(target, weights=amount, minlength=len(plant))
    return float(max(out.max(), into.max()))


def _of(state: State, matrix: Demand, time_limit_s: float, scale: float = 1.0) -> Theta:
    """θ of a matrix that is ``scale`` times as large as this one."""
    even = even_theta(state.ways, matrix) / scale
    volume = volumetric_bound(state.plant, matrix) / scale
    if even >= volume * (1 - _CLOSE):  # the optimum lies between them
        return Theta(matrix.name, even, even, volume, nics=matrix.nics / scale)
    best, why = None, ""
    try:
        best = best_theta(state.plant, matrix, time_limit_s=time_limit_s) / scale
    except (TooLargeError, ProgramError) as error:
        why = f"{error}; between the even split, {even:.4g}, and the bound {volume:.4g}"
    return Theta(matrix.name, best, even, volume, why, nics=matrix.nics / scale)
