"""What holds for every fabric, whatever its size, order, names and failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import pytest
from hypothesis import given, settings

from fabric.analysis import deadlock, priorities
from fabric.analysis.network import Network, Node
from fabric.analysis.routing import dragonfly, shortest
from fabric.analysis.routing.bgp import bgp
from fabric.analysis.routing.up_down import up_down
from tests.analysis import random_fabrics
from tests.analysis.fabrics import bgp_rules, fat_tree, leaf_spine, relabelled, rfc7938
from tests.analysis.random_fabrics import SEEDS, seeded

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.priorities import Rising

Answer = tuple[bool, int, list[int], int, int]

MODELS: dict[str, Callable[[Network], Forwarding]] = {
    "spf": shortest.spf,
    "df-min": dragonfly.minimal,
    "l2-flood": shortest.l2_flood,
}
RULES: tuple[Callable[[Network], Rising], ...] = (
    priorities.none,
    priorities.bounce,
    priorities.global_hop,
)


def answer(forwarding: Forwarding, rule: Callable[[Network], Rising]) -> Answer:
    proof = deadlock.prove(forwarding, rule(forwarding.network))
    sizes = sorted(proof.component_sizes.tolist())
    return proof.cbd, proof.edges, sizes, proof.priorities, len(forwarding.unreachable)


def shuffled(random: Random, network: Network) -> Network:
    nodes = list(range(len(network.names)))
    cables = list(range(sum(len(bundle) for bundle in network.cables)))
    random.shuffle(nodes)
    random.shuffle(cables)
    return relabelled(network, nodes, cables)


@pytest.mark.parametrize("model", MODELS)
@given(SEEDS)
@settings(max_examples=40)
def test_names_and_order_do_not_matter(model: str, seed: int) -> None:
    random = seeded(seed)
    shape = random_fabrics.groups if model == "df-min" else None
    whole = random_fabrics.whole(random, shape)
    rule = random.choice(RULES)
    expected = answer(MODELS[model](whole), rule)
    assert answer(MODELS[model](shuffled(random, whole)), rule) == expected


@pytest.mark.parametrize("whole", [leaf_spine(4, 3), fat_tree(4)], ids=["ls 4×3", "ft 4"])
@given(SEEDS)
@settings(max_examples=40)
def test_names_and_order_do_not_matter_to_bgp(whole: Network, seed: int) -> None:
    random = seeded(seed)
    cables = [cable.id for bundle in whole.cables for cable in bundle]
    cut = whole.without(random.sample(cables, random.randint(0, 4)))
    other = shuffled(random, cut)
    one, two = (
        answer(bgp(network, bgp_rules(network, rfc7938(network))), priorities.none)
        for network in (cut, other)
    )
    assert one == two


@given(SEEDS)
@settings(max_examples=40)
def test_up_down_is_acyclic_and_stays_so(seed: int) -> None:
    random = seeded(seed)
    network = random_fabrics.whole(random)
    roots = random.sample(network.names, random.choice((0, 1)))
    cables = [cable.id for bundle in network.cables for cable in bundle]
    random.shuffle(cables)
    for failures in range(min(len(cables), 5)):
        state = network.without(cables[:failures])
        forwarding = up_down(state, roots)
        assert not deadlock.prove(forwarding).cbd
        if roots:
            assert joined(state) == joined_by(forwarding)


def joined(network: Network) -> set[tuple[int, int]]:
    """Ordered pairs of leaves between which there are cables."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(network.names)))
    live = network.count > 0
    graph.add_edges_from(zip(network.tail[live].tolist(), network.head[live].tolist(), strict=True))
    leaves = network.leaves.tolist()
    return {(a, b) for a in leaves for b in leaves if a != b and nx.has_path(graph, a, b)}


def joined_by(forwarding: Forwarding) -> set[tuple[int, int]]:
    leaves = forwarding.network.leaves.tolist()
    every = {(a, b) for a in leaves for b in leaves if a != b}
    return every - set(forwarding.unreachable)


@given(SEEDS)
@settings(max_examples=40)
def test_shortest_paths_join_all_that_is_joined(seed: int) -> None:
    network = random_fabrics.case(seeded(seed)).network
    assert joined(network) == joined_by(shortest.spf(network))


@pytest.mark.parametrize("model", ["spf", "df-min"])
@given(SEEDS)
@settings(max_examples=40)
def test_doubled_cables(model: str, seed: int) -> None:
    random = seeded(seed)
    shape = random_fabrics.groups if model == "df-min" else None
    whole = random_fabrics.whole(random, shape)
    cables = [cable for bundle in whole.cables for cable in bundle]
    nodes = [
        Node(name, int(whole.endpoints[n]), int(whole.tier[n]), f"{whole.group[n]}")
        for n, name in enumerate(whole.names)
    ]
    one = Network.of(nodes, cables)
    two = Network.of(nodes, [*cables, *(c._replace(id=f"{c.id} again") for c in cables)])
    rule = random.choice(RULES)
    cbd, edges, sizes, levels, lost = answer(MODELS[model](one), rule)
    doubled = (cbd, 4 * edges, [2 * size for size in sizes], levels, lost)
    assert answer(MODELS[model](two), rule) == doubled


@given(SEEDS)
@settings(max_examples=40)
def test_bgp_with_nothing_to_refuse_is_shortest_path(seed: int) -> None:
    # An ASN for each switch, or an own ASN that may be in the path as often as it likes.
    random = seeded(seed)
    network = random_fabrics.case(random).network
    own = {name: n for n, name in enumerate(network.names)}
    shared = {name: random.randint(1, 2) for name in network.names}
    expected = shortest.spf(network)
    for rules in (bgp_rules(network, own), bgp_rules(network, shared, own_asn_allowed=99)):
        found = bgp(network, rules)
        assert by_destination(found) == by_destination(expected)


def by_destination(forwarding: Forwarding) -> dict[tuple[str, str], frozenset[str]]:
    network = forwarding.network
    names = network.names
    return {
        (name, names[d]): forwarding.next_switches(name, names[d])
        for name in names
        for d in forwarding.destinations
    }
