"""Where hosts stand, and what does not fit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric import topologies
from fabric.model.finding import ProblemError
from tests.topologies.fabrics import blueprint, group, problems

if TYPE_CHECKING:
    from fabric.model.intent import HostGroup

LeafSpine = topologies.params_type("leaf-spine")
FatTree = topologies.params_type("fat-tree")


def _leaves(groups: tuple[HostGroup, ...], leaves: int = 4) -> list[str]:
    return [h.leaves[0] for h in blueprint("leaf-spine", LeafSpine(leaves, 2), groups).hosts]


def test_leaf_after_leaf_in_equal_shares() -> None:
    assert Counter(_leaves((group(10),))) == {"leaf-0": 3, "leaf-1": 3, "leaf-2": 3, "leaf-3": 1}


def test_per_leaf_fills_the_first_leaves() -> None:
    assert Counter(_leaves((group(10, per_leaf=5),))) == {"leaf-0": 5, "leaf-1": 5}


def test_on_restricts_and_keeps_the_order_of_the_leaves() -> None:
    assert _leaves((group(2, on=("leaf-3", "leaf-1")),)) == ["leaf-1", "leaf-3"]


def test_all_nics_of_a_host_share_its_leaf_and_slots_count_nics() -> None:
    plan = blueprint("leaf-spine", LeafSpine(2, 2), (group(4, nics=3),))
    assert [(h.leaves, h.slots) for h in plan.hosts[:3]] == [
        (("leaf-0",) * 3, (0, 1, 2)),
        (("leaf-0",) * 3, (3, 4, 5)),
        (("leaf-1",) * 3, (0, 1, 2)),
    ]


def test_a_second_group_stands_behind_the_first() -> None:
    groups = (group(4, "gpu", per_leaf=2, nics=2), group(2, "store", per_leaf=1))
    plan = blueprint("leaf-spine", LeafSpine(2, 2), groups)
    store = [(h.name, h.index, h.leaves, h.slots) for h in plan.hosts if h.group == "store"]
    assert store == [("store-0", 0, ("leaf-0",), (4,)), ("store-1", 1, ("leaf-1",), (4,))]


def test_fat_tree_groups_share_the_room_of_an_edge() -> None:
    plan = blueprint("fat-tree", FatTree(4), (group(3, "a"), group(3, "b")))
    assert [(h.name, h.leaves[0]) for h in plan.hosts][2:5] == [
        ("a-2", "edge-0-1"),
        ("b-0", "edge-0-1"),
        ("b-1", "edge-1-0"),
    ]


def test_eight_nics_a_host_on_radix_16() -> None:
    plan = blueprint("fat-tree", FatTree(16, pods=8), (group(64, nics=8),))
    assert (len({h.leaves[0] for h in plan.hosts}), plan.shape.endpoints) == (64, 512)


def test_a_user_may_go_beyond_half_the_radix() -> None:
    plan = blueprint("fat-tree", FatTree(4), (group(40, per_leaf=5),))
    assert plan.shape.oversubscription[0] == ("edge", 2.5)


@given(st.integers(1, 30), st.integers(0, 30), st.integers(1, 4))
def test_more_hosts_and_leaves_move_nobody(hosts: int, more: int, nics: int) -> None:
    before = blueprint("leaf-spine", LeafSpine(10, 2), (group(hosts, nics=nics, per_leaf=3),))
    after = blueprint("leaf-spine", LeafSpine(20, 3), (group(hosts + more, nics=nics, per_leaf=3),))
    assert after.hosts[:hosts] == before.hosts


TOO_MANY = [
    (
        "fat-tree",
        FatTree(8, pods=8),
        (group(200),),
        ("hosts", 0),
        "gpu: 200 hosts, but the fabric takes 128: 32 edge switches × 4",
    ),
    (
        "fat-tree",
        FatTree(4),
        (group(3, "a"), group(4, "b", nics=3)),
        ("hosts", 1),
        "b: 4 hosts of 3 NICs, but the fabric takes 0: 8 edge switches × 0",
    ),
    (
        "fat-tree",
        FatTree(4),
        (group(1, "a"), group(20, "b")),
        ("hosts", 1),
        "b: 20 hosts, but the fabric takes 15: 1 edge switch × 1 + 7 edge switches × 2",
    ),
    (
        "fat-tree",
        FatTree(4, hosts_per_edge=1),
        (group(9, per_leaf=2),),
        ("hosts", 0),
        "gpu: 9 hosts, but the fabric takes 8: 8 edge switches × 1",
    ),
    (
        "leaf-spine",
        LeafSpine(4, 2),
        (group(9, per_leaf=2),),
        ("hosts", 0),
        "gpu: 9 hosts, but the fabric takes 8: 4 leaf switches × 2",
    ),
]


@pytest.mark.parametrize(("kind", "params", "groups", "path", "message"), TOO_MANY)
def test_more_hosts_than_fit(
    kind: str,
    params: object,
    groups: tuple[HostGroup, ...],
    path: tuple[str | int, ...],
    message: str,
) -> None:
    with pytest.raises(ProblemError) as error:
        blueprint(kind, params, groups)
    fix = "fewer hosts, more switches, or more hosts a switch (per_leaf)"
    assert problems(error) == [("RCE016", path, message, fix)]


def test_every_wrong_on_and_name_at_once() -> None:
    groups = (
        group(1, on=("leaf-9", "spine-0")),
        group(2, "gpu"),
        group(1, "leaf"),
    )
    with pytest.raises(ProblemError) as error:
        blueprint("leaf-spine", LeafSpine(4, 2), groups)
    assert problems(error) == [
        (
            "RCE012",
            ("hosts", 1),
            "gpu-0 is the name of a host of gpu and of a host of gpu",
            "give every device a name of its own",
        ),
        (
            "RCE012",
            ("hosts", 2),
            "leaf-0 is the name of a switch and of a host of leaf",
            "give every device a name of its own",
        ),
        ("RCE012", ("hosts", 0, "on"), "gpu: there is no switch leaf-9", "did you mean leaf-3?"),
        (
            "RCE016",
            ("hosts", 0, "on"),
            "gpu: spine-0 (spine) takes no hosts",
            "switches that take hosts: leaf-0, leaf-1, leaf-2, leaf-3",
        ),
    ]


def test_a_slip_of_the_pen_is_refused_before_it_fills_the_memory() -> None:
    many = group(40_000, nics=64, per_leaf=40_000)
    with pytest.raises(ProblemError) as error:
        blueprint("leaf-spine", LeafSpine(2, 2), (many,))
    assert problems(error) == [
        (
            "RCE016",
            ("hosts", 0),
            "2,560,000 NICs are more than can be planned (2,000,000)",
            "fewer hosts, or fewer NICs",
        )
    ]
