"""Inventories that the tests of Junos go through, and what comes of them."""

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
_PAIR = ("leaf-0", "spine-1")
DEVICES = (
    *((case, device) for case in ("numbered", "unnumbered", "dual") for device in _PAIR),
    ("ipv6", "leaf-0"),
    ("two-lossless", "leaf-0"),
    ("unknown", "edge-0-0"),
    ("unknown", "agg-0-1"),
    ("unknown", "core-0"),
)
POLICIES = (  # switches with a route policy
    ("policy-dragonfly", "router-0-1"),
    ("policy-dragonfly-plus", "leaf-0-0"),
    ("policy-dragonfly-plus", "spine-0-1"),
)
FILE = "junos.conf"


@cache
def design(case: str) -> Design:
    """The design; of a dragonfly without the rise of RoCE, for which Junos is refused (RCE023).

    Its route policy has words on Junos all the same.
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
