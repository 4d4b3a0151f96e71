"""Boxes of one system whose commands differ, and what a run of cages is called there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.catalog import CatalogFileError, platform_spec, switch_model
from fabric.files.locate import templates_root

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.hardware import SwitchModel

BOX = """\
vendor: Huawei
asic: generic
source: &own {text: "made up", confidence: derived}
syntax: {some_os: {family: big, source: *own}}
cages:
- numbers: [1, 2]
  speed_gbps: 25
  lanes: 1
  names: {some_os: {name: "25GE1/{c}", source: *own}}
  source: *own
- numbers: [3, 5]
  speed_gbps: 100
  lanes: 4
  names: {some_os: {name: "100GE1/{i}", source: *own}}
  source: *own
"""


def model(folder: Path, text: str) -> SwitchModel:
    (folder / "switches").mkdir()
    (folder / "switches" / "box.yaml").write_text(text)
    return switch_model("box", (folder,))


def test_a_model_names_its_family_and_the_ports_of_each_run(tmp_path: Path) -> None:
    found = model(tmp_path, BOX)
    assert found.syntax == (("some_os", "big"),)
    assert [dict(cage.names)["some_os"] for cage in found.cages] == [
        "25GE1/1", "25GE1/2", "100GE1/1", "100GE1/2", "100GE1/3",
    ]  # fmt: skip


def test_a_name_without_a_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogFileError, match="names"):
        model(tmp_path, BOX.replace("25GE1/{c}", "25GE1/1"))


def test_a_family_has_limits_of_its_own() -> None:
    spec = platform_spec("huawei_vrp", (templates_root(),))
    assert [family.name for family in spec.syntax_families] == ["a", "b"]
    own = spec.of_family("b")
    assert own.watchdog is not None
    assert (own.watchdog.restore_ms, own.watchdog.actions) == ((10, 1500), ("drop",))
    assert own.title == "Huawei VRP of family b"
    assert spec.of_family(None) is spec
