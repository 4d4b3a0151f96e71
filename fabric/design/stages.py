"""Build, wire, address: each stage tells its problems, and the next one looks on all the same.

Where a stage cannot go on, a stand-in takes the place of its result: the fabric without the hosts
that do not fit, switches with as many ports as it takes. A stand-in only serves to find what else
is wrong; there is no design with one in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from fabric import catalog, topologies
from fabric.design import addressing, wiring
from fabric.model.finding import ProblemError
from fabric.model.intent import Hardware
from fabric.model.topology import TopologyError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fabric.model.addressing import Addressing, Lock, LockRow
    from fabric.model.finding import Problem
    from fabric.model.intent import HostGroup, Intent
    from fabric.model.topology import Blueprint, Topology

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Skip:
    """What not to look at, because what it depends on is not known."""

    ports: bool = False
    pools: bool = False


def collected(problems: list[Problem], stage: Callable[[], T]) -> T | None:
    """What a stage yields; ``None`` when it cannot go on, with its problems added to the others."""
    try:
        return stage()
    except ProblemError as error:
        problems.extend(error.problems)
        return None


def blueprint(intent: Intent, problems: list[Problem]) -> Blueprint | None:
    """Who is cabled to whom; of host groups that do not fit one host anywhere, or none."""
    groups = intent.host_groups
    built = collected(problems, lambda: _built(intent, groups))
    misfits = {p.path[1] for p in problems if p.path[:1] == ("hosts",) and len(p.path) > 1}
    if built is not None or not misfits:
        return built
    one = [_one(g) if number in misfits else g for number, g in enumerate(groups)]
    none = [g for number, g in enumerate(groups) if number not in misfits]
    return collected([], lambda: _built(intent, one)) or collected([], lambda: _built(intent, none))


def _one(group: HostGroup) -> HostGroup:
    return replace(group, names=group.names[:1], on=())


def _built(intent: Intent, groups: Sequence[HostGroup]) -> Blueprint:
    request = topologies.BuildRequest(tuple(groups), intent.fabric_speed_gbps, intent.cables)
    return topologies.build(intent.topology_kind, intent.topology_params, request)


def wired(
    plan: Blueprint, intent: Intent, lock: Lock | None, problems: list[Problem], skip: Skip
) -> tuple[Topology, tuple[LockRow, ...]] | None:
    """The cables on their ports, or on a stand-in's."""
    done = None if skip.ports else collected(problems, lambda: wiring.wire(plan, intent, lock))
    if done is not None:
        return done
    try:
        return wiring.wire(_unpinned(plan), _roomy(intent), None)
    except (ProblemError, TopologyError):
        return None


def _roomy(intent: Intent) -> Intent:
    """Every switch takes as many ports of any speed as it needs."""
    own = intent.hardware.default
    roomy = replace(own, model=catalog.switch_model("generic"), sku=None, facts=None, unknown=())
    return replace(intent, hardware=Hardware(roomy))


def _unpinned(plan: Blueprint) -> Blueprint:
    cables = tuple(replace(cable, a_port=None, b_port=None) for cable in plan.cables)
    return replace(plan, cables=cables)


def addressed(
    topology: Topology, intent: Intent, lock: Lock | None, problems: list[Problem], skip: Skip
) -> Addressing | None:
    """Addresses and AS numbers."""
    if skip.pools:
        return None
    return collected(problems, lambda: addressing.allocate(topology, intent, lock))
