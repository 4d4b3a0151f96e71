"""Orbits: never more than what a search over all mappings finds, and as much on regular fabrics."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest
from networkx.algorithms.isomorphism import categorical_node_match

from fabric.analysis import priorities
from fabric.analysis.coloured import Coloured
from fabric.analysis.orbits import Symmetry
from fabric.analysis.routing.models import Bgp, DragonflyMinimal, Model, Spf
from tests.analysis import sweep_fabrics as fabrics

if TYPE_CHECKING:
    from fabric.analysis.network import Network


def symmetry(model: Model) -> Symmetry:
    return Symmetry(model.network, model.seen(), priorities.none(model.network).way)


def orbits(labels: np.ndarray) -> int:
    return len(np.unique(labels))


def marked(network: Network, *bundles: int, asn: np.ndarray | None = None) -> nx.Graph[object]:
    """The fabric as a graph for networkx; shared ASNs are vertices of their own."""
    graph: nx.Graph[object] = nx.Graph()
    for n in np.flatnonzero(network.alive).tolist():
        graph.add_node(n, sort=(int(network.tier[n]), bool(network.endpoints[n])))
    for n in np.flatnonzero(~network.alive).tolist():
        graph.add_node(n, sort="out of service")
    for bundle in range(len(network.cables)):
        if many := int(network.count[2 * bundle]):
            ends = [int(network.tail[2 * bundle]), int(network.head[2 * bundle])]
            middle = f"bundle {bundle}"
            graph.add_node(middle, sort=(many, int(network.kind[2 * bundle]), bundle in bundles))
            graph.add_edges_from((middle, end) for end in ends)
    if asn is not None:
        for n, number in enumerate(asn.tolist()):
            graph.add_node(f"asn {number}", sort="asn")
            graph.add_edge(f"asn {number}", n)
    return graph


def related(one: nx.Graph[object], two: nx.Graph[object]) -> bool:
    same = categorical_node_match("sort", None)
    return bool(nx.is_isomorphic(one, two, node_match=same))


@pytest.mark.parametrize(
    ("network", "cables", "switches"),
    [
        (fabrics.fat_tree(4), 2, 3),
        (fabrics.fat_tree(8), 2, 3),
        (fabrics.leaf_spine(4, 2), 1, 2),
        (fabrics.leaf_spine(7, 5), 1, 2),
        (fabrics.leaf_spine(5, 3, parallel=4), 1, 2),
        (fabrics.ring(3), 1, 1),
        (fabrics.ring(8), 1, 1),
        (fabrics.ring(101), 1, 1),
        (fabrics.dragonfly(1, 2, 1, 3), 2, 1),  # a ring of six, local and global in turn
        (fabrics.dragonfly(1, 1, 3, 4), 1, 1),  # a full mesh
        (fabrics.with_leaf_ring(fabrics.leaf_spine(4, 2)), 2, 2),
    ],
    ids=str,
)
def test_regular_fabrics_have_few_orbits(network: Network, cables: int, switches: int) -> None:
    found = symmetry(Spf(network))
    assert orbits(found.bundles) == cables
    assert orbits(found.switches) == switches


def test_pairs_of_cables_of_a_leaf_spine_share_a_leaf_a_spine_or_nothing() -> None:
    found = symmetry(Spf(fabrics.leaf_spine(5, 4)))
    assert orbits(found.bundles_beside(0)) == 1 + 3


def test_pairs_of_cables_of_a_ring_differ_by_their_distance() -> None:
    found = symmetry(Spf(fabrics.ring(9)))
    assert orbits(found.bundles_beside(3)) == 1 + 4


def test_dragonfly_groups_may_be_renamed() -> None:
    network = fabrics.dragonfly(1, 2, 1, 3)
    assert orbits(symmetry(DragonflyMinimal(network)).bundles) == 2


def test_asns_may_be_renamed_but_not_regrouped() -> None:
    network = fabrics.fat_tree(4)
    assert orbits(symmetry(Bgp(network, fabrics.rfc7938(network))).bundles) == 2
    assert orbits(symmetry(Bgp(network, fabrics.unique_asn(network))).bundles) == 2
    asn = list(range(100, 100 + len(network.names)))
    asn[network.number["e0.0"]] = asn[network.number["c0"]]
    assert orbits(symmetry(Bgp(network, fabrics.rules(network, asn))).bundles) > 2


def test_classes_of_leaves_are_told_apart_by_their_size() -> None:
    """Leaves on one spine are alike; two of them on s0 and three on s1 make the spines differ."""
    nodes = [fabrics.Node("c"), fabrics.Node("s0"), fabrics.Node("s1")]
    nodes += [fabrics.Node(f"l{n}", 1) for n in range(5)]
    pairs = [("c", "s0"), ("c", "s1"), *((f"l{n}", f"s{n > 1:d}") for n in range(5))]
    listed = fabrics.numbered((a, b, "cable") for a, b in pairs)
    found = symmetry(Spf(fabrics.Network.of(nodes, listed)))
    assert orbits(found.bundles) == 4
    assert orbits(found.switches) == 5


@pytest.mark.parametrize("seed", range(24))
def test_what_shares_an_orbit_is_related_and_what_is_related_shares_one(seed: int) -> None:
    rng = fabrics.seeded(seed)
    network = fabrics.uneven(rng)
    if rng.random() < 0.3:
        network = network.without([c.id for c in rng.sample(fabrics.cables(network), 2)])
    if not network.count.any():
        return
    asn = None
    model: Model = Spf(network)
    if rng.random() < 0.5:
        asn = np.array([rng.randrange(4) for _ in network.names])
        model = Bgp(network, fabrics.rules(network, asn.tolist()))
    found = symmetry(model)
    live = np.flatnonzero(network.count[::2]).tolist()
    for one, two in combinations(live, 2):
        really = related(marked(network, one, asn=asn), marked(network, two, asn=asn))
        assert (found.bundles[one] == found.bundles[two]) == really, (one, two)


@pytest.mark.parametrize(
    "network",
    [fabrics.fat_tree(4), fabrics.dragonfly(1, 2, 2, 5), fabrics.dragonfly(1, 3, 1, 4)],
    ids=str,
)
def test_orbits_beside_a_cable_are_those_that_keep_it(network: Network) -> None:
    found = symmetry(Spf(network))
    fixed = 3
    beside = found.bundles_beside(fixed)
    live = [b for b in range(len(network.cables)) if b != fixed]
    for one, two in combinations(live, 2):
        if beside[one] == beside[two]:
            # The fixed cable in one colour, the other in another: two kinds of mark.
            first, second = marked(network, one), marked(network, two)
            for graph in (first, second):
                graph.nodes[f"bundle {fixed}"]["sort"] = "fixed"
            assert related(first, second), (one, two)


def test_orbits_do_not_depend_on_the_order_of_the_switches() -> None:
    rng = fabrics.seeded(5)
    for network in (fabrics.fat_tree(4), fabrics.dragonfly(1, 2, 2, 5), fabrics.uneven(rng)):
        one = symmetry(Spf(network))
        two = symmetry(Spf(fabrics.shuffled(network, rng)))
        sizes = [sorted(np.unique(x.bundles, return_counts=True)[1].tolist()) for x in (one, two)]
        assert sizes[0] == sizes[1]


def test_only_verified_mappings_count() -> None:
    square = Coloured(
        colour=np.array([0, 0, 0, 1]),
        tail=np.array([0, 0, 1, 1, 2, 2, 3, 3]),
        head=np.array([1, 3, 0, 2, 1, 3, 0, 2]),
        label=np.zeros(8, dtype=np.int64),
    )
    assert square.is_automorphism(np.array([2, 1, 0, 3]))
    assert not square.is_automorphism(np.array([1, 2, 3, 0]))  # colours
    assert not square.is_automorphism(np.array([1, 0, 2, 3]))  # arcs
    assert not square.is_automorphism(np.array([0, 0, 0, 3]))  # not one to one
