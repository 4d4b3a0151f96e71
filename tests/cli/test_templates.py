"""Own templates beside the inventory: in force, said so, and never an internal error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.files.locate import templates_root
from tests.cli.conftest import SMALL

if TYPE_CHECKING:
    from tests.cli.conftest import Done, Shell

BLOCK = "sonic/config/blocks/watchdog.j2"


def with_block(fabric: Shell, text: str, name: str = BLOCK) -> Done:
    fabric.write("small.yaml", SMALL)
    path = fabric.folder / "templates" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return fabric("plan", "small.yaml")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("{}\n{{ nope.x }}\n", 2, "'nope' is undefined"),
        ("{% if %}\n", 1, "Expected an expression"),
        ('{"PFC_WD": {]}\n', 1, "yields no JSON"),
    ],
)
def test_a_fault_is_the_users_to_mend(fabric: Shell, text: str, line: int, said: str) -> None:
    done = with_block(fabric, text)
    assert done.code == 2
    assert f"--> templates/{BLOCK}:{line}:1" in done.err
    assert "error[RCE024]" in done.err
    assert said in done.err
    assert "the shipped one takes its place" in done.err
    assert not (fabric.folder / "build" / "small").exists()
    assert fabric("check", "small.yaml").code == 2
    assert fabric("show", "config", "leaf-0", "-i", "small.yaml").code == 2


def test_what_is_in_force_is_said(fabric: Shell) -> None:
    block = "sonic/config/blocks/ports.j2"
    shipped = (templates_root() / block).read_text()
    done = with_block(fabric, shipped.replace('"autoneg": "off"', '"autoneg": "on"'), block)
    assert done.code == 0
    assert "RCE025" in done.out
    config = fabric.folder / "build/small/configs/leaf-0/config_db.json"
    assert '"autoneg": "on"' in config.read_text()
    data = fabric("check", "small.yaml", "--json").json
    (finding,) = [f for f in data["findings"] if f["rule"] == "RCE025"]
    assert finding["evidence"] == [f"{block} takes the place of the shipped one"]
    kept = fabric.folder / "build/small/inputs/templates" / block
    assert kept.is_file()


def test_a_plan_is_derived_again_with_its_own_templates(fabric: Shell) -> None:
    with_block(fabric, (templates_root() / BLOCK).read_text().replace("GLOBAL", "GLOBAL"))
    shown = fabric("show", "config", "leaf-0", "config_db.json", "--json").json
    written = fabric.folder / "build/small/configs/leaf-0/config_db.json"
    assert shown["files"][0]["text"] == written.read_text()
