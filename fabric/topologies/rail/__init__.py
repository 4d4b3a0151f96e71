"""Rail-optimised: NIC r of every host on the leaf of rail r of its rail group.

A rail group (scalable unit) has one leaf a rail, so hosts of a group reach each other on every
rail in one hop. Above stand spines that all leaves share, a separate spine plane for each rail (or
for some rails), spines in each group with cores above them, or nothing (rail-only). Slots follow
from group, host and spine number, so more of any of them moves no cable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.topology import Blueprint, CableNode, Position, SwitchNode
from fabric.topologies import DefaultHosts
from fabric.topologies._parts.closed_forms import load_of
from fabric.topologies._parts.placement import Room, place_hosts
from fabric.topologies.rail.nics import rails_of_nics
from fabric.topologies.rail.params import Params, fabric_of, problems_of
from fabric.topologies.rail.shape import shape_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.finding import Problem
    from fabric.topologies import BuildRequest
    from fabric.topologies.rail.params import Fabric

__all__ = ["TITLE", "Params", "build", "check", "default_hosts"]

TITLE = "rail: NIC r of every host on rail r; spines over all rails, a plane for each, or none"


def check(params: Params) -> tuple[Problem, ...]:
    """RCE011 for parameters that make no fabric."""
    return problems_of(params)


def default_hosts(params: Params) -> tuple[DefaultHosts, ...]:
    """``hosts_per_group``, else as many hosts a group as a leaf has uplinks: non-blocking."""
    each = params.hosts_per_group or (params.spines or 0) * params.links
    return (DefaultHosts("host-{n}", params.groups * each, nics=params.rails or 1),)


def build(params: Params, request: BuildRequest) -> Blueprint:
    """Leaves, spines and cores, cables and hosts.

    Raises:
        ProblemError: hosts that do not fit, NICs that do not spread evenly over the rails,
            planes that do not divide the rails, clashing names.
    """
    groups = request.host_groups
    fabric = fabric_of(params, groups)
    switches = tuple(_switches(fabric))
    rooms = [_room(fabric, group) for group in range(fabric.groups)]
    hosts = place_hosts(groups, rooms, switches, rails_of_nics(groups, fabric.rails))
    shape = shape_of(fabric, switches, request.fabric_speed_gbps, load_of(hosts, groups))
    cables = tuple(_cables(fabric, request))
    return Blueprint("rail", switches, cables, hosts, shape)


def _room(fabric: Fabric, group: int) -> Room:
    leaves = fabric.leaves(group)
    firm = fabric.hosts_per_group is not None
    return Room(leaves[0], "rail", hosts=fabric.hosts_per_group, firm=firm, leaves=leaves)


def _switches(fabric: Fabric) -> Iterator[SwitchNode]:
    for group in range(fabric.groups):
        for rail, name in enumerate(fabric.leaves(group)):
            yield SwitchNode(name, "leaf", Position(0, group, rail), group_name=str(group))
    for block in range(fabric.groups if fabric.cores else fabric.planes):
        for n in range(fabric.spines):
            where = Position(1, None if _one_plane(fabric) else block, n)
            inside = str(block) if fabric.cores else None
            yield SwitchNode(_spine(fabric, block, n), "spine", where, group_name=inside)
    for spine in range(fabric.spines if fabric.cores else 0):
        for n in range(fabric.cores):
            yield SwitchNode(f"core-{spine}-{n}", "core", Position(2, spine, n))


def _one_plane(fabric: Fabric) -> bool:
    return fabric.planes == 1 and not fabric.cores


def _spine(fabric: Fabric, block: int, n: int) -> str:
    """``block``: plane, or with three tiers rail group."""
    return f"spine-{n}" if _one_plane(fabric) else f"spine-{block}-{n}"


def _cables(fabric: Fabric, request: BuildRequest) -> Iterator[CableNode]:
    links, speed = fabric.links, request.fabric_speed_gbps
    low, high = request.cables.of("leaf-spine"), request.cables.of("spine-core")
    for group in range(fabric.groups):
        for rail, leaf in enumerate(fabric.leaves(group)):
            if fabric.cores:
                block, below = group, rail
            else:
                block = rail % fabric.planes
                below = group * fabric.plane_rails + rail // fabric.planes
            for n in range(fabric.spines):
                spine = _spine(fabric, block, n)
                slots = (n * links, below * links)
                yield CableNode(leaf, spine, links, speed, low, "leaf-spine", *slots)
    for group in range(fabric.groups if fabric.cores else 0):
        for n in range(fabric.spines):
            for core in range(fabric.cores):
                ends = (_spine(fabric, group, n), f"core-{n}-{core}")
                slots = (core * links, group * links)
                yield CableNode(*ends, links, speed, high, "spine-core", *slots)
