"""θ against networkx and every path followed by recursion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.analysis.bandwidth import demand, throughput
from fabric.analysis.bandwidth.demand import Demand, NoGroupsError
from fabric.analysis.bandwidth.throughput import (
    best_theta,
    even_load,
    even_theta,
    volumetric_bound,
)
from tests.analysis.bandwidth.builds import dragonfly
from tests.analysis.bandwidth.cuts import graph
from tests.analysis.bandwidth.plants import Nic, drawn, plant, ways
from tests.analysis.cure_fabrics import fat_tree, leaf_spine
from tests.analysis.sweep_fabrics import seeded, uneven

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Floats, Plant

SEEDS = st.integers(0, 10**6)


@given(SEEDS)
@settings(max_examples=40)
def test_one_commodity_is_max_flow(seed: int) -> None:
    network = uneven(seeded(seed))
    of = plant(network)
    if len(of.leaves) < 2:
        return
    source, target = int(of.attached[0]), int(of.attached[-1])
    ends = (np.array([source]), np.array([target]))
    matrix = demand.of_pairs(of, *ends, np.array([1.0]), "one")
    here, there = int(of.leaf[source, 0]), int(of.leaf[target, 0])
    truth = nx.maximum_flow_value(graph(of), here, there)
    found = best_theta(of, matrix, time_limit_s=60)
    assert found == pytest.approx(truth, abs=1e-6)
    assert even_theta(ways(of), matrix) <= found + 1e-6
    assert found <= volumetric_bound(of, matrix) + 1e-6


def followed(of: Plant, matrix: Demand) -> Floats | None:
    """What each cable carries, every way of every pair of leaves followed to its end."""
    routes = ways(of)
    names = of.network.names
    load = np.zeros(len(of.capacity))

    def send(here: int, end: int, amount: float) -> None:
        if here == end:
            return
        after = routes.forwarding.next_switches(names[here], names[end])
        out = [
            arc
            for arc in np.flatnonzero(of.network.tail == here).tolist()
            if of.capacity[arc] and names[of.network.head[arc]] in after
        ]
        if not out:
            raise LookupError
        for arc in out:
            load[arc] += amount / len(out)
            send(int(of.network.head[arc]), end, amount / len(out))

    leaves = [[leaf for leaf in pair if leaf >= 0] for pair in matrix.places.leaves.tolist()]
    try:
        for a, b in np.argwhere(matrix.amount > 0).tolist():
            for one in leaves[a]:
                ends = [one] if one in leaves[b] else leaves[b]  # a connected route comes first
                for other in ends:
                    part = matrix.amount[a, b] / len(leaves[a]) / len(ends)
                    send(one, other, float(part))
    except LookupError:
        return None
    return load


@given(SEEDS)
@settings(max_examples=30)
def test_even_load_follows_every_path(seed: int) -> None:
    of = plant(uneven(seeded(seed)))
    if len(of.leaves) < 2:
        return
    for matrix in (demand.uniform(of), drawn(of, seed)):
        truth = followed(of, matrix)
        found = even_load(ways(of), matrix)
        assert (found is None) == (truth is None)
        if found is not None and truth is not None:
            assert found.tolist() == pytest.approx(truth.tolist(), abs=1e-9)


def test_even_load_of_bonds() -> None:
    nics = [Nic(("l0", "l1"))] * 3 + [Nic(("l1", "l2"))] * 2 + [Nic(("l0",), 200)]
    of = plant(leaf_spine(3, 2), nics=nics)
    found, truth = even_load(ways(of), demand.uniform(of)), followed(of, demand.uniform(of))
    assert found is not None
    assert truth is not None
    assert found.tolist() == pytest.approx(truth.tolist())


def test_even_load_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    of = plant(fat_tree(4), ("a0.0:c0:1",))
    found = even_load(ways(of), demand.shift(of))
    monkeypatch.setattr(throughput, "_BLOCK_CELLS", 1)
    again = even_load(ways(of), demand.shift(of))
    assert found is not None
    assert again is not None
    assert found.tolist() == pytest.approx(again.tolist())


def test_a_slow_cable_limits_what_is_split_evenly_but_not_the_best() -> None:
    """One uplink of two at a quarter: 1.25 by weights, 2 · 0.25 evenly."""
    slow = {"l0:s0:1": 25}
    of = plant(leaf_spine(2, 2, 1), gbps=lambda name: slow.get(name, 100))
    matrix = demand.shift(of)
    assert best_theta(of, matrix, time_limit_s=9) == pytest.approx(1.25)
    assert even_theta(ways(of), matrix) == pytest.approx(0.5)


def test_uniform_counts_those_of_the_same_leaf() -> None:
    """Each sends 1/(N−1) to everybody: 2 of 3 parts leave the leaf."""
    matrix = demand.uniform(plant(leaf_spine(2, 2, 2)))
    assert matrix.amount.tolist() == [[0, pytest.approx(4 / 3)], [pytest.approx(4 / 3), 0]]


def test_shift_is_by_half_the_endpoints() -> None:
    """Five endpoints, two a leaf and one: i to i + 2."""
    nics = [Nic(("l0",)), Nic(("l0",)), Nic(("l1",)), Nic(("l1",)), Nic(("l2",))]
    matrix = demand.shift(plant(leaf_spine(3, 2), nics=nics))
    assert matrix.amount.tolist() == [[0, 2, 0], [1, 0, 1], [1, 0, 0]]


def test_adversarial_goes_to_the_next_group() -> None:
    of = plant(dragonfly(2, 2, 1, 3))
    amount = demand.adversarial(of).amount
    assert amount.sum() == pytest.approx(12)
    group = of.network.group[demand.adversarial(of).places.leaves[:, 0]]
    for a, b in np.argwhere(amount > 0).tolist():
        assert group[b] == (group[a] + 1) % 3
        assert amount[a, b] == pytest.approx(1)


def test_no_groups_no_adversary() -> None:
    of = plant(leaf_spine(4, 2))
    with pytest.raises(NoGroupsError, match="several groups"):
        demand.adversarial(of)


def test_what_has_no_way_has_no_throughput() -> None:
    of = plant(leaf_spine(3, 2), ("l0:s0:1", "l0:s1:1"))
    matrix = demand.uniform(of)
    assert best_theta(of, matrix, time_limit_s=9) == pytest.approx(0, abs=1e-9)
    assert even_theta(ways(of), matrix) == 0
    assert volumetric_bound(of, matrix) == 0


def test_what_crosses_no_cable_is_not_limited() -> None:
    of = plant(leaf_spine(1, 1, 4))
    matrix = demand.uniform(of)
    assert best_theta(of, matrix, time_limit_s=9) == float("inf")
    assert even_theta(ways(of), matrix) == float("inf")
    assert volumetric_bound(of, matrix) == float("inf")


def test_cables_of_bonds_set_no_limit() -> None:
    """Two bonds on l0 and l1; l1 has no uplink, so all goes by the two of l0."""
    nics = [Nic(("l0", "l1"), 50)] * 2 + [Nic(("l2",))] * 2
    of = plant(leaf_spine(3, 2), ("l1:s0:1", "l1:s1:1"), nics=nics)
    ends = (np.array([0, 1]), np.array([2, 3]))
    matrix = demand.of_pairs(of, *ends, np.ones(2), "up")
    assert best_theta(of, matrix, time_limit_s=9) == pytest.approx(1.0)
