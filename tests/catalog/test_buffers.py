"""Headroom rows and pools, against values typed from the public SONiC files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from fabric import catalog

if TYPE_CHECKING:
    from fabric.model.hardware import BufferTable, Sku

# switch, SKU, speed, cable, then size, xon and xoff
ROWS = [
    ("sn3700", "ACS-MSN3700", 100, 5, (53_248, 19_456, 33_792)),
    ("sn3700", "ACS-MSN3700", 100, 40, (63_488, 19_456, 44_032)),
    ("sn3700", "ACS-MSN3700", 100, 300, (137_216, 19_456, 117_760)),
    ("sn3700", "ACS-MSN3700", 200, 5, (55_296, 19_456, 35_840)),
    ("sn3700", "ACS-MSN3700", 200, 40, (74_752, 19_456, 55_296)),
    ("sn3700", "ACS-MSN3700", 200, 300, (223_232, 19_456, 203_776)),
    ("sn4700", "ACS-MSN4700", 400, 5, (86_016, 37_888, 38_912)),
    ("sn4700", "ACS-MSN4700", 400, 40, (124_928, 37_888, 77_824)),
    ("sn4700", "ACS-MSN4700", 400, 300, (420_864, 37_888, 373_760)),
    ("sn4700", "Mellanox-SN4700-V48C32", 400, 2000, (38_912, 38_912, 876_544)),
    ("sn4700", "Mellanox-SN4700-V64", 400, 2000, (38_912, 38_912, 555_008)),
    ("sn5600", "ACS-SN5600", 100, 5, (133_120, 19_456, 113_664)),
    ("sn5600", "ACS-SN5600", 100, 40, (146_432, 19_456, 126_976)),
    ("sn5600", "ACS-SN5600", 100, 300, (244_736, 19_456, 225_280)),
    ("sn5600", "ACS-SN5600", 200, 5, (150_528, 19_456, 131_072)),
    ("sn5600", "ACS-SN5600", 400, 5, (250_880, 19_456, 231_424)),
    ("sn5600", "ACS-SN5600", 400, 40, (303_104, 19_456, 283_648)),
    ("sn5600", "ACS-SN5600", 400, 300, (697_344, 19_456, 677_888)),
    ("sn5600", "ACS-SN5600", 800, 5, (304_128, 38_912, 257_024)),
    ("sn5600", "ACS-SN5600", 800, 40, (410_624, 38_912, 362_496)),
    ("sn5600", "ACS-SN5600", 800, 300, (1_198_080, 38_912, 1_150_976)),
    ("sn5600", "Mellanox-SN5600-V256", 200, 40, (19_456, 19_456, 108_544)),
    ("z9664f", "DellEMC-Z9664f-O64", 100, 5, (9_144, 9_144, 129_032)),
    ("z9664f", "DellEMC-Z9664f-O64", 100, 40, (9_144, 9_144, 142_240)),
    ("z9664f", "DellEMC-Z9664f-O64", 100, 300, (9_144, 9_144, 240_538)),
    ("z9664f", "DellEMC-Z9664f-O64", 200, 40, (9_144, 9_144, 240_792)),
    ("z9664f", "DellEMC-Z9664f-O64", 400, 5, (9_144, 9_144, 371_348)),
    ("z9664f", "DellEMC-Z9664f-O64", 400, 40, (9_144, 9_144, 424_434)),
    ("z9664f", "DellEMC-Z9664f-O64", 400, 300, (9_144, 9_144, 817_372)),
    ("z9864f", "Dell-Z9864f-O64", 100, 5, (18_796, 0, 147_066)),
    ("z9864f", "Dell-Z9864f-O64", 200, 300, (18_796, 0, 452_374)),
    ("z9864f", "Dell-Z9864f-O64", 400, 5, (18_796, 0, 393_192)),
    ("z9864f", "Dell-Z9864f-O64", 400, 40, (18_796, 0, 446_024)),
    ("z9864f", "Dell-Z9864f-O64", 400, 300, (18_796, 0, 839_216)),
    ("z9864f", "Dell-Z9864f-O64", 800, 5, (18_796, 0, 729_488)),
    ("z9864f", "Dell-Z9864f-O64", 800, 40, (18_796, 0, 835_406)),
    ("z9864f", "Dell-Z9864f-O64", 800, 300, (18_796, 0, 1_621_536)),
]
XON_OFFSET = {"z9664f": 9_144, "z9864f": 3_556}

INGRESS, EGRESS = "ingress_lossless_pool", "egress_lossless_pool"

# (SKU, place, pool, mode, (size, shared headroom))
POOLS = [
    ("ACS-MSN3700", "t0", INGRESS, "dynamic", (14_542_848, None)),
    ("ACS-MSN3700", "t1", INGRESS, "dynamic", (11_622_400, None)),
    ("ACS-MSN3700", "t0", EGRESS, "dynamic", (34_287_552, None)),
    ("ACS-MSN4700", "t0", INGRESS, "dynamic", (26_451_968, None)),
    ("Mellanox-SN4700-C128", "t2", INGRESS, "dynamic", (35_094_528, 11_567_104)),
    ("Mellanox-SN4700-V64", "t1", INGRESS, "dynamic", (39_354_368, 14_254_080)),
    ("Mellanox-SN4700-V64", "t1", EGRESS, "dynamic", (60_817_392, None)),
    ("ACS-SN5600", "t0", INGRESS, "dynamic", (67_737_959, None)),
    ("ACS-SN5600", "t1", INGRESS, "dynamic", (52_161_690, None)),
    ("ACS-SN5600", "t1", EGRESS, "dynamic", (158_229_504, None)),
    ("Mellanox-SN5600-V256", "t1", INGRESS, "dynamic", (73_684_992, 60_293_120)),
    ("DellEMC-Z9664f-O64", "t0", INGRESS, "dynamic", (113_620_296, 50_653_696)),
    ("DellEMC-Z9664f-O64", "t1", EGRESS, "static", (113_620_296, None)),
    ("Dell-Z9864f-O64", "t1", INGRESS, "dynamic", (162_539_680, 33_374_584)),
    ("DellEMC-Z9332f-O32", "t0", INGRESS, "dynamic", (66_394_076, 27_200_352)),
    ("DellEMC-Z9332f-M-O16C64", "t1", EGRESS, "static", (55_921_148, None)),
    ("DS3000", "t0", INGRESS, "dynamic", (12_766_208, None)),
    ("DS3000", "t1", INGRESS, "dynamic", (12_766_208, 4_625_920)),
    ("Arista-7050CX3-32S-C32", "t0", INGRESS, "dynamic", (32_732_160, 1_622_016)),
    ("Nokia-IXR7220-H5-64D", "t0", INGRESS, "dynamic", (161_176_208, 29_520_896)),
    ("M2-W6940-64OC", "ft2", INGRESS, "dynamic", (162_539_680, 33_374_584)),
    ("NH-4010", "t1", "ingress_pool", "dynamic", (166_115_492, None)),
    ("ACS-SN6810_LD", "t0", EGRESS, "dynamic", (226_492_416, None)),
    ("ACS-SN6810_LD", "t1", INGRESS, "dynamic", (62_516_224, None)),
    ("Mellanox-SN5640-C448O16", "t0", EGRESS, "dynamic", (136_209_408, None)),
]


def sku_of(name: str) -> Sku:
    models = (catalog.switch_model(switch) for switch in catalog.switch_names())
    return next(sku for model in models for sku in model.skus if sku.name == name)


def table(name: str, place: str) -> BufferTable:
    return next(table for table in sku_of(name).buffers if table.place == place)


class Row(NamedTuple):
    switch: str
    sku: str
    speed: int
    cable: int
    figures: tuple[int, int, int]  # size, xon, xoff
    threshold: int
    xon_offset: int | None


MORE_ROWS = [
    Row("z9332f", "DellEMC-Z9332f-O32", 100, 5, (2_540, 2_540, 68_580), -2, 2_540),
    Row("z9332f", "DellEMC-Z9332f-O32", 400, 300, (2_540, 2_540, 373_888), -2, 2_540),
    Row("z9332f", "DellEMC-Z9332f-M-O16C64", 400, 2000, (2_540, 2_540, 1_498_092), -2, 2_540),
    Row("ds3000", "DS3000", 100, 300, (56_368, 18_432, 55_120), -3, 2_496),
    Row("7050cx3-32s", "Arista-7050CX3-32S-C32", 100, 40, (4_608, 4_608, 160_000), 0, 4_608),
    Row("sn2700", "ACS-MSN2700", 100, 300, (123_904, 19_456, 104_448), 0, None),
    Row("sn2700", "Mellanox-SN2700", 100, 2000, (19_456, 19_456, 199_680), 0, None),
    Row("sn5640", "Mellanox-SN5640-C512S2", 400, 30, (19_456, 19_456, 99_328), 0, None),
    Row("sn6600-ld", "ACS-SN6600_LD", 800, 5, (190_464, 43_008, 147_456), 0, None),
    Row("sn6600-ld", "ACS-SN6600_LD", 800, 300, (516_096, 43_008, 473_088), 0, None),
    Row("7220-ixr-h5-64d", "Nokia-IXR7220-H5-64D", 800, 5, (1_248, 2_288, 572_516), 0, 2_288),
    Row("nexthop-4010", "NH-4010", 25, 5, (18_796, 0, 612_140), 0, 3_556),
    Row("4010", "NH-4010-256x200G-2x25G", 800, 300, (18_796, 0, 612_140), 0, 3_556),
]


@pytest.mark.parametrize(
    "expected", MORE_ROWS, ids=lambda row: f"{row.sku}-{row.speed}-{row.cable}"
)
def test_more_headroom_rows(expected: Row) -> None:
    sku = catalog.switch_model(expected.switch).sku(expected.sku)
    assert sku is not None
    (row,) = (
        r for r in sku.headroom if (r.speed_gbps, r.cable_m) == (expected.speed, expected.cable)
    )
    assert (row.size_bytes, row.xon_bytes, row.xoff_bytes) == expected.figures
    assert (row.threshold, row.xon_offset_bytes) == (expected.threshold, expected.xon_offset)


@pytest.mark.parametrize(
    ("switch", "name"),
    [
        ("7060x6-64pe", "Arista-7060X6-64PE"),  # the public files exist and are empty
        ("z9332f", "DellEMC-Z9332f-C32"),
        ("as7726-32x", "Accton-AS7726-32X"),  # there are none
        ("sse-t8196", "Supermicro_sse_t8196"),
    ],
)
def test_what_the_public_files_leave_empty_stays_empty(switch: str, name: str) -> None:
    sku = catalog.switch_model(switch).sku(name)
    assert sku is not None
    assert (sku.headroom, sku.buffers) == ((), ())


def test_a_table_that_cannot_be_rendered_is_left_out() -> None:
    assert [t.place for t in sku_of("Arista-7260CX3-D108C8").buffers] == ["t0"]
    assert [t.place for t in sku_of("Mellanox-SN4600C-D100C12S2").buffers] == ["t1"]


@pytest.mark.parametrize(("switch", "name", "speed", "cable", "expected"), ROWS)
def test_headroom_rows(
    switch: str, name: str, speed: int, cable: int, expected: tuple[int, int, int]
) -> None:
    sku = catalog.switch_model(switch).sku(name)
    assert sku is not None
    (row,) = (r for r in sku.headroom if (r.speed_gbps, r.cable_m) == (speed, cable))
    assert (row.size_bytes, row.xon_bytes, row.xoff_bytes) == expected
    assert (row.xon_offset_bytes, row.threshold) == (XON_OFFSET.get(switch), 0)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("ACS-MSN3700", 18),
        ("ACS-MSN4700", 21),
        ("Mellanox-SN4700-A96C8V8", 32),
        ("Mellanox-SN4700-O32", 35),
        ("Mellanox-SN5600-O128", 24),
        ("Mellanox-SN5600-C224O8", 32),
        ("Mellanox-SN5600-C256S1", 40),
        ("DellEMC-Z9664f-O64", 21),
        ("Dell-Z9864f-O64", 24),
    ],
)
def test_number_of_headroom_rows(name: str, rows: int) -> None:
    assert len(sku_of(name).headroom) == rows


@pytest.mark.parametrize(("name", "place", "pool", "mode", "expected"), POOLS)
def test_pools(
    name: str, place: str, pool: str, mode: str, expected: tuple[int, int | None]
) -> None:
    (found,) = (p for p in table(name, place).pools if p.name == pool)
    assert (found.size_bytes, found.xoff_bytes) == expected
    assert (found.direction, found.mode) == (pool.partition("_")[0], mode)


def test_profiles() -> None:
    dell = {profile.name: profile for profile in table("Dell-Z9864f-O64", "t0").profiles}
    assert dell["egress_lossless_profile"].pool == EGRESS
    assert dell["egress_lossless_profile"].static_th_bytes == 165_867_080
    assert dell["egress_lossless_profile"].dynamic_th is None
    assert dell["egress_lossy_profile"].size_bytes == 1_778
    assert dell["egress_lossy_cpu_profile"].dynamic_th == -2
    nvidia = {profile.name: profile for profile in table("ACS-MSN3700", "t0").profiles}
    assert nvidia["ingress_lossless_profile"].dynamic_th == 7
    assert nvidia["q_lossy_profile"].dynamic_th == 3


@pytest.mark.parametrize("name", ["Mellanox-SN5600-C224O8", "Mellanox-SN5600-C256S1"])
@pytest.mark.parametrize("place", ["t0", "t1"])
def test_skus_of_100g_ports_on_sn5600_have_no_lossless_profile(name: str, place: str) -> None:
    assert "ingress_lossless_profile" not in {p.name for p in table(name, place).profiles}


@pytest.mark.parametrize("switch", [name for name in catalog.switch_names() if name != "generic"])
def test_buffer_tables_are_whole(switch: str) -> None:
    for sku in catalog.switch_model(switch).skus:
        places = [table.place for table in sku.buffers]
        assert len(set(places)) == len(places)
        assert set(places) <= {"t0", "t1", "t2", "lt2", "ft2"}
        for buffers in sku.buffers:
            pools = {pool.name for pool in buffers.pools}
            assert all(profile.pool in pools for profile in buffers.profiles)
