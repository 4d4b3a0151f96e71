"""Inventories that the tests of Enterprise SONiC go through, and what comes of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.files.locate import templates_root
from fabric.text import Renderer

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.device import DeviceModel
    from fabric.model.plan import Rendered

INVENTORIES = Path(__file__).with_name("inventories")
NAMES = sorted(file.stem for file in INVENTORIES.glob("*.yaml"))
CASES = [name for name in NAMES if "dragonfly" not in name]
DEVICES = ("leaf-0", "spine-1")
POLICIES = (  # switches with a route policy; those of a dragonfly raise RoCE too
    ("rise-dragonfly", "router-0-1"),
    ("policy-dragonfly-plus", "leaf-0-0"),
    ("policy-dragonfly-plus", "spine-0-1"),
)
EVERY = (*((case, device) for case in CASES for device in DEVICES), *POLICIES)
SYSTEM, FILE = "dell_sonic", "sonic-cli.cfg"


@cache
def design(case: str) -> Design:
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
