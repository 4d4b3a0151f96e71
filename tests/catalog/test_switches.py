"""Switch models, against values typed from the public SONiC files."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import NamedTuple

import pytest

from fabric import catalog

BY_HAND = ("dell-z9664f", "dell-z9864f", "nvidia-sn3700", "nvidia-sn4700", "nvidia-sn5600")


class Facts(NamedTuple):
    switch: str
    asic: str
    sku: str
    sonic_platform: str
    cages: int
    usable: int
    logical_ports: int | None = None
    buffer_limit: int | None = None


FACTS = [
    Facts("nvidia-sn3700", "spectrum-2", "ACS-MSN3700", "x86_64-mlnx_msn3700-r0", 32, 32),
    Facts("nvidia-sn4700", "spectrum-3", "ACS-MSN4700", "x86_64-mlnx_msn4700-r0", 32, 32),
    Facts("nvidia-sn5600", "spectrum-4", "ACS-SN5600", "x86_64-nvidia_sn5600-r0", 65, 64, 257),
    Facts("dell-z9664f", "tomahawk4", "DellEMC-Z9664f-O64", "x86_64-dell_z9664f-r0", 66, 64),
    Facts(
        "dell-z9864f",
        "tomahawk5",
        "Dell-Z9864f-O64",
        "x86_64-dell_z9864f-r0",
        66,
        64,
        buffer_limit=165_867_080,
    ),
]


# How many of each vendor.
VENDORS = {
    "Arista": 16,
    "Celestica": 8,
    "Cisco": 2,
    "Dell": 12,
    "Edgecore": 4,
    "H3C": 1,
    "Huawei": 8,
    "Juniper": 3,
    "Micas": 10,
    "NVIDIA": 19,
    "Nexthop": 3,
    "Nokia": 9,
    "Supermicro": 2,
    "UfiSpace": 6,
    "generic": 1,
}


def test_every_file_loads() -> None:
    names = catalog.switch_names()
    assert Counter(catalog.switch_model(name).vendor for name in names) == VENDORS


@pytest.mark.parametrize(
    "name",
    [
        *("arista-7060dx5-64s", "arista-7060x6-64pe", "arista-7260cx3-64", "edgecore-as9716-32d"),
        *("celestica-ds3000", "celestica-ds5000", "cisco-n9k-9332d-gx2b", "cisco-n9k-9364d-gx2a"),
        *("juniper-qfx5130-32cd", "juniper-qfx5240-64od", "huawei-ce8851-32cq8dq-p"),
        *("nokia-7220-ixr-h4", "nokia-7220-ixr-h5-64d", "nokia-ixr7220-h6-64", "dell-s5232f"),
        *("dell-s5248f", "dell-s5448f", "dell-z9332f", "dell-z9432f", "dell-z9264f"),
        *("nvidia-sn2700", "nvidia-sn3700c", "nvidia-sn4600c", "nvidia-sn5400", "nvidia-sn5640"),
        *("nvidia-sn6600-ld", "nvidia-sn6810-ld", "micas-m2-w6940-128qc", "nexthop-4010"),
        *("supermicro-sse-t8164", "ufispace-s9300-32d", "h3c-s9855-48cd8d"),
    ],
)
def test_is_shipped(name: str) -> None:
    assert name in catalog.switch_names()


@pytest.mark.parametrize("name", ["n9k-9364e-sg2", "8101-32fh", "qfx5220-32cd", "qfx5230-64cd"])
def test_a_box_whose_cages_nobody_read_is_not_shipped(name: str) -> None:
    with pytest.raises(catalog.UnknownNameError):
        catalog.switch_model(name)


def test_names_are_known_without_reading_the_files() -> None:
    code = "import sys, fabric.catalog as c; c.switch_names(); sys.exit('yaml' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


class Panel(NamedTuple):
    switch: str
    asic: str
    usable: dict[int, int]  # cages by speed
    side: int
    logical_ports: int | None = None


PANELS = [
    Panel("7050cx3-32s", "trident3", {100: 32}, 1),
    Panel("7060dx5-32", "tomahawk4", {400: 32}, 1),
    Panel("7060x6-64pe", "tomahawk5", {800: 64}, 2),
    Panel("as9716-32d", "tomahawk3", {400: 32}, 0),
    Panel("as9726-32d", "trident4", {400: 32}, 0),
    Panel("as7326-56x", "trident3", {25: 48, 100: 8}, 0),
    Panel("ds3000", "trident3", {100: 32}, 1),
    Panel("ds4000", "tomahawk3", {400: 32}, 0, 144),
    Panel("ds4101", "tomahawk4g", {800: 32}, 1, 272),
    Panel("ds5000", "tomahawk5", {800: 64}, 2, 320),
    Panel("z9332f", "tomahawk3", {400: 32}, 2, 144),
    Panel("s5448f", "trident4", {400: 8, 100: 48}, 2),
    Panel("n9k-9332d-gx2b", "generic", {400: 32}, 2),
    Panel("qfx5240-64od", "generic", {800: 64}, 2),
    Panel("ce8851-32cq8dq-p", "generic", {100: 32, 400: 8}, 0),
    Panel("s9855-48cd8d", "generic", {100: 48, 400: 8}, 0),
    Panel("m2-w6940-64oc", "tomahawk5", {800: 64}, 2),
    Panel("nexthop-4010", "tomahawk5", {800: 64}, 2),
    Panel("7220-ixr-h5-64d", "tomahawk5", {800: 64}, 2),
    Panel("sn2700", "spectrum-1", {100: 32}, 0),
    Panel("sn5640", "spectrum-5", {800: 64}, 2),
    Panel("sn6600-ld", "spectrum-6", {1600: 64}, 1),
    Panel("sn6810-ld", "spectrum-6", {6400: 16}, 1),
    Panel("sse-t8196", "tomahawk5", {800: 32, 400: 64}, 2),
    Panel("s9321-64e", "tomahawk5", {800: 64}, 0),
]


@pytest.mark.parametrize("expected", PANELS, ids=lambda panel: panel.switch)
def test_panels(expected: Panel) -> None:
    model = catalog.switch_model(expected.switch)
    usable = [cage for cage in model.cages if cage.number in model.usable_cages]
    assert Counter(cage.speed_gbps for cage in usable) == expected.usable
    assert len(model.cages) - len(usable) == expected.side
    assert model.asic.name == expected.asic
    assert model.max_logical_ports == expected.logical_ports


def test_pipelines() -> None:
    ds5000 = catalog.switch_model("ds5000")
    assert ds5000.max_ports_per_pipeline == 10
    assert len(ds5000.pipelines) == 32
    assert ds5000.pipelines[:4] == ((1, 4), (2, 3), (5, 8), (6, 7))
    z9332f = catalog.switch_model("z9332f")
    assert z9332f.max_ports_per_pipeline == 18
    assert z9332f.pipelines[0] == (1, 2, 3, 4)
    assert z9332f.pipelines[-1] == (29, 30, 31, 32)
    ds4000 = catalog.switch_model("ds4000")  # which cages share one is not known
    assert (ds4000.max_ports_per_pipeline, ds4000.pipelines) == (18, ())
    sn5600 = catalog.switch_model("sn5600")
    assert (sn5600.max_ports_per_pipeline, sn5600.pipelines) == (None, ())


@pytest.mark.parametrize("switch", [name for name in catalog.switch_names() if name != "generic"])
def test_no_lane_is_given_to_two_cages(switch: str) -> None:
    lanes = [lane for cage in catalog.switch_model(switch).cages for lane in cage.lanes]
    assert len(lanes) == len(set(lanes))


def test_cages_counted_from_0() -> None:
    """SONiC's index of these boxes; the names on the panel count from 1."""
    cages = catalog.switch_model("m2-w6920-32qc2x").cages
    assert (cages[0].number, cages[0].first_port_number, cages[0].lanes[0]) == (0, 1, 1)
    aliases = {mode.text: mode.alias for mode in cages[0].modes}
    assert aliases == {"1x400G": "Eth1", "2x200G[100G]": "Eth1/{n}", "4x100G": "Eth1/{n}"}
    assert cages[31].modes[0].alias == "Eth32"


@pytest.mark.parametrize("facts", FACTS, ids=lambda facts: facts.switch)
def test_facts_of_a_model(facts: Facts) -> None:
    model = catalog.switch_model(facts.switch)
    assert model.asic.name == facts.asic
    assert (model.default_sku, model.sonic_platform) == (facts.sku, facts.sonic_platform)
    assert len(model.cages) == facts.cages
    assert model.usable_cages == tuple(range(1, facts.usable + 1))
    assert model.max_logical_ports == facts.logical_ports
    assert model.buffer_limit_bytes == facts.buffer_limit
    assert not model.generic
    assert model.source is not None
    assert "sonic-net/sonic-buildimage" in model.source.text


@pytest.mark.parametrize("switch", BY_HAND)
def test_modes_fit_their_cages(switch: str) -> None:
    for cage in catalog.switch_model(switch).cages:
        assert cage.modes
        for mode in cage.modes:
            assert mode.children * mode.lanes_each <= cage.lane_count == len(cage.lanes)
            assert mode.children * mode.speeds_gbps[0] <= cage.speed_gbps


class Mode(NamedTuple):
    switch: str
    text: str
    children: int
    lanes_each: int
    alias: str
    speeds: tuple[int, ...]


MODES = [
    Mode("sn3700", "2x100G[50G,25G,10G,1G]", 2, 2, "etp{c}{s}", (100, 50, 25, 10, 1)),
    Mode("sn4700", "4x100G[50G,25G,10G,1G]", 4, 2, "etp{c}{s}", (100, 50, 25, 10, 1)),
    Mode("sn4700", "4x25G(4)[10G,1G]", 4, 1, "etp{c}{s}", (25, 10, 1)),
    Mode("sn5600", "4x200G[100G,50G,25G,10G]", 4, 2, "etp{c}{s}", (200, 100, 50, 25, 10)),
    Mode("z9864f", "1x100G(4)", 1, 4, "etp{c}", (100,)),
    Mode("z9864f", "2x400G(8)", 2, 4, "etp{c}{s}", (400,)),
    Mode("z9864f", "8x100G", 8, 1, "etp{c}{s}", (100,)),
]


@pytest.mark.parametrize("expected", MODES, ids=lambda mode: f"{mode.switch}-{mode.text}")
def test_breakout_modes(expected: Mode) -> None:
    modes = catalog.switch_model(expected.switch).cages[0].modes
    mode = next(mode for mode in modes if mode.text == expected.text)
    assert (mode.children, mode.lanes_each) == (expected.children, expected.lanes_each)
    assert (mode.alias, mode.speeds_gbps) == (expected.alias, expected.speeds)
    assert mode.switchable


def test_a_cage_without_a_breakout_table_has_the_one_split_of_the_sku() -> None:
    for cage in catalog.switch_model("z9664f").cages:
        (mode,) = cage.modes
        assert not mode.switchable
        assert mode.text == ("1x400G" if cage.number <= 64 else "1x10G")


def test_names_of_ports_by_system() -> None:
    naming = dict(catalog.switch_model("sn5600").naming)
    assert naming == {
        "sonic": "Ethernet{number}|Ethernet{number}",
        "cumulus_nvue": "swp{c}|swp{c}s{n0}",
    }
    assert [system for system, _ in catalog.switch_model("z9864f").naming] == ["sonic"]


def test_generic_switch_has_no_port_facts() -> None:
    model = catalog.switch_model("generic")
    assert model.generic
    assert (model.cages, model.usable_cages, model.skus) == ((), (), ())
    assert model.default_sku is None
    assert model.asic.name == "generic"


def test_cage_types_that_nobody_read_are_left_out() -> None:
    kinds = {name: catalog.switch_model(name).cages[0].kind for name in BY_HAND}
    assert kinds == dict.fromkeys(BY_HAND, "") | {"nvidia-sn5600": "OSFP"}
