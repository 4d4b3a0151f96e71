"""What single failures cost: every cable, every switch, one of each orbit worked out."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis import failure_sets, sweeps, verdict
from fabric.analysis.bandwidth import demand
from fabric.analysis.bandwidth.answer import State, somebody
from fabric.analysis.bandwidth.bisection import bisection
from fabric.analysis.bandwidth.failing_worst import worst_of
from fabric.analysis.bandwidth.plant import NOWHERE
from fabric.analysis.bandwidth.throughput import even_theta
from fabric.analysis.bandwidth.worst import worst_leaf
from fabric.analysis.orbits import Symmetry
from fabric.model.bandwidth import FailureCost, FailureSweep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from fabric.analysis.bandwidth.plant import Plant
    from fabric.analysis.network import Ints
    from fabric.analysis.routing.models import Seen

_PROGRAM_S = 10.0  # most for one integer program of many


def swept(
    whole: State,
    *,
    pairs: frozenset[tuple[int, int]] | None = None,
    time_limit_s: float = 120.0,
    progress: Callable[[int, int], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> FailureSweep:
    """All single cables between switches and all single switches, beside what is down in ``whole``.

    ``pairs``: of leaves that should have a way; those that have one before anything fails.
    Integer programs of bisections have ``time_limit_s`` together; where that is over, what nothing
    failed has and what is lost since give an interval.

    Raises:
        fabric.analysis.failure_sets.SweepTooLargeError: too many sets.
        ValueError: fewer than two endpoints in service.
    """
    somebody(whole.plant)
    ends = clock() + time_limit_s
    pairs = connected(whole) if pairs is None else pairs
    unfailed = cost(whole, (), pairs, time_limit_s=time_limit_s)
    sets = tuple(_sets(whole))
    rows = []
    for number, lost in enumerate(sets, 1):
        state = State(
            whole.design, whole.cables.union(lost.cables), whole.switches.union(lost.switches)
        )
        failed = (*lost.cables, *lost.switches)
        known, left = _known(whole, unfailed, state), min(_PROGRAM_S, ends - clock())
        found = cost(state, failed, pairs, known=known, time_limit_s=left)
        rows.append(replace(found, stands_for=lost.alike, parallel=lost.parallel))
        if progress:
            progress(number, len(sets))
    of = sum(row.stands_for for row in rows)
    parted = unfailed.ecmp > even_theta(whole.ways, demand.uniform(whole.plant)) == 0
    sweep = FailureSweep(unfailed, tuple(rows), of, parted=parted)
    return replace(sweep, worst=worst_of(sweep))


def _known(whole: State, unfailed: FailureCost, state: State) -> tuple[float, float]:
    """Bounds on the bisection of ``state`` from that of ``whole``, in which less has failed.

    Below: halves of what is left become halves of the whole when those cut off are dealt to either
    side, and that cuts no more than what was lost. Above: where nobody is cut off, halves of the
    whole are halves still, and cut no more than before.
    """
    cut = unfailed.bisection
    if cut is None:
        return 0.0, np.inf
    same = len(state.plant.attached) == len(whole.plant.attached)
    alike = same and bool((state.plant.rate == whole.plant.rate).all())
    return max(0.0, cut.lower - (state.removed - whole.removed)), cut.upper if alike else np.inf


def connected(state: State) -> frozenset[tuple[int, int]]:
    """Ordered pairs of leaves, by number, between which packets have a way."""
    leaves = state.plant.leaves.tolist()
    lost = set(state.ways.forwarding.unreachable)
    return frozenset((a, b) for a in leaves for b in leaves if a != b and (a, b) not in lost)


def cut_apart(state: State, pairs: frozenset[tuple[int, int]]) -> int:
    """How many of these pairs, of leaves that still have endpoints, have no way now."""
    left = set(state.plant.leaves.tolist())
    wanted = {(a, b) for a, b in pairs if a in left and b in left}
    return len(wanted - connected(state))


def _even(state: State, pairs: frozenset[tuple[int, int]]) -> float:
    """θ of uniform traffic between ``pairs``; 0 where one of them has lost its way."""
    if cut_apart(state, pairs):
        return 0.0
    matrix = demand.uniform(state.plant)
    ends = matrix.places.leaves
    for row, sending in enumerate(ends.tolist()):
        for column, receiving in enumerate(ends.tolist()):
            ways = {(a, b) for a in sending for b in receiving if NOWHERE not in (a, b)}
            if not any(a == b or (a, b) in pairs for a, b in ways):
                matrix.amount[row, column] = 0.0
    return even_theta(state.ways, matrix)


def cost(
    state: State,
    failed: tuple[str, ...],
    pairs: frozenset[tuple[int, int]],
    *,
    known: tuple[float, float] = (0.0, np.inf),
    time_limit_s: float,
) -> FailureCost:
    """The figures of one state. ``pairs``: of leaves that should have a way to each other.

    ``known``: bounds on its bisection.
    """
    plant = state.plant
    if len(plant.attached) < 2:  # noqa: PLR2004 - somebody to send to
        return FailureCost(failed, 1, len(plant) - len(plant.attached), None, 0.0, "", 0.0)
    even, uniform = _even(state, pairs), demand.uniform(plant)
    whole = even_theta(state.ways, uniform)
    found = bisection(
        plant,
        closed=state.closed_form(),
        theta=whole,
        known=(max(known[0], state.least_cut()), known[1]),
        time_limit_s=time_limit_s,
    )
    worst = worst_leaf(plant)
    return FailureCost(
        failed=failed,
        stands_for=1,
        detached=len(plant) - len(plant.attached),
        bisection=found,
        worst_ratio=worst.ratio,
        worst_leaf=worst.name,
        ecmp=even,
        nics=uniform.nics,
    )


class _Set(NamedTuple):
    """One failure; ``alike``: how many such there are; ``parallel``: cables beside, and itself."""

    cables: tuple[str, ...]
    switches: tuple[str, ...]
    alike: int
    parallel: int


def _sets(state: State) -> Iterator[_Set]:
    """One of each orbit and speed."""
    network = state.plant.bundled
    speeds = {link.id: link.speed_gbps for link in state.design.topology.fabric_links}
    model = sweeps.model_of(state.design, network, verdict.Question())
    symmetry = Symmetry(network, _seen(state, speeds), np.zeros(len(network.tail), dtype=np.int64))
    by_orbit = symmetry if model.symmetric else None
    for failed in failure_sets.single_cables(network, by_orbit):
        parallel = network.cables[failed.bundles[0]]
        alike = failed.twice // 2 // len(parallel)
        by_speed: dict[int, list[str]] = {}
        for cable in parallel:
            by_speed.setdefault(speeds[cable.id], []).append(cable.id)
        for ids in by_speed.values():
            yield _Set((ids[0],), (), alike * len(ids), len(parallel))
    for failed in failure_sets.single_switches(network, by_orbit):
        yield _Set((), failed.names(network)[1], failed.twice // 2, 0)


def _seen(state: State, speeds: Mapping[str, int]) -> Seen:
    """What routing looks at, what hangs on each leaf, leaves of one bond, speeds of cables."""
    plant = state.plant
    seen = sweeps.model_of(state.design, plant.bundled, verdict.Question()).seen()
    hangs: list[list[tuple[float, bool]]] = [[] for _ in plant.network.names]
    for (first, second), rate in zip(plant.leaf.tolist(), plant.rate.tolist(), strict=True):
        for leaf in {first, second} - {NOWHERE}:
            hangs[leaf].append((rate, second != NOWHERE))
    fast = [sorted(speeds[cable.id] for cable in part) for part in plant.bundled.cables]
    arcs = np.stack((seen.arcs, np.repeat(_numbers(fast), 2)), axis=1)
    labels = np.unique(arcs, axis=0, return_inverse=True)[1].reshape(-1)
    own = _numbers([sorted(part) for part in hangs]).reshape(-1, 1)
    fixed = np.concatenate((seen.fixed, own), axis=1)
    return seen._replace(fixed=fixed, shared=(*seen.shared, _bonded(plant)), arcs=labels)


def _bonded(plant: Plant) -> Ints:
    """V: one label for the two leaves of a pair that bonds hang on, −1 elsewhere.

    No cable joins such a pair, and a leaf is in one pair alone.
    """
    pair = np.full(len(plant.network.names), NOWHERE, dtype=np.int64)
    both = plant.leaf[(plant.leaf != NOWHERE).all(axis=1)]
    pair[both] = both.min(axis=1)[:, None]
    return pair


def _numbers(values: Iterable[object]) -> Ints:
    """One number for each different value."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(repr(v), len(known)) for v in values], dtype=np.int64)
