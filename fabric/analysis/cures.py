"""Ways out of a CBD, each tried and judged by the exact engine for the failures at hand.

What the engine did not verify is no cure: it stays in the list with the CBD that is left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.analysis import attempts
from fabric.analysis.budget import Budget, budget_of
from fabric.analysis.deadlock import prove
from fabric.analysis.even_split import MOST_CELLS, even_split
from fabric.analysis.network import of_topology
from fabric.analysis.verdict import bgp_rules, forwarding_of, rising_of
from fabric.model.deadlock import Cure, PathCost

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.analysis.attempts import Attempt
    from fabric.analysis.even_split import EvenSplit
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Network
    from fabric.analysis.priorities import Rising
    from fabric.analysis.routing.bgp import BgpRules
    from fabric.analysis.verdict import Question
    from fabric.model.design import Design

_BGP = ("as-planned", "bgp", "bgp-allowas-in")


@dataclass(frozen=True, eq=False)
class State:
    """What has the CBD: a network with its failures, how it routes, how priorities rise.

    ``route``: the routing in force, for another network. ``bgp``: its ASNs, where it is BGP.
    ``capacity``: of cables by id, in line rates of an endpoint. ``kind``: of the topology.
    """

    network: Network
    route: Callable[[Network], Forwarding]
    rising: Rising
    bgp: BgpRules | None = None
    budget: Budget = field(default_factory=Budget)
    capacity: Mapping[str, float] | None = None
    kind: str = "explicit"


def cures(state: State) -> tuple[Cure, ...]:
    """Every cure that applies, those that help first."""
    forwarding = state.route(state.network)
    before = _measured(state, forwarding)
    found = [
        _checked(state, forwarding, before, attempt)
        for attempt in attempts.applicable(state, forwarding)
    ]
    return tuple(sorted(found, key=lambda cure: not cure.helps))


def state_of(design: Design, question: Question) -> State:
    """What a question about a design asks: its failures, its routing, its rule."""
    network = of_topology(design.topology).without(question.cables, question.switches)
    routing = question.routing
    return State(
        network=network,
        route=lambda changed: forwarding_of(design, changed, question),
        rising=rising_of(design, network, question.rise),
        bgp=bgp_rules(design, network, routing) if routing in _BGP else None,
        budget=budget_of(design),
        capacity=_capacity(design),
        kind=design.topology.kind,
    )


def _capacity(design: Design) -> dict[str, float]:
    """Of each cable between switches, in line rates of the fastest endpoint."""
    topology = design.topology
    nic_gbps = max((link.speed_gbps for link in topology.host_links), default=1)
    return {link.id: link.speed_gbps / nic_gbps for link in topology.fabric_links}


def _checked(
    state: State, forwarding: Forwarding, before: EvenSplit | None, attempt: Attempt
) -> Cure:
    proof = prove(attempt.forwarding, attempt.rising)
    levels = proof.priorities
    budget = state.budget
    reroutes = attempt.forwarding is not forwarding
    return Cure(
        name=attempt.name,
        title=attempt.title,
        change=attempt.change,
        cbd=proof.cbd,
        levels=levels,
        priorities_before=budget.classes,
        priorities=budget.total(levels),
        limit=budget.limit,
        limit_by=budget.limit_by,
        unreachable_before=len(forwarding.unreachable),
        unreachable=len(attempt.forwarding.unreachable),
        headroom=budget.headroom(levels),
        port_headroom=budget.port_headroom(levels),
        paths=_path_cost(before, _measured(state, attempt.forwarding)) if reroutes else None,
        survives_failures=attempt.survives_failures and not proof.cbd,
        note=attempt.note_if_cbd if proof.cbd and attempt.note_if_cbd else attempt.note,
    )


def _measured(state: State, forwarding: Forwarding) -> EvenSplit | None:
    """``None``: too large, or packets that go round."""
    network = forwarding.network
    cells = len(network.tail) * len(forwarding.destinations)
    if cells > MOST_CELLS or forwarding.floods:
        return None
    try:
        return even_split(forwarding, state.capacity)
    except ValueError:
        return None


def _path_cost(before: EvenSplit | None, after: EvenSplit | None) -> PathCost | None:
    if before is None or after is None:
        return None
    return PathCost(before.hops, after.hops, before.load, after.load)
