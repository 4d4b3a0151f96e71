"""Loads against validation 2.5 (θ of uniform traffic under even-split ECMP = 1 ÷ load)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.analysis.even_split import even_split
from fabric.analysis.forwarding import of_tables
from fabric.analysis.network import Network, Node, numbered
from fabric.analysis.routing.dragonfly import minimal
from fabric.analysis.routing.shortest import spf
from tests.analysis.cure_fabrics import dragonfly, fat_tree, grid, leaf_spine, ring

if TYPE_CHECKING:
    from fabric.analysis.forwarding import Forwarding


@pytest.mark.parametrize(
    ("forwarding", "theta"),
    [
        (spf(fat_tree(4)), 15 / 14),
        (spf(fat_tree(4).without(("a0.0:c0:1",))), 0.625),
        (spf(fat_tree(4).without(("a0.0:e0.0:1",))), 0.5357),
        (spf(leaf_spine(4, 2, 2)), 1.1667),
        (spf(leaf_spine(4, 2, 4)), 0.625),
        (spf(leaf_spine(4, 4, 8)), 0.6458),
        (spf(ring(4)), 1.5),
        (spf(ring(5)), 1.3333),
        (spf(ring(6)), 1.1111),
        (spf(ring(8)), 0.875),
        (spf(grid(4, torus=True)), 1.875),
        (minimal(dragonfly(1, 2, 1, 3)), 1.0),
        (minimal(dragonfly(2, 3, 1, 4)), 0.6389),
        (minimal(dragonfly(1, 4, 1, 5)), 1.1875),
        (minimal(dragonfly(2, 4, 2, 9)), 1.0441),
    ],
)
def test_uniform_traffic(forwarding: Forwarding, theta: float) -> None:
    assert 1 / even_split(forwarding).load == pytest.approx(theta, abs=5e-5)


def test_a_slow_cable_is_fuller() -> None:
    forwarding = spf(leaf_spine(4, 2, 2))
    plain = even_split(forwarding)
    slow = even_split(forwarding, {"l2:s1:1": 0.25})
    assert slow.load == pytest.approx(4 * plain.load)
    assert slow.cable == "l2:s1:1"
    assert slow.hops == plain.hops == pytest.approx(2)


def test_packets_that_go_round_are_told() -> None:
    network = Network.of([Node("a", 1), Node("b", 1), Node("c", 1)], numbered(_TRIANGLE))
    tables = {"a": {"c": ["b"]}, "b": {"c": ["a"]}}
    with pytest.raises(ValueError, match="round for ever"):
        even_split(of_tables(network, tables, {"c": "c"}))


def test_no_traffic_no_load() -> None:
    network = Network.of([Node("a", 1), Node("b", 0)], numbered([("a", "b", "cable")]))
    assert even_split(spf(network)) == (0.0, 0.0, "")


_TRIANGLE = [("a", "b", "cable"), ("b", "c", "cable"), ("c", "a", "cable")]


def test_parallel_cables_take_a_share_each() -> None:
    """One unit over two cables by s0 and one by s1: a third each, not a half by s1."""
    up = [("l0", "s0"), ("l0", "s0"), ("l0", "s1"), ("s0", "l1"), ("s0", "l1"), ("s1", "l1")]
    network = Network.of(
        [Node("l0", 1), Node("l1", 1), Node("s0"), Node("s1")],
        numbered((a, b, "cable") for a, b in up),
    )
    found = even_split(spf(network))
    assert found.load == pytest.approx(1 / 3)
    assert found.hops == pytest.approx(2)
