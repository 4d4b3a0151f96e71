"""Bonds to two leaves: what leaves by a leaf that the target hangs on is there already."""

from __future__ import annotations

import numpy as np
import pytest

from fabric.analysis.bandwidth import demand, hashing, spraying
from fabric.analysis.bandwidth.effective import Load, effective
from fabric.analysis.bandwidth.flows import placed
from fabric.analysis.bandwidth.placing import Hashed
from fabric.analysis.bandwidth.sampling import loaded
from fabric.analysis.bandwidth.throughput import best_theta, even_theta
from tests.analysis.bandwidth.plants import Nic, plant, ways
from tests.analysis.cure_fabrics import leaf_spine

PAIR = [Nic(("l0", "l1"), 50), Nic(("l0", "l1"), 50), Nic(("l0",)), Nic(("l2",))]


def test_a_leaf_delivers_to_a_bond_that_hangs_on_it() -> None:
    """Its route there is connected: nothing goes over a spine, whatever the hash of the bond."""
    of = plant(leaf_spine(3, 2), nics=PAIR)
    bond, other, single, far = (int(np.flatnonzero(of.host == n)[0]) for n in range(4))
    source, target = np.array([bond, single, bond, far]), np.array([other, other, single, bond])
    share, routed = spraying._spread(ways(of), source, target)
    assert routed.all()
    leaving = share[of.network.tail < 3].sum(axis=0)  # cables up, of each pair
    assert leaving == pytest.approx([0, 0, 0.5, 1])  # bond to single: what leaves by l1 must cross
    drawn = np.linspace(0, 0.999, 64)
    ends = (np.full(64, bond), np.full(64, other))
    one_seed = Hashed(ways(of), hashing.one_seed(5))
    flows = placed(of, one_seed, ends, np.arange(64, dtype=np.uint64), np.stack((drawn, 1 - drawn)))
    assert (flows.links[:, :2] >= len(of.capacity)).all()
    assert not ((flows.links >= 0) & (flows.links < len(of.capacity))).any()


def test_bonds_of_one_pair_of_leaves_have_no_limit_in_the_network() -> None:
    """But one that lost a cable: half of what it is sent leaves by the other leaf and crosses."""
    whole = plant(leaf_spine(2, 2), nics=PAIR[:2] * 2)
    assert best_theta(whole, demand.uniform(whole), time_limit_s=9) == np.inf
    lost = plant(leaf_spine(2, 2), ("h0.eth1",), nics=PAIR[:2] * 2)
    matrix = demand.uniform(lost)
    assert best_theta(lost, matrix, time_limit_s=9) == np.inf  # by l0 alone, no cable is used
    assert even_theta(ways(lost), matrix) == pytest.approx(2 / 0.5)  # 3 × 1/3, half of it by l1
    assert matrix.nics == 0.5


def test_random_bisections_of_one_pair_of_leaves_wait_for_no_spine() -> None:
    """Uplinks of a hundredth; a flow has one of two cables of its bond."""
    of = plant(leaf_spine(2, 1), nics=PAIR[:2] * 2, gbps=lambda _: 1)
    rates = loaded(ways(of), hashing.one_seed(3), samples=50)
    assert rates.tolist() == pytest.approx([0.5] * 50)


def test_a_program_is_not_bound_by_the_cables_of_bonds() -> None:
    """One small demand that crosses beside a large one that does not: the cables of the first."""
    of = plant(leaf_spine(3, 1), nics=PAIR)
    bond, _, single, far = (int(np.flatnonzero(of.host == n)[0]) for n in range(4))
    ends = np.array([bond, far]), np.array([single, bond])
    matrix = demand.of_pairs(of, *ends, np.array([1.0, 0.001]), "two")
    assert best_theta(of, matrix, time_limit_s=9) == pytest.approx(1000)


@pytest.mark.parametrize("qps", [1, 8, 64])
def test_what_starts_at_a_leaf_of_the_bond_comes_by_that_leg(qps: int) -> None:
    """One NIC of 100 on l0, a bond of 2 × 50 on l0 and l1: to the bond 50, from it 50 + 50."""
    of = plant(leaf_spine(2, 8), nics=[PAIR[0], PAIR[2]])
    sprayed = spraying.sprayed(ways(of), Load(qps, trials=2))
    assert (sprayed.mean, sprayed.worst_pair) == pytest.approx((0.75, 0.5))
    hashed = effective(of, Hashed(ways(of), hashing.own_seeds(10)), Load(qps, trials=20), "ecmp")
    assert hashed.worst_pair == pytest.approx(0.5)
    assert hashed.mean == pytest.approx(0.5 if qps == 1 else 0.75, abs=0.05 * (qps == 8))


def test_flows_of_two_bonds_come_by_the_leg_that_they_leave_by() -> None:
    of = plant(leaf_spine(2, 2), nics=PAIR[:2])
    ends = (np.zeros(64, dtype=np.int64), np.ones(64, dtype=np.int64))
    bonds = np.random.default_rng(1).random((2, 64))
    one_seed = Hashed(ways(of), hashing.one_seed(4))
    links = placed(of, one_seed, ends, np.arange(64, dtype=np.uint64), bonds).links[:, :4]
    legs = links[:, 2:] - len(of.capacity) - 2 * len(of)  # 0, 1 of the first; 6, 7 into the second
    assert (legs[:, 1] - 6).tolist() == legs[:, 0].tolist() == (bonds[0] >= 0.5).tolist()
