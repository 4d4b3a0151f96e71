"""The inventory: YAML in, a complete intent or every problem at once out."""

from __future__ import annotations

from fabric.inventory.places import Places, as_findings
from fabric.inventory.presets import preset_names
from fabric.inventory.read import Reading, check_selectors, read

__all__ = [
    "Places",
    "Reading",
    "as_findings",
    "check_selectors",
    "preset_names",
    "read",
]
