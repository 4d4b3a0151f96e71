"""ECN before PFC: worked thresholds, the paper's example, the clamps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.design.lossless.ecn import (
    Limit,
    dcqcn_mark_bytes,
    dcqcn_pause_bytes,
    marking,
    pause_threshold,
    ports_until_below,
)
from fabric.model.intent import EcnPolicy

RULE = EcnPolicy(None, None, 5, 20.0)
MTU = 9216
SN5600_POOL = 67_737_959
Z9864F_POOL = 165_867_080 - 33_374_584


def limit(pool: int, ports: int, dynamic_th: int = 0) -> Limit:
    return Limit(pool, "pool", dynamic_th, ports)


def test_threshold_of_sn5600() -> None:
    assert pause_threshold(0, SN5600_POOL, 1) == pytest.approx(33.9e6, abs=0.05e6)
    assert pause_threshold(0, SN5600_POOL, 64) == pytest.approx(1.04e6, abs=0.005e6)


def test_threshold_of_z9864f() -> None:
    assert pause_threshold(-3, Z9864F_POOL, 1) == pytest.approx(14.7e6, abs=0.05e6)
    assert pause_threshold(-3, Z9864F_POOL, 64) == pytest.approx(1.84e6, abs=0.005e6)


def test_cumulus_default_meets_pfc_from_45_ports_on() -> None:
    assert ports_until_below(0, SN5600_POOL, 1_501_500) == 45
    assert pause_threshold(0, SN5600_POOL, 44) > 1_501_500 > pause_threshold(0, SN5600_POOL, 45)


def test_dcqcn_paper() -> None:
    pause = dcqcn_pause_bytes(12e6, 32, 8, 22_400)
    assert pause == 24_475
    assert dcqcn_mark_bytes(pause, 8) == pytest.approx(21_756, abs=0.5)


def test_rule_at_100g_is_huaweis_throughput_row() -> None:
    got = marking(RULE, 100, MTU, limit(SN5600_POOL, 8))
    assert (got.kmin_bytes.value, got.kmax_bytes.value, got.pmax_percent) == (187_500, 750_000, 5)
    bdp = next(term for term in got.kmax_bytes.terms if term.name == "BDP")
    assert bdp.value == 250_000
    assert got.kmax_bytes.basis == "rule"


def test_clamped_below_the_threshold_of_all_ports() -> None:
    got = marking(RULE, 800, MTU, limit(SN5600_POOL, 64))  # 3 BDP = 6 MB, T(64) = 67,737,959/65
    assert got.kmax_bytes.value == 1_042_122
    assert got.kmin_bytes.value == 1_042_122 // 4
    assert got.kmax_bytes.basis == "rule, clamped below PFC"
    assert (got.pause_alone_bytes, got.pause_together_bytes) == (33_868_979, 1_042_122)
    assert got.congested_ports == 64


def test_not_clamped_where_the_pool_is_unknown() -> None:
    got = marking(RULE, 400, MTU, None)
    assert got.kmax_bytes.value == 3_000_000
    assert got.kmax_bytes.terms[-1].text == "not clamped: pool unknown"
    assert got.pause_alone_bytes is None


def test_users_values_stay() -> None:
    own = EcnPolicy(2_000_000, 1_000_000, 20, 20.0)  # upside down: a rule's business
    got = marking(own, 400, MTU, limit(1_000_000, 64))
    assert (got.kmin_bytes.value, got.kmax_bytes.value) == (2_000_000, 1_000_000)
    assert got.kmin_bytes.basis == got.kmax_bytes.basis == "inventory"


def test_half_given_values_are_completed_in_order() -> None:
    by_kmin = marking(EcnPolicy(1_000_000, None, 5, 20.0), 100, MTU, limit(SN5600_POOL, 4))
    assert by_kmin.kmax_bytes.value == 2_000_000
    by_kmax = marking(EcnPolicy(None, 15_000, 5, 20.0), 100, MTU, limit(SN5600_POOL, 4))
    assert by_kmax.kmin_bytes.value == 7_500


def test_tiny_share_falls_back_to_the_lone_queue() -> None:
    got = marking(RULE, 400, MTU, limit(1_000_000, 64))  # T(64) = 15 kB < 4 MTU
    assert got.kmax_bytes.value == 500_000
    assert "leaves no room" in got.kmax_bytes.terms[-1].text


speeds = st.sampled_from((10, 25, 40, 50, 100, 200, 400, 800))
mtus = st.integers(256, 9216)


@given(
    speeds,
    mtus,
    st.integers(300_000, 10**9),
    st.integers(1, 512),
    st.integers(-4, 7),
    st.floats(1, 200),
)
def test_clamps_hold(  # noqa: PLR0913, PLR0917 — one argument a drawn quantity
    speed: int, mtu: int, pool: int, ports: int, dynamic_th: int, rtt_us: float
) -> None:
    bound = limit(pool, ports, dynamic_th)
    got = marking(EcnPolicy(None, None, 5, rtt_us), speed, mtu, bound)
    kmin, kmax = got.kmin_bytes.value, got.kmax_bytes.value
    assert kmin < kmax <= bound.alone_bytes
    if bound.alone_bytes >= 4 * mtu:
        assert kmin >= 2 * mtu
    if bound.together_bytes >= 4 * mtu:
        assert kmin < bound.together_bytes
        assert kmax <= bound.together_bytes


@given(speeds, mtus, st.floats(1, 200))
def test_order_holds_without_a_pool(speed: int, mtu: int, rtt_us: float) -> None:
    got = marking(EcnPolicy(None, None, 5, rtt_us), speed, mtu, None)
    assert 2 * mtu <= got.kmin_bytes.value < got.kmax_bytes.value


@given(st.integers(-8, 7), st.integers(10**5, 10**9), st.integers(1, 500))
def test_threshold_falls_with_the_number_of_ports(dynamic_th: int, pool: int, ports: int) -> None:
    alone = pause_threshold(dynamic_th, pool, ports)
    assert alone > pause_threshold(dynamic_th, pool, ports + 1)


@given(st.integers(-8, 7), st.integers(10**5, 10**9), st.integers(10**3, 10**7))
def test_ports_until_below_is_the_smallest(dynamic_th: int, pool: int, kmax: int) -> None:
    n = ports_until_below(dynamic_th, pool, kmax)
    assert pause_threshold(dynamic_th, pool, n) < kmax * (1 + 1e-9)
    if n > 1:
        assert pause_threshold(dynamic_th, pool, n - 1) >= kmax * (1 - 1e-9)
