"""What dragonflies state about their shape: bisection, oversubscription, symmetry, title."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from networkx.algorithms.isomorphism import GraphMatcher

from fabric import topologies
from tests.topologies.cuts import every_side
from tests.topologies.fabrics import blueprint, group

if TYPE_CHECKING:
    from fabric.model.topology import Blueprint

Params = topologies.params_type("dragonfly")
PlusParams = topologies.params_type("dragonfly-plus")
ARRANGEMENTS = ("consecutive", "palm-tree", "circulant", "round-robin")


def dragonfly(**changes: Any) -> Any:
    """The smallest that is one: df(1,2,1,3)."""
    return Params(**{"p": 1, "a": 2, "h": 1, "g": 3} | changes)


def plus(**changes: Any) -> Any:
    """Three groups of 2×2."""
    return PlusParams(**{"p": 1, "leaves": 2, "spines": 2, "h": 1, "g": 3} | changes)


# validation.md §2.5: exact bisections of whole dragonflies
@pytest.mark.parametrize(
    ("params", "cut"), [(Params(1, 2, 1, 3), 2), (Params(2, 3, 1, 4), 4)], ids=str
)
def test_the_least_cut_is_that_of_the_truth_table(params: Any, cut: int) -> None:
    plan = blueprint("dragonfly", params)
    assert every_side(plan, 1) == cut
    assert plan.shape.bisection_gbps is None
    assert plan.shape.bisection_note.startswith("no closed form: the least cut may run through")


# validation.md §2.2: halving the groups cuts ℓ·(g/2)², p2 a4 h4 g16: 64; §2.6: p2 a8 h4 g8 has
# ratio 1.0, 64 of 64
@pytest.mark.parametrize(
    ("params", "bound"), [(Params(2, 4, 4, 16), 64), (Params(2, 8, 4, 8), 64)], ids=str
)
def test_the_bound_between_halves_of_the_groups(params: Any, bound: int) -> None:
    note = blueprint("dragonfly", params).shape.bisection_note
    assert note.endswith(f"halving the groups cuts {bound} Gb/s, an upper bound")


@given(
    a=st.integers(2, 3),
    h=st.integers(1, 2),
    g=st.sampled_from([2, 4]),
    p=st.integers(1, 3),
    arrangement=st.sampled_from(ARRANGEMENTS),
)
@settings(deadline=None)
def test_the_bound_is_one(a: int, h: int, g: int, p: int, arrangement: str) -> None:
    assume(a * h >= g - 1)
    params = Params(p, a, h, g, arrangement=arrangement)
    plan = blueprint("dragonfly", params)
    bound = a * h // (g - 1) * (g // 2) ** 2
    assert f" {bound} Gb/s" in plan.shape.bisection_note
    assert every_side(plan, 1) <= bound


def test_no_bound_where_halves_of_the_groups_are_not_halves_of_the_endpoints() -> None:
    odd = blueprint("dragonfly", dragonfly()).shape
    uneven = blueprint("dragonfly", dragonfly(g=2), (group(3),)).shape
    for shape in (odd, uneven):
        assert "bound" not in shape.bisection_note


@given(
    g=st.integers(2, 8),
    links=st.integers(1, 3),
    p=st.integers(1, 5),
    speeds=st.tuples(st.integers(1, 5), st.integers(1, 5)),
    data=st.data(),
)
@settings(deadline=None)
def test_groups_of_one_router_against_every_side(
    g: int, links: int, p: int, speeds: tuple[int, int], data: st.DataObject
) -> None:
    hosts = data.draw(st.integers(1, p * g))
    params = dragonfly(p=p, a=1, h=links * (g - 1), g=g, links_per_group_pair=links)
    plan = blueprint("dragonfly", params, (group(hosts, speed=speeds[1]),), speeds[0])
    assert plan.shape.bisection_gbps == every_side(plan, speeds[1])


@pytest.mark.parametrize(
    ("kind", "params", "title"),
    [
        (
            "dragonfly",
            dragonfly(),
            "dragonfly p=1 a=2 h=1 g=3, consecutive, 1 cable a group pair",
        ),
        (
            "dragonfly",
            Params(2, 8, 4, 8, local_links=2, arrangement="circulant"),
            ("dragonfly p=2 a=8 h=4 g=8, circulant, 4 cables a group pair, 2 cables a router pair"),
        ),
        (
            "dragonfly-plus",
            plus(links=2),
            (
                "dragonfly+ p=1 2×2 h=1 g=3, consecutive, 1 cable a group pair, "
                "2 cables a leaf-spine pair"
            ),
        ),
    ],
)
def test_title(kind: str, params: Any, title: str) -> None:
    assert blueprint(kind, params, ()).shape.title == title


# validation.md §2.2: a group's endpoints over its global cables; balanced (a = 2p = 2h) is 1
def test_oversubscription() -> None:
    assert blueprint("dragonfly", Params(2, 4, 2, 9)).shape.oversubscription == (("router", 1.0),)
    thin = blueprint("dragonfly", Params(4, 4, 2, 8)).shape
    assert thin.oversubscription == (("router", 16 / 7),)


def orbits_hold(plan: Blueprint) -> None:
    """Switches of one label: some automorphism that keeps roles and hosts takes one to another."""
    carried = Counter(leaf for host in plan.hosts for leaf in host.leaves)
    label = dict(plan.shape.symmetry)
    assert set(label) == {switch.name for switch in plan.switches}
    first: dict[str, str] = {}
    for switch in plan.switches:
        other = first.setdefault(label[switch.name], switch.name)
        if other == switch.name:
            continue
        graphs = []
        for marked in (other, switch.name):
            graph: nx.Graph[str] = nx.Graph()
            for node in plan.switches:
                graph.add_node(node.name, tag=(node.role, carried[node.name], node.name == marked))
            for cable in plan.cables:
                before = graph.get_edge_data(cable.a, cable.b, {"tag": ()})["tag"]
                tag = tuple(sorted((*before, *((cable.kind,) * cable.count))))
                graph.add_edge(cable.a, cable.b, tag=tag)
            graphs.append(graph)
        matcher = GraphMatcher(
            graphs[0],
            graphs[1],
            node_match=lambda a, b: a["tag"] == b["tag"],
            edge_match=lambda a, b: a["tag"] == b["tag"],
        )
        assert matcher.is_isomorphic(), (other, switch.name)


@given(
    a=st.integers(1, 3),
    h=st.integers(1, 3),
    g=st.integers(2, 4),
    arrangement=st.sampled_from(ARRANGEMENTS),
    data=st.data(),
)
@settings(deadline=None, max_examples=60)
def test_symmetry_labels_are_classes_of_automorphisms(
    a: int, h: int, g: int, arrangement: str, data: st.DataObject
) -> None:
    assume(a * h >= g - 1)
    links = data.draw(st.integers(1, a * h // (g - 1)))
    hosts = data.draw(st.sampled_from([0, 1, a, 2 * a * g - 1, 2 * a * g]))
    sizes = {"h": h, "g": g, "links_per_group_pair": links, "arrangement": arrangement}
    orbits_hold(blueprint("dragonfly", Params(p=2, a=a, **sizes), (group(hosts),)))
    fewer = (group(min(hosts, 4 * g)),)
    orbits_hold(blueprint("dragonfly-plus", PlusParams(p=2, leaves=2, spines=a, **sizes), fewer))


def test_where_labels_are_shared() -> None:
    def labels(kind: str, params: Any, hosts: int) -> set[str]:
        return set(dict(blueprint(kind, params, (group(hosts),)).shape.symmetry).values())

    turning = Params(1, 2, 2, 5, arrangement="palm-tree")
    assert labels("dragonfly", turning, 10) == {"router", "router/1"}
    assert len(labels("dragonfly", turning, 9)) == 10
    assert len(labels("dragonfly", Params(1, 2, 2, 5), 10)) == 10
    assert labels("dragonfly", dragonfly(a=1, h=4, g=5), 5) == {"router"}
    assert labels("dragonfly-plus", plus(arrangement="circulant"), 6) == {
        "leaf",
        "spine",
        "spine/1",
    }
    assert labels("dragonfly-plus", plus(), 6) >= {"leaf/2", "spine/5"}
