"""The closed forms of rail fabrics against validation.md §2.2 and against trying everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric import topologies
from tests.topologies.cuts import every_half, every_side
from tests.topologies.fabrics import blueprint, group

if TYPE_CHECKING:
    from fabric.model.topology import Blueprint

Params = topologies.params_type("rail")
_SWITCHES = 13  # what trying every side of every switch takes in no time


# validation.md §2.2: one group is a leaf-spine with leaves = rails: (L/2)·S·m·c, at most N/2
@pytest.mark.parametrize(
    ("rails", "hosts", "spines", "links", "cut"),
    [(8, 8, 8, 1, 32), (4, 4, 2, 1, 4), (4, 8, 4, 1, 8), (4, 6, 2, 1, 4), (8, 32, 8, 4, 128)],
)
def test_one_group_is_a_leaf_spine_of_rails(
    rails: int, hosts: int, spines: int, links: int, cut: int
) -> None:
    params = Params(groups=1, rails=rails, spines=spines, links=links)
    assert blueprint("rail", params, (group(hosts, nics=rails),)).shape.bisection_gbps == cut


def test_the_64_node_fabric_is_non_blocking() -> None:
    params = Params(groups=2, rails=8, hosts_per_group=32, spines=8, links=4)
    shape = blueprint("rail", params, (group(64, nics=8, speed=400),), 400).shape
    assert shape.bisection_gbps == 256 * 400
    assert shape.oversubscription == (("leaf", 1.0),)


# validation.md §2.2: rail-only, network bisection 0 across rails
@pytest.mark.parametrize("rails", [2, 4, 8])
def test_rail_only_has_no_bisection(rails: int) -> None:
    params = Params(groups=1, rails=rails, hosts_per_group=4, rail_only=True)
    shape = blueprint("rail", params, (group(4, nics=rails),)).shape
    assert shape.bisection_gbps == 0
    assert "NVLink" in shape.bisection_note


def test_planes_have_no_bisection_between_them_and_say_their_own() -> None:
    params = Params(groups=2, rails=4, hosts_per_group=4, spines=2, planes="rails")
    shape = blueprint("rail", params, (group(8, nics=4, speed=100),), 100).shape
    assert shape.bisection_gbps == 0
    assert "4 planes of 200 Gb/s each" in shape.bisection_note


Speeds = st.tuples(st.integers(1, 5), st.integers(1, 5))  # of cables, of NICs


def _planned(params: Any, hosts: int, each: int, speeds: tuple[int, int]) -> Blueprint | None:
    """``None``: too many switches to try them all."""
    nics = group(hosts, nics=params.rails * each, speed=speeds[1])
    plan = blueprint("rail", params, (nics,), speeds[0])
    return plan if len(plan.switches) <= _SWITCHES else None


@given(data=st.data(), each=st.integers(1, 2), speeds=Speeds)
@settings(max_examples=150, deadline=None)
def test_two_tiers_against_every_side(
    data: st.DataObject, each: int, speeds: tuple[int, int]
) -> None:
    rails = data.draw(st.integers(1, 5))
    params = Params(
        groups=data.draw(st.integers(1, 3)),
        rails=rails,
        hosts_per_group=data.draw(st.integers(1, 5)),
        spines=data.draw(st.integers(1, 3)),
        links=data.draw(st.integers(1, 2)),
        planes=data.draw(st.sampled_from([n for n in range(1, rails + 1) if rails % n == 0])),
    )
    hosts = data.draw(st.integers(1, params.groups * params.hosts_per_group))
    plan = _planned(params, hosts, each, speeds)
    if plan is None:
        return
    odd = params.planes > 1 and params.planes % 2 == 1
    if odd and hosts % params.hosts_per_group and hosts > params.hosts_per_group:
        assert plan.shape.bisection_gbps is None
        assert plan.shape.bisection_note.startswith("no closed form: an odd number of planes")
    else:
        assert plan.shape.bisection_gbps == every_side(plan, speeds[1])


@given(data=st.data(), each=st.integers(1, 2), speeds=Speeds)
@settings(max_examples=60, deadline=None)
def test_odd_planes_against_every_side(
    data: st.DataObject, each: int, speeds: tuple[int, int]
) -> None:
    spines = data.draw(st.integers(1, 2))
    params = Params(
        groups=data.draw(st.integers(1, 3 if spines == 1 else 2)),
        rails=3,
        hosts_per_group=data.draw(st.integers(1, 5)),
        spines=spines,
        planes="rails",
    )
    full = params.hosts_per_group * data.draw(st.integers(1, params.groups))
    plan = _planned(params, full, each, speeds)
    assert plan is not None
    assert plan.shape.bisection_gbps == every_side(plan, speeds[1])


# Leaves of 3 and 1 endpoints in three planes, NICs five times the cables: two whole leaves of
# different planes make half at two cables; halving one plane would cost a cable and a NIC.
def test_no_form_for_odd_planes_with_a_group_partly_filled() -> None:
    params = Params(groups=2, rails=3, hosts_per_group=3, spines=1, planes="rails")
    plan = blueprint("rail", params, (group(4, nics=3, speed=5),))
    assert every_side(plan, 5) == 2
    assert plan.shape.bisection_gbps is None
    assert plan.shape.bisection_note.startswith("no closed form: an odd number of planes")


@given(data=st.data(), each=st.integers(1, 2), speeds=Speeds)
@settings(max_examples=150, deadline=None)
def test_three_tiers_against_every_side(
    data: st.DataObject, each: int, speeds: tuple[int, int]
) -> None:
    params = Params(
        groups=data.draw(st.integers(1, 3)),
        rails=data.draw(st.integers(1, 3)),
        hosts_per_group=data.draw(st.integers(1, 5)),
        spines=data.draw(st.integers(1, 2)),
        links=data.draw(st.integers(1, 2)),
        tiers=3,
        cores=data.draw(st.integers(1, 2)),
    )
    hosts = data.draw(st.integers(1, params.groups * params.hosts_per_group))
    plan = _planned(params, hosts, each, speeds)
    if plan is not None:
        assert plan.shape.bisection_gbps == every_side(plan, speeds[1])


# A second group partly filled, whose leaves are best parted from each other: (rails, hosts of a
# full group, all hosts, cores, speeds of cables and NICs)
@pytest.mark.parametrize(
    ("rails", "full", "hosts", "cores", "speeds"),
    [
        (2, 2, 3, None, (1, 3)),
        (2, 2, 3, 1, (1, 3)),
        (4, 3, 5, 1, (2, 3)),
        (3, 5, 6, 2, (1, 1)),
    ],
)
def test_leaves_of_a_partly_filled_group_are_parted(
    rails: int, full: int, hosts: int, cores: int | None, speeds: tuple[int, int]
) -> None:
    tall = {} if cores is None else {"tiers": 3, "cores": cores}
    params = Params(groups=2, rails=rails, hosts_per_group=full, spines=1, **tall)
    plan = blueprint("rail", params, (group(hosts, nics=rails, speed=speeds[1]),), speeds[0])
    assert plan.shape.bisection_gbps == every_side(plan, speeds[1])


@given(rails=st.integers(1, 6), hosts=st.integers(1, 5), nic=st.integers(1, 5))
def test_rail_only_against_every_side(rails: int, hosts: int, nic: int) -> None:
    params = Params(groups=1, rails=rails, hosts_per_group=5, rail_only=True)
    plan = blueprint("rail", params, (group(hosts, nics=rails, speed=nic),))
    assert plan.shape.bisection_gbps == every_side(plan, nic)


def test_against_every_half() -> None:
    params = Params(groups=2, rails=2, hosts_per_group=2, spines=1)
    plan = blueprint("rail", params, (group(3, nics=2, speed=2),), 3)
    assert plan.shape.bisection_gbps == every_half(plan, 2)


def test_no_form_for_nics_of_two_speeds() -> None:
    hosts = (group(2, "a", nics=2), group(2, "b", nics=2, speed=2))
    shape = blueprint("rail", Params(groups=2, rails=2, spines=2), hosts).shape
    assert (shape.bisection_gbps, shape.bisection_note) == (
        None,
        "no closed form: NICs of several speeds",
    )
