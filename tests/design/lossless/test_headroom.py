"""Truth values of the headroom, typed from the public tables and worked by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.catalog import asic, switch_model
from fabric.design.lossless.formulas import xoff_by_formula
from fabric.design.lossless.headroom import Headroom, headroom_of
from fabric.design.lossless.pause import longest_pause_us
from fabric.design.lossless.silicon import Silicon, silicon_of
from fabric.design.lossless.wire import Wire
from fabric.model.hardware import HeadroomRow
from fabric.model.intent import DeviceHardware
from tests.samples import sample_spec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SN5600 = {  # ACS-SN5600, Gb/s → xoff at 5, 40, 300 m
    10: (45_056, 46_080, 56_320),
    25: (48_128, 52_224, 76_800),
    40: (57_344, 62_464, 101_376),
    50: (63_488, 69_632, 118_784),
    100: (113_664, 126_976, 225_280),
    200: (131_072, 157_696, 355_328),
    400: (231_424, 283_648, 677_888),
    800: (257_024, 362_496, 1_150_976),
}
SN5600_2KM = {100: 869_376, 200: 1_642_496, 400: 3_253_248, 800: 6_301_696}
SPECTRUM_3 = {  # ACS-MSN4700; up to 200G also ACS-MSN3700 (Spectrum-2)
    10: (32_768, 33_792, 40_960),
    25: (32_768, 35_840, 54_272),
    40: (33_792, 37_888, 66_560),
    50: (33_792, 38_912, 75_776),
    100: (33_792, 44_032, 117_760),
    200: (35_840, 55_296, 203_776),
    400: (38_912, 77_824, 373_760),
}
TOMAHAWK_5 = {  # Dell-Z9864f-O64
    100: (147_066, 160_274, None),
    200: (229_362, 255_778, 452_374),
    400: (393_192, 446_024, 839_216),
    800: (729_488, 835_406, 1_621_536),
}
TOMAHAWK_4 = {  # DellEMC-Z9664f-O64
    100: (129_032, 142_240, 240_538),
    200: (214_122, 240_792, 437_134),
    400: (371_348, 424_434, 817_372),
}
GENERIC = {  # at 5, 40, 300, 2,000 m
    100: (44_404, 48_826, 81_677, 296_472),
    200: (48_812, 57_656, 123_358, 552_948),
    400: (79_003, 96_692, 228_096, 1_087_276),
    800: (81_530, 116_908, 379_716, 2_098_077),
}
CABLES_M = (5, 40, 300, 2000)
MTU = 9216


def rows(table: Mapping[int, Sequence[int | None]]) -> list[tuple[int, int, int]]:
    return [
        (speed, cable, xoff)
        for speed, values in table.items()
        for cable, xoff in zip(CABLES_M, values, strict=False)
        if xoff is not None
    ]


def silicon(model: str, sku: str | None = None, place: str = "t0") -> Silicon:
    return silicon_of(DeviceHardware(sample_spec(), switch_model(model), sku), place)


def headroom(model: str, speed: int, cable: float, sku: str | None = None) -> Headroom:
    return headroom_of(silicon(model, sku), Wire(speed, cable, MTU))


@pytest.mark.parametrize(("speed", "cable", "xoff"), rows(SN5600))
def test_nvidia_form_reproduces_spectrum_4(speed: int, cable: int, xoff: int) -> None:
    assert xoff_by_formula(asic("spectrum-4"), Wire(speed, cable, MTU)).value == xoff


def test_the_tables_have_all_rows() -> None:
    assert (len(rows(SN5600)), len(rows(SPECTRUM_3))) == (24, 21)


@pytest.mark.parametrize(("speed", "xoff"), SN5600_2KM.items())
def test_nvidia_form_beyond_the_table(speed: int, xoff: int) -> None:
    assert headroom("nvidia-sn5600", speed, 2000).xoff.value == xoff


@pytest.mark.parametrize(("speed", "cable", "xoff"), rows(SPECTRUM_3))
def test_nvidia_form_reproduces_spectrum_3(speed: int, cable: int, xoff: int) -> None:
    assert xoff_by_formula(asic("spectrum-3"), Wire(speed, cable, MTU)).value == xoff


@pytest.mark.parametrize(
    ("speed", "cable", "xoff"), [row for row in rows(SPECTRUM_3) if row[0] <= 200]
)
def test_nvidia_form_reproduces_spectrum_2(speed: int, cable: int, xoff: int) -> None:
    assert xoff_by_formula(asic("spectrum-2"), Wire(speed, cable, MTU)).value == xoff


@pytest.mark.parametrize(("speed", "cable", "xoff"), rows(TOMAHAWK_5))
def test_linear_form_fits_tomahawk_5(speed: int, cable: int, xoff: int) -> None:
    within = 0.01 if speed >= 200 else 0.013  # two 100G rows lie 1.2 % off the published fit
    got = xoff_by_formula(asic("tomahawk5"), Wire(speed, cable, MTU)).value
    assert got == pytest.approx(xoff, rel=within)
    assert got % 254 == 0  # whole cells


@pytest.mark.parametrize(("speed", "cable", "xoff"), rows(GENERIC))
def test_generic_estimate(speed: int, cable: int, xoff: int) -> None:
    assert xoff_by_formula(asic("generic"), Wire(speed, cable, MTU)).value == xoff


def test_generic_estimate_says_what_it_is() -> None:
    got = headroom("generic", 400, 5)
    assert got.xoff.value == 79_003
    assert got.xoff.basis == "generic estimate"
    assert "not a lower bound" in got.xoff.source
    assert not got.published
    assert got.xon.basis == "not known"


def test_derivation_of_800g_and_5_m_step_by_step() -> None:
    terms = {t.name: t for t in xoff_by_formula(asic("spectrum-4"), Wire(800, 5, MTU)).terms}
    assert terms["MTU"].value == 9216
    assert terms["on the cable"].value == pytest.approx(5_050.5, abs=0.05)
    assert terms["on the cable"].text == "2 · 5 m · 100 GB/s / 198,000 km/s"
    assert terms["MAC and PHY"].value == 819.2
    assert terms["peer response"].value == 57_920
    assert terms["peer response"].text == "905 quanta · 64 B"
    assert terms["tile"].value == 12_000
    assert terms["sum"].value == pytest.approx(85_005.7, abs=0.05)
    assert terms["expansion"].value == 3
    assert terms["rounded up"].value == 251 * 1024 == 257_024
    assert all(term.source for term in terms.values())


@pytest.mark.parametrize(
    ("model", "table"),
    [
        ("nvidia-sn5600", SN5600),
        ("nvidia-sn4700", SPECTRUM_3),
        ("dell-z9664f", TOMAHAWK_4),
        ("dell-z9864f", TOMAHAWK_5),
    ],
)
def test_published_rows_come_first(model: str, table: Mapping[int, Sequence[int | None]]) -> None:
    for speed, cable, xoff in rows(table):
        got = headroom(model, speed, cable)
        assert (got.xoff.value, got.xoff.basis, got.published) == (xoff, "published row", True)
        assert got.configured_cable_m == cable


@pytest.mark.parametrize(
    ("model", "speed", "size", "xon", "offset"),
    [
        ("nvidia-sn5600", 800, 304_128, 38_912, None),
        ("nvidia-sn5600", 400, 250_880, 19_456, None),
        ("nvidia-sn3700", 100, 53_248, 19_456, None),
        ("dell-z9864f", 800, 18_796, 0, 3556),
        ("dell-z9664f", 400, 9144, 9144, 9144),
    ],
)
def test_reserved_size_and_xon(
    model: str, speed: int, size: int, xon: int, offset: int | None
) -> None:
    got = headroom(model, speed, 5)
    assert (got.size.value, got.xon.value, got.xon_offset_bytes) == (size, xon, offset)
    assert got.dynamic_th == 0


def test_shared_headroom_reserves_xon_alone() -> None:
    got = headroom("nvidia-sn5600", 200, 300, "Mellanox-SN5600-V256")
    assert (got.size.value, got.xon.value, got.xoff.value) == (19_456, 19_456, 240_640)
    beyond = headroom("nvidia-sn5600", 200, 500, "Mellanox-SN5600-V256")
    assert beyond.size.value == 19_456


def test_row_that_leans_on_a_missing_headroom_pool_is_not_taken_as_it_is() -> None:
    got = headroom("nvidia-sn5600", 100, 5, "Mellanox-SN5600-C256S1")
    assert got.xoff.value == 44_032
    assert got.size.value == 19_456 + 44_032  # the row reserves 19,456 B only
    assert not got.published


def test_a_length_between_rows_is_rounded_up() -> None:
    got = headroom("nvidia-sn5600", 400, 5.5)
    assert (got.configured_cable_m, got.xoff.value) == (40, 283_648)
    assert "5.5 m rounded up" in got.xoff.terms[0].text


@pytest.mark.parametrize(
    ("cable", "configured"), [(0.5, 5), (5, 5), (5.5, 40), (30, 40), (40, 40), (300, 300)]
)
def test_where_the_boxs_own_table_decides_the_length_is_one_that_it_has(
    cable: float, configured: int
) -> None:
    """buffermgrd makes no lossless group for a length that its table lacks."""
    got = headroom("generic", 400, cable)
    assert got.configured_cable_m == configured
    assert got.xoff == xoff_by_formula(asic("generic"), Wire(400, cable, MTU))
    assert headroom("generic", 400, 300.5).configured_cable_m == 301


def test_above_the_longest_row_the_formula_takes_over() -> None:
    got = headroom("nvidia-sn5600", 400, 500.5)
    assert got.xoff.basis == "formula of spectrum-4"
    assert got.configured_cable_m == 501
    # 9,216 + 2·500.5·5e10/1.98e8 + 819.2 + 57,920 + 6,000 = 326,733.0; ·3 + 1,024 → 959 KiB
    assert got.xoff.value == 959 * 1024
    assert got.size.value == got.xoff.value + 19_456


def test_where_the_fit_lies_below_the_table_the_table_is_drawn_out() -> None:
    got = headroom("dell-z9864f", 800, 301)
    # 2 · 1e11 B/s / 1.98e8 m/s · 254/84 = 3,054.4 B/m, steeper than the last rows' 3,023.6
    assert got.xoff.value == 1_621_536 + 3_055
    assert got.xoff.basis == "longest published row, drawn out"


def test_users_own_headroom_and_threshold() -> None:
    got = headroom_of(
        silicon("nvidia-sn5600"), Wire(400, 5, MTU), xoff_bytes=100_000, dynamic_th=-2
    )
    assert (got.xoff.value, got.xoff.basis) == (100_000, "inventory")
    assert (got.size.value, got.dynamic_th, got.published) == (119_456, -2, False)
    same_xoff = headroom_of(silicon("nvidia-sn5600"), Wire(400, 5, MTU), dynamic_th=-2)
    assert not same_xoff.published  # the row has threshold 0


def test_physical_floor() -> None:
    assert Wire(400, 2000, MTU).floor_bytes == 1_019_317
    assert Wire(400, 300, MTU).floor_bytes == 9216 + 151_515


@pytest.mark.parametrize(("speed", "microseconds"), [(100, 335.5), (400, 83.9), (800, 41.9)])
def test_longest_pause(speed: int, microseconds: float) -> None:
    assert longest_pause_us(speed) == pytest.approx(microseconds, abs=0.05)


def test_a_speed_without_quanta_takes_those_of_the_next() -> None:
    term = next(
        t
        for t in xoff_by_formula(asic("generic"), Wire(1600, 5, MTU)).terms
        if t.name == "peer response"
    )
    assert term.value == 57_920
    assert term.text == "905 quanta · 64 B (those of 800G: no figure for 1600G)"


def test_an_unknown_form_is_an_error() -> None:
    odd = asic("generic")
    odd = replace(odd, xoff_model=replace(odd.xoff_model, form="guess"))
    with pytest.raises(ValueError, match="unknown headroom form 'guess'"):
        xoff_by_formula(odd, Wire(100, 5, MTU))


def test_eight_lanes_without_a_row_double_xon_and_add_an_mtu() -> None:
    bare = replace(silicon("nvidia-sn5600"), rows=())
    got = headroom_of(bare, Wire(800, 5, MTU, lanes=8))
    assert (got.xon.value, got.size.value) == (38_912, 38_912 + 257_024 + 9216)
    assert headroom_of(bare, Wire(400, 5, MTU, lanes=4)).xon.value == 19_456


def test_a_static_threshold_is_not_taken_for_an_exponent() -> None:
    row = HeadroomRow(100, 300, 30_000, 10_000, 20_000, 36_736)
    got = headroom_of(replace(silicon("generic"), rows=(row,)), Wire(100, 5, MTU))
    assert got.dynamic_th == 0


MODELS = (
    "generic",
    "nvidia-sn3700",
    "nvidia-sn4700",
    "nvidia-sn5600",
    "dell-z9664f",
    "dell-z9864f",
)
SPEEDS = (10, 25, 40, 50, 100, 200, 400, 800)
metres = st.floats(0.5, 3000, allow_nan=False)


@given(st.sampled_from(MODELS), st.sampled_from(SPEEDS), metres, metres)
def test_a_longer_cable_never_needs_less(model: str, speed: int, one: float, other: float) -> None:
    short, long = sorted((one, other))
    near, far = (headroom(model, speed, length) for length in (short, long))
    assert near.xoff.value <= far.xoff.value
    assert near.configured_cable_m <= far.configured_cable_m
    assert far.configured_cable_m >= long


@given(st.sampled_from(MODELS), st.sampled_from((64, 1500, 4200, MTU)), metres)
def test_a_faster_port_never_needs_less(model: str, mtu: int, cable: float) -> None:
    chip = switch_model(model).asic
    needs = [xoff_by_formula(chip, Wire(speed, cable, mtu)).value for speed in SPEEDS]
    assert needs == sorted(needs)


@given(st.sampled_from(MODELS), st.sampled_from(SPEEDS), metres)
def test_formula_is_never_below_the_floor(model: str, speed: int, cable: float) -> None:
    wire = Wire(speed, cable, MTU)
    assert xoff_by_formula(switch_model(model).asic, wire).value >= wire.floor_bytes


@given(st.sampled_from(MODELS), st.sampled_from(SPEEDS), metres)
def test_private_headroom_is_reserved_in_full(model: str, speed: int, cable: float) -> None:
    got = headroom(model, speed, cable)
    if not silicon(model).shares_headroom:  # the public rows round each part to a KiB
        assert got.size.value >= got.xoff.value + got.xon.value - 1024
    assert got.xoff.terms
    assert got.size.terms
