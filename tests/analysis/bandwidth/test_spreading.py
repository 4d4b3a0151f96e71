"""Spraying and least-loaded placement against what is known of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.analysis.bandwidth import demand, hashing, patterns, placing, spraying
from fabric.analysis.bandwidth.demand import NoGroupsError
from fabric.analysis.bandwidth.effective import Load, effective, trial
from fabric.analysis.bandwidth.fair import flow_counts
from fabric.analysis.bandwidth.flows import leaf_for, placed
from fabric.analysis.bandwidth.paths import Ways
from fabric.analysis.bandwidth.placing import (
    Hashed,
    LeastLoaded,
    TooManyFlowsError,
    UgalLike,
    Valiant,
)
from fabric.analysis.bandwidth.spraying import sprayed
from fabric.analysis.bandwidth.throughput import even_load
from fabric.analysis.forwarding import of_tables
from fabric.analysis.network import Network, Node, numbered
from fabric.analysis.routing.dragonfly import minimal
from tests.analysis.bandwidth.builds import dragonfly, pods
from tests.analysis.bandwidth.plants import Nic, plant, ways
from tests.analysis.cure_fabrics import fat_tree, leaf_spine
from tests.analysis.sweep_fabrics import seeded, uneven


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_one_sprayed_pair_loads_cables_as_even_split(seed: int) -> None:
    """And its rate is what the fullest cable or its NICs allow."""
    of = plant(uneven(seeded(seed)))
    if len(of.leaves) < 2:
        return
    source, target = of.attached[:1], of.attached[-1:]
    routes = ways(of)
    share, routed = spraying._spread(routes, source, target)
    matrix = demand.of_pairs(of, source, target, np.ones(1), "one")
    truth = even_load(routes, matrix)
    assert bool(routed[0]) == (truth is not None)
    if truth is None:
        return
    each = share[:, 0]
    assert each.tolist() == pytest.approx(truth.tolist(), abs=1e-9)
    rate = spraying._trial(routes, source, target).mean
    assert rate == pytest.approx(min(1.0, 1 / max(truth.max(), 1e-9)), abs=1e-6)


def test_spraying_gives_line_rate_where_nothing_is_oversubscribed() -> None:
    found = sprayed(ways(plant(fat_tree(4))), Load(1, trials=5))
    assert (found.mean, found.worst_pair, found.striped) == pytest.approx((1, 1, 1))
    assert (found.hash, found.stranded) == ("spray", 0)


def test_spraying_two_to_one_by_hand() -> None:
    """Everybody of the first leaf to the second: four over two cables."""
    of = plant(leaf_spine(2, 2, 4))
    ends = np.arange(4)
    sample = spraying._trial(ways(of), ends, ends + 4)
    assert (sample.mean, sample.worst) == pytest.approx((0.5, 0.5))


def test_pairs_without_a_way_are_stranded() -> None:
    """A leaf without uplinks: its endpoints reach one another and nobody else."""
    of = plant(leaf_spine(3, 2, 2), ("l0:s0:1", "l0:s1:1"))
    source, target = np.array([0, 0, 2, 4]), np.array([1, 2, 4, 2])
    sample = spraying._trial(ways(of), source, target)
    assert sample.stranded == pytest.approx(0.25)
    assert (sample.mean, sample.worst) == pytest.approx((0.75, 0))
    hashed = Hashed(ways(of), hashing.own_seeds(5))
    flows = placed(of, hashed, (source, target), np.arange(4, dtype=np.uint64), np.zeros((2, 4)))
    assert flows.routed.tolist() == [True, False, True, True]
    found = effective(of, hashed, Load(2, trials=8), "ecmp")
    assert 0 < found.stranded < 1
    alone = trial(of, hashed, 2, np.random.default_rng(1), (source, target))
    assert (alone.worst, alone.stranded) == (0, 0.25)


def test_a_stranded_flow_takes_nothing_from_others() -> None:
    """Two send to endpoint 2, one of them has no way: the other gets all of the NIC."""
    of = plant(leaf_spine(3, 2, 2), ("l0:s0:1", "l0:s1:1"))
    hashed = Hashed(ways(of), hashing.own_seeds(5))
    pairs = np.array([0, 4]), np.array([2, 2])
    found = trial(of, hashed, 1, np.random.default_rng(1), pairs)
    assert (found.mean, found.worst) == (0.5, 0)


def test_packets_lost_halfway_take_nothing_from_others() -> None:
    """b knows no way to c: what a sprays there is stranded and leaves the cable to the other."""
    network = Network.of(
        [Node("a", 2), Node("b", 1), Node("c", 1)],
        numbered([("a", "b", "cable"), ("b", "c", "cable")]),
    )
    of = plant(network)
    tables = {"a": {"b": ["b"], "c": ["b"]}}
    routes = Ways(of, of_tables(of.bundled, tables, {"b": "b", "c": "c"}))
    sample = spraying._trial(routes, np.array([0, 1]), np.array([2, 3]))
    assert (sample.mean, sample.worst, sample.stranded) == pytest.approx((0.5, 0, 0.5))


def test_flows_of_a_bond_use_both_leaves() -> None:
    of = plant(leaf_spine(3, 1), nics=[Nic(("l0", "l1"), 50), Nic(("l2",))])
    drawn = np.random.default_rng(1).random(1000)
    counts = np.bincount(leaf_for(of, np.zeros(1000, dtype=np.int64), drawn))
    assert counts.tolist() == pytest.approx([500, 500], abs=60)
    assert set(leaf_for(of, np.ones(9, dtype=np.int64), drawn[:9]).tolist()) == {2}


def test_a_bond_is_sprayed_over_both_leaves() -> None:
    of = plant(leaf_spine(3, 1), nics=[Nic(("l0", "l1"), 50), Nic(("l2",))])
    share, routed = spraying._spread(ways(of), np.array([0]), np.array([1]))
    assert routed.all()
    up = [0.5 if of.bundled.names[n] in {"l0", "l1"} else 0 for n in of.bundled.tail]
    down = [1.0 if of.bundled.names[n] == "l2" else 0 for n in of.bundled.head]
    assert share[:, 0].tolist() == [a + b for a, b in zip(up, down, strict=True)]


@pytest.mark.parametrize("qps", [1, 3, 8])
def test_least_loaded_is_balanced_at_every_leaf(qps: int) -> None:
    """What a leaf puts on its uplinks differs by one flow at most; a hash does worse."""
    of = plant(leaf_spine(4, 4, 4))
    pairs = patterns.drawn(of, patterns.PERMUTATION, np.random.default_rng(qps))
    source, target = (np.repeat(ends, qps) for ends in pairs)
    keys = np.random.default_rng(1).integers(0, 2**63, len(source), dtype=np.uint64)
    spread = {}
    for kind in (LeastLoaded, Hashed):
        placer = kind(ways(of), hashing.own_seeds(8))
        flows = placed(of, placer, (source, target), keys, np.zeros((2, len(keys))))
        counts = flow_counts(flows.links, len(of.capacity))[: len(of.capacity)]
        uplinks = [counts[of.network.tail == leaf] for leaf in of.leaves]
        spread[kind] = max(int(n.max() - n.min()) for n in uplinks)
    assert spread[LeastLoaded] <= 1 < spread[Hashed]


def test_least_loaded_knows_that_a_cable_is_slow() -> None:
    """A quarter of the speed takes one flow in five."""
    of = plant(leaf_spine(2, 2, 10), gbps=lambda name: 25 if ":s0:" in name else 100)
    placer = LeastLoaded(ways(of), hashing.own_seeds(4))
    zero = np.zeros(10, dtype=np.int64)
    found = placer.cables(zero, zero + 1, np.arange(10, dtype=np.uint64))
    slow = of.capacity[found[:, 0]] < 1
    assert slow.sum() == 2


def test_least_loaded_is_better_than_a_hash_and_no_better_than_spraying() -> None:
    of = plant(pods(4, 4, 4, 4))
    seeds, load = hashing.own_seeds(len(of.network.names)), Load(4, trials=8)
    ecmp = effective(of, Hashed(ways(of), seeds), load, "ecmp").mean
    dlb = effective(of, LeastLoaded(ways(of), seeds), load, "dlb").mean
    assert ecmp < dlb < sprayed(ways(of), load).mean + 1e-9


def test_too_many_flows_to_place_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    of = plant(dragonfly(2, 3, 1, 4))
    routes, seeds = ways(of, minimal), hashing.own_seeds(12)
    monkeypatch.setattr(placing, "MOST_PLACED", 20)
    for kind in (LeastLoaded, UgalLike):
        with pytest.raises(TooManyFlowsError, match="placed one by one, 20 at most"):
            effective(of, kind(routes, seeds), Load(2, pattern="permutation", trials=1), "x")
    monkeypatch.setattr(spraying, "MOST_CELLS", 10)
    with pytest.raises(TooManyFlowsError, match="10 at most"):
        sprayed(routes, Load(1, trials=1))


@pytest.mark.parametrize("of", [plant(leaf_spine(4, 2)), plant(dragonfly(1, 2, 2, 2))])
def test_detours_need_three_groups(of) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    with pytest.raises(NoGroupsError, match="there are not three"):
        Valiant(ways(of), hashing.own_seeds(len(of.network.names)))


def test_adversarial_flows_need_groups() -> None:
    with pytest.raises(NoGroupsError):
        patterns.drawn(plant(leaf_spine(4, 2)), patterns.ADVERSARIAL, np.random.default_rng(1))


def test_adversarial_flows_go_to_the_next_group_one_to_one() -> None:
    of = plant(dragonfly(2, 3, 1, 4))
    source, target = patterns.drawn(of, patterns.ADVERSARIAL, np.random.default_rng(1))
    group = of.network.group[of.leaf[:, 0]]
    assert (group[target] == (group[source] + 1) % 4).all()
    assert sorted(source) == sorted(target) == list(range(24))


@pytest.mark.parametrize("count", [2, 3, 7, 8])
def test_bisections_and_permutations(count: int) -> None:
    """Of an odd count one stays idle; both directions; nobody sends to itself."""
    of = plant(leaf_spine(2, 1), nics=[Nic((f"l{n % 2}",)) for n in range(count)])
    for seed in range(20):
        random = np.random.default_rng(seed)
        source, target = patterns.drawn(of, patterns.BISECTION, random)
        assert len(source) == 2 * (count // 2) == len(set(source.tolist()))
        assert dict(zip(source, target, strict=True)) == dict(zip(target, source, strict=True))
        assert (source != target).all()
        source, target = patterns.drawn(of, patterns.PERMUTATION, random)
        assert sorted(source) == sorted(target) == list(range(count))
        assert (source != target).all()


def test_every_half_is_as_likely() -> None:
    """Four endpoints have three matchings."""
    of = plant(leaf_spine(2, 1, 2))
    partners = [
        dict(zip(*(ends.tolist() for ends in pairs), strict=True))[0]
        for random in map(np.random.default_rng, range(900))
        for pairs in [patterns.drawn(of, patterns.BISECTION, random)]
    ]
    assert [partners.count(n) for n in (1, 2, 3)] == pytest.approx([300] * 3, abs=60)
