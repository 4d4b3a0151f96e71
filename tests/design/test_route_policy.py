"""Route policies of the dragonflies: plain eBGP with them yields the minimal paths, only those."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from tests.design.path_vector import Bgp

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from fabric.model.design import Design
    from fabric.model.topology import Topology

Hops = dict[tuple[str, str], frozenset[str]]  # (switch, destination) → cables
WAYS = ("local", "global", "local global", "global local", "local global local")

# validation.md §1.5: df(p,a,h,g), dependencies between cables under df-min and under spf
TABLE = {
    "p: 1, a: 2, h: 1, g: 3": (12, 12),
    "p: 2, a: 4, h: 2, g: 9": (432, 480),
    "p: 2, a: 4, h: 4, g: 16": (1440, 1908),
}
MORE = (
    "p: 2, a: 4, h: 2, g: 5, arrangement: palm-tree",
    "p: 1, a: 3, h: 2, g: 5, arrangement: circulant, links_per_group_pair: 1, local_links: 2",
    "p: 1, a: 1, h: 4, g: 5",
    "p: 1, a: 4, h: 2, g: 3",
)
PLUS = (
    "p: 2, leaves: 2, spines: 2, h: 1, g: 3",
    "p: 2, leaves: 3, spines: 2, h: 4, g: 5, arrangement: palm-tree",
    "p: 1, leaves: 2, spines: 4, h: 1, g: 5, links: 2, links_per_group_pair: 1",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("dragonflies")


@cache
def designed(folder: Path, kind: str, params: str) -> Design:
    path = folder / f"{kind}-{len(list(folder.iterdir()))}.yaml"
    path.write_text(
        f"fabric: f\ntopology: {{kind: {kind}, {params}}}\nhosts: {{speed: 100}}\n"
        "platforms: {default: {platform: frr, model: generic}}\n"
    )
    return flow.load(path)


def cables(topology: Topology, cut: Collection[str]) -> dict[str, list[tuple[str, str, str]]]:
    """By switch (cable, its kind, far end)."""
    found: dict[str, list[tuple[str, str, str]]] = {s.name: [] for s in topology.switches}
    for link in topology.fabric_links:
        if link.id not in cut:
            found[link.a.device].append((link.id, link.kind, link.b.device))
            found[link.b.device].append((link.id, link.kind, link.a.device))
    return found


def minimal(topology: Topology, ways: tuple[str, ...], cut: Collection[str] = ()) -> Hops:
    """Cables that shortest walks of one of these shapes begin with (validation.md §1.3)."""
    near = cables(topology, cut)
    best: dict[tuple[str, str], tuple[int, frozenset[str]]] = {}

    def walk(start: str, first: str, here: str, kinds: list[str], length: int) -> None:
        if not kinds:
            if here != start:
                least, hops = best.get((start, here), (length, frozenset()))
                if length <= least:
                    kept = hops if length == least else frozenset()
                    best[start, here] = (length, kept | {first})
            return
        for link, kind, there in near[here]:
            if kind == kinds[0]:
                walk(start, first or link, there, kinds[1:], length)

    for way in sorted(ways, key=lambda way: len(way.split())):
        for start in near:
            walk(start, "", start, way.split(), len(way.split()))
    return {pair: hops for pair, (_, hops) in best.items()}


def routed(targets: Collection[str], bgp: Bgp) -> tuple[Hops, set[str]]:
    """Next hops towards the targets, and the shapes of all best paths."""
    hops: Hops = {}
    shapes: set[str] = set()
    for target in targets:
        for name, routes in bgp.to(target).items():
            if name != target and routes:
                hops[name, target] = frozenset(routes)
                shapes |= {" ".join(route.kinds) for route in routes.values()}
    return hops, shapes


def routers(design: Design) -> list[str]:
    return [s.name for s in design.topology.switches if s.position.tier == 0]


def dependencies(topology: Topology, hops: Hops) -> int:
    """Pairs of directed cables that some destination joins (validation.md §1.1)."""
    ends = {x.id: (x.a.device, x.b.device) for x in topology.fabric_links}
    found: set[tuple[str, str, str]] = set()
    into: defaultdict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for (here, target), links in hops.items():
        for link in links:
            there = ends[link][ends[link][0] == here]
            into[there, target].add((link, here))
    for (here, target), links in hops.items():
        for before, start in into[here, target]:
            found |= {(before, start, link) for link in links}
    return len(found)


@pytest.mark.parametrize("params", [*TABLE, *MORE])
def test_the_best_paths_are_the_minimal_ones(folder: Path, params: str) -> None:
    design = designed(folder, "dragonfly", params)
    every = routers(design)
    hops, shapes = routed(every, Bgp(design.underlay))
    assert shapes <= set(WAYS)
    assert set(hops) == {(a, b) for a in every for b in every if a != b}
    assert hops == minimal(design.topology, WAYS)


@pytest.mark.parametrize("params", TABLE)
def test_dependencies_of_the_truth_table(folder: Path, params: str) -> None:
    design = designed(folder, "dragonfly", params)
    with_policy, _ = routed(routers(design), Bgp(design.underlay))
    without, shapes = routed(routers(design), Bgp(design.underlay, policies=False))
    found = tuple(dependencies(design.topology, hops) for hops in (with_policy, without))
    assert found == TABLE[params]
    assert any("global global" in shape for shape in shapes) == (found[0] != found[1])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("params", ["p: 2, a: 4, h: 2, g: 9", MORE[0], MORE[1]])
def test_it_does_not_matter_which_of_equal_routes_is_passed_on(
    folder: Path, params: str, seed: int
) -> None:
    design = designed(folder, "dragonfly", params)
    some = routers(design)[::5]
    hops, _ = routed(some, Bgp(design.underlay, seed=seed))
    wanted = minimal(design.topology, WAYS)
    assert hops == {pair: found for pair, found in wanted.items() if pair[1] in some}


@pytest.mark.parametrize("params", ["p: 1, a: 2, h: 1, g: 3", "p: 2, a: 4, h: 2, g: 9"])
def test_a_cut_global_cable_parts_its_groups_and_leads_nobody_astray(
    folder: Path, params: str
) -> None:
    design = designed(folder, "dragonfly", params)
    topology = design.topology
    group = {s.name: s.position.group for s in topology.switches}
    cut = next(x for x in topology.fabric_links if x.kind == "global")
    parted = {group[cut.a.device], group[cut.b.device]}
    hops, shapes = routed(routers(design), Bgp(design.underlay, {cut.id}))
    assert hops == minimal(topology, WAYS, {cut.id})
    assert shapes <= set(WAYS)
    lost = {(a, b) for a in group for b in group if a != b} - set(hops)
    assert lost
    assert lost == {(a, b) for a in group for b in group if {group[a], group[b]} == parted}
    # what the policy is for: without it they would reach each other through a third group
    without, shapes = routed(routers(design), Bgp(design.underlay, {cut.id}, policies=False))
    assert len(without) == len(group) * (len(group) - 1)
    assert any(shape.count("global") > 1 for shape in shapes)


@pytest.mark.parametrize("params", ["p: 2, a: 8, h: 4, g: 3, local_links: 2", MORE[3]])
def test_with_several_cables_a_group_pair_no_cut_global_cable_parts_anybody(
    folder: Path, params: str
) -> None:
    design = designed(folder, "dragonfly", params)
    every = routers(design)
    for cut in [x.id for x in design.topology.fabric_links if x.kind == "global"][::3]:
        hops, shapes = routed(every, Bgp(design.underlay, {cut}))
        assert len(hops) == len(every) * (len(every) - 1)
        assert shapes <= set(WAYS)


# A switch passes on one of its equally good routes. Where that one came over a local cable, its
# neighbours do not get the other one: after a cut local cable some pairs have no way although a
# local-global-local walk exists. Parallel local cables avoid it.
def test_a_cut_local_cable_may_part_more_than_its_two_routers(folder: Path) -> None:
    one = designed(folder, "dragonfly", MORE[0])
    cut = "router-0-0:router-0-1:1"
    hops, shapes = routed(routers(one), Bgp(one.underlay, {cut}))
    wanted = minimal(one.topology, WAYS, {cut})
    assert shapes <= set(WAYS)
    assert {pair: wanted[pair] for pair in hops} == hops
    assert ("router-0-0", "router-0-1") not in wanted
    assert set(hops) < set(wanted)
    two = designed(folder, "dragonfly", f"{MORE[0]}, local_links: 2")
    hops, _ = routed(routers(two), Bgp(two.underlay, {cut}))
    assert hops == minimal(two.topology, WAYS, {cut})


UP_ACROSS_DOWN = ("leaf-spine leaf-spine", "leaf-spine global leaf-spine")


@pytest.mark.parametrize("params", PLUS)
def test_dragonfly_plus_goes_up_across_down(folder: Path, params: str) -> None:
    design = designed(folder, "dragonfly-plus", params)
    leaves = routers(design)
    hops, shapes = routed(leaves, Bgp(design.underlay))
    between = {pair: found for pair, found in hops.items() if pair[0] in leaves}
    wanted = minimal(design.topology, UP_ACROSS_DOWN)
    assert set(between) == {(a, b) for a in leaves for b in leaves if a != b}
    assert between == {pair: wanted[pair] for pair in between}
    tail = re.compile(r"(leaf-spine )?(global )?leaf-spine")
    assert all(tail.fullmatch(shape) for shape in shapes)


@pytest.mark.parametrize("params", PLUS[:2])
def test_dragonfly_plus_takes_no_valley_after_a_cut(folder: Path, params: str) -> None:
    design = designed(folder, "dragonfly-plus", params)
    leaves = routers(design)
    for kind in ("leaf-spine", "global"):
        cut = {x.id for x in design.topology.fabric_links if x.kind == kind}
        for link in sorted(cut)[::3]:
            hops, shapes = routed(leaves, Bgp(design.underlay, {link}))
            wanted = minimal(design.topology, UP_ACROSS_DOWN, {link})
            between = {pair: found for pair, found in hops.items() if pair[0] in leaves}
            in_pairs = {p: f for p, f in wanted.items() if p[0] in leaves and p[1] in leaves}
            assert between == in_pairs
            assert all(shape.count("global") <= 1 for shape in shapes)


def sessions(design: Design) -> Iterator[tuple[str, str]]:
    for speaker in design.underlay.speakers:
        for session in design.underlay.sessions_of(speaker.device):
            yield speaker.device, session.kind


def test_who_has_a_policy(folder: Path) -> None:
    design = designed(folder, "dragonfly-plus", PLUS[0])
    leaf, spine = (design.underlay.speaker(name).policy for name in ("leaf-0-0", "spine-0-0"))
    assert leaf is not None
    assert spine is not None
    assert [tag.kind for tag in leaf.tags] == ["leaf-spine"]
    assert [denial.kind for denial in spine.denials] == ["global"]
    assert dict.fromkeys(kind for _, kind in sessions(design)) == {
        "leaf-spine": None,
        "global": None,
    }
    plain = designed(folder, "leaf-spine", "leaves: 2, spines: 2")
    assert {speaker.policy for speaker in plain.underlay.speakers} == {None}


# RFC 1997: 0:… and 65535:… are reserved; RFC 6996: 64512 … 65534 are private
@pytest.mark.parametrize(("kind", "params"), [("dragonfly", MORE[3]), ("dragonfly-plus", PLUS[0])])
def test_communities_are_private_ones(folder: Path, kind: str, params: str) -> None:
    seen = set()
    for speaker in designed(folder, kind, params).underlay.speakers:
        assert speaker.policy is not None
        tags, denials = speaker.policy.tags, speaker.policy.denials
        for community in [*(x.community for x in tags), *(x.community for x in denials)]:
            high, low = map(int, community.value.split(":"))
            assert 64_512 <= high <= 65_534
            assert 0 <= low <= 65_535
            seen.add((community.name, community.value))
    assert len(dict(seen)) == len(seen) == len({value for _, value in seen})
