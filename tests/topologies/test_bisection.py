"""The closed forms against validation.md §2.2 and §2.5, and against trying everything."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric import topologies
from tests.topologies.cuts import every_half, every_side
from tests.topologies.fabrics import blueprint, group

LeafSpine = topologies.params_type("leaf-spine")
FatTree = topologies.params_type("fat-tree")


def _bisection(kind: str, params: object, endpoints: int) -> float | None:
    return blueprint(kind, params, (group(endpoints),)).shape.bisection_gbps


# (leaves, spines, endpoints a leaf, bisection, ratio): validation.md §2.5
LEAF_SPINE_TRUTH = [
    (4, 2, 2, 4, 1.0),
    (4, 2, 4, 4, 0.5),
    (4, 2, 6, 4, 0.3333),
    (4, 4, 8, 8, 0.5),
    (8, 8, 8, 32, 1.0),
    (5, 2, 2, 5, 1.0),
    (3, 2, 4, 4, 0.6667),
]


@pytest.mark.parametrize(("leaves", "spines", "each", "cut", "ratio"), LEAF_SPINE_TRUTH)
def test_leaf_spine_truth(leaves: int, spines: int, each: int, cut: int, ratio: float) -> None:
    found = _bisection("leaf-spine", LeafSpine(leaves, spines), leaves * each)
    assert found == cut
    assert found / (leaves * each / 2) == pytest.approx(ratio, abs=1e-4)


@pytest.mark.parametrize(("k", "endpoints", "cut"), [(4, 16, 8), (8, 128, 64), (16, 1024, 512)])
def test_fat_tree_truth(k: int, endpoints: int, cut: int) -> None:
    assert _bisection("fat-tree", FatTree(k), endpoints) == cut


def test_the_64_node_fabric_is_non_blocking() -> None:
    assert _bisection("fat-tree", FatTree(8, pods=4, cores=16), 64) == 32


def test_half_the_cores_halve_the_bisection() -> None:
    assert _bisection("fat-tree", FatTree(8, pods=4, cores=8), 64) == 16


Speeds = st.tuples(st.integers(1, 5), st.integers(1, 5))  # of cables, of NICs


@given(
    fabric=st.builds(LeafSpine, st.integers(1, 3), st.integers(1, 2), st.integers(1, 2)),
    endpoints=st.integers(1, 6),
    per_leaf=st.integers(1, 4),
    speeds=Speeds,
)
@settings(max_examples=60, deadline=None)
def test_leaf_spine_against_every_half(
    fabric: Any, endpoints: int, per_leaf: int, speeds: tuple[int, int]
) -> None:
    endpoints = min(endpoints, fabric.leaves * per_leaf)
    hosts = (group(endpoints, speed=speeds[1], per_leaf=per_leaf),)
    plan = blueprint("leaf-spine", fabric, hosts, speeds[0])
    assert plan.shape.bisection_gbps == every_half(plan, speeds[1])


@given(
    fabric=st.builds(LeafSpine, st.integers(1, 7), st.integers(1, 4), st.integers(1, 3)),
    per_leaf=st.integers(1, 9),
    missing=st.integers(0, 20),
    speeds=Speeds,
)
@settings(max_examples=150, deadline=None)
def test_leaf_spine_against_every_side(
    fabric: Any, per_leaf: int, missing: int, speeds: tuple[int, int]
) -> None:
    endpoints = max(1, fabric.leaves * per_leaf - missing)
    hosts = (group(endpoints, speed=speeds[1], per_leaf=per_leaf),)
    plan = blueprint("leaf-spine", fabric, hosts, speeds[0])
    assert plan.shape.bisection_gbps == every_side(plan, speeds[1])


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_fat_tree_against_every_side(data: st.DataObject) -> None:
    k = data.draw(st.sampled_from((2, 4)))
    half = k // 2
    params = FatTree(
        k,
        pods=data.draw(st.integers(1, min(3, k))),
        edges=data.draw(st.integers(1, half)),
        cores=half * data.draw(st.integers(1, half)),
        hosts_per_edge=data.draw(st.integers(1, 5)),
    )
    room = params.pods * params.edges * params.hosts_per_edge
    full = st.integers(1, room // params.hosts_per_edge).map(lambda n: n * params.hosts_per_edge)
    endpoints = data.draw(full | st.integers(1, room))
    fabric, nic = data.draw(Speeds)
    plan = blueprint("fat-tree", params, (group(endpoints, speed=nic),), fabric)
    assert plan.shape.bisection_gbps == every_side(plan, nic)


# One pod cannot be halved but by parting its edge switches: 2 planes × 1 cable against 5 NICs
def test_one_pod_is_halved_inside() -> None:
    plan = blueprint("fat-tree", FatTree(4, pods=1, hosts_per_edge=5))
    assert plan.shape.bisection_gbps == every_side(plan, 1) == 2


@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_two_pods_of_radix_6_against_every_side(data: st.DataObject) -> None:
    cores = data.draw(st.sampled_from((3, 6)))
    params = FatTree(6, pods=2, edges=data.draw(st.integers(2, 3)), cores=cores)
    endpoints = data.draw(st.integers(1, params.pods * params.edges * 3))
    plan = blueprint("fat-tree", params, (group(endpoints),))
    assert plan.shape.bisection_gbps == every_side(plan, 1)


def test_the_two_oracles_agree() -> None:
    plan = blueprint("leaf-spine", LeafSpine(3, 2), (group(6),))
    assert every_half(plan, 1) == every_side(plan, 1) == 3


def test_no_form_for_nics_of_two_speeds() -> None:
    hosts = (group(4, "a", speed=1, per_leaf=1), group(4, "b", speed=2, per_leaf=1))
    shape = blueprint("leaf-spine", LeafSpine(4, 2), hosts).shape
    assert (shape.bisection_gbps, shape.bisection_note) == (
        None,
        "no closed form: NICs of several speeds",
    )


def test_no_form_for_uneven_leaves() -> None:
    hosts = tuple(group(n, f"g{n}", on=(f"leaf-{n}",), per_leaf=n) for n in (1, 2, 3))
    shape = blueprint("leaf-spine", LeafSpine(4, 2), hosts).shape
    assert shape.bisection_gbps is None
    assert shape.bisection_note == "no closed form: the endpoints are not spread leaf after leaf"


def test_no_form_for_a_fat_tree_filled_across_pods() -> None:
    hosts = (group(4, on=("edge-0-0", "edge-1-0", "edge-2-0", "edge-3-0"), per_leaf=1),)
    shape = blueprint("fat-tree", FatTree(4), hosts).shape
    assert shape.bisection_gbps is None


def test_the_order_of_filled_pods_does_not_matter() -> None:
    hosts = (group(4, on=("edge-2-0", "edge-2-1")),)
    plan = blueprint("fat-tree", FatTree(4), hosts)
    assert plan.shape.bisection_gbps == every_side(plan, 1) == 2


def test_no_hosts_no_bisection() -> None:
    shape = blueprint("leaf-spine", LeafSpine(2, 2), ()).shape
    assert (shape.endpoints, shape.bisection_gbps, shape.bisection_note) == (
        0,
        None,
        "no endpoints",
    )
