"""Closed forms that findings quote; truth values from the published forms, typed in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.checks.rules.hosts import mean_rate

EIGHT_PATHS = {1: 0.6564, 2: 0.7470, 4: 0.8173, 8: 0.8695, 16: 0.9072, 32: 0.9342}
TWO_PATHS = {1: 0.75, 2: 0.8125, 4: 0.8633, 8: 0.9018, 16: 0.9300, 32: 0.9503}
ONE_QP = {2: 0.75, 4: 0.6836, 8: 0.6564, 32: 0.6379}


@pytest.mark.parametrize(
    ("paths", "qps", "rate"),
    [
        *((8, q, rate) for q, rate in EIGHT_PATHS.items()),
        *((2, q, rate) for q, rate in TWO_PATHS.items()),
        *((m, 1, rate) for m, rate in ONE_QP.items()),
    ],
)
def test_mean_rate_of_one_hashing_tier(paths: int, qps: int, rate: float) -> None:
    assert mean_rate(paths, qps) == pytest.approx(rate, abs=5e-5)


@given(st.integers(2, 64), st.integers(1, 15))
def test_more_qps_spread_better(paths: int, qps: int) -> None:
    assert 0 < mean_rate(paths, qps) < mean_rate(paths, qps + 1) < 1


@given(st.integers(2, 128), st.integers(4, 32))
def test_four_qps_keep_four_fifths_whatever_the_paths(paths: int, qps: int) -> None:
    assert mean_rate(paths, qps) >= 0.8
