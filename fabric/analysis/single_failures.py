"""What the loss of one cable costs a Dragonfly under its policy, and what keeps pairs together.

With minimal paths a router pair hangs on its local cable and a group pair on its global ones. A
cable with a parallel one beside it is not looked at: the sets of next hops do not change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from fabric.analysis import priorities
from fabric.analysis.budget import budget_of
from fabric.analysis.dateline import LOOKED_AT
from fabric.analysis.deadlock import prove
from fabric.analysis.network import Cable, Network, Node, numbered, of_topology
from fabric.analysis.routing.bgp import BgpRules, bgp
from fabric.analysis.routing.dragonfly import minimal
from fabric.analysis.routing.shortest import spf
from fabric.model.deadlock import KindCost, Remedy, SingleFailureCosts
from fabric.topologies import BuildRequest, build, check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.analysis.budget import Budget
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.priorities import Rising
    from fabric.model.design import Design
    from fabric.model.qos import Rise
    from fabric.model.topology import Blueprint
    from fabric.topologies.dragonfly import Params

    Route = Callable[[Network], Forwarding]

KIND = "dragonfly"
MOST_ROWS = 10_000  # cables that stand alone × leaves: all of them below, else a few of each kind
_SAMPLE = 4  # cables of each kind
_DOUBLED = 2


@dataclass(frozen=True, slots=True)
class _Outcome:
    """One failure: ordered pairs without a way, whether there is a CBD, levels in use."""

    cable: Cable
    pairs: int
    cbd: bool
    levels: int


class _Swept(NamedTuple):
    outcomes: tuple[_Outcome, ...]
    complete: bool


def single_failure_costs(design: Design) -> SingleFailureCosts | None:
    """Over all single cables of a fabric of kind dragonfly; ``None``: it is of another kind.

    Of a fabric that is too large, over four cables of each kind, evenly picked.
    """
    if design.topology.kind != KIND:
        return None
    network = of_topology(design.topology)
    rise = design.intent.roce.rise
    route = partial(bgp, rules=BgpRules.of(design.underlay, network))
    found = _swept(network, route, partial(_rule, rise=rise))
    budget = budget_of(design)
    costly = any(outcome.pairs or outcome.cbd for outcome in found.outcomes)
    remedies = [*_doubled(design, budget), _fallback(network, rise, budget)] if costly else []
    return SingleFailureCosts(
        kinds=tuple(_by_kind(network, found)),
        remedies=tuple(remedies),
        complete=found.complete,
        priorities=budget.classes,
        limit=budget.limit,
        limit_by=budget.limit_by,
    )


def _rule(network: Network, *, rise: Rise | None) -> Rising:
    """The plan's own; packets that have risen through all its steps are lossy."""
    if rise is None:
        return priorities.none(network)
    return priorities.on_kinds(network, rise.kinds, levels=len(rise.steps))


def _swept(network: Network, route: Route, rule: Callable[[Network], Rising]) -> _Swept:
    """Each cable that stands alone, out of service on its own."""
    alone = [cables[0] for cables in network.cables if len(cables) == 1]
    complete = len(alone) * len(network.leaves) <= MOST_ROWS
    if not complete:
        by_kind = [[cable for cable in alone if cable.kind == kind] for kind in network.kinds]
        alone = [cable for some in by_kind for cable in some[:: max(1, len(some) // _SAMPLE)]]
    outcomes = []
    for cable in alone:
        left = network.without((cable.id,))
        forwarding = route(left)
        proof = prove(forwarding, rule(left))
        pairs = len(forwarding.unreachable)
        outcomes.append(_Outcome(cable, pairs, proof.cbd, proof.priorities))
    return _Swept(tuple(outcomes), complete)


def _by_kind(network: Network, found: _Swept) -> Iterator[KindCost]:
    for kind in network.kinds:
        some = [outcome for outcome in found.outcomes if outcome.cable.kind == kind]
        sizes = [len(cables) for cables in network.cables if cables and cables[0].kind == kind]
        worst = max(some, key=lambda outcome: outcome.pairs, default=None)
        yield KindCost(
            kind=kind,
            cables=sum(sizes),
            paired=sum(size for size in sizes if size > 1),
            worked_out=len(some),
            with_unreachable=sum(outcome.pairs > 0 for outcome in some),
            with_cbd=sum(outcome.cbd for outcome in some),
            worst=worst.cable.id if worst and worst.pairs else "",
            worst_pairs=worst.pairs if worst else 0,
        )


def _doubled(design: Design, budget: Budget) -> Iterator[Remedy]:
    """Two cables where there is one, built by the kind itself with the parameters changed."""
    params = cast("Params", design.intent.topology_params)
    wanted: dict[str, int] = {}
    if params.local_links < _DOUBLED and params.a > 1:
        wanted["local_links"] = _DOUBLED
    if params.global_links.links < _DOUBLED:
        wanted["links_per_group_pair"] = _DOUBLED
        ports = -(-_DOUBLED * (params.g - 1) // params.a)  # a·h ≥ 2 (g − 1)
        if params.h < ports:
            wanted["h"] = ports
    changes: dict[str, Any] = {**wanted}
    larger = replace(params, **changes)
    if not wanted or check(KIND, larger):
        return
    request = BuildRequest(design.intent.host_groups, _speed(design), design.intent.cables)
    network = _of_blueprint(build(KIND, larger, request))
    found = _swept(network, minimal, partial(_rule, rise=design.intent.roce.rise))
    where = {"links_per_group_pair": "two groups", "local_links": "two routers of a group"}
    between = " and every ".join(words for key, words in where.items() if key in wanted)
    ports_now, ports_then = _router_ports(params), _router_ports(larger)
    yield _remedy(
        f"two cables between every {between}",
        ", ".join(f"topology.{key}: {value}" for key, value in wanted.items()),
        found,
        budget,
        note=f"a router needs {ports_then} ports for cables to routers, now {ports_now}",
    )


def _router_ports(params: Params) -> int:
    return (params.a - 1) * params.local_links + params.h


def _speed(design: Design) -> int:
    return max((link.speed_gbps for link in design.topology.fabric_links), default=0)


def _of_blueprint(blueprint: Blueprint) -> Network:
    hosts: dict[str, int] = {}
    for host in blueprint.hosts:
        for leaf in host.leaves:
            hosts[leaf] = hosts.get(leaf, 0) + 1
    return Network.of(
        (
            Node(s.name, hosts.get(s.name, 0), s.position.tier, s.group_name)
            for s in blueprint.switches
        ),
        numbered((c.a, c.b, c.kind) for c in blueprint.cables for _ in range(c.count)),
    )


def _fallback(network: Network, rise: Rise | None, budget: Budget) -> Remedy:
    """Shortest paths through a third group or router, with as many priorities as they take."""
    kinds = rise.kinds if rise else ("global",)
    found = _swept(network, spf, lambda left: priorities.on_kinds(left, kinds, levels=LOOKED_AT))
    return _remedy(
        "any shortest path, not minimal ones alone",
        f"BGP without the kind's route policy, RoCE rises on every {' and '.join(kinds)} cable; "
        "fabric writes no configuration for this",
        found,
        budget,
    )


def _remedy(title: str, change: str, found: _Swept, budget: Budget, note: str = "") -> Remedy:
    outcomes = found.outcomes
    return Remedy(
        title=title,
        change=change,
        checked=len(outcomes),
        with_unreachable=sum(outcome.pairs > 0 for outcome in outcomes),
        with_cbd=sum(outcome.cbd for outcome in outcomes),
        priorities=budget.total(max((outcome.levels for outcome in outcomes), default=1)),
        note=note,
    )
