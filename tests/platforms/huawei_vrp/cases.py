"""Inventories that the tests of VRP go through, and what comes of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from fabric import flow, topologies
from fabric.design.devices import DeviceModels
from fabric.files.locate import templates_root
from fabric.text import Renderer

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.device import DeviceModel
    from fabric.model.plan import Rendered

INVENTORIES = Path(__file__).with_name("inventories")
FILE = "vrp.cfg"
EVERY = (
    ("numbered", "leaf-0"),
    ("numbered", "spine-1"),
    ("family-b", "leaf-0"),
    ("family-b", "spine-1"),
    ("two-lossless", "leaf-0"),
    ("two-lossless", "spine-1"),
    ("bfd", "leaf-0"),
    ("dual", "leaf-0"),
    ("ipv6", "leaf-0"),
    ("vlan", "leaf-0"),
    ("generic", "leaf-0"),
    ("tiers", "core-1"),
    ("policy-dragonfly", "router-0-1"),
    ("policy-dragonfly-plus", "leaf-0-0"),
    ("policy-dragonfly-plus", "spine-0-1"),
)


@cache
def design(case: str) -> Design:
    """The design; of a dragonfly without the rise of RoCE, for which VRP is refused (RCE023).

    Its route policy has words on VRP all the same.
    """
    with patch.object(topologies, "rises", return_value=None):
        return flow.load(INVENTORIES / f"{case}.yaml")


@cache
def model(case: str, device: str = "leaf-0") -> DeviceModel:
    return DeviceModels(design(case)).of(device)


def render(device: DeviceModel) -> Rendered:
    return _renderer().device(device)


def text(case: str, device: str = "leaf-0") -> str:
    return text_of(model(case, device))


def text_of(device: DeviceModel) -> str:
    (file,) = render(device).files
    return file.text


@cache
def _renderer() -> Renderer:
    return Renderer((templates_root(),))
