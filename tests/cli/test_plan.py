from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from fabric.files.tree import file_names, previous_of
from fabric.plan.store import damaged_files, read_plan
from tests.cli.conftest import INVENTORIES, SMALL

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

EXAMPLES = sorted(
    str(path.relative_to(INVENTORIES))
    for path in (*INVENTORIES.glob("*.yaml"), *INVENTORIES.glob("*/inventory.yaml"))
)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_plans(fabric: Shell, example: str) -> None:
    copy = fabric.folder / "copy"
    shutil.copytree((INVENTORIES / example).parent, copy)
    inventory = copy / example.rpartition("/")[2]
    lock = inventory.with_name(f"{inventory.stem}.lock.json")
    before = lock.read_bytes()
    done = fabric("plan", str(inventory))
    assert done.code == 0, done.out + done.err
    assert lock.read_bytes() == before, "the lock of an example is committed with it"


def test_plan_of_64_nodes(fabric: Shell) -> None:
    inventory = fabric.write("64node.yaml", (INVENTORIES / "64node.yaml").read_text())
    done = fabric("plan", str(inventory), "--json")
    assert done.code == 0
    data = done.json
    assert data["fabric"] == "train64"
    assert data["path"] == "build/train64"
    assert len(data["devices"]) == 48
    assert len(data["hosts"]) == 64
    assert data["design"]["links"] == 192
    assert data["design"]["bisection_gbps"] == 3200.0
    assert [(t["role"], t["switches"]) for t in data["design"]["tiers"]] == [
        ("edge", 16),
        ("agg", 16),
        ("core", 16),
    ]
    assert data["summary"]["error"] == 0
    assert data["summary"]["warning"] == 0


def test_plan_folder_is_whole_and_repeatable(fabric: Shell) -> None:
    inventory = fabric.write("small.yaml", SMALL)
    assert fabric("plan", str(inventory)).code == 0
    folder = fabric.folder / "build" / "small"
    plan = read_plan(folder)
    assert damaged_files(folder, plan) == []
    names = {name for name, _ in plan.files} | {"plan.json"}
    assert names == set(file_names(folder))
    for name in ("cables.csv", "ports.csv", "addresses.csv", "bom.csv", "qos.md"):
        assert name in names
    assert {"inputs/small.yaml", "inputs/small.lock.json"} <= names
    first = {name: (folder / name).read_bytes() for name in names}
    again = fabric("plan", str(inventory))
    assert "Unchanged: build/small" in again.out
    assert {name: (folder / name).read_bytes() for name in names} == first
    assert not previous_of(folder).exists()


def test_plan_names_no_time_no_path_no_host(fabric: Shell) -> None:
    inventory = fabric.write("small.yaml", SMALL)
    fabric("plan", str(inventory))
    folder = fabric.folder / "build" / "small"
    for name in file_names(folder):
        text = (folder / name).read_text(encoding="utf-8")
        assert str(fabric.folder) not in text, name


def test_replan_shows_what_changed(fabric: Shell) -> None:
    inventory = fabric.write("small.yaml", SMALL)
    fabric("plan", str(inventory))
    fabric.write("small.yaml", SMALL + "roce: {ecn: {pmax_percent: 7}}\n")
    again = fabric("plan", str(inventory))
    assert "Changed since last plan: 4 devices changed" in again.out
    shown = fabric("diff", "--json").json
    assert sorted(d["name"] for d in shown["changes"]["devices"]) == [
        "leaf-0",
        "leaf-1",
        "spine-0",
        "spine-1",
    ]
    assert shown["changes"]["unchanged_hosts"] == 4
    text = fabric("diff", "--device", "leaf-0").out
    assert '+            "green_drop_probability": "7"' in text
    assert "4 devices" in fabric("diff").out or "leaf-0" in fabric("diff").out


def test_growth_changes_only_what_it_touches(fabric: Shell) -> None:
    inventory = fabric.write("small.yaml", SMALL)
    fabric("plan", str(inventory))
    fabric.write("small.yaml", SMALL.replace("leaves: 2", "leaves: 3").replace("4,", "6,"))
    data = fabric("plan", str(inventory), "--json").json
    states = {(d["kind"], d["name"]): d["state"] for d in data["changes"]["devices"]}
    assert states["device", "leaf-2"] == "new"
    assert states["device", "spine-0"] == "changed"
    assert ("device", "leaf-0") not in states
    assert ("device", "leaf-1") not in states


def test_broken_inventory_writes_nothing(fabric: Shell) -> None:
    inventory = fabric.write("bad.yaml", "fabric: bad\ntopology: {kind: leaf-spine, leavs: 2}\n")
    done = fabric("plan", str(inventory))
    assert done.code == 2
    assert done.out == ""
    assert "did you mean leaves" in done.err
    assert "bad.yaml:2:" in done.err
    assert done.err.rstrip().endswith("Nothing was written.")
    assert [path.name for path in fabric.folder.iterdir()] == ["bad.yaml"]
    as_json = fabric("plan", str(inventory), "--json")
    assert as_json.code == 2
    assert as_json.json["summary"]["error"] >= 1


def test_missing_inventory_offers_the_example(fabric: Shell) -> None:
    done = fabric("plan", "64node.yaml")
    assert done.code == 2
    assert "fabric init --example 64node" in done.err


def test_error_in_the_computed_design_is_written_but_not_pushable(fabric: Shell) -> None:
    text = SMALL + "roce: {xoff_bytes: 5000}\n"  # below MTU + 2·L·R/v
    done = fabric("plan", str(fabric.write("small.yaml", text)))
    assert done.code == 1
    assert "RCE401" in done.out
    assert "Not pushable" in done.out
    assert read_plan(fabric.folder / "build" / "small").pushable is False
    assert fabric("plan", "small.yaml", "--fail-on", "critical").code == 0


def test_a_folder_that_is_no_plan_is_left_alone(fabric: Shell) -> None:
    inventory = fabric.write("small.yaml", SMALL)
    target = fabric.folder / "build" / "small"
    target.mkdir(parents=True)
    (target / "notes.txt").write_text("mine")
    done = fabric("plan", str(inventory))
    assert done.code == 2
    assert "is not replaced" in done.err
    assert file_names(target) == ["notes.txt"]
    assert not (fabric.folder / "small.lock.json").exists()


def test_unknown_severity(fabric: Shell) -> None:
    inventory = fabric.write("small.yaml", SMALL)
    done = fabric("plan", str(inventory), "--fail-on", "terrible")
    assert done.code == 2
    assert "info, warning, error, critical" in done.err


def test_newer_and_damaged_plans_are_refused(fabric: Shell) -> None:
    inventory = fabric.write("small.yaml", SMALL)
    fabric("plan", str(inventory))
    path = fabric.folder / "build" / "small" / "plan.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "schema": 99}))
    assert "has schema 99" in fabric("diff").err
    path.write_text("{")
    assert "cannot be read" in fabric("diff").err
    del data["devices"]
    path.write_text(json.dumps(data))
    done = fabric("diff")
    assert done.code == 2
    assert "is damaged" in done.err


def test_cables_that_would_have_to_be_moved_are_named(fabric: Shell) -> None:
    inventory = fabric.write("small.yaml", SMALL)
    fabric("plan", str(inventory))
    (fabric.folder / "small.lock.json").unlink()
    other_model = SMALL.replace("nvidia-sn3700", "nvidia-sn5600")
    fabric.write("small.yaml", other_model)
    done = fabric("plan", str(inventory))
    assert "cables that exist already would sit in other ports" in done.out
    moved = fabric("diff", "--json").json["changes"]["moved_cables"]
    assert {
        "link": "host-1:leaf-0:1",
        "before": "host-1 rdma0 – leaf-0 Ethernet4",
        "after": "host-1 rdma0 – leaf-0 Ethernet8",
    } in moved
    assert "leaf-0 Ethernet8" in fabric("diff").out


def test_hosts_that_are_dealt_to_other_leaves_are_named(fabric: Shell) -> None:
    inventory = fabric.write("small.yaml", SMALL.replace("count: 4", "count: 4, per_leaf: 2"))
    fabric("plan", str(inventory))
    fabric.write("small.yaml", SMALL.replace("count: 4", "count: 4, per_leaf: 3"))
    done = fabric("plan", str(inventory))
    assert "1 cable that exists already would sit in other ports" in done.out
    moved = fabric("diff", "--json").json["changes"]["moved_cables"]
    assert moved == [
        {
            "link": "host-2:leaf-0:1",
            "before": "host-2 rdma0 – leaf-1 Ethernet0",
            "after": "host-2 rdma0 – leaf-0 Ethernet8",
        }
    ]


def test_facts_of_another_fabric_do_not_change_this_plan(fabric: Shell) -> None:
    inventory = fabric.write("small.yaml", SMALL)
    facts = fabric.folder / "facts"
    facts.mkdir()
    (facts / "leaf-0.json").write_text('{"mac": "02:00:00:00:00:01"}')
    (facts / "elsewhere-7.json").write_text('{"mac": "02:00:00:00:00:02"}')
    fabric("plan", str(inventory))
    folder = fabric.folder / "build" / "small"
    assert '"mac": "02:00:00:00:00:01"' in (folder / "configs/leaf-0/config_db.json").read_text()
    kept = [name for name in file_names(folder) if name.startswith("inputs/facts")]
    assert kept == ["inputs/facts/leaf-0.json"]


def test_headline_counts_hosts_by_what_they_have(fabric: Shell) -> None:
    text = SMALL.replace(
        "hosts: {count: 4, nic: connectx-6, speed: 100, qps_per_connection: 8}",
        "hosts: [{names: 'a[1-2]', speed: 100}, {names: 'b[1-3]', nics: 2, speed: 200}]",
    )
    done = fabric("plan", str(fabric.write("mixed.yaml", text)))
    assert done.code == 0, done.out + done.err
    assert "2 hosts × 1 × 100G and 3 hosts × 2 × 200G" in " ".join(done.out.split())
