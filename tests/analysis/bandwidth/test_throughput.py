"""θ against networkx, the whole linear program, and every path followed by recursion."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize
from scipy.sparse import csr_array

from fabric.analysis.bandwidth import demand, program, throughput
from fabric.analysis.bandwidth.carriers import Carriers
from fabric.analysis.bandwidth.demand import Demand, NoGroupsError
from fabric.analysis.bandwidth.program import Program, ProgramError, optimum
from fabric.analysis.bandwidth.throughput import (
    TooLargeError,
    best_theta,
    even_load,
    even_theta,
    volumetric_bound,
)
from tests.analysis.bandwidth.builds import dragonfly
from tests.analysis.bandwidth.cuts import graph
from tests.analysis.bandwidth.plants import Nic, plant, ways
from tests.analysis.cure_fabrics import fat_tree, leaf_spine, ring
from tests.analysis.sweep_fabrics import seeded, uneven

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Floats, Plant
    from fabric.analysis.network import Ints

SEEDS = st.integers(0, 10**6)


def whole(of: Plant, matrix: Demand) -> float:
    """The plain program, nothing taken together."""
    net = Carriers.of(of, matrix.places)
    senders = np.flatnonzero(matrix.amount.any(axis=1))
    plain = throughput._program(net, matrix, senders)
    x, _ = program._solved(plain, 60)
    return float(plain.cost @ x)


def drawn(of: Plant, seed: int) -> Demand:
    """What some endpoints send to others."""
    random = np.random.default_rng(seed)
    ends = random.choice(of.attached, (2, 6))
    amount = random.choice([0.5, 1.0, 1.0, 2.0], 6)
    return demand.of_pairs(of, ends[0], ends[1], amount, "drawn")


@given(SEEDS)
@settings(max_examples=30)
def test_colours_never_change_the_optimum(seed: int) -> None:
    of = plant(uneven(seeded(seed)))
    if len(of.leaves) < 2:
        return
    for matrix in (demand.uniform(of), demand.shift(of), drawn(of, seed)):
        if matrix.amount.any():
            found = best_theta(of, matrix, time_limit_s=60)
            assert found == pytest.approx(whole(of, matrix), abs=1e-6)


@pytest.mark.parametrize(
    "of",
    [
        plant(fat_tree(4), ("a0.0:c0:1",)),
        plant(dragonfly(2, 3, 1, 4), ("g0.0:g0.1:1",)),
        plant(leaf_spine(3, 2), nics=[Nic(("l0", "l1"))] * 3 + [Nic(("l1", "l2"))] * 2),
    ],
    ids=["fat-tree", "dragonfly", "bonds"],
)
def test_colours_on_fabrics_with_a_failure(of: Plant) -> None:
    matrix = demand.uniform(of)
    assert best_theta(of, matrix, time_limit_s=60) == pytest.approx(whole(of, matrix))


def test_parts_taken_for_one_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both directions of a cable in one colour: that does not hold, the whole one is solved."""
    of = plant(ring(5))
    matrix = demand.shift(of)
    truth = best_theta(of, matrix, time_limit_s=60)
    said: list[bool] = []
    proves = program._proves

    def noted(some: Program, x: Floats, prices: Floats) -> bool:
        said.append(proves(some, x, prices))
        return said[-1]

    def wrong(some: Program) -> tuple[Ints, Ints]:
        rows, columns = some.rows.shape
        return np.arange(rows), np.maximum(np.arange(columns), 3) - 3

    monkeypatch.setattr(program, "_colours", wrong)
    monkeypatch.setattr(program, "_proves", noted)
    assert best_theta(of, matrix, time_limit_s=60) == pytest.approx(truth)
    assert said == [False]


@pytest.mark.parametrize(
    ("x", "prices", "proven"),
    [
        ((1, 0), (1, 0), True),
        ((2, 0), (1, 0), False),  # more than there is
        ((1, 0.5), (1, 0), False),  # the equation does not hold
        ((0.5, 0), (1, 0), False),  # not as good as its price
        ((1, 0), (0.5, 0), False),  # a price too low
        ((-1, 0), (-1, 0), False),  # less than nothing
    ],
)
def test_what_proves_an_optimum(
    x: tuple[float, float], prices: tuple[float, float], proven: bool
) -> None:
    """The greatest a with a ≤ 1 and b = 0."""
    rows = csr_array(np.eye(2))
    plain = Program(rows, np.array([1.0, 0.0]), np.array([True, False]), np.array([1.0, 0.0]))
    assert program._proves(plain, np.array(x), np.array(prices)) is proven


def test_colours_tell_slow_cables_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the small program proves the whole one, which is not solved."""
    of = plant(leaf_spine(4, 2, 2), gbps=lambda name: 25 if name == "l0:s0:1" else 100)
    solve, sizes = program._solved, []

    def counted(some: Program, time_limit_s: float) -> tuple[Floats, Floats]:
        sizes.append(some.rows.shape[1])
        return solve(some, time_limit_s)

    monkeypatch.setattr(program, "_solved", counted)
    best_theta(of, demand.uniform(of), time_limit_s=60)
    assert len(sizes) == 1
    assert sizes[0] < 4 * 16 + 1


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
                for other in leaves[b]:
                    part = matrix.amount[a, b] / len(leaves[a]) / len(leaves[b])
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


def test_a_program_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    of = plant(fat_tree(4))
    monkeypatch.setattr(throughput, "MOST_VARIABLES", 100)
    with pytest.raises(TooLargeError, match="513 variables, 100 at most") as error:
        best_theta(of, demand.uniform(of), time_limit_s=9)
    assert error.value.count == 513  # 8 leaves × 64 arcs, and θ


@pytest.mark.parametrize("x", [None, np.zeros(513)], ids=["nothing", "a way there"])
def test_a_program_that_ended_early_is_told(
    monkeypatch: pytest.MonkeyPatch, x: Floats | None
) -> None:
    """Whatever the solver has by then is no optimum."""
    early = SimpleNamespace(x=x, status=1, message="Time limit reached.")
    monkeypatch.setattr(optimize, "linprog", lambda *_, **__: early)
    of = plant(fat_tree(4))
    with pytest.raises(ProgramError, match="Time limit"):
        best_theta(of, demand.uniform(of), time_limit_s=9)


def test_an_unbounded_program_is_told() -> None:
    of = plant(ring(4))
    matrix = demand.uniform(of)
    net = Carriers.of(of, matrix.places)
    plain = throughput._program(net, matrix, np.arange(4))
    free = Program(plain.rows, plain.bound, plain.upper, plain.cost + 1)
    flat = Program(free.rows[:12], free.bound[:12], free.upper[:12], free.cost)
    with pytest.raises(ProgramError):
        optimum(flat, time_limit_s=9)


def test_bonds_are_limited_by_their_legs() -> None:
    """Two bonds on l0 and l1, whose l1 has no uplink: half of what they send has a way."""
    nics = [Nic(("l0", "l1"), 50)] * 2 + [Nic(("l2",))] * 2
    of = plant(leaf_spine(3, 2), ("l1:s0:1", "l1:s1:1"), nics=nics)
    ends = (np.array([0, 1]), np.array([2, 3]))
    matrix = demand.of_pairs(of, *ends, np.ones(2), "up")
    assert best_theta(of, matrix, time_limit_s=9) == pytest.approx(0.5)
