"""Every SKU with published tables can be rendered as a leaf and as a spine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.catalog import switch_model, switch_names
from fabric.design.devices import DeviceModels
from fabric.files.locate import templates_root
from fabric.model.finding import InputError
from fabric.text import Renderer

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design

SKUS = [
    (name, sku.name)
    for name in switch_names()
    for sku in switch_model(name).skus
    if sku.buffers and dict(switch_model(name).naming).get("sonic")
]


def _design(folder: Path, name: str, sku: str) -> Design:
    """A small fabric of that hardware at the fastest speed of which it has ports enough."""
    modes = [mode for cage in switch_model(name).cages for mode in cage.modes]
    path = folder / "t.yaml"
    for speed in sorted({speed for mode in modes for speed in mode.speeds_gbps}, reverse=True):
        inventory = {
            "fabric": "t",
            "topology": {"kind": "leaf-spine", "leaves": 2, "spines": 1},
            "platforms": {"default": {"platform": "sonic", "model": name, "sku": sku}},
            "hosts": {"count": 2, "nics": 1, "speed": speed},
        }
        path.write_text(json.dumps(inventory), encoding="utf-8")
        try:
            return flow.load(path)
        except InputError:
            continue
    pytest.fail(f"{name} fits at no speed")


@pytest.mark.parametrize(("name", "sku"), SKUS)
def test_a_sku_with_tables_renders_or_leaves_them_out(name: str, sku: str, tmp_path: Path) -> None:
    design = _design(tmp_path, name, sku)
    models, renderer = DeviceModels(design), Renderer((templates_root(),))
    for device in ("leaf-0", "spine-0"):
        made = models.of(device)
        told = [finding for finding in renderer.device(made).findings if finding.rule == "RCE409"]
        assert bool(told) == (made.buffers is None)


def test_most_tables_are_complete() -> None:
    tables = [t for name, sku in SKUS for t in _tables(name, sku)]
    assert sum(complete for complete in tables) > 0.8 * len(tables)


def _tables(name: str, sku: str) -> list[bool]:
    found = switch_model(name).sku(sku)
    return [table.is_complete for table in found.buffers] if found else []
