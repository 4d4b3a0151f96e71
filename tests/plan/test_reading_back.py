"""Which switches are read back: one of each kind, or all where own words are in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric import flow
from fabric.files.locate import templates_root
from fabric.plan.reading_back import switches_to_read

if TYPE_CHECKING:
    from pathlib import Path

TREE = """\
fabric: t
topology: {kind: fat-tree, k: 4}
platforms: {default: {model: nvidia-sn3700}%s}
hosts: {nic: connectx-6, speed: 100}
cables: {default: 5, agg-core: 40}
"""


def to_read(folder: Path, platforms: str = "", *, own: bool = False) -> dict[str, bool]:
    path = folder / "t.yaml"
    path.write_text(TREE % platforms)
    roots = (folder / "templates", templates_root()) if own else (templates_root(),)
    return switches_to_read(flow.load(path), roots)


def test_one_of_each_kind(tmp_path: Path) -> None:
    assert to_read(tmp_path) == {"edge-0-0": False, "agg-0-0": False, "core-0": False}


def test_another_model_is_another_kind(tmp_path: Path) -> None:
    found = to_read(tmp_path, ", core-3: {model: nvidia-sn4700}")
    assert found == {"edge-0-0": False, "agg-0-0": False, "core-0": False, "core-3": False}


def test_extra_is_always_read(tmp_path: Path) -> None:
    found = to_read(tmp_path, ", edge-3-1: {extra: '{}'}")
    assert found["edge-3-1"] is True
    assert found["edge-0-0"] is False
    assert len(found) == 4


def test_with_own_templates_all_are(tmp_path: Path) -> None:
    block = tmp_path / "templates/sonic/config/blocks/own.j2"
    block.parent.mkdir(parents=True)
    block.write_text("")
    found = to_read(tmp_path, own=True)
    assert len(found) == 20
    assert all(found.values())
