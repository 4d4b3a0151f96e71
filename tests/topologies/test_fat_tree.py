"""Fat-tree: closed forms of validation.md §2.2, partial trees, impossible parameters."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric import topologies
from fabric.model.intent import CableLengths
from fabric.model.topology import CableNode, Position
from tests.topologies.fabrics import blueprint, group

Params = topologies.params_type("fat-tree")


# k: hosts k³/4, switches 5k²/4
@pytest.mark.parametrize(("k", "hosts", "switches"), [(4, 16, 20), (8, 128, 80), (16, 1024, 320)])
def test_full_trees(k: int, hosts: int, switches: int) -> None:
    plan = blueprint("fat-tree", Params(k))
    assert (len(plan.hosts), len(plan.switches)) == (hosts, switches)
    assert len(plan.cables) == k**3 // 2  # k³/4 on each of the two levels


@given(st.data())
def test_counts_of_partial_trees(data: st.DataObject) -> None:
    half = data.draw(st.integers(1, 6))
    pods = data.draw(st.integers(1, 2 * half))
    edges = data.draw(st.integers(1, half))
    plane = data.draw(st.integers(1, half))
    each = data.draw(st.integers(1, 5))
    plan = blueprint("fat-tree", Params(2 * half, pods, edges, plane * half, each))
    tiers = Counter(s.position.tier for s in plan.switches)
    assert tiers == {0: pods * edges, 1: pods * half, 2: plane * half}
    assert Counter(c.kind for c in plan.cables) == {
        "edge-agg": pods * edges * half,
        "agg-core": pods * half * plane,
    }
    assert len(plan.hosts) == pods * edges * each
    degree = Counter(c.b for c in plan.cables if c.kind == "agg-core")
    assert set(degree.values()) == {pods}
    assert len(degree) == plane * half


def test_slots_are_a_row_without_gaps() -> None:
    plan = blueprint("fat-tree", Params(6, pods=3, edges=2, cores=6))
    up: dict[str, list[int | None]] = {}
    down: dict[str, list[int | None]] = {}
    for cable in plan.cables:
        up.setdefault(cable.a, []).append(cable.a_slot)
        down.setdefault(cable.b, []).append(cable.b_slot)
    assert all(
        sorted(s for s in slots if s is not None) == [*range(len(slots))] for slots in up.values()
    )
    assert all(
        sorted(s for s in slots if s is not None) == [*range(len(slots))] for slots in down.values()
    )


def test_names_positions_and_planes() -> None:
    plan = blueprint("fat-tree", Params(4, pods=1))
    assert [(s.name, s.role, s.position) for s in plan.switches] == [
        ("edge-0-0", "edge", Position(0, 0, 0)),
        ("edge-0-1", "edge", Position(0, 0, 1)),
        ("agg-0-0", "agg", Position(1, 0, 0)),
        ("agg-0-1", "agg", Position(1, 0, 1)),
        ("core-0", "core", Position(2, None, 0)),
        ("core-1", "core", Position(2, None, 1)),
        ("core-2", "core", Position(2, None, 2)),
        ("core-3", "core", Position(2, None, 3)),
    ]
    cores = {c.b for c in plan.cables if c.a == "agg-0-1" and c.kind == "agg-core"}
    assert cores == {"core-2", "core-3"}


def test_lengths_by_level() -> None:
    lengths = CableLengths(5.0, (("edge-agg", 10.0), ("agg-core", 30.0)))
    plan = blueprint("fat-tree", Params(2), speed=100, cables=lengths)
    first = CableNode("edge-0-0", "agg-0-0", 1, 100, 10.0, "edge-agg", a_slot=0, b_slot=0)
    assert plan.cables[0] == first
    last = CableNode("agg-1-0", "core-0", 1, 100, 30.0, "agg-core", a_slot=0, b_slot=1)
    assert plan.cables[-1] == last


def test_fewer_cores_keep_their_numbers() -> None:
    plan = blueprint("fat-tree", Params(8, pods=4, cores=8))
    names = [s.name for s in plan.switches if s.role == "core"]
    assert names == [f"core-{n}" for n in (0, 1, 4, 5, 8, 9, 12, 13)]


def test_the_64_node_fabric() -> None:
    shape = blueprint("fat-tree", Params(8, pods=4, cores=16), (group(64),)).shape
    assert shape.title == "fat-tree k=8, 4 of 8 pods"
    assert shape.oversubscription == (("edge", 1.0), ("agg", 1.0))
    assert (shape.endpoints, shape.up_down) == (64, True)
    assert {label for _, label in shape.symmetry} == {"edge", "agg", "core"}


def test_title_and_ratios_of_a_partial_tree() -> None:
    shape = blueprint("fat-tree", Params(8, 2, 3, 8, 6)).shape
    assert shape.title == "fat-tree k=8, 2 of 8 pods, 3 of 4 edges a pod, 8 of 16 cores"
    assert shape.oversubscription == (("edge", 1.5), ("agg", 1.5))


def test_symmetry_tells_full_from_partial_pods() -> None:
    shape = blueprint("fat-tree", Params(4), (group(7),)).shape
    label = dict(shape.symmetry)
    assert label["edge-0-0"] == label["edge-0-1"] == "edge"
    assert [label["edge-1-0"], label["edge-1-1"]] == ["edge/1", "edge/2"]
    assert label["edge-2-0"] == label["edge-3-1"] == "edge/3"
    assert [label[f"agg-{p}-0"] for p in range(4)] == ["agg", "agg/1", "agg/2", "agg/2"]
    assert label["core-0"] == label["core-3"] == "core"


def test_default_hosts() -> None:
    assert topologies.default_hosts("fat-tree", Params(8, pods=4))[0].count == 64
    assert topologies.default_hosts("fat-tree", Params(8, pods=4, hosts_per_edge=2))[0].count == 32


@pytest.mark.parametrize(
    ("params", "key", "message", "fix"),
    [
        (Params(7), "k", "k is 7; a fat-tree needs an even k of at least 2", "k: 6 or k: 8"),
        (Params(0), "k", "k is 0; a fat-tree needs an even k of at least 2", "k: 2 or k: 4"),
        (Params(-4), "k", "k is -4; a fat-tree needs an even k of at least 2", "k: 2 or k: 4"),
        (Params(8, pods=9), "pods", "pods is 9; with k = 8 it is 1 to 8 (k)", "pods: 8"),
        (Params(8, pods=0), "pods", "pods is 0; with k = 8 it is 1 to 8 (k)", "pods: 8"),
        (Params(8, edges=5), "edges", "edges is 5; with k = 8 it is 1 to 4 (k/2)", "edges: 4"),
        (
            Params(8, cores=10),
            "cores",
            (
                "cores is 10; each of the 4 aggregation switches of a pod reaches the same number "
                "of cores, so it is a multiple of 4 from 4 to 16"
            ),
            "cores: 8",
        ),
        (
            Params(4, hosts_per_edge=0),
            "hosts_per_edge",
            "hosts_per_edge is 0; it is at least 1",
            "hosts_per_edge: 1",
        ),
    ],
)
def test_impossible(params: object, key: str, message: str, fix: str) -> None:
    found = topologies.check("fat-tree", params)
    assert [(p.rule, p.path, p.message, p.fix) for p in found] == [
        ("RCE011", ("topology", key), message, fix)
    ]


def test_cores_out_of_range_and_other_problems_at_once() -> None:
    found = topologies.check("fat-tree", Params(4, pods=5, edges=3, cores=0, hosts_per_edge=-1))
    assert [p.path[1] for p in found] == ["pods", "edges", "cores", "hosts_per_edge"]


def test_a_slip_of_the_pen_is_refused_at_once() -> None:
    (found,) = topologies.check("fat-tree", Params(1_000_000))
    assert found.message.startswith("1,250,000,000,000 switches")
    (found,) = topologies.check("fat-tree", Params(4, hosts_per_edge=1_000_000_000))
    assert found.message.startswith("20 switches and 8,000,000,032 cables")
