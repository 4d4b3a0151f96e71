"""Colour refinement against the whole linear program, and what has no optimum."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize
from scipy.sparse import csr_array

from fabric.analysis.bandwidth import demand, program, throughput
from fabric.analysis.bandwidth.program import Program, ProgramError, optimum
from fabric.analysis.bandwidth.throughput import (
    TooLargeError,
    best_theta,
)
from tests.analysis.bandwidth.builds import dragonfly
from tests.analysis.bandwidth.plants import Nic, drawn, plant
from tests.analysis.cure_fabrics import fat_tree, leaf_spine, ring
from tests.analysis.sweep_fabrics import seeded, uneven

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.demand import Demand
    from fabric.analysis.bandwidth.plant import Floats, Plant
    from fabric.analysis.network import Ints

SEEDS = st.integers(0, 10**6)


def whole(of: Plant, matrix: Demand) -> float:
    """The plain program, nothing taken together."""
    net = throughput._unlimited(of, matrix)
    senders = np.flatnonzero(matrix.amount.any(axis=1))
    plain = throughput._program(net, matrix, senders)
    x, _ = program._solved(plain, 60)
    return float(plain.cost @ x)


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
        plant(leaf_spine(4, 2), nics=[Nic(("l0", "l1"))] * 3 + [Nic(("l2", "l3"))] * 2),
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
    early = SimpleNamespace(x=x, status=1, message="Time limit reached.", nit=1234)
    monkeypatch.setattr(optimize, "linprog", lambda *_, **__: early)
    of = plant(fat_tree(4))
    with pytest.raises(
        ProgramError, match=r"^HiGHS after \d+\.\d s and 1,234 iterations: Time limit reached\.$"
    ):
        best_theta(of, demand.uniform(of), time_limit_s=9)


def test_an_unbounded_program_is_told() -> None:
    of = plant(ring(4))
    matrix = demand.uniform(of)
    net = throughput._unlimited(of, matrix)
    plain = throughput._program(net, matrix, np.arange(4))
    free = Program(plain.rows, plain.bound, plain.upper, plain.cost + 1)
    flat = Program(free.rows[:12], free.bound[:12], free.upper[:12], free.cost)
    with pytest.raises(ProgramError):
        optimum(flat, time_limit_s=9)
