"""Adapters, servers, cables."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fabric import catalog
from fabric.model.hardware import Confidence


@pytest.mark.parametrize(
    ("name", "speeds"),
    [
        ("connectx-5", (100, 25)),
        ("connectx-6", (200, 100)),
        ("connectx-6-dx", (200, 100)),
        ("connectx-7", (400, 200, 100, 50)),
        ("connectx-8", (400,)),
        ("bluefield-3", (400, 200)),
    ],
)
def test_adapters(name: str, speeds: tuple[int, ...]) -> None:
    nic = catalog.nic(name)
    assert nic.speeds_gbps == speeds
    assert (nic.vendor, nic.driver, nic.generic) == ("NVIDIA", "mlx5", False)
    assert (nic.default_roce_dscp, nic.default_roce_priority, nic.default_cnp_dscp) == (26, 3, 48)
    assert nic.default_cnp_priority is None
    assert nic.trust_default == "pcp"
    assert nic.rdma_mtu_bytes == 4096


def test_connectx_8_has_no_800g_port() -> None:
    assert catalog.nic("connectx-8").ports == ((2, 400),)


@pytest.mark.parametrize("speed_gbps", [25, 50, 100, 200, 400, 800])
def test_generic_adapters(speed_gbps: int) -> None:
    nic = catalog.generic_nic(speed_gbps)
    assert nic.name == f"generic-{speed_gbps}g"
    assert nic.ports == ((1, speed_gbps),)
    assert (nic.driver, nic.generic, nic.trust_default) == ("generic", True, None)


def test_generic_adapter_of_an_unusual_speed() -> None:
    with pytest.raises(catalog.UnknownNameError, match="generic-40g"):
        catalog.generic_nic(40)


def test_thor_2_sends_cnp_on_priority_7() -> None:
    nic = catalog.nic("bcm57608")
    assert (nic.vendor, nic.driver, nic.ports) == ("Broadcom", "bnxt", ((1, 400), (2, 200)))
    assert (nic.default_roce_dscp, nic.default_roce_priority) == (26, 3)
    assert (nic.default_cnp_dscp, nic.default_cnp_priority) == (48, 7)
    assert nic.trust_default is None


@pytest.mark.parametrize(
    ("name", "driver", "ports", "trust"),
    [
        ("amd-pollara-400", "ionic", ((1, 400),), None),
        ("gaudi-3-integrated", "habanalabs", ((3, 200),), None),
        ("intel-e810", "irdma", ((2, 100),), "pcp"),
    ],
)
def test_adapters_whose_marking_nobody_states(
    name: str, driver: str, ports: tuple[tuple[int, int], ...], trust: str | None
) -> None:
    nic = catalog.nic(name)
    assert (nic.driver, nic.ports, nic.trust_default) == (driver, ports, trust)
    assert (nic.default_roce_dscp, nic.default_roce_priority) == (None, None)
    assert (nic.default_cnp_dscp, nic.default_cnp_priority) == (None, None)


def test_names_are_in_natural_order() -> None:
    assert catalog.nic_names() == (
        *("amd-pollara-400", "bcm57608", "bluefield-3"),
        *("connectx-5", "connectx-6", "connectx-6-dx", "connectx-7", "connectx-8"),
        "gaudi-3-integrated",
        *("generic-25g", "generic-50g", "generic-100g"),
        *("generic-200g", "generic-400g", "generic-800g"),
        "intel-e810",
    )


def test_no_adapter_takes_packets_out_of_order_without_a_source() -> None:
    assert not any(catalog.nic(name).out_of_order for name in catalog.nic_names())


def test_every_item_has_a_source() -> None:
    found = [
        *(catalog.nic(name).source for name in catalog.nic_names()),
        *(catalog.server(name).source for name in catalog.server_names()),
        *(catalog.cable(name).source for name in catalog.cable_names()),
    ]
    for source in found:
        assert source is not None
        assert source.text
        assert source.confidence in Confidence
        assert "own file" not in source.text


@pytest.mark.parametrize(
    ("name", "gpus", "gpu_of_nic", "numa_of_nic"),
    [
        ("hgx-h100-azure-ndv5", 8, (0, 1, 2, 3, 4, 5, 6, 7), (0, 0, 0, 0, 1, 1, 1, 1)),
        ("hgx-a100-azure-ndv4", 8, (2, 3, 0, 1, 6, 7, 4, 5), (1, 1, 0, 0, 3, 3, 2, 2)),
        ("mi300x-8", 8, (0, 1, 2, 3, 4, 5, 6, 7), (0, 0, 0, 0, 1, 1, 1, 1)),
        ("generic-8x", 8, (0, 1, 2, 3, 4, 5, 6, 7), (0, 0, 0, 0, 1, 1, 1, 1)),
        ("generic-1x", 1, (0,), (0,)),
    ],
)
def test_servers(
    name: str, gpus: int, gpu_of_nic: tuple[int, ...], numa_of_nic: tuple[int, ...]
) -> None:
    server = catalog.server(name)
    assert (server.gpus, server.nics) == (gpus, len(gpu_of_nic))
    assert (server.gpu_of_nic, server.numa_of_nic) == (gpu_of_nic, numa_of_nic)


def test_two_ports_an_adapter() -> None:
    server = catalog.server("hgx-h100-oci")
    assert (server.gpus, server.nics) == (8, 16)
    assert server.rdma_devices == (
        *("mlx5_0", "mlx5_1", "mlx5_3", "mlx5_4", "mlx5_5", "mlx5_6", "mlx5_7", "mlx5_8"),
        *("mlx5_9", "mlx5_10", "mlx5_12", "mlx5_13", "mlx5_14", "mlx5_15", "mlx5_16", "mlx5_17"),
    )
    assert server.gpu_of_nic == (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)
    assert server.numa_of_nic == (0,) * 8 + (1,) * 8


def test_gaps_in_device_numbers() -> None:
    devices = ("mlx5_0", "mlx5_3", "mlx5_4", "mlx5_5", "mlx5_6", "mlx5_9", "mlx5_10", "mlx5_11")
    assert catalog.server("hgx-h200-oci").rdma_devices == devices
    assert catalog.server("hgx-b200-oci").rdma_devices == devices


def test_odd_numa_nodes() -> None:
    server = catalog.server("hgx-a100-oci-b4")
    assert server.numa_of_nic == (3, 3, 3, 3, 1, 1, 1, 1, 7, 7, 7, 7, 5, 5, 5, 5)
    assert server.rdma_devices == ()


def test_cables() -> None:
    splitter = catalog.cable("dac-800g-osfp-2x400g-qsfp112")
    assert (splitter.kind, splitter.speed_gbps, splitter.legs) == ("dac", 800, 2)
    assert (splitter.plug, splitter.far_plug) == ("OSFP", "QSFP112")
    assert (splitter.min_m, splitter.max_m) == (1, 3)
    assert catalog.cable("acc-800g-osfp").lengths_m == (4, 5)
    assert catalog.cable("dac-800g-osfp-4x200g-osfp").max_m is None


def test_pydantic_is_imported_with_the_first_file_only() -> None:
    code = "import sys, fabric.catalog as c; c.nic_names(); sys.exit('pydantic' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
