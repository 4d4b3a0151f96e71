"""The documents say what the program does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from fabric.cli import command_names
from fabric.inventory import preset_names
from fabric.inventory.json_schema import schema_json

ROOT = Path(__file__).resolve().parent.parent
INVENTORY = (ROOT / "docs/inventory.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_key_of_the_inventory_is_documented() -> None:
    schema: dict[str, Any] = schema_json()
    parts = [schema, *schema["$defs"].values()]
    keys = {key for part in parts for key in part.get("properties", {})}
    assert {key for key in keys if f"`{key}`" not in INVENTORY} == set()


def test_every_preset_is_documented() -> None:
    assert {name for name in preset_names() if f"`{name}`" not in INVENTORY} == set()


def test_every_command_is_in_the_readme() -> None:
    assert {name for name in command_names() if f"fabric {name}" not in README} == set()


def test_links_of_the_documents_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} → {target}"
