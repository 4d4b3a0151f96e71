"""Inventories that the tests of Cumulus Linux go through, and what comes of them."""

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
_NAMES = sorted(file.stem for file in INVENTORIES.glob("*.yaml"))
CASES = [name for name in _NAMES if not name.startswith("policy-") and name != "tiers"]
DEVICES = ("leaf-0", "spine-1")
OTHERS = (  # more tiers; switches with a route policy
    ("tiers", "edge-0-0"),
    ("tiers", "agg-1-1"),
    ("tiers", "core-3"),
    ("policy-dragonfly-plus", "leaf-0-0"),
    ("policy-dragonfly-plus", "spine-0-1"),
)
EVERY = (*((case, device) for case in CASES for device in DEVICES), *OTHERS)
FILE = "fabric.nv"


@cache
def design(case: str) -> Design:
    """The design; of a dragonfly without the rise of RoCE, for which NVUE is refused (RCE023)."""
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
    return files_of(device)[FILE]


def files_of(device: DeviceModel) -> dict[str, str]:
    return {file.name: file.text for file in render(device).files}


def files(case: str, device: str = "leaf-0") -> dict[str, str]:
    return files_of(model(case, device))


@cache
def _renderer() -> Renderer:
    return Renderer((templates_root(),))
