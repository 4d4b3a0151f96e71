"""Leaf-spine: counts, positions, slots, shape, impossible parameters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric import topologies
from fabric.model.intent import CableLengths
from fabric.model.topology import CableNode, Position
from tests.topologies.fabrics import blueprint, group

Params = topologies.params_type("leaf-spine")


@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 4))
def test_counts_and_slots(leaves: int, spines: int, links: int) -> None:
    plan = blueprint("leaf-spine", Params(leaves, spines, links))
    assert len(plan.switches) == leaves + spines
    assert sum(c.count for c in plan.cables) == leaves * spines * links
    assert len(plan.hosts) == leaves * spines * links
    up = sorted((c.a_slot or 0) + n for c in plan.cables for n in range(c.count) if c.a == "leaf-0")
    assert up == list(range(spines * links))
    down = sorted(
        (c.b_slot or 0) + n for c in plan.cables for n in range(c.count) if c.b == "spine-0"
    )
    assert down == list(range(leaves * links))


def test_names_positions_and_cables() -> None:
    plan = blueprint(
        "leaf-spine", Params(2, 1, 3), speed=400, cables=CableLengths(5.0, (("leaf-spine", 30.0),))
    )
    assert [(s.name, s.role, s.position) for s in plan.switches] == [
        ("leaf-0", "leaf", Position(0, None, 0)),
        ("leaf-1", "leaf", Position(0, None, 1)),
        ("spine-0", "spine", Position(1, None, 0)),
    ]
    assert plan.cables == (
        CableNode("leaf-0", "spine-0", 3, 400, 30.0, "leaf-spine", a_slot=0, b_slot=0),
        CableNode("leaf-1", "spine-0", 3, 400, 30.0, "leaf-spine", a_slot=0, b_slot=3),
    )


def test_default_hosts_are_as_many_as_uplinks() -> None:
    assert topologies.default_hosts("leaf-spine", Params(4, 2, 2)) == (
        topologies.DefaultHosts("host-{n}", 16),
    )


# field case 53 b: 128×200G down, 60×400G up
def test_oversubscription() -> None:
    hosts = (group(256, speed=200),)
    shape = blueprint("leaf-spine", Params(2, 60), hosts, 400).shape
    ((tier, ratio),) = shape.oversubscription
    assert (tier, f"{ratio:.3f}") == ("leaf", "1.067")


def test_oversubscription_is_that_of_the_fullest_leaf() -> None:
    shape = blueprint("leaf-spine", Params(2, 2), (group(5, per_leaf=4),)).shape
    assert shape.oversubscription == (("leaf", 2.0),)


def test_shape() -> None:
    shape = blueprint("leaf-spine", Params(4, 2, 2), (group(6, per_leaf=2),)).shape
    assert (shape.title, shape.endpoints, shape.up_down) == (
        "leaf-spine 4×2, 2 cables a pair",
        6,
        True,
    )
    assert shape.symmetry == (
        ("leaf-0", "leaf"),
        ("leaf-1", "leaf"),
        ("leaf-2", "leaf"),
        ("leaf-3", "leaf/1"),
        ("spine-0", "spine"),
        ("spine-1", "spine"),
    )


@pytest.mark.parametrize(
    ("params", "path", "message"),
    [
        (Params(0, 2), ("topology", "leaves"), "leaves is 0; it is at least 1"),
        (Params(4, -1), ("topology", "spines"), "spines is -1; it is at least 1"),
        (Params(4, 2, 0), ("topology", "links"), "links is 0; it is at least 1"),
        (
            Params(100_000, 2),
            ("topology",),
            (
                "100,002 switches and 200,000 cables are more than can be planned "
                "(50,000 and 2,000,000)"
            ),
        ),
    ],
)
def test_impossible(params: object, path: tuple[str, ...], message: str) -> None:
    found = topologies.check("leaf-spine", params)
    assert [(p.rule, p.path, p.message) for p in found] == [("RCE011", path, message)]
