"""What `fabric analyze bandwidth` says of a design: every figure with its definition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import verdict
from fabric.analysis.bandwidth import hashing, patterns, seeds
from fabric.analysis.bandwidth.bisection import bisection
from fabric.analysis.bandwidth.demand import NoGroupsError
from fabric.analysis.bandwidth.effective import Load, effective
from fabric.analysis.bandwidth.paths import Ways
from fabric.analysis.bandwidth.placing import (
    Hashed,
    LeastLoaded,
    TooManyFlowsError,
    UgalLike,
    Valiant,
)
from fabric.analysis.bandwidth.plant import Plant
from fabric.analysis.bandwidth.spraying import sprayed
from fabric.analysis.bandwidth.thetas import KINDS, given, permutation, theta
from fabric.analysis.bandwidth.worst import worst_leaf
from fabric.model.bandwidth import Bandwidth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fabric.analysis.bandwidth.hashing import Words
    from fabric.analysis.bandwidth.placing import Placer
    from fabric.model.bandwidth import Bisection, Effective, Theta
    from fabric.model.design import Design
    from fabric.model.traffic import TrafficMatrix

PLANNED = "planned"
VALIANT, UGAL = "valiant", "ugal-like"
HASHES = (PLANNED, *hashing.HASHES, VALIANT, UGAL)
PARTS = ("bisection", "theta", "effective")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked: parts, ``qps`` of each curve point, ``hash``, pattern, what is down.

    ``permutation``: seed of a drawn one whose θ is asked for; ``matrix``: of a file.
    """

    only: str | None = None
    qps: tuple[int, ...] = (1, 8)
    hash: str = PLANNED
    pattern: str = patterns.BISECTION
    trials: int = 50
    seed: int = 1
    time_limit_s: float = 120.0
    cables: frozenset[str] = frozenset()
    switches: frozenset[str] = frozenset()
    permutation: int | None = None
    matrix: TrafficMatrix | None = None


@dataclass(frozen=True, eq=False)
class State:
    """A design in one state of failures, with what is worked out once."""

    design: Design
    cables: frozenset[str] = frozenset()
    switches: frozenset[str] = frozenset()

    @cached_property
    def plant(self) -> Plant:
        """Endpoints and cables."""
        return Plant.of(self.design.topology, self.cables, self.switches)

    @cached_property
    def ways(self) -> Ways:
        """Next hops as planned."""
        plant = self.plant
        return Ways(plant, verdict.forwarding_of(self.design, plant.bundled, verdict.Question()))

    @cached_property
    def removed(self) -> float:
        """Capacity out of service, in NIC rates: of cables between switches and of NICs."""
        whole = Plant.of(self.design.topology)
        lost = float(whole.capacity.sum() - self.plant.capacity.sum()) / 2
        return lost + float(whole.rate.sum() - self.plant.rate.sum())

    @cached_property
    def seeds(self) -> Words:
        """Hash seeds of the switches as their configs hold them; else the plan's."""
        return seeds.rendered(self.design, self.plant.network.names).words

    def closed_form(self) -> float | None:
        """Bisection in NIC rates, where the builder knows it and nothing failed."""
        gbps = self.design.topology.shape.bisection_gbps
        return None if gbps is None or self.removed else gbps / self.plant.nic_gbps

    def least_cut(self) -> float:
        """What no cut can be below: the closed form with nothing failed, less what is removed."""
        gbps = self.design.topology.shape.bisection_gbps or 0.0
        return max(0.0, gbps / self.plant.nic_gbps - self.removed)


def somebody(plant: Plant) -> None:
    """Refuse a plant with fewer than two endpoints in service.

    Raises:
        ValueError: so it is.
    """
    if len(plant.attached) < 2:  # noqa: PLR2004 - somebody to send to
        left = "one endpoint is" if len(plant.attached) else "no endpoint is"
        msg = f"{left} in service: there is nobody to send to"
        raise ValueError(msg)


def answer(
    design: Design, asked: Asked, *, progress: Callable[[int, int], None] | None = None
) -> Bandwidth:
    """All that is asked.

    Raises:
        ValueError: fewer than two endpoints; odd words are the caller's.
        NoGroupsError: a pattern or routing that needs groups, and there are none.
        TooManyFlowsError: flows that are placed one by one, and too many.
    """
    state = State(design, asked.cables, asked.switches)
    plant = state.plant
    found = Bandwidth(
        endpoints=len(plant),
        detached=len(plant) - len(plant.attached),
        nic_gbps=plant.nic_gbps,
        mixed_rates=bool(len(np.unique(plant.rate[plant.attached])) > 1),
    )
    somebody(plant)
    parts = PARTS if asked.only is None else (asked.only,)
    if "theta" in parts:
        found = _with_thetas(found, state, asked)
    if "bisection" in parts:
        found = replace(found, bisection=_bisection(state, found.thetas, asked.time_limit_s))
    if "effective" in parts:
        told = tuple(seeds.notes(design)) if asked.hash == PLANNED else ()
        found = replace(found, effective=tuple(effectives(state, asked, progress)), notes=told)
    return found


def effective_of(design: Design, asked: Asked) -> Effective | str:
    """The effective rates of the first number of QPs, or a sentence why there are none."""
    try:
        found = answer(design, replace(asked, only="effective"))
    except (ValueError, NoGroupsError, TooManyFlowsError) as error:
        return str(error)
    return found.effective[0]


def _with_thetas(found: Bandwidth, state: State, asked: Asked) -> Bandwidth:
    limit, worst = asked.time_limit_s, worst_leaf(state.plant)
    thetas = [theta(state, word, limit) for word in KINDS]
    if asked.permutation is not None:
        thetas.append(permutation(state, asked.permutation, limit))
    matrices = None if asked.matrix is None else given(state, asked.matrix, limit)
    return replace(
        found,
        thetas=tuple(thetas),
        matrices=matrices,
        worst_leaf=worst.name,
        worst_ratio=worst.ratio,
    )


def _bisection(state: State, thetas: Iterable[Theta], time_limit_s: float) -> Bisection:
    uniform = next((t for t in thetas if t.kind == "uniform"), None)
    closed = state.closed_form()
    if uniform is None and closed is None:
        uniform = theta(state, "uniform", time_limit_s)
    known = None
    if uniform is not None:  # without a program the even split, which is no more than its optimum
        known = uniform.ecmp if uniform.lp is None else uniform.lp
    return bisection(
        state.plant,
        closed=closed,
        theta=known,
        known=(state.least_cut(), np.inf),
        time_limit_s=time_limit_s,
    )


def effectives(
    state: State, asked: Asked, progress: Callable[[int, int], None] | None = None
) -> Iterator[Effective]:
    """Effective rates for each number of QPs that is asked for."""
    planned = state.design.intent.load_balancing
    word = planned if asked.hash == PLANNED else asked.hash
    for number, qps in enumerate(asked.qps):
        load = Load(qps, asked.pattern, asked.trials, asked.seed)

        def told(done: int, of: int, number: int = number) -> None:
            if progress:
                progress(number * of + done, len(asked.qps) * of)

        if word == hashing.SPRAY:
            found = sprayed(state.ways, load, progress=told)
        else:
            found = effective(
                state.plant, placer(state, word, asked.hash), load, word, progress=told
            )
        # A seed for each switch is not what a plan gives; dlb and spray have none that matter.
        as_planned = asked.hash == PLANNED or (word == planned and word != hashing.ECMP)
        yield replace(found, hypothetical=not as_planned)


def placer(state: State, word: str, asked: str) -> Placer:
    """How flows are placed under a word; as planned the switches have the plan's seeds."""
    count = len(state.plant.network.names)
    own = hashing.own_seeds(count)
    if asked == PLANNED and word == hashing.ECMP:
        return Hashed(state.ways, state.seeds)
    if word == hashing.POLARISED:
        return Hashed(state.ways, hashing.one_seed(count))
    if word == hashing.DLB:
        return LeastLoaded(state.ways, own)
    if word == VALIANT:
        return Valiant(state.ways, own)
    return UgalLike(state.ways, own) if word == UGAL else Hashed(state.ways, own)
