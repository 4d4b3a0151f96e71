"""Many random bisections by loads alone, against the same flows one by one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from fabric.analysis.bandwidth import hashing, patterns, sampling
from fabric.analysis.bandwidth.fair import max_min
from fabric.analysis.bandwidth.flows import link_capacity, placed
from fabric.analysis.bandwidth.placing import Hashed
from fabric.analysis.bandwidth.sampling import loaded
from tests.analysis.bandwidth.builds import agrees, pods
from tests.analysis.bandwidth.plants import Nic, plant, ways
from tests.analysis.cure_fabrics import fat_tree, leaf_spine

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Plant

FABRICS = {
    "fat-tree": plant(fat_tree(4)),
    "failed": plant(fat_tree(4), ("a0.0:c0:1", "a1.0:e1.0:1")),
    "parted": plant(leaf_spine(3, 2, 3), ("l0:s0:1", "l0:s1:1")),
    "odd": plant(leaf_spine(3, 2, 3)),
    "bonds": plant(leaf_spine(3, 2), nics=[Nic(("l0", "l1"), 50)] * 5 + [Nic(("l2",), 50)] * 4),
}


def one_by_one(of: Plant, count: int) -> list[tuple[float, float]]:
    """By flow counts of a loop, and by max-min rates, trial by trial."""
    placer = Hashed(ways(of), hashing.own_seeds(len(of.network.names)))
    capacity = link_capacity(of)
    found = []
    for number in range(count):
        random = np.random.default_rng((9, number))
        pairs = patterns.drawn(of, patterns.BISECTION, random)
        keys = random.integers(0, 2**63, len(pairs[0]), dtype=np.uint64)
        links = placed(of, placer, pairs, keys, random.random((2, len(keys)))).links
        flows = Counter(link for row in links.tolist() for link in row if link >= 0)
        by_load = [
            min((capacity[x] / flows[x] for x in row if x >= 0), default=0.0)
            for row in links.tolist()
        ]
        fair = np.where(links[:, 0] >= 0, max_min(links, capacity), 0.0)
        assert (fair >= np.array(by_load) - 1e-9).all()
        found.append((float(np.mean(by_load)), float(fair.mean())))
    return found


@pytest.mark.parametrize("name", FABRICS)
def test_as_flow_by_flow(name: str) -> None:
    of = FABRICS[name]
    truth = [load for load, _ in one_by_one(of, 150)]
    seeds = hashing.own_seeds(len(of.network.names))
    found = loaded(ways(of), seeds, samples=150, seed=4)
    assert agrees(found.tolist(), float(np.mean(truth)))


def test_parts_of_a_drawing_give_the_same_as_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loads of one sample never meet those of another."""
    of = plant(pods(2, 2, 2, 2))
    seeds = hashing.own_seeds(len(of.network.names))
    whole = loaded(ways(of), seeds, samples=60, seed=2)
    monkeypatch.setattr(sampling, "_CHUNK_CELLS", 1)
    apart = loaded(ways(of), seeds, samples=60, seed=2)
    assert whole.mean() == pytest.approx(apart.mean(), abs=0.05)
    assert whole.std() == pytest.approx(apart.std(), abs=0.05)


def test_the_same_seed_gives_the_same_digits() -> None:
    of = plant(fat_tree(4))
    seeds = hashing.own_seeds(len(of.network.names))
    first = loaded(ways(of), seeds, samples=20, seed=3)
    assert (first == loaded(ways(of), seeds, samples=20, seed=3)).all()
    assert (first != loaded(ways(of), seeds, samples=20, seed=4)).any()


def test_two_leaves_by_hand() -> None:
    """Two hosts a leaf and one spine: two flows on the cable unless both pairs stay at home."""
    of = plant(leaf_spine(2, 1, 2))
    found = loaded(ways(of), hashing.own_seeds(3), samples=60)
    assert set(found.tolist()) == {0.5, 1.0}


def test_the_slower_nic_of_a_pair_counts() -> None:
    of = plant(leaf_spine(2, 1), nics=[Nic(("l0",)), Nic(("l0",)), Nic(("l0",), 50)])
    found = loaded(ways(of), hashing.own_seeds(3), samples=40)
    assert set(found.tolist()) == {0.5, 1.0}


@pytest.mark.parametrize("count", [0, 1])
def test_nobody_to_send_to(count: int) -> None:
    of = plant(leaf_spine(2, 2), ["h0.eth0"] * (1 - count), nics=[Nic(("l0",))])
    assert loaded(ways(of), hashing.own_seeds(4), samples=3).tolist() == [0, 0, 0]
