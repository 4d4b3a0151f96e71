"""How long a fabric needs for a traffic: any paths, even splits, hashed flows; and what is full.

A NIC's payload rate is the unit of rate, so a time is bytes / that. Nothing here knows latency:
every figure is a lower bound, ``hashed`` for the flows as they were drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis.bandwidth import answer, hashing
from fabric.analysis.bandwidth.demand import of_pairs
from fabric.analysis.bandwidth.fair import max_min
from fabric.analysis.bandwidth.flows import link_capacity, placed
from fabric.analysis.bandwidth.program import ProgramError
from fabric.analysis.bandwidth.throughput import (
    TooLargeError,
    best_theta,
    even_load,
    even_theta,
    volumetric_bound,
)
from fabric.analysis.bandwidth.workload.binding import binding_of, link_binding
from fabric.model.workload_answer import Binding, Seconds

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.answer import State
    from fabric.analysis.bandwidth.demand import Demand
    from fabric.analysis.bandwidth.plant import Floats
    from fabric.analysis.bandwidth.workload.matrices import Traffic
    from fabric.analysis.network import Ints

MOST_FLOWS = 400_000  # of one trial
MOST_DRAWN = 1_200_000  # of all trials
_CLOSE = 1e-9
NOTHING = Seconds(0.0, "nothing crosses the network", 0.0, 0.0)
EVEN_IS_BEST = "an even split reaches what the NICs allow"
PROGRAM = "linear program, any paths"
VOLUME = "a bound: capacity over bytes times hops; the linear program was too large or too slow"
NO_WAY = "some pair has no way"


@dataclass(frozen=True, slots=True)
class Effort:
    """``qps`` per connection; ``trials`` with ``seed``; ``program``: whether to solve it."""

    qps: int
    trials: int
    seed: int
    time_limit_s: float = 60.0
    program: bool = True


def seconds_of(state: State, traffic: Traffic, effort: Effort, bytes_per_s: float) -> Seconds:
    """Times of a traffic in bytes; ``bytes_per_s``: payload of a NIC of rate 1.

    Raises:
        TooManyFlowsError: least-loaded placing of more flows than are placed one by one.
    """
    if not len(traffic):
        return NOTHING
    plant = state.plant
    if not (plant.rate[traffic.source].all() and plant.rate[traffic.target].all()):
        return Seconds(None, "", None, None, why_null="a NIC has no live cable")
    busiest = _busiest(state, traffic)
    demand = of_pairs(plant, traffic.source, traffic.target, traffic.amount / busiest, "workload")
    theta = even_theta(state.ways, demand)
    if theta == 0:
        return Seconds(None, "", None, None, why_null=NO_WAY)
    nic_s = busiest / bytes_per_s
    ideal, how = _ideal(state, demand, theta, effort)
    load = even_load(state.ways, demand)
    even = nic_s * max(1.0, 1 / theta)
    found = Seconds(
        ideal=nic_s * ideal,
        ideal_how=how,
        even=even,
        hashed=even,
        binding=binding_of(plant, load, _nic_load(state, traffic) / busiest),
    )
    if state.design.intent.load_balancing in {hashing.SPRAY, "adaptive"}:
        return replace(found, round_robin=even, hashed_binding=found.binding)
    return _with_hashed(state, traffic, effort, found, bytes_per_s)


def _nic_load(state: State, traffic: Traffic) -> Floats:
    """2 N: bytes over rate of each NIC sending, then receiving."""
    plant = state.plant
    rate = np.where(plant.rate > 0, plant.rate, np.inf)
    out = np.bincount(traffic.source, weights=traffic.amount, minlength=len(plant)) / rate
    into = np.bincount(traffic.target, weights=traffic.amount, minlength=len(plant)) / rate
    return np.concatenate((out, into))


def _busiest(state: State, traffic: Traffic) -> float:
    return float(_nic_load(state, traffic).max())


def _ideal(state: State, demand: Demand, even: float, effort: Effort) -> tuple[float, str]:
    """Time over that of the busiest NIC, at the least, and how it is known."""
    if even >= 1 - _CLOSE:
        return 1.0, EVEN_IS_BEST
    why = ""
    if effort.program:
        try:
            theta = best_theta(state.plant, demand, time_limit_s=effort.time_limit_s)
        except (TooLargeError, ProgramError) as error:
            why = f" ({error})"
        else:
            return max(1.0, 1 / theta), PROGRAM
    return max(1.0, 1 / volumetric_bound(state.plant, demand)), VOLUME + why


class _Drawn(NamedTuple):
    """Of one trial: seconds striped and in turn, and what the slowest flow waits for."""

    striped: float
    in_turn: float
    slowest: Ints
    counts: Ints


def _with_hashed(
    state: State, traffic: Traffic, effort: Effort, found: Seconds, bytes_per_s: float
) -> Seconds:
    counts = _flows(traffic, effort.qps)
    total = int(counts.sum())
    trials = max(1, min(effort.trials, MOST_DRAWN // total))
    drawn = [_trial(state, traffic, counts, (effort.seed, n)) for n in range(trials)]
    times = np.array([one.striped for one in drawn]) / bytes_per_s
    worst = drawn[int(times.argmax())]
    if not np.isfinite(times).all():
        return replace(found, hashed=None, why_null=NO_WAY)
    return replace(
        found,
        hashed=float(times.mean()),
        hashed_sd=float(times.std(ddof=1)) if trials > 1 else 0.0,
        round_robin=float(np.mean([one.in_turn for one in drawn])) / bytes_per_s,
        trials=trials,
        flows=total,
        wanted=int(traffic.connections.sum()) * effort.qps,
        hashed_binding=_slowest(state, worst),
    )


def _flows(traffic: Traffic, qps: int) -> Ints:
    """Flows of each pair: connections × QPs, fewer of each where all would be too many."""
    wanted = traffic.connections * qps
    most = max(1, MOST_FLOWS // len(wanted))
    counts: Ints = np.minimum(wanted, most)
    return counts


def _trial(state: State, traffic: Traffic, counts: Ints, seed: tuple[int, int]) -> _Drawn:
    """All flows at once. Each carries an even part of its pair's bytes."""
    plant = state.plant
    random = np.random.default_rng(seed)
    pair = random.permutation(np.repeat(np.arange(len(counts)), counts))
    keys = random.integers(0, 2**63, len(pair), dtype=np.uint64)
    bonds = random.random((2, len(pair)))
    placer = answer.placer(state, state.design.intent.load_balancing, answer.PLANNED)
    flows = placed(plant, placer, (traffic.source[pair], traffic.target[pair]), keys, bonds)
    rates = max_min(flows.links, link_capacity(plant))
    rates[~flows.routed] = 0.0
    with np.errstate(divide="ignore"):
        each = (traffic.amount / counts)[pair] / rates
        sums = traffic.amount / np.bincount(pair, weights=rates, minlength=len(counts))
    links = flows.links
    used = np.bincount(links[links >= 0], minlength=len(link_capacity(plant)))
    slow = int(each.argmax())
    return _Drawn(float(each[slow]), float(sums.max()), links[slow][links[slow] >= 0], used)


def _slowest(state: State, drawn: _Drawn) -> Binding:
    """The link of the slowest flow with least capacity for each of its flows."""
    share = link_capacity(state.plant)[drawn.slowest] / drawn.counts[drawn.slowest]
    return link_binding(state.plant, int(drawn.slowest[int(share.argmin())]))
