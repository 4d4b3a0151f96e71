"""Inventories that the tests of NX-OS go through, and what comes of them."""

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
CASES = [name for name in _NAMES if not name.startswith(("policy-", "tiers-"))]
OTHERS = (  # further roles: with a route policy, of three tiers, of a box that is sold
    ("policy-dragonfly", "router-0-1"),
    ("policy-dragonfly-plus", "leaf-0-0"),
    ("policy-dragonfly-plus", "spine-0-1"),
    ("tiers-fat-tree", "edge-0-0"),
    ("tiers-fat-tree", "agg-0-1"),
    ("tiers-fat-tree", "core-2"),
    ("tiers-gx2", "leaf-0"),
)
EVERY = (*((case, device) for case in CASES for device in ("leaf-0", "spine-0")), *OTHERS)
FILE = "nxos.cfg"


@cache
def design(case: str) -> Design:
    """The design; of a dragonfly without the rise of RoCE, for which NX-OS is refused (RCE023).

    Its route policy has words on NX-OS all the same.
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
