"""Bisection of regular fabrics whose leaves are filled one after the other, in closed form.

Definition (validation 2.1): the smallest cut between two equal halves of the endpoints (NIC
ports), one direction; a half may hold some endpoints of a leaf and not the others, which cuts
their NIC links. With an odd number of endpoints one half holds one more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabric.model.intent import HostGroup
    from fabric.model.topology import HostNode


@dataclass(frozen=True, slots=True)
class Load:
    """NIC ports that stand on each leaf, by their speed in Gb/s.

    ``paired``: how many of them belong to a bond with a second leaf.
    """

    by_leaf: Mapping[str, Counter[int]]
    paired: Mapping[str, int] = field(default_factory=dict)

    @property
    def endpoints(self) -> int:
        """NIC ports in all."""
        return sum(ports.total() for ports in self.by_leaf.values())

    @property
    def nic_gbps(self) -> int | None:
        """The one speed of all NICs; ``None``: several, no NIC, or bonds that end on two leaves."""
        speeds = {speed for ports in self.by_leaf.values() for speed in ports}
        return speeds.pop() if len(speeds) == 1 and not self.paired else None

    def ports(self, leaf: str) -> int:
        """NIC ports on a leaf."""
        return self.by_leaf[leaf].total() if leaf in self.by_leaf else 0

    def gbps(self, leaf: str) -> int:
        """Capacity of the NIC ports on a leaf."""
        return sum(speed * n for speed, n in self.by_leaf.get(leaf, {}).items())

    def mix(self, leaf: str) -> tuple[tuple[int, int], ...]:
        """(speed, ports), sorted: leaves of the same mix carry the same. Speed 0: in pairs."""
        pairs = ((0, self.paired[leaf]),) if leaf in self.paired else ()
        return (*pairs, *sorted(self.by_leaf.get(leaf, {}).items()))


@dataclass(frozen=True, slots=True)
class Fill:
    """``full`` leaves (or pods) alike, then ``partial`` endpoints on one, then ``empty`` ones."""

    full: int
    each: int
    partial: int
    empty: int

    @property
    def endpoints(self) -> int:
        """All endpoints."""
        return self.full * self.each + self.partial


def load_of(hosts: Sequence[HostNode], groups: Sequence[HostGroup]) -> Load:
    """What each leaf carries."""
    speed_of = {group.name: group.speed_gbps for group in groups}
    dual = {group.name for group in groups if group.dual_tor}
    by_leaf: defaultdict[str, Counter[int]] = defaultdict(Counter)
    paired: Counter[str] = Counter()
    for host in hosts:
        for leaf in host.leaves:
            by_leaf[leaf][speed_of[host.group]] += 1
        if host.group in dual:
            paired.update(host.leaves)
    return Load(dict(by_leaf), paired)


def fill_of(counts: Sequence[int]) -> Fill | None:
    """The fill that these endpoint counts show; ``None``: they are of another shape."""
    each = max(counts, default=0)
    between = [count for count in counts if 0 < count < each]
    if len(between) > 1:
        return None
    full = sum(1 for count in counts if count == each) if each else 0
    partial = between[0] if between else 0
    return Fill(full, each, partial, len(counts) - full - len(between))


def leaf_spine_bisection(fill: Fill, uplink_gbps: int, nic_gbps: int) -> int:
    """Gb/s. ``uplink_gbps``: all cables of one leaf towards the spines.

    With a of L leaves on one side every spine joins the larger part: min(a, L − a)·uplink.
    Leaves on a side bring their endpoints with them; what is then missing to an equal split
    crosses on NIC links, one each. The least over a is exact, because endpoints of any leaf can
    make up the difference. Uniform H: L even gives min(N/2·nic, L/2·uplink); L odd gives
    min(⌊N/2⌋·nic, (L−1)/2·uplink + ⌊H/2⌋·nic) (3 leaves × 2 spines, H = 4: 4 of 6).
    """
    leaves = fill.full + bool(fill.partial) + fill.empty
    best: list[int] = []
    # min(a, L − a) is concave, so of the empty leaves all or none go along.
    for full, part, empty in product(
        range(fill.full + 1), range(1 + bool(fill.partial)), {0, fill.empty}
    ):
        side = full + part + empty
        endpoints = full * fill.each + part * fill.partial
        crossing = min(side, leaves - side) * uplink_gbps
        best.append(crossing + _short(endpoints, fill.endpoints) * nic_gbps)
    return min(best)


def _short(endpoints: int, total: int) -> int:
    """Endpoints that must change sides until the halves are equal."""
    return min(abs(endpoints - total // 2), abs(endpoints - (total + 1) // 2))


@dataclass(frozen=True, slots=True)
class Pods:
    """Pods of a fat-tree: ``edges`` edge switches each, filled like ``edge_fill`` leaf by leaf.

    ``planes`` aggregation switches a pod, each with ``cores`` cores of its own plane.
    """

    pods: int
    edges: int
    planes: int
    cores: int
    edge_fill: Fill


def fat_tree_bisection(tree: Pods, link_gbps: int, nic_gbps: int) -> int:
    """Gb/s; exact for any number of pods, edges and cores a plane.

    The planes are alike: in each, a pod's aggregation switch stands on one side and pays one
    link for every edge switch of its pod on the other, and each core joins the larger part,
    min(q, P − q) with q aggregation switches on one side. So the cut is planes·link·(d +
    cores·min(q, P − q)) + nic·s, with d edge switches that stand apart from their pod and s
    endpoints that change sides; the least over pods, d and s is exact. Full trees give k³/8.
    """
    fill = tree.edge_fill
    full_pods, rest = divmod(fill.full, tree.edges)
    mixed = bool(rest or fill.partial)
    empty_pods = tree.pods - full_pods - mixed
    best: list[int] = []
    for full, mix, empty in product(
        range(full_pods + 1), range(1 + mixed), {0, max(0, empty_pods)}
    ):
        pods = full + mix + empty
        crossing = tree.cores * min(pods, tree.pods - pods)
        inside = full * tree.edges + mix * rest
        for flip in range(1 + bool(fill.partial)):
            endpoints = inside * fill.each + (mix ^ flip) * fill.partial
            for apart, short in _moves(fill, inside, endpoints):
                links = apart + flip + crossing
                best.append(tree.planes * link_gbps * links + nic_gbps * short)
    return min(best)


def _moves(fill: Fill, inside: int, endpoints: int) -> list[tuple[int, int]]:
    """Ways to even the halves: (full edge switches that change sides, endpoints still short).

    The cost is convex in the number of edge switches, so none and the two next to the exact
    number suffice.
    """
    total = fill.endpoints
    sign = 1 if 2 * endpoints < total else -1
    available = fill.full - inside if sign > 0 else inside
    exact = abs(total // 2 - endpoints) // fill.each if fill.each else 0
    moves = {min(available, n) for n in (0, exact, exact + 1)}
    return [(n, _short(endpoints + sign * n * fill.each, total)) for n in sorted(moves)]
