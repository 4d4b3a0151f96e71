"""Dragonfly+ (Megafly): groups are leaf-spines, cables between every two groups join their spines.

Source: Shpiner et al., "Dragonfly+: Low Cost Topology for Scaling Datacenters" (HiPINEB 2017).
Minimal paths go up to a spine with a cable to the other group, across, and down. The kind brings
the route policy that keeps BGP to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.topology import Blueprint, CableNode, Position, SwitchNode
from fabric.topologies import DefaultHosts
from fabric.topologies._parts.closed_forms import load_of
from fabric.topologies._parts.placement import Room, place_hosts
from fabric.topologies._parts.route_policies import DRAGONFLY_PLUS
from fabric.topologies.dragonfly_plus.params import Params, problems_of
from fabric.topologies.dragonfly_plus.shape import shape_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.finding import Problem
    from fabric.topologies import BuildRequest

__all__ = ["TITLE", "Params", "build", "check", "default_hosts"]

TITLE = "dragonfly-plus: groups of leaves and spines, cables between the spines of every two groups"


def check(params: Params) -> tuple[Problem, ...]:
    """RCE011 for parameters that make no dragonfly+."""
    return problems_of(params)


def default_hosts(params: Params) -> tuple[DefaultHosts, ...]:
    """As many hosts a leaf as it takes: p."""
    return (DefaultHosts("host-{n}", params.p * params.leaves * params.g),)


def build(params: Params, request: BuildRequest) -> Blueprint:
    """Leaves, spines, cables and hosts.

    Raises:
        ProblemError: hosts that do not fit, clashing names.
    """
    leaves = tuple(_switches("leaf", 0, params.leaves, params.g))
    spines = tuple(_switches("spine", 1, params.spines, params.g))
    switches = (*leaves, *spines)
    rooms = [Room(leaf.name, "leaf", nic_ports=params.p, firm=True) for leaf in leaves]
    hosts = place_hosts(request.host_groups, rooms, switches)
    load = load_of(hosts, request.host_groups)
    return Blueprint(
        "dragonfly-plus",
        switches,
        (*_inside(params, request), *_between(params, request)),
        hosts,
        shape_of(params, leaves, spines, request.fabric_speed_gbps, load),
        route_policies=DRAGONFLY_PLUS,
    )


def _switches(role: str, tier: int, count: int, groups: int) -> Iterator[SwitchNode]:
    for group in range(groups):
        for n in range(count):
            yield SwitchNode(
                f"{role}-{group}-{n}", role, Position(tier, group, n), group_name=str(group)
            )


def _inside(params: Params, request: BuildRequest) -> Iterator[CableNode]:
    links, length = params.links, request.cables.of("leaf-spine")
    for group in range(params.g):
        for leaf in range(params.leaves):
            for spine in range(params.spines):
                yield CableNode(
                    a=f"leaf-{group}-{leaf}",
                    b=f"spine-{group}-{spine}",
                    count=links,
                    speed_gbps=request.fabric_speed_gbps,
                    length_m=length,
                    kind="leaf-spine",
                    a_slot=spine * links,
                    b_slot=leaf * links,
                )


def _between(params: Params, request: BuildRequest) -> Iterator[CableNode]:
    length = request.cables.of("global")
    for here, there in params.global_links.ends():
        yield CableNode(
            a=f"spine-{here.group}-{here.unit}",
            b=f"spine-{there.group}-{there.unit}",
            count=1,
            speed_gbps=request.fabric_speed_gbps,
            length_m=length,
            kind="global",
            a_slot=here.port,
            b_slot=there.port,
        )
