"""Cures against validation 1.4 and 1.5: numbers of priorities and of parted pairs from there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric.analysis import priorities
from fabric.analysis.budget import Budget
from fabric.analysis.cures import State, cures
from fabric.analysis.deadlock import prove
from fabric.analysis.network import Network, Node, numbered
from fabric.analysis.routing.bgp import bgp
from fabric.analysis.routing.dragonfly import minimal
from fabric.analysis.routing.numbering import refuses_valleys, rfc7938
from fabric.analysis.routing.shortest import l2_flood, spf
from tests.analysis.cure_fabrics import (
    COMPLEMENTARY,
    SAME_POD,
    TWO_PODS,
    dragonfly,
    fat_tree,
    grid,
    leaf_ring,
    leaf_spine,
    ring,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.analysis.forwarding import Forwarding
    from fabric.model.deadlock import Cure


def tried(
    network: Network, route: Callable[[Network], Forwarding] = spf, budget: Budget | None = None
) -> dict[str, Cure]:
    assert prove(route(network)).cbd
    state = State(network, route, priorities.none(network), budget=budget or Budget())
    return {cure.name: cure for cure in cures(state)}


@pytest.mark.parametrize("size", [4, 5, 6, 8])
def test_a_ring_has_a_dateline_of_one_cable_and_no_bounce(size: int) -> None:
    found = tried(ring(size))
    assert set(found) == {"dateline", "updown"}
    assert found["dateline"].helps
    assert found["dateline"].levels == 2
    assert found["dateline"].title == f"one more priority across r0–r{size - 1} (dateline)"
    assert found["updown"].helps
    assert found["updown"].levels == 1
    assert found["updown"].survives_failures


def test_up_down_on_a_ring_of_four_loads_the_cables_at_the_root() -> None:
    """By hand: r1 → r0 carries 1/3 to r0, 1/3 to r3, half of r2's 1/3: 5/6; 2/3 before."""
    paths = tried(ring(4))["updown"].paths
    assert paths is not None
    assert paths.load_before == pytest.approx(2 / 3)
    assert paths.load_after == pytest.approx(5 / 6)
    assert paths.hops_before == paths.hops_after == pytest.approx(4 / 3)
    assert paths.throughput == (1, 1)


@pytest.mark.parametrize("leaves", [4, 5, 6])
def test_complementary_cuts_of_a_leaf_spine(leaves: int) -> None:
    found = tried(leaf_spine(leaves, 2).without(COMPLEMENTARY))
    assert found["bounce"].helps
    assert found["bounce"].levels == 2
    assert found["bounce"].unreachable == 0
    asn = found["asn-plan"]
    assert asn.helps
    assert (asn.unreachable_before, asn.unreachable) == (0, 2)
    assert asn.survives_failures
    assert "black hole" in asn.note
    assert found["dateline"].helps


@pytest.mark.parametrize("cut", [SAME_POD, TWO_PODS])
def test_cuts_of_a_fat_tree(cut: tuple[str, str]) -> None:
    found = tried(fat_tree(4).without(cut))
    assert found["bounce"].helps
    assert found["bounce"].levels == 2
    assert found["asn-plan"].helps
    assert found["asn-plan"].unreachable == 2
    assert found["updown"].helps
    assert found["updown"].unreachable == 0
    assert "global-hop" not in found, "pods are no dragonfly groups"


def test_same_tier_cables_are_not_cured_by_the_bounce_rule() -> None:
    found = tried(leaf_ring())
    bounce = found["bounce"]
    assert bounce.cbd
    assert not bounce.helps
    assert "within a tier (l0:l1:1, l1:l2:1, l2:l3:1, l0:l3:1)" in bounce.note
    assert "asn-plan" not in found, "the design would not number these tiers so"
    without = found["no-same-tier"]
    assert without.helps
    assert without.unreachable == 0
    assert list(found)[-1] == "bounce", "what does not help comes last"


@pytest.mark.parametrize("size", [4, 5])
def test_a_torus_has_no_small_dateline(size: int) -> None:
    found = tried(grid(size, torus=True))
    assert found["updown"].helps
    assert found["dateline"].cbd
    assert not found["dateline"].helps


def test_a_mesh() -> None:
    found = tried(grid(4, torus=False))
    assert found["updown"].helps
    assert found["dateline"].levels > 2


@pytest.mark.parametrize(
    ("sizes", "route", "levels"),
    [
        ((1, 2, 1, 3), minimal, 2),
        ((1, 2, 1, 2), minimal, 2),
        ((2, 4, 2, 9), minimal, 2),
        ((2, 4, 2, 9), spf, 3),
        ((2, 4, 4, 16), minimal, 2),
        ((2, 4, 4, 16), spf, 3),
    ],
)
def test_a_dragonfly_rises_at_global_cables(
    sizes: tuple[int, int, int, int], route: Callable[[Network], Forwarding], levels: int
) -> None:
    found = tried(dragonfly(*sizes), route)
    assert found["global-hop"].helps
    assert found["global-hop"].levels == levels
    assert found["updown"].helps
    assert "bounce" not in found


def test_flooding_has_a_cure_of_its_own() -> None:
    network = leaf_spine(2, 2)
    found = tried(network, l2_flood)
    assert set(found) == {"routed-hosts"}
    assert found["routed-hosts"].helps
    assert "hosts.port: routed" in found["routed-hosts"].change


def test_flooding_is_not_all_where_the_routes_have_a_cbd() -> None:
    found = tried(ring(4), l2_flood)["routed-hosts"]
    assert found.cbd
    assert "of their own" in found.note


def _allowas_in(network: Network) -> State:
    rules = rfc7938(network)
    assert rules is not None
    relaxed = rules.plain(own_asn_allowed=1)
    return State(network, lambda n: bgp(n, relaxed), priorities.none(network), bgp=relaxed)


def test_allowas_in_is_named() -> None:
    found = {c.name: c for c in cures(_allowas_in(leaf_spine(4, 2).without(COMPLEMENTARY)))}
    assert found["asn-plan"].unreachable_before == 0
    assert found["asn-plan"].unreachable == 2
    assert "allowas-in" in found["asn-plan"].change


def test_the_numbering_in_force_is_not_offered() -> None:
    network = leaf_spine(4, 2).without(COMPLEMENTARY)
    rules = rfc7938(network)
    assert rules is not None
    state = State(network, spf, priorities.none(network), bgp=rules)
    assert "asn-plan" not in {cure.name for cure in cures(state)}


def test_rfc7938_numbers() -> None:
    """Validation 1.3: one ASN for the top, one per pod's middle tier, one per ToR."""
    network = fat_tree(4)
    rules = rfc7938(network)
    assert rules is not None
    of = dict(zip(network.names, rules.asn.tolist(), strict=True))
    assert len({of[f"c{n}"] for n in range(4)}) == 1
    assert [of[f"a{p}.0"] == of[f"a{p}.1"] for p in range(4)] == [True] * 4
    assert len({of[f"a{p}.0"] for p in range(4)}) == 4
    assert len(set(of.values())) == 1 + 4 + 8
    assert refuses_valleys(network, rules.asn)
    unique = replace(rules, asn=rules.asn * 0 + range(len(rules.asn)))
    assert not refuses_valleys(network, unique.asn)


def test_more_priorities_than_the_switches_carry_are_no_cure() -> None:
    budget = Budget(classes=1, levels=1, limit=2, limit_by="a model under a system")
    found = tried(dragonfly(2, 4, 2, 9), spf, budget)["global-hop"]
    assert not found.cbd
    assert found.priorities == 3
    assert not found.fits
    assert not found.helps


def test_priorities_that_are_there_already_cost_nothing() -> None:
    budget = Budget(classes=3, levels=2, limit=3)
    found = tried(dragonfly(1, 2, 1, 3), minimal, budget)["global-hop"]
    assert (found.priorities_before, found.priorities) == (3, 3)
    assert found.headroom is None


def test_parallel_cables_rise_together() -> None:
    pairs = [("r0", "r1"), ("r1", "r2"), ("r2", "r3"), ("r3", "r0"), ("r3", "r0")]
    network = Network.of(
        [Node(f"r{n}", 1) for n in range(4)], numbered((a, b, "cable") for a, b in pairs)
    )
    found = tried(network)["dateline"]
    assert found.helps
    assert "r0–r3 (2 cables)" in found.title
    assert "r0:r3:1, r0:r3:2" in found.change
