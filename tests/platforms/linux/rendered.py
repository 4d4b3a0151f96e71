"""Rendered hosts of hand-made designs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.design.hosts import HostModels
from fabric.model.hardware import Nic
from fabric.text import Renderer
from tests.design.hosts.made import Wanted, made_design, one_leaf

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.device import HostModel

TEMPLATES = Path(__file__).parents[3] / "templates"
_RENDERER = Renderer((TEMPLATES,))  # its environment is made once for all tests
GENERIC = Nic(
    name="generic-100g",
    vendor="generic",
    driver="generic",
    ports=((1, 100),),
    rdma_mtu_bytes=4096,
    default_roce_dscp=26,
    default_roce_priority=3,
    default_cnp_dscp=48,
    default_cnp_priority=None,
    trust_default=None,
    out_of_order=False,
    generic=True,
)
THOR2 = replace(
    GENERIC,
    name="bcm57608",
    vendor="Broadcom",
    driver="bnxt",
    default_cnp_priority=7,
    generic=False,
)
ONE_NIC = Wanted()
EIGHT_NICS = replace(one_leaf(8), numa=True, group=(("network_config", "ifupdown"), ("gpus", 8)))
NO_VENDOR = Wanted(group=(("nic", GENERIC), ("rdma_devices", (None,)), ("gpus", 0)))
DUAL_STACK = Wanted(v6=True, group=(("network_config", "ifupdown"),))
V6_ONLY = Wanted(v4=False, v6=True)
CASES = {
    "mlx5-1nic-netplan": ONE_NIC,
    "mlx5-8nic-ifupdown": EIGHT_NICS,
    "generic-netplan": NO_VENDOR,
    "mlx5-ipv6-netplan": V6_ONLY,
    "mlx5-dual-ifupdown": DUAL_STACK,
}


def files_of(design: Design, name: str = "gpu-2") -> dict[str, str]:
    """The text of each file of one host."""
    return files_of_model(HostModels(design).of(name))


def files_of_model(model: HostModel) -> dict[str, str]:
    rendered = _RENDERER.host(model)
    return {file.name: file.text for file in rendered.files}


def files_for(wanted: Wanted, name: str = "gpu-2") -> dict[str, str]:
    return files_of(made_design(wanted), name)


def variables(text: str) -> dict[str, str]:
    """NAME=VALUE lines the way NCCL reads its file: the first equals sign separates."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)
