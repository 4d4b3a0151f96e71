"""Effective rates of validation 2.2 and 2.6; values typed from there, trials fewer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from fabric.analysis.bandwidth import hashing, patterns
from fabric.analysis.bandwidth.effective import Load, effective, trial
from fabric.analysis.bandwidth.fair import flow_counts
from fabric.analysis.bandwidth.flows import placed
from fabric.analysis.bandwidth.placing import Hashed, UgalLike, Valiant
from fabric.analysis.routing.dragonfly import minimal
from tests.analysis.bandwidth.builds import agrees, dragonfly, pods, samples
from tests.analysis.bandwidth.plants import plant, ways
from tests.analysis.cure_fabrics import fat_tree, leaf_spine

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Plant
    from fabric.analysis.network import Ints, Network

FOUR_PODS = pods(4, 4, 4, 4)
MEANS = [  # build, trials, by QPs
    (FOUR_PODS, 50, {1: 0.519, 2: 0.678, 4: 0.811, 8: 0.909, 16: 0.957, 32: 0.977, 10: 0.927}),
    (pods(8, 4, 4, 2), 50, {1: 0.654, 2: 0.854, 4: 0.984, 8: 1.0, 16: 1.0, 32: 1.0, 3: 0.948}),
    (pods(4, 4, 2, 4), 50, {1: 0.460, 4: 0.656, 16: 0.707, 64: 0.701}),
    (leaf_spine(8, 8, 8), 50, {1: 0.615, 2: 0.752, 4: 0.867, 8: 0.942, 16: 0.974, 32: 0.985}),
    (pods(8, 8, 8, 8), 5, {1: 0.445, 2: 0.609, 4: 0.758, 8: 0.869, 16: 0.936}),
]


def ecmp(of: Plant) -> Hashed:
    return Hashed(ways(of), hashing.own_seeds(len(of.network.names)))


@pytest.mark.parametrize(
    ("network", "trials", "qps", "mean"),
    [(network, trials, q, mean) for network, trials, row in MEANS for q, mean in row.items()],
)
def test_means_under_ecmp(network: Network, trials: int, qps: int, mean: float) -> None:
    of = plant(network)
    found = samples(of, ecmp(of), qps, trials)
    assert agrees([s.mean for s in found], mean)
    if qps == 1:
        assert [s.striped for s in found] == pytest.approx([s.mean for s in found])


@pytest.mark.parametrize(
    ("qps", "striped", "worst"),
    [
        (1, 0.519, 0.280),
        (2, 0.562, 0.354),
        (4, 0.612, 0.493),
        (8, 0.692, 0.662),
        (16, 0.755, 0.793),
        (32, 0.820, 0.881),
    ],
)
def test_striped_and_worst_pair(qps: int, striped: float, worst: float) -> None:
    of = plant(FOUR_PODS)
    found = samples(of, ecmp(of), qps, 50)
    assert agrees([s.striped for s in found], striped)
    assert agrees([s.worst for s in found], worst)


@pytest.mark.parametrize(
    ("qps", "mean"), [(1, 0.392), (2, 0.448), (4, 0.466), (8, 0.487), (16, 0.472), (32, 0.481)]
)
def test_polarised(qps: int, mean: float) -> None:
    of = plant(FOUR_PODS)
    placer = Hashed(ways(of), hashing.one_seed(len(of.network.names)))
    assert agrees([s.mean for s in samples(of, placer, qps, 50)], mean)


@pytest.mark.parametrize("k", [4, 8])
def test_polarised_hashes_use_half_a_plane_of_cores(k: int) -> None:
    """Each aggregation switch uses one core: k/2 of k²/4 are met, and all of them under ECMP."""
    of = plant(fat_tree(k))
    pairs = patterns.drawn(of, patterns.PERMUTATION, np.random.default_rng(3))
    source, target = (np.repeat(ends, 64) for ends in pairs)
    keys = np.random.default_rng(4).integers(0, 2**63, len(source), dtype=np.uint64)
    cores = np.flatnonzero(of.network.tier == 2)
    for seeds, used in (
        (hashing.one_seed(len(of.network.names)), k // 2),
        (hashing.own_seeds(len(of.network.names)), k * k // 4),
    ):
        placer = Hashed(ways(of), seeds)
        flows = placed(of, placer, (source, target), keys, np.zeros((2, len(keys))))
        arcs = np.unique(flows.links[(flows.links >= 0) & (flows.links < len(of.capacity))])
        assert len(np.intersect1d(of.network.head[arcs], cores)) == used


def two_leaves(m: int) -> tuple[Plant, Hashed, tuple[Ints, Ints]]:
    """m hosts a leaf, m spines; everybody of the first leaf sends to the second."""
    of = plant(leaf_spine(2, m, m))
    return of, ecmp(of), (np.arange(m), np.arange(m, 2 * m))


@pytest.mark.parametrize(("m", "mean"), [(2, 0.75), (4, 0.6836), (8, 0.6564), (32, 0.6379)])
def test_two_leaves_one_flow_a_host(m: int, mean: float) -> None:
    """1 − (1 − 1/m)^m."""
    assert mean == pytest.approx(1 - (1 - 1 / m) ** m, abs=5e-5)
    of, placer, pairs = two_leaves(m)
    random = np.random.default_rng(m)
    assert agrees([trial(of, placer, 1, random, pairs).mean for _ in range(200)], mean)


@pytest.mark.parametrize(("qps", "mean"), [(2, 0.785), (4, 0.900), (8, 0.963)])
def test_two_leaves_uncapped(qps: int, mean: float) -> None:
    of, placer, pairs = two_leaves(8)
    random = np.random.default_rng(qps)
    assert agrees([trial(of, placer, qps, random, pairs).mean for _ in range(200)], mean)


CAPPED = [
    (8, {1: 0.6564, 2: 0.7470, 4: 0.8173, 8: 0.8695, 16: 0.9072, 32: 0.9342}),
    (2, {1: 0.75, 2: 0.8125, 4: 0.8633, 8: 0.9018, 16: 0.9300, 32: 0.9503}),
]


@pytest.mark.parametrize(
    ("m", "qps", "mean"), [(m, q, e) for m, row in CAPPED for q, e in row.items()]
)
def test_two_leaves_flows_capped_at_their_share(m: int, qps: int, mean: float) -> None:
    """An uplink with X flows carries min(1, X/Q); X is what the hash puts there."""
    of, placer, (source, target) = two_leaves(m)
    uplinks = np.flatnonzero(of.network.tail == 0)
    random = np.random.default_rng((m, qps))
    carried = []
    for _ in range(200):
        keys = random.integers(0, 2**63, m * qps, dtype=np.uint64)
        ends = (np.repeat(source, qps), np.repeat(target, qps))
        flows = placed(of, placer, ends, keys, np.zeros((2, m * qps)))
        counts = flow_counts(flows.links, len(of.capacity))[uplinks]
        assert counts.sum() == m * qps
        carried.append(float(np.minimum(1, counts / qps).mean()))
    assert agrees(carried, mean)


DRAGONFLIES = [  # p a h g; random permutation df-min, UGAL-like; adversarial Valiant, UGAL-like
    ((2, 4, 4, 16), 0.602, 0.833, 0.527, 0.775),
    ((4, 8, 4, 4), 0.820, 0.908, 0.300, 0.623),
    ((4, 8, 3, 4), 0.772, 0.790, 0.248, 0.4995),
    ((2, 8, 4, 8), 0.837, 1.0, 0.697, 0.984),
    ((4, 4, 2, 8), 0.391, 0.405, 0.184, 0.249),
    ((8, 4, 4, 4), 0.506, 0.479, 0.153, 0.312),
]


@pytest.mark.parametrize(("sizes", "least", "ugal", "valiant", "ugal_adverse"), DRAGONFLIES)
def test_dragonflies_of_128(
    sizes: tuple[int, int, int, int],
    least: float,
    ugal: float,
    valiant: float,
    ugal_adverse: float,
) -> None:
    of = plant(dragonfly(*sizes))
    routes, seeds = ways(of, minimal), hashing.own_seeds(len(of.network.names))
    for pattern, placer, truth in (
        (patterns.PERMUTATION, Hashed(routes, seeds), least),
        (patterns.PERMUTATION, UgalLike(routes, seeds), ugal),
        (patterns.ADVERSARIAL, Valiant(routes, seeds), valiant),
        (patterns.ADVERSARIAL, UgalLike(routes, seeds), ugal_adverse),
    ):
        found = [s.mean for s in samples(of, placer, 8, 8, pattern)]
        assert agrees(found, truth), (pattern, type(placer), np.mean(found), np.std(found, ddof=1))


def test_the_summary_is_that_of_the_trials() -> None:
    of = plant(leaf_spine(4, 2, 2))
    placer = ecmp(of)
    found = effective(of, placer, Load(2, trials=9, seed=5), "ecmp")
    again = []
    for number in range(9):
        pairs = patterns.drawn(of, patterns.BISECTION, np.random.default_rng((5, number)))
        again.append(trial(of, placer, 2, np.random.default_rng((5, number, 2)), pairs))
    means = [s.mean for s in again]
    assert found.mean == pytest.approx(sum(means) / 9)
    spread = sum((m - found.mean) ** 2 for m in means) / 8
    assert found.sd == pytest.approx(math.sqrt(spread))
    assert found.worst_pair == pytest.approx(np.mean([s.worst for s in again]))
    assert found.striped == pytest.approx(np.mean([s.striped for s in again]))
    assert (found.qps, found.trials, found.seed, found.hash) == (2, 9, 5, "ecmp")
    assert found == effective(of, placer, Load(2, trials=9, seed=5), "ecmp")
