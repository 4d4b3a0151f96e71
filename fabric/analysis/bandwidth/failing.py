"""What single failures cost: every cable, every switch, one of each orbit worked out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import failure_sets, sweeps, verdict
from fabric.analysis.bandwidth import demand
from fabric.analysis.bandwidth.answer import State
from fabric.analysis.bandwidth.bisection import bisection
from fabric.analysis.bandwidth.throughput import even_theta
from fabric.analysis.bandwidth.worst import worst_leaf
from fabric.analysis.orbits import Symmetry
from fabric.model.bandwidth import FailureCost, FailureSweep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.analysis.failure_sets import FailureSet
    from fabric.analysis.routing.models import Seen
    from fabric.model.design import Design


def swept(
    design: Design,
    cables: frozenset[str] = frozenset(),
    switches: frozenset[str] = frozenset(),
    *,
    time_limit_s: float = 10.0,
    progress: Callable[[int, int], None] | None = None,
) -> FailureSweep:
    """All single cables between switches and all single switches, beside what is down already.

    Bisection is an interval where integer programs would take long: ``time_limit_s`` for each.

    Raises:
        fabric.analysis.failure_sets.SweepTooLargeError: too many sets.
    """
    whole = State(design, cables, switches)
    sets = tuple(_sets(whole))
    rows = []
    for number, failed in enumerate(sets, 1):
        lost_cables, lost_switches = failed.names(whole.plant.bundled)
        rows.append(
            cost(
                State(design, cables.union(lost_cables), switches.union(lost_switches)),
                (*lost_cables, *lost_switches),
                failed.twice // 2,
                time_limit_s=time_limit_s,
            )
        )
        if progress:
            progress(number, len(sets))
    unfailed = cost(whole, (), 1, time_limit_s=time_limit_s)
    return FailureSweep(unfailed, tuple(rows), sum(row.stands_for for row in rows))


def cost(
    state: State, failed: tuple[str, ...], stands_for: int, *, time_limit_s: float
) -> FailureCost:
    """The figures of one state."""
    plant = state.plant
    if len(plant.attached) < 2:  # noqa: PLR2004 - somebody to send to
        return FailureCost(failed, stands_for, len(plant) - len(plant.attached), None, 0.0, "", 0.0)
    even = even_theta(state.ways, demand.uniform(plant))
    found = bisection(
        plant,
        closed=state.closed_form(),
        removed=state.removed,
        theta=even,
        time_limit_s=time_limit_s,
    )
    worst = worst_leaf(plant)
    return FailureCost(
        failed=failed,
        stands_for=stands_for,
        detached=len(plant) - len(plant.attached),
        bisection=found,
        worst_ratio=worst.ratio,
        worst_leaf=worst.name,
        ecmp=even,
    )


def _sets(state: State) -> Iterator[FailureSet]:
    network = state.plant.bundled
    model = sweeps.model_of(state.design, network, verdict.Question())
    symmetry = Symmetry(network, _seen(state), np.zeros(len(network.tail), dtype=np.int64))
    by_orbit = symmetry if model.symmetric else None
    yield from failure_sets.single_cables(network, by_orbit)
    yield from failure_sets.single_switches(network, by_orbit)


def _seen(state: State) -> Seen:
    """What routing looks at, and what hangs on each leaf and how fast each cable is."""
    plant = state.plant
    model = sweeps.model_of(state.design, plant.bundled, verdict.Question())
    seen = model.seen()
    speed = np.zeros(len(plant.bundled.tail))
    np.add.at(speed, plant.bundle, plant.capacity)
    hangs = np.unique(plant.leaf_rate, return_inverse=True)[1].reshape(-1, 1)
    labels = np.stack((seen.arcs, np.unique(speed, return_inverse=True)[1].reshape(-1)), axis=1)
    arcs = np.unique(labels, axis=0, return_inverse=True)[1].reshape(-1)
    return seen._replace(fixed=np.concatenate((seen.fixed, hangs), axis=1), arcs=arcs)
