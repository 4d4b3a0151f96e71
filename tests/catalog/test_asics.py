"""Chips: facts typed from the public files, and formulas that must give the published rows."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest

from fabric import catalog
from fabric.model.hardware import Asic, Confidence, HeadroomRow
from fabric.model.units import PROPAGATION_M_PER_S, QUANTUM_BYTES, bytes_per_second

MTU_BYTES = 9216


def nvidia_xoff(asic: Asic, speed_gbps: int, cable_m: int) -> int:
    """sonic-swss buffer_headroom_mellanox.lua, in its terms."""
    model = asic.xoff_model
    peer = model.peer_response_bytes
    if peer is None:
        peer = catalog.pause_quanta(speed_gbps) * QUANTUM_BYTES
    flight = 2 * cable_m * bytes_per_second(speed_gbps) / PROPAGATION_M_PER_S
    tile = speed_gbps * model.tile_bytes_per_gbps
    cells = model.expansion * (MTU_BYTES + flight + model.mac_phy_delay_bytes + peer + tile)
    return math.ceil((1024 + cells) / 1024) * 1024


def linear_xoff(asic: Asic, speed_gbps: int, cable_m: int) -> float:
    model = asic.xoff_model
    rate = bytes_per_second(speed_gbps)
    flight = model.ns_per_m * 1e-9 * cable_m * rate
    return model.expansion * (model.fixed_bytes + rate * model.response_s + flight)


def rows(switch: str) -> tuple[Asic, tuple[HeadroomRow, ...]]:
    model = catalog.switch_model(switch)
    sku = model.sku(None)
    assert sku is not None
    return model.asic, sku.headroom


@pytest.mark.parametrize(
    ("switch", "count"),
    [
        ("sn2100", 15),
        ("sn2700", 15),
        ("sn3700", 18),
        ("sn4700", 21),
        ("sn5400", 24),
        ("sn5600", 24),
    ],
)
def test_nvidia_form_gives_every_published_row(switch: str, count: int) -> None:
    asic, published = rows(switch)
    assert asic.xoff_model.form == "nvidia"
    assert len(published) == count
    for row in published:
        assert nvidia_xoff(asic, row.speed_gbps, row.cable_m) == row.xoff_bytes, row


@pytest.mark.parametrize(
    ("speed_gbps", "cable_m", "xoff_bytes"),
    [(100, 2000, 869_376), (200, 2000, 1_642_496), (400, 2000, 3_253_248), (800, 2000, 6_301_696)],
)
def test_spectrum_4_beyond_its_table(speed_gbps: int, cable_m: int, xoff_bytes: int) -> None:
    assert nvidia_xoff(catalog.asic("spectrum-4"), speed_gbps, cable_m) == xoff_bytes


@pytest.mark.parametrize("switch", ["sn5640", "sn6600-ld", "sn6810-ld"])
def test_newer_nvidia_chips_ask_for_no_more_than_the_form_says(switch: str) -> None:
    for sku in catalog.switch_model(switch).skus:
        for row in sku.headroom:
            estimate = nvidia_xoff(catalog.switch_model(switch).asic, row.speed_gbps, row.cable_m)
            assert row.xoff_bytes <= estimate / 2, row


def test_tomahawk_5_form_is_close_to_the_published_rows() -> None:
    asic, published = rows("z9864f")
    near = [row for row in published if row.speed_gbps >= 200]
    assert len(near) == 9
    for row in near:
        assert linear_xoff(asic, row.speed_gbps, row.cable_m) == pytest.approx(
            row.xoff_bytes, rel=0.01
        )
    slow = [row for row in published if row.speed_gbps == 100]
    for row in slow:
        assert linear_xoff(asic, 100, row.cable_m) == pytest.approx(row.xoff_bytes, rel=0.012)


def test_tomahawk_4_form_bounds_the_published_rows_from_above() -> None:
    asic, published = rows("z9664f")
    own = [row for row in published if row.speed_gbps not in {10, 40}]  # the others repeat those
    assert len(own) == 15
    for row in own:
        estimate = linear_xoff(asic, row.speed_gbps, row.cable_m)
        assert row.xoff_bytes <= estimate <= 1.05 * row.xoff_bytes, row


class Facts(NamedTuple):
    name: str
    family: str
    form: str
    cell: int | None = None
    buffer: int | None = None
    xon: int | None = None
    doubles: bool = False
    pg_map: bool = False


FACTS = [
    Facts("spectrum-2", "mellanox", "nvidia", 144, 34_287_552, 19_456, pg_map=True),
    Facts("spectrum-3", "mellanox", "nvidia", 144, 60_817_392, 19_456, doubles=True, pg_map=True),
    Facts("spectrum-4", "mellanox", "nvidia", 192, 158_229_504, 19_456, doubles=True, pg_map=True),
    Facts("tomahawk4", "broadcom", "linear", 254, 113_620_296),
    Facts("tomahawk5", "broadcom", "linear", 254, 167_546_528),
    Facts("spectrum-1", "mellanox", "nvidia", 96, 13_945_824, 19_456, pg_map=True),
    Facts("spectrum-5", "mellanox", "nvidia", 192, 136_209_408, 19_456, doubles=True, pg_map=True),
    Facts("spectrum-6", "mellanox", "nvidia", 256, 226_492_416, 43_008, doubles=True, pg_map=True),
    Facts("trident3", "broadcom", "generic", 256, 33_004_032),
    Facts("trident4", "broadcom", "generic", 318, 84_219_120),
    Facts("tomahawk1", "broadcom", "generic", 208, 44_302_336),
    Facts("tomahawk2", "broadcom", "generic", 208, 44_302_336),
    Facts("tomahawk3", "broadcom", "generic", 254, 67_117_468),
    Facts("tomahawk4g", "broadcom", "generic"),
    Facts("tomahawk6", "broadcom", "generic", 420, 265_332_900),
    Facts("generic", "generic", "generic"),
]


@pytest.mark.parametrize("facts", FACTS, ids=lambda facts: facts.name)
def test_facts(facts: Facts) -> None:
    asic = catalog.asic(facts.name)
    assert (asic.family, asic.xoff_model.form) == (facts.family, facts.form)
    assert (asic.cell_bytes, asic.buffer_bytes) == (facts.cell, facts.buffer)
    assert (asic.xon_bytes, asic.xon_doubles_on_8_lanes) == (facts.xon, facts.doubles)
    assert asic.pfc_to_pg_map == facts.pg_map
    assert asic.max_lossless_priorities == 2


@pytest.mark.parametrize(
    ("name", "expansion", "peer", "tile"),
    [("spectrum-2", 2.25, 3891, 0), ("spectrum-3", 2.25, 3891, 0), ("spectrum-4", 3.0, None, 15)],
)
def test_nvidia_parameters(name: str, expansion: float, peer: int | None, tile: int) -> None:
    model = catalog.asic(name).xoff_model
    assert (model.expansion, model.peer_response_bytes) == (expansion, peer)
    assert (model.tile_bytes_per_gbps, model.mac_phy_delay_bytes) == (tile, 819.2)


def test_tomahawk_5_parameters() -> None:
    model = catalog.asic("tomahawk5").xoff_model
    assert model.expansion == pytest.approx(3.0238, abs=1e-4)
    assert (model.fixed_bytes, model.ns_per_m) == (20_600, 10)
    assert model.response_s == pytest.approx(2.15e-6)


def test_every_chip_has_a_source() -> None:
    for name in catalog.asic_names():
        asic = catalog.asic(name)
        assert asic.source is not None
        assert asic.xoff_model.source is not None
        assert asic.xoff_model.source.confidence in Confidence


@pytest.mark.parametrize(
    ("speed_gbps", "quanta"),
    [(10, 67), (25, 80), (40, 118), (50, 147), (100, 394), (200, 453), (400, 905), (800, 905)],
)
def test_pause_quanta(speed_gbps: int, quanta: int) -> None:
    assert catalog.pause_quanta(speed_gbps) == quanta


@pytest.mark.parametrize("speed_gbps", [0, 56, 1600])
def test_pause_quanta_of_an_unknown_speed(speed_gbps: int) -> None:
    with pytest.raises(catalog.UnknownSpeedError, match=f"known for {speed_gbps}G; known: 1, 10"):
        catalog.pause_quanta(speed_gbps)
