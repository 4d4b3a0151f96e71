"""Hosts of a rail fabric: a NIC a rail by default, counted by rail group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.inventory.writing import LEAF_SPINE, reading, refusals

if TYPE_CHECKING:
    from pathlib import Path

RAIL = "fabric: t\ntopology: {kind: rail, groups: 2, rails: 8, hosts_per_group: 4, spines: 2}\n"


def test_a_file_with_a_topology_alone_has_a_nic_on_every_rail(tmp_path: Path) -> None:
    (group,) = reading(tmp_path, RAIL).intent.host_groups
    assert (len(group.names), group.nics, group.rails) == (8, 8, tuple(range(8)))


@pytest.mark.parametrize(
    ("hosts", "count", "nics"),
    [
        ("{speed: 200}", 8, 8),
        ("{names: [a, b]}", 2, 8),
        ("{per_leaf: 3}", 6, 8),
        ('{per_leaf: 3, on: "leaf-1-[0-7]"}', 3, 8),
        ("{count: 4, server: hgx-h100-oci}", 4, 16),  # two ports an adapter
    ],
)
def test_counts_are_those_of_rail_groups(tmp_path: Path, hosts: str, count: int, nics: int) -> None:
    (group,) = reading(tmp_path, f"{RAIL}hosts: {hosts}\n").intent.host_groups
    assert (len(group.names), group.nics) == (count, nics)


def test_every_group_of_hosts_has_a_nic_on_every_rail(tmp_path: Path) -> None:
    groups = reading(tmp_path, f"{RAIL}hosts: [{{names: [a]}}, {{names: [b]}}]\n").intent
    assert [group.nics for group in groups.host_groups] == [8, 8]


def test_more_nics_than_rails_need_a_count(tmp_path: Path) -> None:
    (found,) = refusals(tmp_path, f"{RAIL}hosts: {{nics: 16}}\n")
    assert found.message == (
        "how many hosts there are is not said: the topology's own have 8 NICs each"
    )


def test_other_kinds_still_have_one_nic(tmp_path: Path) -> None:
    (group,) = reading(tmp_path, f"{LEAF_SPINE}hosts: {{names: [a, b]}}\n").intent.host_groups
    assert group.nics == 1


def test_three_tiers_hash_with_three_seeds(tmp_path: Path) -> None:
    seeds = dict(reading(tmp_path, RAIL).intent.hash_seeds)
    assert len({seeds[role] for role in ("leaf", "spine", "core")}) == 3
