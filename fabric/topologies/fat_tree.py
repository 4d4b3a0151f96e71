"""Three-tier k-ary fat-tree, full or partly populated.

A pod has k/2 aggregation switches; agg-p-i is cabled to the cores i·k/2 … of its plane i. A
partial core tier keeps the same number of cores in every plane and the numbers of the full tree
(k = 8 with 8 cores: core-0, core-1, core-4, core-5, …), so that adding cores renames nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from fabric.model.topology import Blueprint, CableNode, Position, Shape, SwitchNode
from fabric.topologies import DefaultHosts
from fabric.topologies._parts.closed_forms import (
    Fill,
    Load,
    Pods,
    fat_tree_bisection,
    fill_of,
    load_of,
)
from fabric.topologies._parts.placement import Room, place_hosts
from fabric.topologies._parts.shape import (
    at_least,
    labels,
    no_form_note,
    problem,
    too_large,
    worst_ratio,
)

if TYPE_CHECKING:
    from fabric.model.finding import Problem
    from fabric.topologies import BuildRequest

TITLE = "fat-tree: three tiers, radix k, full or partly populated"

_NOTE = "closed form, nothing failed"


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of ``kind: fat-tree``; what is left out is the full tree."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    k: int = field(metadata={"description": "radix: ports of a switch; even"})
    pods: int | None = field(default=None, metadata={"description": "pods, 1 to k; default k"})
    edges: int | None = field(
        default=None, metadata={"description": "edge switches a pod, 1 to k/2; default k/2"}
    )
    cores: int | None = field(
        default=None,
        metadata={
            "description": "core switches in all, a multiple of k/2 up to (k/2)²; default (k/2)²"
        },
    )
    hosts_per_edge: int | None = field(
        default=None,
        metadata={"description": "hosts an edge switch takes; default: k/2 NIC ports"},
    )


@dataclass(frozen=True, slots=True)
class _Tree:
    """The parameters with their defaults. ``half``: k/2, planes and aggregation switches a pod."""

    k: int
    half: int
    pods: int
    edges: int
    cores_a_plane: int

    def edge_names(self) -> list[list[str]]:
        """By pod."""
        return [[f"edge-{p}-{i}" for i in range(self.edges)] for p in range(self.pods)]

    def core_numbers(self, plane: int) -> range:
        """Numbers of the cores of a plane."""
        return range(plane * self.half, plane * self.half + self.cores_a_plane)


def _tree(params: Params) -> _Tree:
    half = params.k // 2
    return _Tree(
        k=params.k,
        half=half,
        pods=params.k if params.pods is None else params.pods,
        edges=half if params.edges is None else params.edges,
        cores_a_plane=half if params.cores is None else params.cores // half,
    )


def check(params: Params) -> tuple[Problem, ...]:
    """RCE011 for parameters that no k-ary fat-tree has."""
    k, half = params.k, params.k // 2
    if k < 2 or k % 2:  # noqa: PLR2004 — the smallest even radix
        below = max(2, k - 1)
        message = f"k is {k}; a fat-tree needs an even k of at least 2"
        return (problem("k", message, f"k: {below} or k: {below + 2}"),)
    limits = (("pods", params.pods, k, "k"), ("edges", params.edges, half, "k/2"))
    problems = [
        problem(key, f"{key} is {value}; with k = {k} it is 1 to {most} ({term})", f"{key}: {most}")
        for key, value, most, term in limits
        if value is not None and not 1 <= value <= most
    ]
    problems += _core_problems(params.cores, half)
    if params.hosts_per_edge is not None:
        problems += at_least("hosts_per_edge", params.hosts_per_edge, 1)
    if problems:
        return tuple(problems)
    tree = _tree(params)
    cores = tree.half * tree.cores_a_plane
    switches = tree.pods * (tree.edges + half) + cores
    hosts = tree.pods * tree.edges * (params.hosts_per_edge or half)
    return too_large(switches, tree.pods * (tree.edges * half + cores) + hosts)


def _core_problems(cores: int | None, half: int) -> list[Problem]:
    if cores is None or (half <= cores <= half * half and cores % half == 0):
        return []
    message = (
        f"cores is {cores}; each of the {half} aggregation switches of a pod reaches the same "
        f"number of cores, so it is a multiple of {half} from {half} to {half * half}"
    )
    lower = min(max(half, cores - cores % half), half * half)
    return [problem("cores", message, f"cores: {lower}")]


def default_hosts(params: Params) -> tuple[DefaultHosts, ...]:
    """k/2 hosts an edge switch, or ``hosts_per_edge``."""
    tree = _tree(params)
    each = tree.half if params.hosts_per_edge is None else params.hosts_per_edge
    return (DefaultHosts("host-{n}", tree.pods * tree.edges * each),)


def build(params: Params, request: BuildRequest) -> Blueprint:
    """Edge, aggregation and core switches, cables and hosts.

    Raises:
        ProblemError: hosts that do not fit, clashing names.
    """
    tree = _tree(params)
    switches = _switches(tree)
    rooms = [_room(params, tree, name) for pod in tree.edge_names() for name in pod]
    hosts = place_hosts(request.host_groups, rooms, switches)
    shape = _shape(tree, request.fabric_speed_gbps, load_of(hosts, request.host_groups))
    return Blueprint("fat-tree", switches, _cables(tree, request), hosts, shape)


def _room(params: Params, tree: _Tree, name: str) -> Room:
    if params.hosts_per_edge is None:
        return Room(name, "edge", nic_ports=tree.half)
    return Room(name, "edge", hosts=params.hosts_per_edge, firm=True)


def _switches(tree: _Tree) -> tuple[SwitchNode, ...]:
    below = [
        SwitchNode(f"{role}-{pod}-{n}", role, Position(tier, pod, n), group_name=str(pod))
        for role, tier, count in (("edge", 0, tree.edges), ("agg", 1, tree.half))
        for pod in range(tree.pods)
        for n in range(count)
    ]
    cores = [
        SwitchNode(f"core-{n}", "core", Position(2, None, n))
        for plane in range(tree.half)
        for n in tree.core_numbers(plane)
    ]
    return (*below, *cores)


def _cables(tree: _Tree, request: BuildRequest) -> tuple[CableNode, ...]:
    speed, lengths = request.fabric_speed_gbps, request.cables
    low, high = lengths.of("edge-agg"), lengths.of("agg-core")
    cables = [
        CableNode(f"edge-{p}-{e}", f"agg-{p}-{a}", 1, speed, low, "edge-agg", a_slot=a, b_slot=e)
        for p in range(tree.pods)
        for e in range(tree.edges)
        for a in range(tree.half)
    ]
    cables += [
        CableNode(f"agg-{p}-{a}", f"core-{c}", 1, speed, high, "agg-core", a_slot=up, b_slot=p)
        for p in range(tree.pods)
        for a in range(tree.half)
        for up, c in enumerate(tree.core_numbers(a))
    ]
    return tuple(cables)


def _shape(tree: _Tree, speed_gbps: int, load: Load) -> Shape:
    fill = _edge_fill(tree, load)
    bisection = None
    if load.nic_gbps is not None and fill is not None:
        pods = Pods(tree.pods, tree.edges, tree.half, tree.cores_a_plane, fill)
        bisection = float(fat_tree_bisection(pods, speed_gbps, load.nic_gbps))
    up = tree.half * speed_gbps
    return Shape(
        title=_title(tree),
        endpoints=load.endpoints,
        bisection_gbps=bisection,
        bisection_note=no_form_note(load) if bisection is None else _NOTE,
        oversubscription=(
            *worst_ratio("edge", map(load.gbps, chain(*tree.edge_names())), up),
            *worst_ratio("agg", (tree.edges,), tree.cores_a_plane),
        ),
        symmetry=_symmetry(tree, load),
    )


def _title(tree: _Tree) -> str:
    parts = [f"fat-tree k={tree.k}"]
    if tree.pods < tree.k:
        parts.append(f"{tree.pods} of {tree.k} pods")
    if tree.edges < tree.half:
        parts.append(f"{tree.edges} of {tree.half} edges a pod")
    if tree.cores_a_plane < tree.half:
        parts.append(f"{tree.half * tree.cores_a_plane} of {tree.half**2} cores")
    return ", ".join(parts)


def _edge_fill(tree: _Tree, load: Load) -> Fill | None:
    """The fill of the edge switches if pod after pod is full; pods and edges may be reordered."""
    pods = [sorted((load.ports(e) for e in pod), reverse=True) for pod in tree.edge_names()]
    counts = [count for pod in sorted(pods, reverse=True) for count in pod]
    return fill_of(counts) if counts == sorted(counts, reverse=True) else None


def _symmetry(tree: _Tree, load: Load) -> tuple[tuple[str, str], ...]:
    """Pods with the same hosts are interchangeable; so are their edges with the same hosts."""
    edges: dict[str, object] = {}
    aggs: dict[str, object] = {}
    for number, names in enumerate(tree.edge_names()):
        carried = [load.mix(name) for name in names]
        pod = tuple(sorted(carried))
        edges |= {name: (pod, own) for name, own in zip(names, carried, strict=True)}
        aggs |= {f"agg-{number}-{n}": pod for n in range(tree.half)}
    cores = {f"core-{c}": None for plane in range(tree.half) for c in tree.core_numbers(plane)}
    return (*labels("edge", edges), *labels("agg", aggs), *labels("core", cores))
