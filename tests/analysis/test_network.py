"""Networks as arrays: bundles, failures, what is refused; and the rules of rising levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from fabric.analysis import priorities
from fabric.analysis.network import Cable, Network, Node, numbered, of_topology
from fabric.analysis.routing.dragonfly import GroupError, minimal
from fabric.analysis.routing.up_down import default_roots, up_down
from tests.analysis.fabrics import dragonfly, fat_tree, leaf_spine, ring
from tests.design.graphs import Graph
from tests.design.graphs import Node as Switch

if TYPE_CHECKING:
    from collections.abc import Iterable

NODES = [Node("l0", 2, 0, "x"), Node("l1", 1, 0, "y"), Node("s0", 0, 1)]
PAIRS = [("l0", "s0", "cable"), ("s0", "l0", "cable"), ("s0", "l0", "other"), ("l1", "s0", "cable")]


def network() -> Network:
    return Network.of(NODES, numbered(PAIRS))


def test_parallel_cables_of_one_kind_are_one_pair_of_arcs() -> None:
    found = network()
    assert [[c.id for c in bundle] for bundle in found.cables] == [
        ["l0:s0:1", "l0:s0:2"],
        ["l0:s0:3"],
        ["l1:s0:1"],
    ]
    assert found.count.tolist() == [2, 2, 1, 1, 1, 1]
    assert found.kinds == ("cable", "other")
    assert found.kind.tolist() == [0, 0, 1, 1, 0, 0]
    assert [found.arc_text(arc) for arc in (0, 1)] == ["l0 → s0", "s0 → l0"]
    assert (found.tail[::2] == found.head[1::2]).all()
    assert found.group_names == ("x", "y")
    assert found.group.tolist() == [0, 1, -1]


def test_up_down_and_tiers() -> None:
    found = network()
    assert found.up.tolist() == [True, False, True, False, True, False]
    assert found.down.tolist() == [False, True, False, True, False, True]
    assert found.is_tiered
    assert not ring(4).is_tiered
    assert not Network.of([Node("a", 1, 3), Node("b", 1, 3)], numbered([("a", "b", "x")])).is_tiered
    half = Network.of([Node("a", 1, 1), Node("b", 1)], numbered([("a", "b", "x")]))
    assert not half.is_tiered


def test_failures_are_a_mask() -> None:
    whole = network()
    assert whole.leaves.tolist() == [0, 1]
    cut = whole.without(["l0:s0:1", "l1:s0:1"])
    assert cut.count.tolist() == [1, 1, 1, 1, 0, 0]
    assert [c.id for c in cut.cables[0]] == ["l0:s0:2"]
    assert cut.without(["l0:s0:2"]).count.tolist() == [0, 0, 1, 1, 0, 0]
    dead = whole.without(switches=["l1"])
    assert dead.count.tolist() == [2, 2, 1, 1, 0, 0]
    assert dead.leaves.tolist() == [0]
    assert whole.without(switches=["s0"]).count.tolist() == [0] * 6
    assert whole.count.tolist() == [2, 2, 1, 1, 1, 1]  # and the whole stays whole
    assert whole.leaves.tolist() == [0, 1]


@pytest.mark.parametrize(("cables", "switches"), [(["l0:s0:9"], []), ([], ["l9"])])
def test_an_unknown_failure_is_refused(cables: Iterable[str], switches: Iterable[str]) -> None:
    with pytest.raises(KeyError, match="9"):
        network().without(cables, switches)


def test_a_cable_that_has_failed_does_not_fail_again() -> None:
    with pytest.raises(KeyError):
        network().without(["l0:s0:1"]).without(["l0:s0:1"])


@pytest.mark.parametrize(("a", "b"), [("l0", "l0"), ("l0", "l7"), ("l7", "l0")])
def test_a_cable_to_nowhere_is_refused(a: str, b: str) -> None:
    with pytest.raises(ValueError, match="cable odd does not join two of the 3 switches"):
        Network.of(NODES, [Cable("odd", a, b)])


def test_cables_apart() -> None:
    cut = network().without(["l0:s0:1"], ["l1"])
    single, old = cut.apart()
    assert old.tolist() == [0, 1, 2, 3, 4, 5]
    assert [[c.id for c in bundle] for bundle in single.cables] == [
        ["l0:s0:2"],
        ["l0:s0:3"],
        ["l1:s0:1"],
    ]
    assert single.count.tolist() == [1, 1, 1, 1, 0, 0]
    both, old = network().apart()
    assert old.tolist() == [0, 1, 0, 1, 2, 3, 4, 5]
    assert both.count.tolist() == [1] * 8
    assert both.kind.tolist() == [0, 0, 0, 0, 1, 1, 0, 0]
    assert [both.arc_text(arc) for arc in (2, 3)] == ["l0 → s0", "s0 → l0"]


def test_of_a_topology() -> None:
    graph = Graph(
        [Switch("leaf-1", "leaf", 1, 3), Switch("leaf-2", "leaf", 1, "pod b"), Switch("s", "x", 2)],
        [("leaf-1", "s", 2), ("leaf-2", "s", 1)],
        [("host-1", ("leaf-1", "leaf-1")), ("host-2", ("leaf-1",)), ("host-3", ("leaf-2",))],
    )
    found = of_topology(graph.topology())
    assert found.names == ("leaf-1", "leaf-2", "s")
    assert found.endpoints.tolist() == [3, 1, 0]
    assert found.tier.tolist() == [1, 1, 2]
    assert found.count.tolist() == [2, 2, 1, 1]
    assert found.group[0] != found.group[1] != -1
    assert found.group[2] == -1
    assert all(cable.a_port and cable.b_port for bundle in found.cables for cable in bundle)


def test_roots() -> None:
    assert default_roots(leaf_spine(3, 2)) == ("s0", "s1")
    assert set(default_roots(fat_tree(4))) == {"c0.0", "c0.1", "c1.0", "c1.1"}
    assert default_roots(leaf_spine(3, 2).without(switches=["s0", "s1"])) == ("l0", "l1", "l2")
    star = Network.of(
        [Node(f"n{i}", 1) for i in range(4)], numbered([("n1", f"n{i}", "x") for i in (0, 2, 3)])
    )
    assert default_roots(star) == ("n1",)
    assert default_roots(star.without(switches=["n1"])) == ("n0",)
    assert default_roots(star.without(switches=star.names)) == ()


def test_a_part_without_a_root_has_one_of_its_own() -> None:
    # r0–r2–r1–r3, so that the order of names is not that of the cables.
    pairs = [("r0", "r2"), ("r2", "r1"), ("r1", "r3"), ("root", "other")]
    nodes = [Node(name, 1) for name in ("r0", "r1", "r2", "r3", "root", "other")]
    forwarding = up_down(Network.of(nodes, numbered((a, b, "x") for a, b in pairs)), ["root"])
    assert len(forwarding.unreachable) == 2 * 4 * 2  # from one part to the other
    assert forwarding.next_switches("r0", "r3") == {"r2"}
    assert forwarding.next_switches("r3", "r0") == {"r1"}


def test_minimal_ways_need_a_group_of_every_switch_in_service() -> None:
    nodes = [Node("a", 1, 0, "x"), Node("b", 1, 0, "y"), Node("odd", 1), Node("spare", 1)]
    pairs = [("a", "b", "x"), ("odd", "a", "x"), ("spare", "b", "x")]
    network = Network.of(nodes, numbered(pairs))
    with pytest.raises(GroupError) as refused:
        minimal(network.without(switches=["spare"]))
    assert (refused.value.lacking, refused.value.groups) == (("odd",), 2)
    assert not minimal(network.without(switches=["odd", "spare"])).unreachable
    one = Network.of([Node("a", 1, 0, "x"), Node("b", 1, 0, "x")], numbered([("a", "b", "x")]))
    with pytest.raises(GroupError) as refused:
        minimal(one)
    assert (refused.value.lacking, refused.value.groups) == ((), 1)


def turn(rule: priorities.Rising, came: int | None, leaves: int) -> int:
    """Levels that a packet rises by from arc to arc; ``None``: from a host."""
    return int(rule.steps[rule.ways if came is None else rule.way[came], rule.way[leaves]])


def test_rules_of_rising() -> None:
    tree = leaf_spine(2, 2, [("l0", "l1")])
    arc = {tree.arc_text(n): n for n in range(len(tree.tail))}
    bounce = priorities.bounce(tree)
    assert turn(bounce, arc["s0 → l1"], arc["l1 → s1"]) == 1
    for came, leaves in (
        ("l0 → s0", "s0 → l1"),
        ("l0 → l1", "l1 → s1"),
        ("s0 → l1", "l1 → l0"),
        (None, "l0 → s0"),
    ):
        assert turn(bounce, None if came is None else arc[came], arc[leaves]) == 0
    fly = dragonfly(1, 2, 1, 3)
    abroad = np.flatnonzero(fly.kind == fly.kinds.index("global")).tolist()
    home = np.flatnonzero(fly.kind == fly.kinds.index("local")).tolist()
    rule = priorities.global_hop(fly)
    assert [turn(rule, x, home[0]) for x in (abroad[0], home[0], None)] == [1, 0, 0]
    assert [turn(rule, x, abroad[0]) for x in (abroad[0], home[0], None)] == [1, 0, 0]
    marked = priorities.on_kinds(fly, ("global",), levels=2)
    assert [turn(marked, x, abroad[0]) for x in (abroad[0], home[0], None)] == [1, 1, 1]
    assert [turn(marked, x, home[0]) for x in (abroad[0], home[0], None)] == [0, 0, 0]
    assert marked.levels == 2
    none = priorities.none(fly)
    assert none.levels == 1
    assert not none.steps.any()


def test_a_fabric_without_cables() -> None:
    lone = Network.of([Node("a", 1, 0), Node("b", 1, 0)], [])
    for rule in (priorities.none, priorities.bounce, priorities.global_hop):
        assert len(rule(lone).way) == 0
    assert len(priorities.on_kinds(lone, ("x",), levels=2).way) == 0


def test_without_a_cable_of_a_host_its_leaf_has_an_endpoint_less() -> None:
    graph = Graph(
        [Switch("leaf-1", "leaf", 1), Switch("leaf-2", "leaf", 1), Switch("s", "x", 2)],
        [("leaf-1", "s", 1), ("leaf-2", "s", 1)],
        [("host-1", ("leaf-1", "leaf-1")), ("host-2", ("leaf-2",))],
    )
    whole = of_topology(graph.topology())
    one = whole.without(["host-1:leaf-1:2"])
    assert one.endpoints.tolist() == [1, 1, 0]
    assert one.leaves.tolist() == [0, 1]
    none = one.without(["host-2:leaf-2:1", "leaf-1:s:1"], ["s"])
    assert none.endpoints.tolist() == [1, 0, 0]
    assert none.leaves.tolist() == [0]
    assert (none.count.tolist(), none.alive.tolist()) == ([0] * 4, [True, True, False])
    assert whole.endpoints.tolist() == [2, 1, 0]
    with pytest.raises(KeyError):
        one.without(["host-1:leaf-1:2"])  # it is out already
