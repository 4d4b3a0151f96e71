"""Switch models, against values typed from the public SONiC files."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from fabric import catalog

SHIPPED = ("dell-z9664f", "dell-z9864f", "nvidia-sn3700", "nvidia-sn4700", "nvidia-sn5600")


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


def test_shipped_names() -> None:
    assert catalog.switch_names() == (*SHIPPED[:2], "generic", *SHIPPED[2:])


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


@pytest.mark.parametrize("switch", SHIPPED)
def test_lanes_never_overlap(switch: str) -> None:
    lanes = [lane for cage in catalog.switch_model(switch).cages for lane in cage.lanes]
    assert len(lanes) == len(set(lanes))


@pytest.mark.parametrize("switch", SHIPPED)
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
    assert naming == {"sonic": "Ethernet{number}|Ethernet{number}", "cumulus": "swp{c}|swp{c}s{n0}"}
    assert [system for system, _ in catalog.switch_model("z9864f").naming] == ["sonic"]


def test_generic_switch_has_no_port_facts() -> None:
    model = catalog.switch_model("generic")
    assert model.generic
    assert (model.cages, model.usable_cages, model.skus) == ((), (), ())
    assert model.default_sku is None
    assert model.asic.name == "generic"


def test_cage_types_that_nobody_read_are_left_out() -> None:
    kinds = {name: catalog.switch_model(name).cages[0].kind for name in SHIPPED}
    assert kinds == dict.fromkeys(SHIPPED, "") | {"nvidia-sn5600": "OSFP"}
