"""Max-min fair rates against the unit case of validation 2.4 and plain water-filling."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.analysis.bandwidth.fair import flow_counts, max_min
from fabric.analysis.bandwidth.spraying import fluid_max_min
from tests.analysis.bandwidth.plants import dense

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Pairs

Routes = list[set[int]]


def filled(flows: Routes, capacity: list[int]) -> list[Fraction]:
    """One link a round: the least share, its flows frozen."""
    rates: dict[int, Fraction] = {}
    left = [Fraction(c) for c in capacity]
    while len(rates) < len(flows):
        shares = {}
        for link in range(len(capacity)):
            on = [n for n, used in enumerate(flows) if link in used and n not in rates]
            if on:
                shares[link] = (left[link] / len(on), on)
        share, on = min(shares.values(), key=lambda item: item[0])
        for flow in on:
            rates[flow] = share
            for link in flows[flow]:
                left[link] -= share
    return [rates[n] for n in range(len(flows))]


def padded(flows: Routes) -> Pairs:
    widest = max(len(used) for used in flows) + 1
    return np.array([[*sorted(used), *[-1] * (widest - len(used))] for used in flows])


@st.composite
def cases(draw: st.DrawFn) -> tuple[Routes, list[int]]:
    capacity = draw(st.lists(st.integers(1, 6), min_size=1, max_size=8))
    link = st.integers(0, len(capacity) - 1)
    flows = draw(st.lists(st.sets(link, min_size=1), min_size=1, max_size=14))
    return flows, capacity


def test_the_unit_case() -> None:
    found = max_min(np.array([[0, -1], [0, 1], [1, -1]]), np.array([1.0, 2.0]))
    assert found.tolist() == pytest.approx([0.5, 0.5, 1.5])


@given(cases())
def test_as_plain_water_filling(case: tuple[Routes, list[int]]) -> None:
    flows, capacity = case
    truth = [float(rate) for rate in filled(flows, capacity)]
    links, numbers = padded(flows), np.array(capacity, dtype=np.float64)
    assert max_min(links, numbers).tolist() == pytest.approx(truth)
    assert fluid_max_min(dense(links, len(capacity)).T, numbers).tolist() == pytest.approx(truth)


@given(cases())
def test_no_link_is_too_full_and_every_flow_has_a_bottleneck(
    case: tuple[Routes, list[int]],
) -> None:
    flows, capacity = case
    rates = max_min(padded(flows), np.array(capacity, dtype=np.float64))
    use = dense(padded(flows), len(capacity))
    load = rates @ use
    assert (load <= np.array(capacity) + 1e-9).all()
    full = load >= np.array(capacity) - 1e-9
    highest = np.where(use > 0, rates[:, None], 0).max(axis=0)
    for flow, used in enumerate(flows):
        assert any(full[link] and rates[flow] >= highest[link] - 1e-9 for link in used)


def test_a_flow_that_uses_nothing_is_not_limited() -> None:
    found = max_min(np.array([[-1, -1], [0, -1]]), np.array([3.0]))
    assert found.tolist() == [float("inf"), 3.0]


def test_a_link_out_of_service_carries_nothing() -> None:
    found = max_min(np.array([[0, 1], [1, -1]]), np.array([0.0, 1.0]))
    assert found.tolist() == [0.0, 1.0]


def test_counting_flows() -> None:
    assert flow_counts(np.array([[0, 2], [2, -1]]), 4).tolist() == [1, 0, 2, 0]
