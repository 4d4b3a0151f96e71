"""``up_down`` claims nothing that enumerating shortest paths does not confirm."""

from __future__ import annotations

from itertools import combinations, pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric import topologies
from fabric.topologies.explicit.tiers import up_down
from tests.topologies.fabrics import blueprint

Cables = list[tuple[str, str]]


def _no_valley(tiers: dict[str, int], cables: Cables) -> bool:
    """Every shortest path between switches of tier 0 rises, then falls."""
    graph: nx.Graph[str] = nx.Graph(cables)
    graph.add_nodes_from(tiers)
    for u, v in combinations([n for n, tier in tiers.items() if tier == 0], 2):
        if not nx.has_path(graph, u, v):
            return False
        for path in nx.all_shortest_paths(graph, u, v):
            steps = [tiers[b] - tiers[a] for a, b in pairwise(path)]
            if any(step not in (1, -1) for step in steps) or steps != sorted(steps, reverse=True):
                return False
    return True


def _of(kind: str, params: object) -> tuple[dict[str, int], Cables]:
    plan = blueprint(kind, params)
    return {s.name: s.position.tier for s in plan.switches}, [(c.a, c.b) for c in plan.cables]


@pytest.mark.parametrize(
    ("kind", "params"),
    [
        ("leaf-spine", topologies.params_type("leaf-spine")(4, 2)),
        ("fat-tree", topologies.params_type("fat-tree")(4)),
        ("fat-tree", topologies.params_type("fat-tree")(8, 3, 2, 8)),
    ],
)
def test_proven_for_regular_fabrics(kind: str, params: object) -> None:
    tiers, cables = _of(kind, params)
    assert up_down(tiers, cables)
    assert _no_valley(tiers, cables)


# validation.md §1.5: two leaves that lost complementary uplinks meet over a third
def test_complementary_cuts_make_a_valley() -> None:
    tiers, cables = _of("leaf-spine", topologies.params_type("leaf-spine")(4, 2))
    cut = [c for c in cables if c not in {("leaf-0", "spine-1"), ("leaf-1", "spine-0")}]
    assert not up_down(tiers, cut)
    assert not _no_valley(tiers, cut)


def test_pods_that_share_a_leaf_have_valleys_as_short_as_the_way_over_the_top() -> None:
    tiers = {"l0": 0, "l1": 0, "l2": 0, "a0": 1, "a1": 1, "c": 2}
    cables = [("l0", "a0"), ("l1", "a0"), ("l1", "a1"), ("l2", "a1"), ("a0", "c"), ("a1", "c")]
    assert not up_down(tiers, cables)
    assert not _no_valley(tiers, cables)


@pytest.mark.parametrize("extra", [("leaf-0", "leaf-1"), ("spine-0", "spine-1")])
def test_a_cable_inside_a_tier_is_outside_the_proof(extra: tuple[str, str]) -> None:
    tiers, cables = _of("leaf-spine", topologies.params_type("leaf-spine")(4, 2))
    assert not up_down(tiers, [*cables, extra])


@pytest.mark.parametrize(
    ("tiers", "cables"),
    [
        ({"a": 0, "b": 0}, [("a", "b")]),
        ({"a": 0, "b": 2}, [("a", "b")]),
        ({"a": 0, "b": 0, "s": 1}, [("a", "s")]),
        ({"s": 1}, []),
        ({"a": 0, "s": 1, "t": 1}, [("a", "s")]),
    ],
)
def test_never_proven(tiers: dict[str, int], cables: Cables) -> None:
    assert not up_down(tiers, cables)


def test_one_switch() -> None:
    assert up_down({"a": 0}, [])


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_a_claim_is_always_true(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=2, max_size=3))
    tiers = {f"t{tier}-{n}": tier for tier, size in enumerate(sizes) for n in range(size)}
    pairs = [(a, b) for a in tiers for b in tiers if tiers[b] - tiers[a] == 1]
    cables = [pair for pair in pairs if data.draw(st.integers(0, 9)) < 7]
    if up_down(tiers, cables):
        assert _no_valley(tiers, cables)
