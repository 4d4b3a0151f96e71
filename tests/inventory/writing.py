"""Inventories of tests, written and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.inventory import Reading, read
from fabric.model.finding import Finding, InputError

if TYPE_CHECKING:
    from pathlib import Path

LEAF_SPINE = "fabric: t\ntopology: {kind: leaf-spine, leaves: 4, spines: 2}\n"


def reading(folder: Path, text: str, **files: str) -> Reading:
    """The reading of ``text`` as ``inv.yaml``; ``files``: name with ``__`` for ``/`` and ``.``."""
    path = folder / "inv.yaml"
    path.write_text(text, encoding="utf-8")
    for name, content in files.items():
        file = folder / name.replace("__dot__", ".").replace("__", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    return read(path)


def refusals(folder: Path, text: str, **files: str) -> tuple[Finding, ...]:
    """The findings of an inventory that must be refused."""
    with pytest.raises(InputError) as caught:
        reading(folder, text, **files)
    return caught.value.findings
