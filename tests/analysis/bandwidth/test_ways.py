"""Sampled ways: valid, spread evenly, the same whether next hops are listed or looked up."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from fabric.analysis.bandwidth import hashing, paths
from fabric.analysis.bandwidth.paths import LoopError, Ways
from fabric.analysis.bandwidth.placing import Hashed, LeastLoaded, UgalLike, Valiant
from fabric.analysis.bandwidth.plant import NOWHERE
from fabric.analysis.forwarding import of_tables
from fabric.analysis.network import Network, Node, numbered
from fabric.analysis.routing.dragonfly import minimal
from fabric.analysis.routing.shortest import spf
from tests.analysis.bandwidth.builds import dragonfly, pods
from tests.analysis.bandwidth.plants import plant, ways
from tests.analysis.cure_fabrics import fat_tree, leaf_spine, ring
from tests.analysis.sweep_fabrics import seeded, uneven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.analysis.bandwidth.hashing import Words
    from fabric.analysis.bandwidth.plant import Pairs
    from fabric.analysis.network import Ints


def between_all(of: Ways, each: int = 2) -> tuple[Ints, Ints, Words]:
    """Every ordered pair of leaves ``each`` times, with keys."""
    leaves = of.plant.leaves
    pairs = [(a, b) for a in leaves for b in leaves if a != b] * each
    source, target = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    keys = np.random.default_rng(1).integers(0, 2**63, len(source), dtype=np.uint64)
    return source, target, keys


def switches(of: Ways, arcs: Sequence[int], start: int) -> list[int]:
    network = of.plant.network
    here = [start]
    for arc in arcs:
        assert network.tail[arc] == here[-1]
        assert network.count[arc] == 1
        here.append(int(network.head[arc]))
    return here


def next_names(of: Ways, here: int, end: int) -> frozenset[str]:
    names = of.plant.network.names
    return of.forwarding.next_switches(names[here], names[end])


def are_valid(of: Ways, source: Ints, target: Ints, found: Pairs) -> None:
    """Every way is one of the next hops from its leaf to the other, or there is none at all."""
    names = of.plant.network.names
    lost = set(of.forwarding.unreachable)
    for start, end, row in zip(source.tolist(), target.tolist(), found, strict=True):
        arcs = row[row != NOWHERE].tolist()
        assert bool(arcs) != ((start, end) in lost)
        if not arcs:
            continue
        here = switches(of, arcs, start)
        assert here[-1] == end
        for one, two in pairwise(here):
            assert names[two] in next_names(of, one, end)


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_every_way_is_one_of_the_forwarding(seed: int) -> None:
    network = uneven(seeded(seed))
    of = ways(plant(network))
    source, target, keys = between_all(of)
    seeds = hashing.own_seeds(len(network.names))
    found = of.sampled(source, target, keys, seeds)
    are_valid(of, source, target, found)
    are_valid(of, source, target, LeastLoaded(of, seeds).cables(source, target, keys))


@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_listed_next_hops_are_those_looked_up(seed: int) -> None:
    of = plant(uneven(seeded(seed)))
    listed, looked_up = ways(of), ways(of)
    object.__setattr__(looked_up, "_listed", None)
    ends = between_all(listed, 4)
    seeds = hashing.own_seeds(len(of.network.names))
    assert (listed.sampled(*ends, seeds) == looked_up.sampled(*ends, seeds)).all()


def test_many_flows_are_taken_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    of = plant(fat_tree(4))
    whole, parts = ways(of), ways(of)
    ends = between_all(whole, 3)
    seeds = hashing.own_seeds(len(of.network.names))
    found = whole.sampled(*ends, seeds)
    monkeypatch.setattr(paths, "_CHUNK_CELLS", 40)
    monkeypatch.setattr(paths, "_LISTED_CELLS", 0)
    assert (found == parts.sampled(*ends, seeds)).all()


def uniform(counts: Ints) -> bool:
    """Chi-square at one in ten thousand; seeded, so it holds or fails for ever."""
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2 / expected).sum()) < chi2.ppf(0.9999, len(counts) - 1)


@pytest.mark.parametrize("count", [3, 4, 7, 16])
def test_a_hash_spreads_evenly_over_cables_in_service(count: int) -> None:
    of = ways(plant(leaf_spine(2, count, 1)))
    keys = np.random.default_rng(count).integers(0, 2**63, 20_000, dtype=np.uint64)
    zero = np.zeros(len(keys), dtype=np.int64)
    found = of.sampled(zero, zero + 1, keys, hashing.own_seeds(count + 2))
    counts = np.bincount(found[:, 0])
    assert len(counts[counts > 0]) == count
    assert uniform(counts[counts > 0])


def test_keys_that_count_up_spread_evenly_too() -> None:
    counts = np.bincount(
        (hashing.fractions(np.arange(32_000, dtype=np.uint64), hashing.one_seed(1)) * 64).astype(
            int
        )
    )
    assert len(counts) == 64
    assert uniform(counts)


def test_tiers_with_seeds_of_their_own_choose_independently() -> None:
    """Of the 4 × 4 ways from pod to pod none is preferred; with one seed 4 are used at all."""
    of = ways(plant(pods(2, 4, 4, 1)))
    leaves = of.plant.leaves
    keys = np.random.default_rng(2).integers(0, 2**63, 16_000, dtype=np.uint64)
    source, target = np.full(len(keys), leaves[0]), np.full(len(keys), leaves[-1])
    for seeds, used in (
        (hashing.own_seeds(len(of.plant.network.names)), 16),
        (hashing.one_seed(len(of.plant.network.names)), 4),
    ):
        found = of.sampled(source, target, keys, seeds)
        _, counts = np.unique(found[:, :2], axis=0, return_counts=True)
        assert len(counts) == used
        assert uniform(counts)


def test_plan_seeds_are_the_hash_seeds() -> None:
    assert hashing.seeds_of(np.array([0, 7])).tolist() == [0, 7]
    assert hashing.mixed(np.array([0], dtype=np.uint64)).tolist() == [0xE220A8397B1DCDAF]


def test_detours_lead_over_a_third_group() -> None:
    of = ways(plant(dragonfly(2, 3, 1, 4)), minimal)
    seeds = hashing.own_seeds(len(of.plant.network.names))
    source, target, keys = between_all(of, 3)
    group = of.plant.network.group
    for placer in (Valiant(of, seeds), UgalLike(of, seeds)):
        found = placer.cables(source, target, keys)
        for start, end, row in zip(source.tolist(), target.tolist(), found, strict=True):
            here = switches(of, row[row != NOWHERE].tolist(), start)
            assert here[-1] == end
            met = {int(group[n]) for n in here}
            if group[start] == group[end]:
                assert len(met) == 1
            elif isinstance(placer, Valiant):
                assert len(met) == 3
            else:
                assert len(met) in {2, 3}


def test_packets_that_go_round_are_told() -> None:
    network = Network.of(
        [Node("a", 1), Node("b", 1), Node("c", 1)],
        numbered([("a", "b", "cable"), ("b", "c", "cable"), ("c", "a", "cable")]),
    )
    of = plant(network)
    tables = {"a": {"c": ["b"]}, "b": {"c": ["a"]}}
    round_for_ever = Ways(of, of_tables(of.bundled, tables, {"c": "c"}))
    keys = np.zeros(1, dtype=np.uint64)
    with pytest.raises(LoopError, match="round for ever"):
        round_for_ever.sampled(np.array([0]), np.array([2]), keys, hashing.one_seed(3))


def test_a_flow_that_is_lost_halfway_uses_nothing() -> None:
    network = Network.of(
        [Node("a", 1), Node("b", 1), Node("c", 1)],
        numbered([("a", "b", "cable"), ("b", "c", "cable")]),
    )
    of = plant(network)
    halfway = Ways(of, of_tables(of.bundled, {"a": {"c": ["b"]}}, {"c": "c"}))
    keys = np.zeros(2, dtype=np.uint64)
    found = halfway.sampled(np.array([0, 0]), np.array([2, 1]), keys, hashing.one_seed(3))
    assert (found == NOWHERE).all()


def test_parallel_cables_are_next_hops_of_their_own() -> None:
    of = ways(plant(leaf_spine(2, 1, 1, beside=(("l0", "s0"), ("l0", "s0")))))
    assert len(of.next_arcs(0, 1)) == 3
    assert len(of.next_arcs(2, 0)) == 3
    assert of.next_arcs(0, 2) == ()


@pytest.mark.parametrize("size", [4, 5])
def test_nothing_fails_where_all_is_cut(size: int) -> None:
    network = ring(size)
    of = ways(plant(network, [c.id for bundle in network.cables for c in bundle]), spf)
    source, target, keys = between_all(of)
    found = Hashed(of, hashing.own_seeds(size)).cables(source, target, keys)
    assert (found == NOWHERE).all()
