"""Who sends to whom, and over which cables."""

from __future__ import annotations

import numpy as np
import pytest

from fabric.analysis import cycle, deadlock
from fabric.analysis.forwarding import of_tables
from fabric.analysis.network import Network, Node, numbered
from fabric.analysis.routing.shortest import l2_flood, spf
from fabric.analysis.routing.up_down import up_down
from fabric.analysis.storm import traffic
from fabric.analysis.storm.ground import NOWHERE, Ground
from fabric.analysis.storm.layout import layout
from fabric.analysis.storm.paths import PathError, Paths, paths
from fabric.analysis.storm.question import across
from fabric.analysis.storm.study import StudyError, Trial, study
from fabric.model.storm import StormModel
from tests.analysis.storm.fabrics import clockwise, ground, leaf_spine, ring


def switches(over: Ground, found: Paths, flow: int) -> list[str]:
    """The switches on a path."""
    channels = found.channels[flow, 1:]
    between = channels[(channels != NOWHERE) & (channels < over.fabric_channels)]
    heads = over.network.head[over.arc_of[between]]
    return [over.network.names[n] for n in (over.leaf[found.source[flow]], *heads.tolist())]


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_permutation_has_no_fixed_point_and_every_nic_once() -> None:
    nics = traffic.nics_of(ring(3, 2))
    for seed in range(20):
        demand = traffic.permutation(nics, np.random.default_rng(seed))
        assert sorted(demand.destination.tolist()) == demand.source.tolist() == list(range(6))
        assert (demand.source != demand.destination).all()


def test_uniform_is_every_ordered_pair() -> None:
    demand = traffic.uniform(traffic.nics_of(ring(3)))
    pairs = list(zip(demand.source.tolist(), demand.destination.tolist(), strict=True))
    assert pairs == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


def test_shift_goes_round_clockwise_where_both_ways_are_shortest() -> None:
    over = ground(spf(ring(4)))
    found = paths(over, traffic.shift(over.nics, over.network.leaves, 2), rng())
    assert [switches(over, found, n) for n in range(4)] == [
        ["r0", "r1", "r2"],
        ["r1", "r2", "r3"],
        ["r2", "r3", "r0"],
        ["r3", "r0", "r1"],
    ]


def test_shift_follows_routing_where_only_the_other_way_is_shortest() -> None:
    over = ground(spf(ring(4)))
    found = paths(over, traffic.shift(over.nics, over.network.leaves, 3), rng())
    assert switches(over, found, 0) == ["r0", "r3"]


def test_worst_flows_go_over_the_cycle_that_the_proof_found() -> None:
    """Validation 1.5: ls 4×2 with complementary cuts has one cycle, l2→s0→l3→s1→l2."""
    network = leaf_spine(4, 2, 2).without(("l0:s1:1", "l1:s0:1"))
    forwarding = spf(network)
    steps = cycle.shortest(deadlock.prove(forwarding), int)
    over = ground(forwarding)
    demand = traffic.worst(over.nics, network, steps)
    found = paths(over, demand, rng())
    assert found.lost == 0
    assert len(found.source) == 8
    turned = set()
    for n in range(8):
        way = switches(over, found, n)
        assert way[0][0] == way[-1][0] == "l"
        turned |= set(zip(way, way[1:], way[2:], strict=False))
    for step, following in zip(steps, (*steps[1:], steps[0]), strict=True):
        assert (step.sender, step.receiver, following.receiver) in turned


def test_worst_flows_keep_their_ends_under_a_cure() -> None:
    network = ring(4)
    steps = cycle.shortest(deadlock.prove(spf(network)), int)
    over = ground(up_down(network))
    demand = traffic.worst(over.nics, network, steps)
    found = paths(over, demand, rng())
    for n in range(4):
        way = switches(over, found, n)
        assert over.network.names[over.leaf[demand.source[n]]] == way[0]
        assert over.network.names[over.leaf[demand.destination[n]]] == way[-1]


def test_each_parallel_cable_is_chosen() -> None:
    network = Network.of([Node("a", 8), Node("b", 8)], numbered([("a", "b", "cable")] * 3))
    over = ground(spf(network))
    found = paths(over, traffic.uniform(over.nics), rng())
    crossing = found.channels[:, 1]
    used = np.bincount(crossing[crossing < over.fabric_channels], minlength=6)
    assert (used > 10).all()
    assert {over.cable(n)[0].id for n in range(6)} == {"a:b:1", "a:b:2", "a:b:3"}
    assert [over.cable(n)[1] for n in range(6)] == ["a"] * 3 + ["b"] * 3


def test_a_failed_parallel_cable_is_not_used_and_the_others_keep_their_names() -> None:
    network = Network.of([Node("a", 1), Node("b", 1)], numbered([("a", "b", "cable")] * 3))
    over = ground(spf(network.without(("a:b:2",))))
    assert [over.cable(n)[0].id for n in range(4)] == ["a:b:1", "a:b:3"] * 2
    assert over.channel("a:b:2", "a") == NOWHERE
    assert over.channel("a:b:3", "b") == 3


def test_levels_rise_behind_the_dateline() -> None:
    network = ring(4)
    over = ground(clockwise(network), across(network, [("r3", "r0")]))
    found = paths(over, traffic.shift(over.nics, network.leaves, 3), rng())
    # From r2: to r3 on level 0, over the dateline and behind it on 1, to the NIC as well.
    assert switches(over, found, 2) == ["r2", "r3", "r0", "r1"]
    assert found.levels[2].tolist() == [0, 0, 1, 1, 1]
    assert found.levels[0].tolist() == [0, 0, 0, 0, 0]


def test_offered_load_counts_every_flow_of_a_nic_evenly() -> None:
    over = ground(clockwise(ring(4)))
    plan = layout(over, [paths(over, traffic.uniform(over.nics), rng())])
    # Of three flows of each NIC, 1, 2 and 3 hops: six hops, a third each, over four cables of
    # which one leaves each switch clockwise.
    assert plan.offered[0][: over.fabric_channels].max() == pytest.approx(2.0)
    assert plan.offered[0].sum() == pytest.approx(4 * (2 + 1 + 1))


def test_next_hops_in_circles_are_refused() -> None:
    network = ring(3)
    tables = {"r0": {"r2": ["r1"]}, "r1": {"r2": ["r0"]}}
    over = ground(of_tables(network, tables, {"r2": "r2"}))
    demand = traffic.shift(over.nics, network.leaves, 2)
    with pytest.raises(PathError, match="lead packets round in circles"):
        paths(over, demand, rng())


def test_flooding_is_refused() -> None:
    over = ground(l2_flood(leaf_spine(2, 2)))
    with pytest.raises(PathError, match="flooding copies packets"):
        paths(over, traffic.uniform(over.nics), rng())


def test_pairs_without_a_way_are_left_out() -> None:
    network = ring(4).without(("r0:r1:1", "r0:r3:1"))
    over = ground(spf(network))
    found = paths(over, traffic.uniform(over.nics), rng())
    assert found.lost == 6
    assert len(found.source) == 6


def test_limits_are_told() -> None:
    over = ground(spf(ring(65)))
    trial = Trial((1.0,), (1,), StormModel())
    with pytest.raises(StudyError, match="64 switches and 512 NICs at most, here are 65 and 65"):
        study(over, lambda _: traffic.uniform(over.nics), trial)
    many = ground(spf(leaf_spine(4, 1, 40)))
    wide = Trial(tuple(n / 200 for n in range(1, 200)), (1,), StormModel())
    with pytest.raises(StudyError, match="the event model takes 20,000,000"):
        study(many, lambda _: traffic.uniform(many.nics), wide)


def test_nobody_to_send_to() -> None:
    over = ground(spf(Network.of([Node("a", 1), Node("b")], numbered([("a", "b", "cable")]))))
    with pytest.raises(StudyError, match="no NIC has another one"):
        study(over, lambda _: traffic.uniform(over.nics), Trial((1.0,), (1,), StormModel()))
