"""Rail: counts, positions, which NIC is on which leaf, slots, shape, impossible parameters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric import topologies
from fabric.model.finding import ProblemError
from fabric.model.intent import CableLengths
from fabric.model.topology import CableNode, Position
from tests.topologies.fabrics import blueprint, group, problems

if TYPE_CHECKING:
    from fabric.model.topology import Blueprint

Params = topologies.params_type("rail")


def two_tiers(**changes: Any) -> Any:
    """Two groups of three rails under two spines, unless said otherwise."""
    return Params(**{"groups": 2, "rails": 3, "hosts_per_group": 4, "spines": 2} | changes)


def slots(plan: Blueprint, device: str, *, up: bool) -> list[int]:
    """The slots of a switch that cables to switches above or below take, sorted."""
    found: list[int] = []
    for cable in plan.cables:
        if device == (cable.a if up else cable.b):
            slot = cable.a_slot if up else cable.b_slot
            assert slot is not None
            found += [slot + n for n in range(cable.count)]
    return sorted(found)


Counts = st.fixed_dictionaries(
    {
        "groups": st.integers(1, 4),
        "rails": st.integers(1, 6),
        "spines": st.integers(1, 4),
        "links": st.integers(1, 3),
        "hosts_per_group": st.integers(1, 4),
    }
)


@given(counts=Counts, data=st.data(), each=st.integers(1, 2))
def test_counts_and_slots_of_two_tiers(
    counts: dict[str, int], data: st.DataObject, each: int
) -> None:
    rails = counts["rails"]
    planes = data.draw(st.sampled_from([n for n in range(1, rails + 1) if rails % n == 0]))
    hosts = counts["groups"] * counts["hosts_per_group"]
    nics = rails * each
    plan = blueprint("rail", Params(**counts, planes=planes), (group(hosts, nics=nics),))
    leaves = counts["groups"] * rails
    assert Counter(s.role for s in plan.switches) == {
        "leaf": leaves,
        "spine": planes * counts["spines"],
    }
    assert sum(c.count for c in plan.cables) == leaves * counts["spines"] * counts["links"]
    assert plan.shape.endpoints == hosts * nics
    assert plan.shape.islands == planes
    uplinks = counts["spines"] * counts["links"]
    down = counts["groups"] * rails // planes * counts["links"]
    for switch in plan.switches:
        if switch.role == "leaf":
            assert slots(plan, switch.name, up=True) == list(range(uplinks))
        else:
            assert slots(plan, switch.name, up=False) == list(range(down))
    ratio = counts["hosts_per_group"] * each / uplinks
    assert plan.shape.oversubscription == (("leaf", ratio),)


@given(counts=Counts, cores=st.integers(1, 3))
def test_counts_and_slots_of_three_tiers(counts: dict[str, int], cores: int) -> None:
    groups, rails, spines, links = (counts[k] for k in ("groups", "rails", "spines", "links"))
    hosts = groups * counts["hosts_per_group"]
    params = Params(**counts, tiers=3, cores=cores)
    plan = blueprint("rail", params, (group(hosts, nics=rails),))
    assert Counter(s.role for s in plan.switches) == {
        "leaf": groups * rails,
        "spine": groups * spines,
        "core": spines * cores,
    }
    assert sum(c.count for c in plan.cables) == groups * spines * (rails + cores) * links
    for switch in plan.switches:
        if switch.role == "spine":
            assert slots(plan, switch.name, up=False) == list(range(rails * links))
            assert slots(plan, switch.name, up=True) == list(range(cores * links))
        if switch.role == "core":
            assert slots(plan, switch.name, up=False) == list(range(groups * links))
    assert plan.shape.islands == 1
    assert dict(plan.shape.oversubscription)["spine"] == rails / cores


@given(rails=st.integers(1, 8), each=st.integers(1, 3), hosts=st.integers(1, 7))
def test_nic_r_is_on_rail_r_of_its_group_and_no_slot_is_taken_twice(
    rails: int, each: int, hosts: int
) -> None:
    params = Params(groups=2, rails=rails, spines=1, hosts_per_group=4)
    plan = blueprint("rail", params, (group(hosts, nics=rails * each),))
    taken = Counter(
        (leaf, slot) for h in plan.hosts for leaf, slot in zip(h.leaves, h.slots, strict=True)
    )
    assert set(taken.values()) == {1}
    for host in plan.hosts:
        unit = host.index // 4
        assert host.leaves == tuple(f"leaf-{unit}-{nic // each}" for nic in range(rails * each))
        assert host.rails == tuple(nic // each for nic in range(rails * each))
        assert set(host.slots) == {host.index % 4 * each + n for n in range(each)}


def test_names_positions_and_cables() -> None:
    lengths = CableLengths(5.0, (("leaf-spine", 30.0), ("spine-core", 50.0)))
    plan = blueprint("rail", two_tiers(groups=1, rails=2, spines=1), (), 400, lengths)
    assert [(s.name, s.role, s.position, s.group_name) for s in plan.switches] == [
        ("leaf-0-0", "leaf", Position(0, 0, 0), "0"),
        ("leaf-0-1", "leaf", Position(0, 0, 1), "0"),
        ("spine-0", "spine", Position(1, None, 0), None),
    ]
    assert plan.cables == (
        CableNode("leaf-0-0", "spine-0", 1, 400, 30.0, "leaf-spine", a_slot=0, b_slot=0),
        CableNode("leaf-0-1", "spine-0", 1, 400, 30.0, "leaf-spine", a_slot=0, b_slot=1),
    )
    tall = blueprint("rail", Params(1, 1, spines=1, tiers=3, cores=2), (), 400, lengths)
    assert [(s.name, s.position, s.group_name) for s in tall.switches] == [
        ("leaf-0-0", Position(0, 0, 0), "0"),
        ("spine-0-0", Position(1, 0, 0), "0"),
        ("core-0-0", Position(2, 0, 0), None),
        ("core-0-1", Position(2, 0, 1), None),
    ]
    assert tall.cables[1:] == (
        CableNode("spine-0-0", "core-0-0", 1, 400, 50.0, "spine-core", a_slot=0, b_slot=0),
        CableNode("spine-0-0", "core-0-1", 1, 400, 50.0, "spine-core", a_slot=1, b_slot=0),
    )


def test_a_plane_a_rail() -> None:
    plan = blueprint("rail", two_tiers(planes="rails"), (group(8, nics=3),))
    assert {(c.a, c.b) for c in plan.cables} == {
        (f"leaf-{unit}-{rail}", f"spine-{rail}-{n}")
        for unit in (0, 1)
        for rail in (0, 1, 2)
        for n in (0, 1)
    }


def test_rails_are_dealt_to_planes_in_turn() -> None:
    plan = blueprint("rail", two_tiers(rails=4, planes=2), (group(8, nics=4),))
    joined = {(c.a, c.b.rpartition("-")[0]) for c in plan.cables if c.a.startswith("leaf-0")}
    assert joined == {
        ("leaf-0-0", "spine-0"),
        ("leaf-0-1", "spine-1"),
        ("leaf-0-2", "spine-0"),
        ("leaf-0-3", "spine-1"),
    }


def test_rails_default_to_the_nics_of_a_host() -> None:
    plan = blueprint("rail", two_tiers(rails=None), (group(8, nics=5),))
    assert sum(s.role == "leaf" for s in plan.switches) == 10


def test_the_group_may_name_the_rails_itself() -> None:
    swapped = replace(group(1, nics=4), rails=(1, 0, 0, 1))
    (host,) = blueprint("rail", two_tiers(rails=2), (swapped,)).hosts
    assert host.leaves == ("leaf-0-1", "leaf-0-0", "leaf-0-0", "leaf-0-1")
    assert host.slots == (0, 0, 1, 1)


def test_default_hosts() -> None:
    default = topologies.DefaultHosts
    assert topologies.default_hosts("rail", two_tiers()) == (default("host-{n}", 8, nics=3),)
    free = two_tiers(hosts_per_group=None, links=3)
    assert topologies.default_hosts("rail", free) == (default("host-{n}", 12, nics=3),)


def test_hosts_go_group_by_group() -> None:
    hosts = (group(3, "a", nics=3), group(4, "b", nics=6))
    plan = blueprint("rail", two_tiers(), hosts)
    where = {h.name: (h.leaves[0], h.slots[0]) for h in plan.hosts}
    assert where == {
        "a-0": ("leaf-0-0", 0),
        "a-1": ("leaf-0-0", 1),
        "a-2": ("leaf-0-0", 2),
        "b-0": ("leaf-0-0", 3),
        "b-1": ("leaf-1-0", 0),
        "b-2": ("leaf-1-0", 2),
        "b-3": ("leaf-1-0", 4),
    }


def test_on_names_all_leaves_of_a_group() -> None:
    there = group(2, nics=3, on=("leaf-1-0", "leaf-1-1", "leaf-1-2"))
    plan = blueprint("rail", two_tiers(), (there,))
    assert {h.leaves[0] for h in plan.hosts} == {"leaf-1-0"}
    with pytest.raises(ProblemError) as error:
        blueprint("rail", two_tiers(), (replace(there, on=("leaf-1-0", "leaf-1-1")),))
    assert problems(error) == [
        (
            "RCE016",
            ("hosts", 0, "on"),
            "gpu: a host stands on all leaves of its rail group",
            "name also leaf-1-2",
        )
    ]


@pytest.mark.parametrize(
    ("changes", "title"),
    [
        ({}, "rail: 3 rails × 2 groups, 2 spines"),
        ({"links": 2}, "rail: 3 rails × 2 groups, 2 spines, 2 cables a pair"),
        ({"planes": "rails"}, "rail: 3 rails × 2 groups, 3 planes, 2 spines a plane"),
        (
            {"tiers": 3, "cores": 4},
            "rail: 3 rails × 2 groups, 2 spines a group, 4 cores a spine",
        ),
        ({"spines": None, "rail_only": True, "groups": 1}, "rail-only: 3 rails × 1 group"),
    ],
)
def test_title(changes: dict[str, Any], title: str) -> None:
    assert blueprint("rail", two_tiers(**changes), ()).shape.title == title


def test_symmetry_tells_groups_with_other_hosts_apart() -> None:
    flat = blueprint("rail", two_tiers(rails=2), (group(6, nics=2),)).shape
    assert dict(flat.symmetry) == {
        "leaf-0-0": "leaf",
        "leaf-0-1": "leaf",
        "leaf-1-0": "leaf/1",
        "leaf-1-1": "leaf/1",
        "spine-0": "spine",
        "spine-1": "spine",
    }
    tall = two_tiers(rails=2, spines=1, tiers=3, cores=1)
    assert dict(blueprint("rail", tall, (group(6, nics=2),)).shape.symmetry) == {
        "leaf-0-0": "leaf",
        "leaf-0-1": "leaf",
        "leaf-1-0": "leaf/1",
        "leaf-1-1": "leaf/1",
        "spine-0-0": "spine",
        "spine-1-0": "spine/1",
        "core-0-0": "core",
    }


IMPOSSIBLE: list[tuple[dict[str, Any], str, str]] = [
    ({"groups": 0}, "groups", "groups is 0; it is at least 1"),
    ({"rails": 0}, "rails", "rails is 0; it is at least 1"),
    ({"links": 0}, "links", "links is 0; it is at least 1"),
    ({"spines": None}, "spines", "spines is not given, and rail_only is not true"),
    ({"tiers": 4}, "tiers", "tiers is 4; it is 2 or 3"),
    ({"tiers": 3}, "cores", "cores is not given, and tiers is 3"),
    ({"cores": 2}, "cores", "cores stand above the spines of three tiers, and tiers is 2"),
    (
        {"tiers": 3, "cores": 2, "planes": "rails"},
        "planes",
        "the spines of three tiers join all rails of their group: there is one plane",
    ),
    ({"planes": 2}, "planes", "planes is 2; 3 rails are spread evenly over 1, 3"),
    ({"planes": 0}, "planes", "planes is 0; 3 rails are spread evenly over 1, 3"),
    (
        {"planes": "each"},
        "planes",
        "planes is each; it is a number, or rails for a plane for each rail",
    ),
    (
        {"groups": 1, "rail_only": True},
        "spines",
        "spines is 2, and rail_only has leaves alone",
    ),
    (
        {"spines": None, "rail_only": True},
        "groups",
        (
            "groups is 2, and with rail_only nothing would join the rail groups: "
            "hosts of different groups could never reach each other"
        ),
    ),
    (
        {"groups": 1, "spines": None, "rail_only": True, "links": 2},
        "rail_only",
        "rail_only has leaves alone: tiers, planes and links say nothing about it",
    ),
    (
        {"groups": 1, "spines": None, "rail_only": True, "hosts_per_group": None},
        "hosts_per_group",
        "hosts_per_group is not given, and without uplinks nothing else says how many",
    ),
]


@pytest.mark.parametrize(("changes", "key", "message"), IMPOSSIBLE)
def test_impossible(changes: dict[str, Any], key: str, message: str) -> None:
    found = topologies.check("rail", two_tiers(**changes))
    assert [(p.rule, p.path, p.message) for p in found] == [("RCE011", ("topology", key), message)]


def test_too_large() -> None:
    (found,) = topologies.check("rail", two_tiers(groups=20_000))
    assert found.message.startswith("60,002 switches and 120,000 cables are more")
    (found,) = topologies.check("rail", two_tiers(groups=10_000, tiers=3, cores=2))
    assert found.message.startswith("50,004 switches and 100,000 cables are more")


UNFIT: list[tuple[dict[str, Any], tuple[Any, ...], tuple[str, tuple[str | int, ...], str]]] = [
    (
        {},
        (group(2, nics=4),),
        (
            "RCE016",
            ("hosts", 0, "nics"),
            "gpu: 4 NICs a host for 3 rails: every rail takes the same number, and 4 = 1 × 3 + 1",
        ),
    ),
    (
        {},
        (group(2),),
        (
            "RCE016",
            ("hosts", 0, "nics"),
            "gpu: 1 NIC a host for 3 rails: every rail takes the same number, and 1 = 0 × 3 + 1",
        ),
    ),
    (
        {},
        (replace(group(2, nics=3), rails=(0, 1, 3)),),
        ("RCE016", ("hosts", 0, "rails"), "gpu: there is no rail 3: rails are 0 to 2"),
    ),
    (
        {},
        (replace(group(2, nics=3), rails=(0, 0, 2)),),
        (
            "RCE016",
            ("hosts", 0, "rails"),
            "gpu: every rail takes 1 of the NICs, but rail 0 has 2, rail 1 has 0",
        ),
    ),
    (
        {},
        (group(9, nics=3),),
        (
            "RCE016",
            ("hosts", 0),
            "gpu: 9 hosts of 3 NICs, but the fabric takes 8: 2 rail groups × 4",
        ),
    ),
    (
        {"rails": None},
        (group(2),),
        ("RCE011", ("topology", "rails"), "rails is not given, and hosts of one NIC make no rails"),
    ),
    (
        {"rails": None},
        (group(2, "a", nics=4), group(2, "b", nics=8)),
        (
            "RCE011",
            ("topology", "rails"),
            "rails is not given, and the host groups have 4 and 8 NICs a host",
        ),
    ),
    (
        {"rails": None, "planes": 3},
        (group(2, nics=4),),
        ("RCE011", ("topology", "planes"), "planes is 3; 4 rails are spread evenly over 1, 2, 4"),
    ),
]


@pytest.mark.parametrize(("changes", "hosts", "problem"), UNFIT)
def test_hosts_that_do_not_fit(
    changes: dict[str, Any],
    hosts: tuple[Any, ...],
    problem: tuple[str, tuple[str | int, ...], str],
) -> None:
    with pytest.raises(ProblemError) as error:
        blueprint("rail", two_tiers(**changes), hosts)
    assert [found[:3] for found in problems(error)] == [problem]
