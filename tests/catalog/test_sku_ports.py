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
]


def model_and_sku(name: str) -> tuple[SwitchModel, Sku]:
    switch = next(switch for switch, sku, _ in SKUS if sku == name)
    model = catalog.switch_model(switch)
    sku = model.sku(name)
    assert sku is not None
    return model, sku


def test_no_other_sku_is_shipped() -> None:
    shipped = {
        (n, sku.name) for n in catalog.switch_names() for sku in catalog.switch_model(n).skus
    }
    assert shipped == {(switch, sku) for switch, sku, _ in SKUS}


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
