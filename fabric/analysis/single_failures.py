"""What the loss of one cable costs a Dragonfly under its policy, and what keeps pairs together.

With minimal paths a router pair hangs on its local cable and a group pair on its global ones. A
cable with a parallel one beside it is not looked at: the sets of next hops do not change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from fabric.analysis import priorities
from fabric.analysis.dateline import LOOKED_AT
from fabric.analysis.deadlock import prove
from fabric.analysis.network import Cable, Network, Node, numbered, of_topology
from fabric.analysis.routing.bgp import BgpRules, bgp
from fabric.analysis.routing.dragonfly import GroupError, minimal
from fabric.analysis.routing.shortest import spf
from fabric.model.deadlock import KindCost, Remedy, SingleFailureCosts
from fabric.topologies import BuildRequest, build, check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.priorities import Rising
    from fabric.model.design import Design
    from fabric.model.qos import Rise
    from fabric.model.topology import Blueprint

    Route = Callable[[Network], Forwarding]

KIND = "dragonfly"
MOST_ROWS = 250_000  # cables that stand alone × leaves: all of them below, else a few of each kind
_SAMPLE = 8  # cables of each kind
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

    Of a fabric that is too large, over the first eight cables of each kind.
    """
    if design.topology.kind != KIND:
        return None
    network = of_topology(design.topology)
    rise = design.intent.roce.rise
    route = partial(bgp, rules=BgpRules.of(design.underlay, network))
    found = _swept(network, route, partial(_rule, rise=rise))
    levels = len(rise.steps) if rise else 1
    remedies = [*_doubled(design), _fallback(network, rise, levels)] if _is_costly(found) else []
    return SingleFailureCosts(
        kinds=tuple(_by_kind(network, found)),
        remedies=tuple(remedies),
        complete=found.complete,
        priorities=levels,
    )


def _is_costly(found: _Swept) -> bool:
    return any(outcome.pairs or outcome.cbd for outcome in found.outcomes)


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
        alone = [
            cable
            for kind in network.kinds
            for cable in [cable for cable in alone if cable.kind == kind][:_SAMPLE]
        ]
    outcomes = []
    for cable in alone:
        left = network.without((cable.id,))
        forwarding = route(left)
        proof = prove(forwarding, rule(left))
        pairs = len(forwarding.unreachable)
        outcomes.append(_Outcome(cable, pairs, proof.cbd, proof.priorities))
    return _Swept(tuple(outcomes), complete)


def _by_kind(network: Network, found: _Swept) -> Iterator[KindCost]:
    every = [cable for cables in network.cables for cable in cables]
    for kind in network.kinds:
        some = [outcome for outcome in found.outcomes if outcome.cable.kind == kind]
        worst = max(some, key=lambda outcome: outcome.pairs, default=None)
        yield KindCost(
            kind=kind,
            cables=sum(cable.kind == kind for cable in every),
            worked_out=len(some),
            with_unreachable=sum(outcome.pairs > 0 for outcome in some),
            with_cbd=sum(outcome.cbd for outcome in some),
            worst=worst.cable.id if worst and worst.pairs else "",
            worst_pairs=worst.pairs if worst else 0,
        )


def _doubled(design: Design) -> Iterator[Remedy]:
    """Two cables where there is one, built by the kind itself with the parameters changed."""
    params = design.intent.topology_params
    wanted = {}
    if params.local_links < _DOUBLED:
        wanted["local_links"] = _DOUBLED
    if params.global_links.links < _DOUBLED:
        wanted["links_per_group_pair"] = _DOUBLED
    if not wanted:
        return
    ports = -(-_DOUBLED * (params.g - 1) // params.a)  # a·h ≥ 2 (g − 1)
    if "links_per_group_pair" in wanted and params.h < ports:
        wanted["h"] = ports
    larger = replace(params, **wanted)
    if check(KIND, larger):
        return
    length = design.intent.cables
    request = BuildRequest(design.intent.host_groups, _speed(design), length)
    network = _of_blueprint(build(KIND, larger, request))
    found = _swept(network, minimal, partial(_rule, rise=design.intent.roce.rise))
    yield _remedy(
        "two cables between every two groups and every two routers of a group",
        ", ".join(f"topology.{key}: {value}" for key, value in wanted.items()),
        found,
    )


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


def _fallback(network: Network, rise: Rise | None, now: int) -> Remedy:
    """Shortest paths through a third group or router, with as many priorities as they take."""
    kinds = rise.kinds if rise else ("global",)
    found = _swept(network, spf, lambda left: priorities.on_kinds(left, kinds, levels=LOOKED_AT))
    remedy = _remedy(
        "any shortest path, instead of minimal ones only",
        "BGP without the route policy of the kind; fabric writes no configuration for this",
        found,
    )
    more = f"{remedy.priorities} lossless classes of RoCE, now {now}"
    return replace(remedy, note=more if remedy.priorities > now else "")


def _remedy(title: str, change: str, found: _Swept) -> Remedy:
    outcomes = found.outcomes
    return Remedy(
        title=title,
        change=change,
        checked=len(outcomes),
        with_unreachable=sum(outcome.pairs > 0 for outcome in outcomes),
        with_cbd=sum(outcome.cbd for outcome in outcomes),
        priorities=max((outcome.levels for outcome in outcomes), default=1),
    )
