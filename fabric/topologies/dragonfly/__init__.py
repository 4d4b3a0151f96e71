"""Dragonfly: groups of routers cabled each to each, cables between every two groups.

Minimal paths go local, global, local: within the group to a router with a cable to the other
group, across, and on to the router of the destination. Plain shortest paths are others (two global
cables through a third group), so the kind brings the route policy that makes BGP minimal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.topology import Blueprint, CableNode, Position, SwitchNode
from fabric.topologies import DefaultHosts, Rises
from fabric.topologies._parts.closed_forms import load_of
from fabric.topologies._parts.placement import Room, place_hosts
from fabric.topologies._parts.route_policies import DRAGONFLY
from fabric.topologies.dragonfly.params import Params, problems_of
from fabric.topologies.dragonfly.shape import shape_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.finding import Problem
    from fabric.topologies import BuildRequest

__all__ = ["TITLE", "Params", "build", "check", "default_hosts", "rises"]

TITLE = "dragonfly: groups of fully meshed routers, cables between every two groups"


def check(params: Params) -> tuple[Problem, ...]:
    """RCE011 for parameters that make no dragonfly."""
    return problems_of(params)


def default_hosts(params: Params) -> tuple[DefaultHosts, ...]:
    """As many hosts a router as it takes: p."""
    return (DefaultHosts("host-{n}", params.p * params.a * params.g),)


def rises(params: Params) -> Rises | None:
    """Once, on global cables. Groups of one router are a full mesh: one hop, no cycle.

    Every dragonfly of two or more routers a group that was computed has a cycle with one class;
    with another one from the global cable on it has none.
    """
    if params.a == 1:
        return None
    reason = (
        "minimal paths go local, global, local; with one lossless class the local cables before "
        "and behind the global ones wait for each other in a cycle, and PFC can deadlock"
    )
    return Rises(("global",), 1, reason)


def build(params: Params, request: BuildRequest) -> Blueprint:
    """Routers, cables and hosts.

    Raises:
        ProblemError: hosts that do not fit, clashing names.
    """
    switches = tuple(
        SwitchNode(_name(group, n), "router", Position(0, group, n), group_name=str(group))
        for group in range(params.g)
        for n in range(params.a)
    )
    rooms = [Room(router.name, "router", nic_ports=params.p, firm=True) for router in switches]
    hosts = place_hosts(request.host_groups, rooms, switches)
    load = load_of(hosts, request.host_groups)
    names = [[_name(group, n) for n in range(params.a)] for group in range(params.g)]
    return Blueprint(
        "dragonfly",
        switches,
        (*_local(params, request), *_global(params, request)),
        hosts,
        shape_of(params, names, request.fabric_speed_gbps, load),
        route_policies=DRAGONFLY,
    )


def _name(group: int, n: int) -> str:
    return f"router-{group}-{n}"


def _local(params: Params, request: BuildRequest) -> Iterator[CableNode]:
    """Router n's bundles in the order of the other routers of its group."""
    links, length = params.local_links, request.cables.of("local")
    for group in range(params.g):
        for low in range(params.a):
            for high in range(low + 1, params.a):
                yield CableNode(
                    a=_name(group, low),
                    b=_name(group, high),
                    count=links,
                    speed_gbps=request.fabric_speed_gbps,
                    length_m=length,
                    kind="local",
                    a_slot=(high - 1) * links,
                    b_slot=low * links,
                )


def _global(params: Params, request: BuildRequest) -> Iterator[CableNode]:
    first = (params.a - 1) * params.local_links  # behind the local cables
    length = request.cables.of("global")
    for here, there in params.global_links.ends():
        yield CableNode(
            a=_name(here.group, here.unit),
            b=_name(there.group, there.unit),
            count=1,
            speed_gbps=request.fabric_speed_gbps,
            length_m=length,
            kind="global",
            a_slot=first + here.port,
            b_slot=first + there.port,
        )
