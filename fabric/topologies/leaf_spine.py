"""Leaf-spine: every leaf cabled to every spine, ``links`` parallel cables a pair."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from fabric.model.topology import Blueprint, CableNode, Position, Shape, SwitchNode
from fabric.topologies import DefaultHosts
from fabric.topologies._parts.closed_forms import Load, fill_of, leaf_spine_bisection, load_of
from fabric.topologies._parts.placement import Room, place_hosts
from fabric.topologies._parts.shape import at_least, labels, no_form_note, too_large, worst_ratio

if TYPE_CHECKING:
    from fabric.model.finding import Problem
    from fabric.topologies import BuildRequest

TITLE = "leaf-spine: every leaf cabled to every spine"

_NOTE = "closed form, nothing failed"


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of ``kind: leaf-spine``."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    leaves: int = field(metadata={"description": "leaf switches; hosts stand on these"})
    spines: int = field(metadata={"description": "spine switches"})
    links: int = field(
        default=1, metadata={"description": "parallel cables between each leaf and each spine"}
    )


def check(params: Params) -> tuple[Problem, ...]:
    """RCE011 for counts that make no fabric."""
    problems = (
        *at_least("leaves", params.leaves, 1),
        *at_least("spines", params.spines, 1),
        *at_least("links", params.links, 1),
    )
    cables = params.leaves * params.spines * params.links
    return problems or too_large(params.leaves + params.spines, cables)


def default_hosts(params: Params) -> tuple[DefaultHosts, ...]:
    """As many hosts a leaf as it has uplinks: non-blocking."""
    return (DefaultHosts("host-{n}", params.leaves * params.spines * params.links),)


def build(params: Params, request: BuildRequest) -> Blueprint:
    """Leaves, spines, cables and hosts.

    Raises:
        ProblemError: hosts that do not fit, clashing names.
    """
    leaves = [_switch("leaf", 0, n) for n in range(params.leaves)]
    spines = [_switch("spine", 1, n) for n in range(params.spines)]
    switches = (*leaves, *spines)
    groups = request.host_groups
    hosts = place_hosts(groups, [Room(leaf.name, "leaf") for leaf in leaves], switches)
    shape = _shape(params, request.fabric_speed_gbps, load_of(hosts, groups))
    return Blueprint("leaf-spine", switches, _cables(params, request), hosts, shape)


def _switch(role: str, tier: int, index: int) -> SwitchNode:
    return SwitchNode(f"{role}-{index}", role, Position(tier, None, index))


def _cables(params: Params, request: BuildRequest) -> tuple[CableNode, ...]:
    speed, length = request.fabric_speed_gbps, request.cables.of("leaf-spine")
    return tuple(
        CableNode(
            a=f"leaf-{leaf}",
            b=f"spine-{spine}",
            count=params.links,
            speed_gbps=speed,
            length_m=length,
            kind="leaf-spine",
            a_slot=spine * params.links,
            b_slot=leaf * params.links,
        )
        for leaf in range(params.leaves)
        for spine in range(params.spines)
    )


def _shape(params: Params, speed_gbps: int, load: Load) -> Shape:
    names = [f"leaf-{n}" for n in range(params.leaves)]
    uplink = params.spines * params.links * speed_gbps
    fill = fill_of([load.ports(name) for name in names])
    bisection = None
    if load.nic_gbps is not None and fill is not None:
        bisection = float(leaf_spine_bisection(fill, uplink, load.nic_gbps))
    pairs = "1 cable a pair" if params.links == 1 else f"{params.links} cables a pair"
    alike = {name: load.mix(name) for name in names}
    spines = {f"spine-{n}": None for n in range(params.spines)}
    return Shape(
        title=f"leaf-spine {params.leaves}×{params.spines}, {pairs}",
        endpoints=load.endpoints,
        bisection_gbps=bisection,
        bisection_note=no_form_note(load) if bisection is None else _NOTE,
        oversubscription=worst_ratio("leaf", map(load.gbps, names), uplink),
        symmetry=(*labels("leaf", alike), *labels("spine", spines)),
    )
