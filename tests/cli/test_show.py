from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import fabric as program
from tests.cli.conftest import SMALL

if TYPE_CHECKING:
    from tests.cli.conftest import Shell


@pytest.fixture
def planned(fabric: Shell) -> Shell:
    fabric.write("small.yaml", SMALL)
    assert fabric("plan", "small.yaml").code == 0
    return fabric


def test_which_of_two_plans_is_asked_in_the_command_s_own_words(planned: Shell) -> None:
    planned.write("other.yaml", SMALL.replace("fabric: small", "fabric: other"))
    assert planned("plan", "other.yaml").code == 0
    assert "name the inventory of one: `-i FILE`" in planned("show", "ports", "leaf-0").err
    assert "name one: `fabric diff NAME`" in planned("diff").err


VIEWS = [
    ("devices",),
    ("ports", "leaf-0"),
    ("cables",),
    ("addresses",),
    ("hosts",),
    ("qos",),
    ("lossless", "leaf-0", "1"),
    ("config", "leaf-0"),
    ("config", "leaf-0", "frr.conf"),
    ("config", "host-0"),
]


@pytest.mark.parametrize("view", VIEWS)
def test_views_of_the_plan_and_of_the_inventory_agree(
    planned: Shell, view: tuple[str, ...]
) -> None:
    from_plan = planned("show", *view, "--json")
    assert from_plan.code == 0, from_plan.err
    assert from_plan.json == planned("show", *view, "--json", "-i", "small.yaml").json


def words(value: Any) -> list[str]:
    """Scalars of a JSON value that a table must show too."""
    if isinstance(value, dict):
        return [word for item in value.values() for word in words(item)]
    if isinstance(value, list):
        return [word for item in value for word in words(item)]
    return [] if value is None or isinstance(value, bool) else [str(value)]


@pytest.mark.parametrize("view", VIEWS[:5])
def test_table_and_json_show_the_same(planned: Shell, view: tuple[str, ...]) -> None:
    data = planned("show", *view, "--json").json
    table = planned("show", *view).out
    rows = next(value for key, value in data.items() if key != "schema")
    for word in words(rows):
        assert word.removesuffix(".0") in table


def test_lossless_prints_the_published_row(planned: Shell) -> None:
    text = planned("show", "lossless", "leaf-0", "1").out
    assert "33,792 B" in text  # Spectrum-2, 100G, 5 m
    assert "published row" in text
    data = planned("show", "lossless", "leaf-0", "Ethernet0", "--json").json
    assert data["profile"]["xoff_bytes"]["value"] == 33_792
    assert data["chain"]["dscp_to_tc"][26] == 3
    assert data["chain"]["pfc_priorities"] == [3]


def test_config_is_the_file_of_the_plan(planned: Shell) -> None:
    shown = planned("show", "config", "spine-1", "config_db.json", "--json").json
    written = planned.folder / "build/small/configs/spine-1/config_db.json"
    assert shown["files"][0]["text"] == written.read_text()


def test_config_names_each_target_but_of_a_file_asked_for(planned: Shell) -> None:
    everything = planned("show", "config", "leaf-0").out
    assert "==> config_db.json → /etc/sonic/config_db.json <==" in everything
    assert planned("show", "config", "leaf-0", "config_db.json").out.startswith("{")


def test_unknown_names_get_a_hint(planned: Shell) -> None:
    device = planned("show", "ports", "leef-0")
    assert device.code == 2
    assert "did you mean leaf-0" in device.err
    port = planned("show", "lossless", "leaf-0", "Ethernet999")
    assert port.code == 2
    assert "`fabric show ports leaf-0`" in port.err
    file = planned("show", "config", "leaf-0", "nothing.txt")
    assert file.code == 2
    assert "config_db.json" in file.err


def test_without_a_plan(fabric: Shell) -> None:
    done = fabric("show", "devices")
    assert done.code == 2
    assert "there is no plan below build" in done.err


def test_with_several_plans(planned: Shell) -> None:
    planned.write("other.yaml", SMALL.replace("fabric: small", "fabric: other"))
    planned("plan", "other.yaml")
    done = planned("show", "devices")
    assert done.code == 2
    assert "other, small" in done.err


def test_models_are_listed_by_the_name_to_write(fabric: Shell) -> None:
    done = fabric("show", "models", "sn5600")
    assert done.code == 0
    assert done.out.split()[-7:] == [
        "nvidia-sn5600",
        "spectrum-4",
        "64×800G",
        "257",
        "5",
        "yes",
        "yes",
    ]
    found = fabric("show", "models", "h100-oci", "--json").json
    assert found == {
        "schema": 1,
        "switches": [],
        "nics": [],
        "servers": [{"server": "hgx-h100-oci", "gpus": 8, "nics": 16}],
    }
    assert fabric("show", "models", "nix-da").out == "no model has 'nix-da' in its name\n"


def test_own_models_are_listed_with_the_shipped_ones(fabric: Shell) -> None:
    path = fabric.folder / "models/servers/box.yaml"
    path.parent.mkdir(parents=True)
    shipped = Path(program.__file__).parent / "catalog/servers/generic-8x.yaml"
    path.write_text(shipped.read_text())
    fabric.write("t.yaml", "fabric: t\n")
    done = fabric("show", "models", "box", "-i", "t.yaml")
    assert done.out.split() == ["server", "gpus", "nics", "box", "8", "8"]
    path.write_text("gpus: [\n")
    broken = fabric("show", "models", "box", "-i", "t.yaml")
    assert broken.code == 2
    assert "servers/box.yaml" in broken.err


def test_an_unknown_model_is_not_answered_with_all_names(fabric: Shell) -> None:
    text = "fabric: t\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\n"
    fabric.write("t.yaml", text + "platforms: {default: {model: zzz}}\nhosts: {nic: connectx-77}\n")
    said = fabric("plan", "t.yaml").err
    assert "help: `fabric show models` lists the " in said
    assert "did you mean connectx-7 or " in said
    assert "? `fabric show models` lists all" in said
    assert max(map(len, said.splitlines())) < 160


def test_systems_say_what_they_can_do(fabric: Shell) -> None:
    rows = {row["platform"]: row for row in fabric("show", "systems", "--json").json["systems"]}
    assert rows["sonic"]["class_rise"] is True
    assert rows["frr"]["pfc"] is False
    assert rows["dell_os10"]["words"] == "experimental"
    assert "linux" not in rows
    text = fabric("show", "systems").out
    assert all(name in text for name in rows)
