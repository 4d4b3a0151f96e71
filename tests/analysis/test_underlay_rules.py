"""The BGP model reads an ``Underlay`` as the path vector by hand does, whatever fails."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.analysis import bits
from fabric.analysis.network import Network, of_topology
from fabric.analysis.routing.bgp import BgpRules, bgp
from tests.analysis.fabrics import bgp_rules, cable_ids, leaf_spine, rfc7938
from tests.analysis.random_fabrics import seeded
from tests.design.path_vector import Bgp

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from fabric.analysis.forwarding import Forwarding
    from fabric.model.design import Design
    from fabric.model.underlay import Underlay

SHAPES = (
    "kind: leaf-spine, leaves: 4, spines: 2",
    "kind: fat-tree, k: 4",
    "kind: dragonfly, p: 1, a: 3, h: 2, g: 5",
    "kind: dragonfly, p: 2, a: 4, h: 2, g: 5, arrangement: palm-tree",
    "kind: dragonfly-plus, p: 2, leaves: 2, spines: 2, h: 1, g: 3",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("underlays")


@cache
def designed(folder: Path, shape: str) -> Design:
    path = folder / f"{SHAPES.index(shape)}.yaml"
    path.write_text(
        f"fabric: f\ntopology: {{{shape}}}\nhosts: {{speed: 100}}\n"
        "platforms: {default: {platform: frr, model: generic}}\n"
    )
    return flow.load(path)


def by_hand(underlay: Underlay, network: Network, cut: Collection[str]) -> set[tuple[str, ...]]:
    """(Destination, switch, its next switch) of every route in use."""
    router = Bgp(underlay, cut, seed=None)
    ends = {c.id: (c.a, c.b) for bundle in network.cables for c in bundle}
    found: set[tuple[str, ...]] = set()
    for leaf in (network.names[n] for n in network.leaves):
        for name, routes in router.to(leaf).items():
            for cable in routes:
                a, b = ends[cable]
                if name != leaf:
                    found.add((leaf, name, b if a == name else a))
    return found


def by_engine(forwarding: Forwarding) -> set[tuple[str, ...]]:
    network = forwarding.network
    used = bits.unpacked(forwarding.rows, len(forwarding.destinations))
    return {
        tuple(network.names[n] for n in (forwarding.destinations[bit], tail, head))
        for arc, bit in zip(*used.nonzero(), strict=True)
        for tail, head in [(network.tail[arc], network.head[arc])]
    }


@pytest.mark.parametrize("policies", ["as planned", "none", "none, own ASN once"])
@pytest.mark.parametrize("shape", SHAPES)
def test_as_the_path_vector_by_hand(folder: Path, shape: str, policies: str) -> None:
    design = designed(folder, shape)
    network = of_topology(design.topology)
    underlay, rules = design.underlay, BgpRules.of(design.underlay, network)
    if policies != "as planned":
        allowed = int("once" in policies)
        speakers = (replace(s, policy=None, allowas_in=allowed) for s in underlay.speakers)
        underlay = replace(underlay, speakers=tuple(speakers))
        rules = rules.plain(own_asn_allowed=allowed)
    random = seeded(len(shape))
    cables = cable_ids(network)
    for cuts in (0, 1, 2, 3):
        cut = random.sample(cables, cuts)
        assert by_engine(bgp(network.without(cut), rules)) == by_hand(underlay, network, cut)


def test_each_switch_has_the_rules_of_its_own_speaker(folder: Path) -> None:
    design = designed(folder, SHAPES[0])
    network = of_topology(design.topology)
    odd = network.names[1]
    speakers = tuple(
        replace(s, allowas_in=2, multipath_relax=False, max_paths=3, asn=7)
        if s.device == odd
        else s
        for s in design.underlay.speakers
    )
    rules = BgpRules.of(replace(design.underlay, speakers=speakers), network)
    others = [n for n in range(len(network.names)) if n != 1]
    assert (rules.asn[1], rules.own_asn_allowed[1], rules.max_paths[1]) == (7, 2, 3)
    assert not rules.relax[1]
    assert rules.relax[others].all()
    assert (rules.own_asn_allowed[others] == 0).all()
    assert (rules.max_paths[others] > 3).all()


def test_without_relax_only_the_best_path_and_its_like_are_used() -> None:
    network = leaf_spine(2, 3)
    asn = rfc7938(network) | {"s0": 5, "s1": 5, "s2": 6}
    for relax, used in ((True, {"s0", "s1", "s2"}), (False, {"s0", "s1"})):
        found = bgp(network, bgp_rules(network, asn, relax=relax))
        assert found.next_switches("l0", "l1") == used
    swapped = asn | {"s0": 6, "s2": 5}  # the first peer is alone of its path
    assert bgp(network, bgp_rules(network, swapped, relax=False)).next_switches("l0", "l1") == {
        "s0"
    }


@pytest.mark.parametrize(("max_paths", "noted"), [(3, False), (2, True)])
def test_cables_count_as_paths_those_in_use_alone(max_paths: int, *, noted: bool) -> None:
    # l0–s0 is two cables; s2 leads on to nowhere.
    network = leaf_spine(2, 3, [("l0", "s0")]).without(["l1:s2:1"])
    rules = bgp_rules(network, rfc7938(network))
    found = bgp(network, replace(rules, max_paths=rules.max_paths * 0 + max_paths))
    assert bool(found.notes) == noted


@pytest.mark.parametrize(("max_paths", "noted"), [(3, False), (2, True)])
def test_more_equal_paths_than_a_switch_uses_are_noted(max_paths: int, *, noted: bool) -> None:
    network = leaf_spine(3, 3)
    rules = bgp_rules(network, rfc7938(network))
    rules = replace(rules, max_paths=rules.max_paths * 0 + max_paths)
    notes = bgp(network, rules).notes
    assert bool(notes) == noted
    if noted:
        assert notes == ("l0 may have more equal paths than the 2 that it uses; all of them count",)
