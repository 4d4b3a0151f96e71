"""Whether a lab fits: memory, neighbour tables that all namespaces share, numbers measured."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.live.lab import build, room, state
from fabric.live.lab.errors import LabError
from fabric.live.lab.planned import layout_of
from tests.cli.conftest import INVENTORIES
from tests.live.lab import inventories

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.live.lab.layout import Layout


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """10 GB and the kernel's usual tables, no lab up."""
    monkeypatch.setenv("FABRIC_LAB_STATE", str(tmp_path / "labs"))
    monkeypatch.setattr(room, "available_mib", lambda: 10_000)
    monkeypatch.setattr(room, "most_entries", lambda: 1024)


def layout(path: Path) -> Layout:
    return layout_of(flow.load(path), "x", "x", "198.18.0.0/20")


def ours(name: str, folder: Path) -> Layout:
    path = folder / "inventory.yaml"
    path.write_text(getattr(inventories, name))
    return layout(path)


def refused(lab: Layout) -> tuple[str, str]:
    with pytest.raises(LabError) as caught:
        room.require(lab)
    return caught.value.problems[0]


def test_memory_says_what_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "available_mib", lambda: 500)
    message, fix = refused(ours("FAT_TREE", tmp_path))
    assert message.startswith(
        "20 switches, 16 hosts and 48 cables need about 680 MiB of memory and 168 entries"
    )
    assert "here 350 MiB and 1,024 entries are left" in message
    assert fix.startswith("about 10 such switches with 0.8 hosts each fit")
    assert "sysctl" not in fix


def test_both_ends_of_a_cable_and_of_a_way_to_a_node_are_an_entry_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lab = layout(INVENTORIES / "64node-rail.yaml")  # 1,024 cables, 88 nodes
    message, fix = refused(lab)
    assert "2,224 entries of the kernel's neighbour table" in message
    assert fix.endswith(
        "sysctl -w net.ipv4.neigh.default.gc_thresh3=4096 net.ipv6.neigh.default.gc_thresh3=4096"
    )
    monkeypatch.setattr(room, "most_entries", lambda: 2224)
    room.require(lab)


def test_labs_that_are_up_count() -> None:
    lab = layout(INVENTORIES / "64node.yaml")  # 192 cables, 112 nodes
    room.require(lab)
    state.write(state.State(replace(lab, name="other"), state.UP))
    message, fix = refused(lab)
    assert "need about 1,760 MiB of memory and 608 entries" in message
    assert "416 entries are left" in message
    assert "gc_thresh3=2048" in fix


def test_hosts_in_a_vlan_know_each_other(tmp_path: Path) -> None:
    # 8 cables, 8 nodes; 2 hosts in each of 2 VLANs.
    assert room.needed(ours("VLAN", tmp_path)).entries == 2 * (8 + 8) + 2 * (2 * 1)


@pytest.mark.usefixtures("allowed")
def test_a_lab_without_room_is_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "most_entries", lambda: 10)
    monkeypatch.setattr(build, "_wire", lambda _layout: pytest.fail("it was begun"))
    path = tmp_path / "inventory.yaml"
    path.write_text(inventories.RING)
    derived = flow.derive(path)
    with pytest.raises(LabError, match="10 entries are left"):
        build.up(derived.design, derived.roots, name="no-room", inventory=str(path))
    assert state.names() == ()


def test_more_nodes_than_anybody_has_measured() -> None:
    lab = layout(INVENTORIES / "64node.yaml")
    many = replace(lab, nodes=tuple(replace(n, ports=()) for n in lab.nodes * 3))
    assert "more than 250 nodes were never measured" in refused(many)[0]


def test_what_a_container_is_not_told_is_what_the_kernel_starts_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    (tmp_path / "set").write_text("4096\n")
    monkeypatch.setattr(room, "_THRESHOLDS", (tmp_path / "set", tmp_path / "not there"))
    assert room.most_entries() == 1024
    monkeypatch.setattr(room, "_THRESHOLDS", (tmp_path / "set",))
    assert room.most_entries() == 4096
    assert room.available_mib() > 0
