"""The ports of every SKU, against values typed from the public SONiC files."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from fabric import catalog
from tests.catalog.ports import sku_ports

if TYPE_CHECKING:
    from fabric.model.hardware import Sku, SwitchModel

# (switch, SKU, ports by speed)
SKUS = [
    ("nvidia-sn3700", "ACS-MSN3700", {200: 32}),
    ("nvidia-sn4700", "ACS-MSN4700", {400: 32}),
    ("nvidia-sn4700", "Mellanox-SN4700-A96C8V8", {200: 8, 100: 8, 25: 96}),
    ("nvidia-sn4700", "Mellanox-SN4700-C128", {100: 128}),
    ("nvidia-sn4700", "Mellanox-SN4700-O28", {400: 28, 200: 4}),
    ("nvidia-sn4700", "Mellanox-SN4700-O32", {400: 32}),
    ("nvidia-sn4700", "Mellanox-SN4700-O8C48", {400: 8, 100: 48}),
    ("nvidia-sn4700", "Mellanox-SN4700-O8V48", {400: 8, 200: 48}),
    ("nvidia-sn4700", "Mellanox-SN4700-V48C32", {200: 48, 100: 32}),
    ("nvidia-sn4700", "Mellanox-SN4700-V64", {200: 64}),
    ("nvidia-sn5600", "ACS-SN5600", {800: 64, 25: 1}),
    ("nvidia-sn5600", "Mellanox-SN5600-C224O8", {400: 8, 100: 224, 10: 1}),
    ("nvidia-sn5600", "Mellanox-SN5600-C256S1", {100: 256, 10: 1}),
    ("nvidia-sn5600", "Mellanox-SN5600-O128", {400: 128, 25: 1}),
    ("nvidia-sn5600", "Mellanox-SN5600-V256", {200: 256, 25: 1}),
    ("dell-z9664f", "DellEMC-Z9664f-O64", {400: 64, 10: 2}),
    ("dell-z9864f", "Dell-Z9864f-O64", {800: 64, 25: 2}),
    ("dell-z9332f", "DellEMC-Z9332f-C32", {100: 32, 10: 2}),
    ("dell-z9332f", "DellEMC-Z9332f-M-O16C64", {400: 16, 100: 64, 10: 2}),
    ("dell-z9332f", "DellEMC-Z9332f-O32", {400: 32, 10: 2}),
    ("dell-s5448f", "DellEMC-S5448f-C48O8", {400: 8, 100: 48, 10: 2}),
    ("arista-7050cx3-32s", "Arista-7050CX3-32S", {100: 32, 10: 1}),  # one SFP+ shares a lane
    ("arista-7050cx3-32s", "Arista-7050CX3-32S-C28S16", {100: 28, 10: 17}),
    ("arista-7050cx3-32s", "Arista-7050CX3-32S-C28S4", {100: 28, 10: 5}),
    ("arista-7050cx3-32s", "Arista-7050CX3-32S-C32", {100: 32, 10: 1}),
    ("arista-7050cx3-32s", "Arista-7050CX3-32S-D48C8", {100: 8, 50: 48}),
    ("arista-7060dx5-32", "Arista-7060DX5-32", {400: 32, 10: 1}),
    ("arista-7060dx5-32", "Arista-7060DX5-32-100Gx48-400Gx8", {400: 8, 100: 48, 10: 1}),
    ("arista-7060dx5-32", "Arista-7060DX5-32-200Gx48-100Gx32", {200: 48, 100: 32, 10: 1}),
    (
        "arista-7060dx5-32",
        "Arista-7060DX5-32-25Gx96-100Gx8-200Gx8",
        {200: 8, 100: 8, 25: 96, 10: 1},
    ),
    ("edgecore-as9716-32d", "Accton-AS9716-32D", {400: 32}),
    ("edgecore-as9726-32d", "Accton-AS9726-32D", {400: 32}),  # both SFP28 share lanes
    ("celestica-ds3000", "DS3000", {100: 32, 10: 1}),
    ("celestica-ds4000", "Silverstone", {400: 32}),
    ("celestica-ds4000", "Silverstone-128x100", {100: 128}),
    ("micas-m2-w6940-64oc", "M2-W6940-64OC", {800: 64, 25: 2}),
    ("nexthop-4010", "NH-4010", {800: 64, 25: 2}),
    ("nexthop-4010", "NH-4010-128x400G-2x25G", {400: 128, 25: 2}),
    ("nexthop-4010", "NH-4010-256x200G-2x25G", {200: 256, 25: 2}),
    ("nokia-7220-ixr-h5-64d", "Nokia-IXR7220-H5-64D", {800: 64, 10: 2}),
    ("nvidia-sn5640", "Mellanox-SN5640-C448O16", {400: 16, 100: 448, 10: 2}),
    ("nvidia-sn5640", "Mellanox-SN5640-C508O1X2", {400: 1, 100: 508, 25: 2}),
    ("nvidia-sn5640", "Mellanox-SN5640-C512S2", {100: 512, 10: 2}),
    ("nvidia-sn5640", "Mellanox-SN5640-C512X2", {100: 512, 25: 2}),
    ("nvidia-sn5640", "Mellanox-SN5640-O128X2", {400: 128, 25: 2}),
    ("nvidia-sn5610n", "Mellanox-SN5610N-C224O8", {400: 8, 100: 224, 10: 2}),
    ("nvidia-sn5610n", "Mellanox-SN5610N-C256S2", {100: 255, 10: 2}),
    ("nvidia-sn6600-ld", "ACS-SN6600_LD", {800: 128, 100: 2}),
    ("nvidia-sn6600-ld", "Mellanox-SN6600_LD-P128C2", {800: 128, 100: 2}),
    ("nvidia-sn6600-ld", "Mellanox-SN6600_LD-P64O128C2", {800: 64, 400: 128, 100: 2}),
    ("nvidia-sn6810-ld", "ACS-SN6810_LD", {800: 128, 100: 2}),
    ("supermicro-sse-t8196", "Supermicro_sse_t8196", {800: 32, 400: 64, 25: 2}),
    ("ufispace-s9321-64e", "UFISPACE-S9321-64E", {800: 64}),
]

# (SKU, N of EthernetN, alias, speed, (first lane, last lane))
PORTS = [
    ("ACS-MSN3700", 0, "etp1", 200, (0, 3)),
    ("ACS-MSN3700", 124, "etp32", 200, (124, 127)),
    ("ACS-MSN4700", 248, "etp32", 400, (248, 255)),
    ("Mellanox-SN4700-A96C8V8", 3, "etp1d", 25, (3, 3)),
    ("Mellanox-SN4700-A96C8V8", 192, "etp25a", 100, (192, 195)),
    ("Mellanox-SN4700-A96C8V8", 252, "etp32b", 200, (252, 255)),
    ("Mellanox-SN4700-C128", 254, "etp32d", 100, (254, 255)),
    ("Mellanox-SN4700-O8C48", 96, "etp13", 400, (96, 103)),
    ("ACS-SN5600", 504, "etp64", 800, (504, 511)),
    ("ACS-SN5600", 512, "etp65", 25, (512, 512)),
    ("Mellanox-SN5600-C224O8", 100, "etp13b", 400, (100, 103)),
    ("Mellanox-SN5600-C224O8", 112, "etp15a", 100, (112, 112)),
    ("Mellanox-SN5600-C256S1", 503, "etp63h", 100, (503, 503)),
    ("Mellanox-SN5600-V256", 510, "etp64d", 200, (510, 511)),
    ("DellEMC-Z9664f-O64", 0, "fourhundredGigE1/1", 400, (5, 8)),
    ("DellEMC-Z9664f-O64", 56, "fourhundredGigE1/15", 400, (117, 120)),
    ("DellEMC-Z9664f-O64", 132, "fourhundredGigE1/34", 400, (1, 4)),
    ("DellEMC-Z9664f-O64", 252, "fourhundredGigE1/64", 400, (253, 256)),
    ("DellEMC-Z9664f-O64", 256, "tenGigE1/65", 10, (258, 258)),
    ("DellEMC-Z9664f-O64", 257, "tenGigE1/66", 10, (257, 257)),
    ("Dell-Z9864f-O64", 0, "etp1", 800, (1, 8)),
    ("Dell-Z9864f-O64", 8, "etp2", 800, (17, 24)),
    ("Dell-Z9864f-O64", 120, "etp16", 800, (249, 256)),
    ("Dell-Z9864f-O64", 264, "etp34", 800, (9, 16)),
    ("Dell-Z9864f-O64", 504, "etp64", 800, (481, 488)),
    ("Dell-Z9864f-O64", 513, "etp66", 25, (516, 516)),
    ("DellEMC-Z9332f-O32", 0, "etp1", 400, (33, 40)),
    ("DellEMC-Z9332f-O32", 64, "etp9", 400, (1, 8)),
    ("DellEMC-Z9332f-M-O16C64", 134, "etp17d", 100, (135, 136)),
    ("DellEMC-Z9332f-C32", 248, "etp32", 100, (217, 220)),
    ("DellEMC-S5448f-C48O8", 32, "hundredGigE1/5", 100, (17, 18)),
    ("DellEMC-S5448f-C48O8", 116, "", 100, (53, 54)),
    ("DellEMC-S5448f-C48O8", 161, "tenGigE1/58", 10, (162, 162)),
    ("Arista-7050CX3-32S-C32", 16, "Ethernet5/1", 100, (21, 24)),
    ("Arista-7050CX3-32S-C32", 20, "Ethernet6/1", 100, (17, 20)),
    ("Arista-7050CX3-32S-D48C8", 2, "Ethernet1/3", 50, (3, 4)),
    ("Arista-7050CX3-32S-C28S16", 3, "Ethernet1/4", 10, (4, 4)),
    ("Arista-7060DX5-32", 128, "Ethernet17/1", 400, (385, 392)),
    ("Arista-7060DX5-32-200Gx48-100Gx32", 198, "Ethernet25/7", 100, (455, 456)),
    ("Arista-7060DX5-32-25Gx96-100Gx8-200Gx8", 1, "Ethernet1/2", 25, (5, 5)),
    ("Accton-AS9716-32D", 0, "fourHundredGigE1", 400, (73, 80)),
    ("Accton-AS9716-32D", 248, "fourHundredGigE32", 400, (241, 248)),
    ("Accton-AS9726-32D", 31, "fourHundredGigE31", 400, (249, 256)),
    ("DS3000", 128, "Eth33/1", 10, (129, 129)),
    ("Silverstone", 8, "Eth2/1", 400, (41, 48)),
    ("Silverstone-128x100", 5, "QSFP2/2", 100, (43, 44)),
    ("M2-W6940-64OC", 1, "Eth1", 800, (41, 48)),
    ("M2-W6940-64OC", 515, "Eth66", 25, (515, 515)),
    ("NH-4010", 8, "Port2", 800, (1, 8)),
    ("NH-4010-256x200G-2x25G", 2, "Port1/2", 200, (11, 12)),
    ("Nokia-IXR7220-H5-64D", 128, "Ethernet17/1", 800, (273, 280)),
    ("Mellanox-SN5640-C448O16", 100, "etp13b", 400, (100, 103)),
    ("Mellanox-SN5640-C508O1X2", 507, "etp64d", 100, (507, 507)),
    ("Mellanox-SN5640-C508O1X2", 508, "etp64e", 400, (508, 511)),
    ("Mellanox-SN5640-C512S2", 520, "etp66", 10, (520, 520)),
    ("Mellanox-SN5610N-C256S2", 1, "etp1b", 100, (1, 1)),
    ("Mellanox-SN5610N-C256S2", 7, "etp1h", 100, (7, 7)),
    ("ACS-SN6600_LD", 4, "etp1b", 800, (4, 7)),
    ("Mellanox-SN6600_LD-P64O128C2", 2, "etp1b", 400, (2, 3)),
    ("Mellanox-SN6600_LD-P64O128C2", 4, "etp1c", 800, (4, 7)),
    ("ACS-SN6810_LD", 60, "", 800, (60, 63)),
    ("ACS-SN6810_LD", 513, "etp129b", 100, (513, 513)),
    ("Supermicro_sse_t8196", 256, "Eth33", 400, (129, 132)),
    ("Supermicro_sse_t8196", 513, "Eth98", 25, (513, 513)),
    ("UFISPACE-S9321-64E", 0, "Eth0(Port0)", 800, (49, 56)),
]


def model_and_sku(name: str) -> tuple[SwitchModel, Sku]:
    switch = next(switch for switch, sku, _ in SKUS if sku == name)
    model = catalog.switch_model(switch)
    sku = model.sku(name)
    assert sku is not None
    return model, sku


@pytest.mark.parametrize("switch", sorted({switch for switch, _, _ in SKUS}))
def test_no_other_sku_is_shipped(switch: str) -> None:
    shipped = {sku.name for sku in catalog.switch_model(switch).skus}
    assert shipped == {sku for name, sku, _ in SKUS if name == switch}


def test_number_of_skus() -> None:
    assert sum(len(catalog.switch_model(name).skus) for name in catalog.switch_names()) == 196


def test_a_sku_that_numbers_its_ports_otherwise() -> None:
    model, sku = model_and_sku("Silverstone-128x100")  # four numbers a cage, not eight
    assert [(run.port_numbers[:2], run.port_number_step) for run in sku.ports] == [
        ((), 1),
        ((4, 8), 1),
    ]
    assert model.cages[1].first_port_number == 8
    model, sku = model_and_sku("Arista-7060DX5-32-25Gx96-100Gx8-200Gx8")
    assert sku.ports[0].lane_order == (0, 4, 2, 6)


def test_a_cage_of_unequal_ports() -> None:
    _, sku = model_and_sku("Mellanox-SN5640-C508O1X2")
    runs = [run for run in sku.ports if 64 in run.cages]
    assert [(run.first_child, run.children, run.speed_gbps) for run in runs] == [
        (1, 4, 100),
        (5, 1, 400),
    ]


def test_aliases_that_several_ports_have_are_left_empty() -> None:
    model, sku = model_and_sku("DellEMC-S5448f-C48O8")
    nameless = {row.cage for row in sku_ports(model, sku).values() if not row.alias}
    assert nameless == {32, 47, 48, 49, 50, 51, 52}


@pytest.mark.parametrize(("switch", "name", "by_speed"), SKUS)
def test_ports_of_a_sku(switch: str, name: str, by_speed: dict[int, int]) -> None:
    model, sku = model_and_sku(name)
    assert model.name == switch
    ports = sku_ports(model, sku)
    assert Counter(port.speed_gbps for port in ports.values()) == by_speed
    lanes = list(chain.from_iterable(port.lanes for port in ports.values()))
    assert len(lanes) == len(set(lanes))
    assert len(ports) <= (model.max_logical_ports or len(ports))


@pytest.mark.parametrize(("name", "number", "alias", "speed", "lanes"), PORTS)
def test_single_ports(
    name: str, number: int, alias: str, speed: int, lanes: tuple[int, int]
) -> None:
    port = sku_ports(*model_and_sku(name))[number]
    assert (port.alias, port.speed_gbps) == (alias, speed)
    assert port.lanes == tuple(range(lanes[0], lanes[1] + 1))


@pytest.mark.parametrize(
    ("name", "speeds"),
    [
        ("ACS-SN5600", (800,)),
        ("Mellanox-SN5600-C224O8", (400, 100)),
        ("Mellanox-SN4700-A96C8V8", (200, 100, 25)),
        ("DellEMC-Z9664f-O64", (400,)),
    ],
)
def test_speeds_leave_the_side_cages_out(name: str, speeds: tuple[int, ...]) -> None:
    assert model_and_sku(name)[1].port_speeds_gbps == speeds
