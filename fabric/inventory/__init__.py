"""The inventory: YAML in, a complete intent or every problem at once out."""

from __future__ import annotations

from fabric.inventory.drafts import Doubt
from fabric.inventory.places import Places, as_findings
from fabric.inventory.presets import preset_names
from fabric.inventory.read import Reading, check_selectors, read, read_draft, refusal

__all__ = [
    "Doubt",
    "Places",
    "Reading",
    "as_findings",
    "check_selectors",
    "preset_names",
    "read",
    "read_draft",
    "refusal",
]
