"""Valiant: the engine on two layers and packets followed one by one; what it refuses."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from fabric.analysis import legs, priorities
from fabric.analysis.deadlock import prove
from fabric.analysis.network import Network, Node, numbered
from fabric.analysis.routing import dragonfly, valiant
from tests.analysis import random_fabrics, reference_valiant
from tests.analysis.fabrics import dragonfly as df
from tests.analysis.fabrics import leaf_spine
from tests.analysis.random_fabrics import SEEDS, seeded


@given(SEEDS)
@settings(max_examples=50)
def test_against_packets_one_by_one(seed: int) -> None:
    random = seeded(seed)
    case = random_fabrics.case(random, random_fabrics.groups)
    by_router, rise = random.random() < 0.5, random.choice(("none", "global", "middle"))
    alive = {node.group for node in case.fabric.nodes if node.name not in case.fabric.dead}
    if len(alive) < 3:
        return
    model = (valiant.to_router if by_router else valiant.to_group)(case.network)
    layers = model.forwarding.network
    rising = {
        "none": priorities.none(layers),
        "global": priorities.global_hop(layers),
        "middle": valiant.rising_at_middle(model),
    }[rise]
    proof = legs.prove(model, rising)
    expected = reference_valiant.judge(
        case.fabric,
        by_router=by_router,
        after_global=rise != "none",
        at_middle=rise == "middle",
    )
    names = case.network.names
    assert {(names[a], names[b]) for a, b in model.unreachable} == expected.unreachable, str(case)
    found = (proof.edges, sorted(proof.component_sizes.tolist()), proof.priorities)
    assert found == (expected.edges, expected.sizes, expected.priorities), (rise, str(case))


def test_no_way_but_over_the_middle() -> None:
    # A triangle of single routers: between two groups only the third is a middle.
    network = df(1, 1, 2, 3)
    model = valiant.to_group(network)
    proof = legs.prove(model)
    assert not model.unreachable
    # Each of 6 ordered pairs goes 2 hops, and the hops follow one another both ways round.
    assert proof.edges == 6
    assert sorted(proof.component_sizes.tolist()) == [3, 3]
    cut = network.without([network.cables[0][0].id])
    assert len(valiant.to_group(cut).unreachable) == 4  # of the 6 only two avoid that cable


def test_within_a_group_packets_go_straight() -> None:
    network = df(1, 4, 1, 5)
    lone = Network.of(
        [
            Node(
                name,
                int(name.startswith("g0")),
                0,
                network.group_names[network.group[n]],
            )
            for n, name in enumerate(network.names)
        ],
        numbered((c.a, c.b, c.kind) for cables in network.cables for c in cables),
    )
    for model in (valiant.to_group(lone), valiant.to_router(lone)):
        assert not model.unreachable
        assert legs.prove(model).edges == 0  # leaves of one group alone: one hop each


def test_the_two_layers() -> None:
    network = df(1, 2, 1, 3)
    layers = legs.laid_out_twice(network)
    size, count = len(network.names), len(network.tail)
    assert len(layers.names) == len(set(layers.names)) == 2 * size
    assert len(layers.tail) == 4 * count == 2 * len(layers.cables)
    assert (layers.tail[::2] == layers.head[1::2]).all()
    assert (layers.head[::2] == layers.tail[1::2]).all()
    assert (legs.across(network) == ((layers.tail < size) & (layers.head >= size))).all()
    assert layers.leaves.tolist() == network.leaves.tolist()


def test_a_middle_needs_a_third_group() -> None:
    for model in (valiant.to_group, valiant.to_router):
        with pytest.raises(ValueError, match="no third group"):
            model(df(1, 2, 1, 2))
        with pytest.raises(dragonfly.GroupError):
            model(leaf_spine(2, 2))


def test_a_detour_never_lacks_what_the_minimal_way_needs() -> None:
    network = df(1, 4, 1, 5)
    minimal = prove(dragonfly.minimal(network), priorities.global_hop(network))
    model = valiant.to_group(network)
    detour = legs.prove(model, priorities.global_hop(model.forwarding.network))
    assert (minimal.priorities, detour.priorities) == (2, 3)
