"""Names and order change nothing, a cable less never helps, a seed gives its digits again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.analysis.bandwidth import demand, hashing
from fabric.analysis.bandwidth.bisection import bisection
from fabric.analysis.bandwidth.effective import Load, effective
from fabric.analysis.bandwidth.placing import Hashed, LeastLoaded, UgalLike
from fabric.analysis.bandwidth.spraying import sprayed
from fabric.analysis.bandwidth.throughput import best_theta, even_theta, volumetric_bound
from fabric.analysis.bandwidth.worst import worst_leaf
from fabric.analysis.routing.dragonfly import minimal
from tests.analysis.bandwidth.builds import dragonfly
from tests.analysis.bandwidth.plants import Nic, plant, ways
from tests.analysis.cure_fabrics import fat_tree, leaf_spine, ring
from tests.analysis.fabrics import relabelled
from tests.analysis.sweep_fabrics import cables, rebuilt, seeded, uneven

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Plant
    from fabric.analysis.network import Network

SEEDS = st.integers(0, 10**6)


def figures(of: Plant, *, adversarial: bool = False) -> list[float]:
    """All that does not hang on the numbers of endpoints."""
    matrix = demand.uniform(of)
    found = [best_theta(of, matrix, time_limit_s=30), even_theta(ways(of), matrix)]
    found += [volumetric_bound(of, matrix), worst_leaf(of).ratio]
    if adversarial:
        found.append(best_theta(of, demand.adversarial(of), time_limit_s=30))
    return [*found, bisection(of, theta=found[0]).links]


def shuffled(network: Network, seed: int) -> Network:
    count = len(cables(network))
    random = np.random.default_rng(seed)
    nodes, wires = (random.permutation(n).tolist() for n in (len(network.names), count))
    return relabelled(network, nodes, wires)


@pytest.mark.parametrize(
    "network",
    [fat_tree(4).without(("a0.0:c0:1",)), leaf_spine(4, 3, 3), ring(5, 2)],
    ids=["fat-tree", "leaf-spine", "ring"],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_other_names_and_orders_give_the_same(network: Network, seed: int) -> None:
    whole = rebuilt(network, cables(network))
    found = figures(plant(shuffled(whole, seed)))
    assert found == pytest.approx(figures(plant(whole)), abs=1e-6)


def test_hosts_in_another_order_give_the_same() -> None:
    nics = [Nic(("l0", "l1"), 50)] * 3 + [Nic(("l2",))] * 3 + [Nic(("l1",), 50)]
    network = leaf_spine(3, 2)
    truth = figures(plant(network, nics=nics))
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(nics))
        assert figures(plant(network, nics=[nics[n] for n in order])) == pytest.approx(truth)


@given(SEEDS)
@settings(max_examples=8)
def test_a_cable_less_never_helps(seed: int) -> None:
    """θ over any paths and the bisection; even split can gain, so it is not held to that."""
    network = uneven(seeded(seed))
    whole = plant(network)
    ids = [cable.id for cable in cables(network)]
    if len(whole.leaves) < 2 or not ids:
        return
    less = plant(network, (seeded(seed).choice(ids),))
    for kind in (demand.uniform, demand.shift):
        before = best_theta(whole, kind(whole), time_limit_s=30)
        assert best_theta(less, kind(less), time_limit_s=30) <= before + 1e-6
    cuts = bisection(whole).links, bisection(less).links
    assert cuts[1] <= cuts[0] + 1e-6


def test_one_of_parallel_cables_less() -> None:
    """A member of a bundle of two: the leaf keeps 3 of 4 uplinks, an even split gives each 1/3."""
    beside = tuple((f"l{a}", f"s{b}") for a in range(2) for b in range(2))
    whole, less = (plant(leaf_spine(2, 2, 4, beside), cut) for cut in ((), ("l0:s0:1",)))
    shift = demand.shift
    assert best_theta(whole, shift(whole), time_limit_s=9) == pytest.approx(1)
    assert best_theta(less, shift(less), time_limit_s=9) == pytest.approx(0.75)
    assert worst_leaf(less) == (0.75, "l0")
    assert bisection(less).links == pytest.approx(3)


@pytest.mark.parametrize("kind", [Hashed, LeastLoaded, UgalLike])
def test_one_seed_one_answer(kind: type[Hashed | LeastLoaded | UgalLike]) -> None:
    of = plant(dragonfly(2, 3, 1, 4))
    seeds = hashing.own_seeds(12)
    drawn = [
        effective(of, kind(ways(of, minimal), seeds), Load(4, trials=3, seed=seed), "x")
        for seed in (7, 7, 8)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_patterns_are_the_same_for_every_number_of_qps() -> None:
    """At 8:1 each pair gets what its leaf's cable allows, for all numbers of flows alike."""
    of = plant(leaf_spine(2, 1, 2))
    placer = Hashed(ways(of), hashing.own_seeds(3))
    found = [effective(of, placer, Load(q, trials=12), "x").mean for q in (1, 2, 5)]
    assert found == pytest.approx([found[0]] * 3)
    assert sprayed(ways(of), Load(1, trials=12)).mean == pytest.approx(found[0])


def test_endpoints_are_numbered_leaf_by_leaf() -> None:
    """Also those that lost their cable keep their number."""
    nics = [Nic(("l1",)), Nic(("l0",)), Nic(("l1", "l0"), 50), Nic(("l0",))]
    of = plant(leaf_spine(2, 1), ("h1.eth0",), nics=nics)
    assert of.names == ("h1 eth0", "h3 eth0", "h0 eth0", "h2 bond0")
    assert of.rate.tolist() == [0, 1, 1, 1]
    assert of.attached.tolist() == [1, 2, 3]
    assert of.leaf.tolist() == [[-1, -1], [0, -1], [1, -1], [1, 0]]
    assert of.leaf_rate.tolist() == [1.5, 1.5, 0]


def test_a_bond_that_lost_a_leaf_has_half() -> None:
    of = plant(leaf_spine(2, 1), switches=("l0",), nics=[Nic(("l0", "l1"), 50), Nic(("l1",))])
    assert of.rate.tolist() == [0.5, 1.0]
    assert of.leaf.tolist() == [[1, -1], [1, -1]]
    assert of.capacity.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(("gbps", "unit"), [((100, 100, 400), 100), ((100, 400), 400)])
def test_the_unit_is_the_most_frequent_rate(gbps: tuple[int, ...], unit: int) -> None:
    of = plant(leaf_spine(2, 1), nics=[Nic(("l0",), speed) for speed in gbps])
    assert of.nic_gbps == unit
    assert of.rate.tolist() == [speed / unit for speed in gbps]


def test_a_fabric_without_endpoints_is_refused() -> None:
    with pytest.raises(ValueError, match="no endpoint is cabled"):
        plant(leaf_spine(2, 1), nics=[])


def test_leaves_without_uplinks() -> None:
    network = leaf_spine(2, 2, 3)
    assert worst_leaf(plant(network, ["l1:s0:1", "l1:s1:1"])) == (0, "l1")
    parted = plant(network, [f"l{a}:s{b}:1" for a in range(2) for b in range(2)])
    assert bisection(parted, theta=0.0).links == 0
