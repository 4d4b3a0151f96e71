"""Dragonfly and dragonfly+: counts, positions, slots, arrangements, impossible parameters."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fabric import topologies
from fabric.model.finding import ProblemError
from fabric.model.intent import CableLengths
from fabric.model.topology import CableNode, Position
from tests.topologies.fabrics import blueprint, group, problems

if TYPE_CHECKING:
    from fabric.model.topology import Blueprint

Params = topologies.params_type("dragonfly")
PlusParams = topologies.params_type("dragonfly-plus")
ARRANGEMENTS = ("consecutive", "palm-tree", "circulant", "round-robin")


def dragonfly(**changes: Any) -> Any:
    """The smallest that is one: df(1,2,1,3)."""
    return Params(**{"p": 1, "a": 2, "h": 1, "g": 3} | changes)


def plus(**changes: Any) -> Any:
    """Three groups of 2×2."""
    return PlusParams(**{"p": 1, "leaves": 2, "spines": 2, "h": 1, "g": 3} | changes)


def slots(plan: Blueprint, device: str, kinds: tuple[str, ...], tier: str = "ab") -> list[int]:
    """Slots that cables of these kinds take at a switch, sorted."""
    found: list[int] = []
    for cable in plan.cables:
        ends = (("a", cable.a, cable.a_slot), ("b", cable.b, cable.b_slot))
        for end, name, slot in ends:
            if cable.kind in kinds and name == device and end in tier:
                assert slot is not None
                found += [slot + n for n in range(cable.count)]
    return sorted(found)


Sizes = st.fixed_dictionaries(
    {
        "p": st.integers(1, 3),
        "a": st.integers(1, 5),
        "h": st.integers(1, 4),
        "g": st.integers(2, 9),
        "arrangement": st.sampled_from(ARRANGEMENTS),
        "local_links": st.integers(1, 2),
    }
)


@given(sizes=Sizes, data=st.data())
def test_counts_and_slots(sizes: dict[str, Any], data: st.DataObject) -> None:
    p, a, h, g, local = (sizes[key] for key in ("p", "a", "h", "g", "local_links"))
    most = a * h // (g - 1)
    assume(most >= 1)
    links = data.draw(st.one_of(st.none(), st.integers(1, most)))
    plan = blueprint("dragonfly", Params(**sizes, links_per_group_pair=links))
    links = links or most
    assert len(plan.switches) == a * g
    assert plan.shape.endpoints == len(plan.hosts) == p * a * g
    counts = Counter[str]()
    for cable in plan.cables:
        counts[cable.kind] += cable.count
    assert counts["local"] == g * a * (a - 1) // 2 * local
    assert counts["global"] == g * (g - 1) // 2 * links
    own_locals = list(range((a - 1) * local))
    for switch in plan.switches:
        assert slots(plan, switch.name, ("local",)) == own_locals
        taken = slots(plan, switch.name, ("global",))
        assert len(set(taken)) == len(taken) <= h
        assert set(taken) <= set(range(len(own_locals), len(own_locals) + h))


def spread(plan: Blueprint) -> dict[tuple[int, int], tuple[Counter[str], Counter[str]]]:
    """By pair of groups: global cables of each router of the one, and of the other."""
    of = {switch.name: switch.position.group for switch in plan.switches}
    found: dict[tuple[int, int], tuple[Counter[str], Counter[str]]] = {}
    for cable in plan.cables:
        low, high = of[cable.a], of[cable.b]
        if cable.kind == "global":
            assert low is not None
            assert high is not None
            assert low < high
            ends = found.setdefault((low, high), (Counter(), Counter()))
            ends[0][cable.a] += cable.count
            ends[1][cable.b] += cable.count
    return found


@given(
    a=st.integers(1, 8),
    h=st.integers(1, 6),
    g=st.integers(2, 9),
    arrangement=st.sampled_from(ARRANGEMENTS),
    data=st.data(),
)
def test_every_pair_of_groups_has_its_cables_spread_over_routers(
    a: int, h: int, g: int, arrangement: str, data: st.DataObject
) -> None:
    assume(a * h >= g - 1)
    links = data.draw(st.integers(1, a * h // (g - 1)))
    params = dragonfly(a=a, h=h, g=g, links_per_group_pair=links, arrangement=arrangement)
    found = spread(blueprint("dragonfly", params, ()))
    assert set(found) == {(i, j) for j in range(g) for i in range(j)}
    for ends in found.values():
        for routers in ends:
            assert routers.total() == links
            assert len(routers) == min(links, a)


def test_round_robin_deals_cables_to_routers_in_turn() -> None:
    """Four groups of four routers, five cables a pair: cable n of a group is on router n mod 4."""
    found = spread(blueprint("dragonfly", dragonfly(a=4, h=4, g=4, arrangement="round-robin"), ()))
    dealt = [
        [[f"router-{g}-{n % 4}" for n in range(s * 5, s * 5 + 5)] for s in range(3)]
        for g in range(4)
    ]
    for (low, high), ends in found.items():
        assert ends[0] == Counter(dealt[low][high - 1])
        assert ends[1] == Counter(dealt[high][low])


@given(a=st.integers(1, 5), h=st.integers(1, 4), links=st.integers(1, 4), data=st.data())
def test_round_robin_moves_no_cable_for_more_groups(
    a: int, h: int, links: int, data: st.DataObject
) -> None:
    most = a * h // links + 1
    assume(most > 2)
    g = data.draw(st.integers(2, most - 1))
    small, large = (
        blueprint(
            "dragonfly",
            dragonfly(a=a, h=h, g=n, links_per_group_pair=links, arrangement="round-robin"),
            (),
        )
        for n in (g, g + 1)
    )
    assert {c for c in small.cables if c.kind == "global"} <= set(large.cables)


# Hastings et al. 2015 and Camarero et al. 2015, one cable a pair, a·h = g − 1 = 8, h = 2: the
# groups that routers 0, 1, 2, 3 of group 2 lead to.
@pytest.mark.parametrize(
    ("arrangement", "reached"),
    [
        ("consecutive", [{0, 1}, {3, 4}, {5, 6}, {7, 8}]),
        ("palm-tree", [{1, 0}, {8, 7}, {6, 5}, {4, 3}]),
        ("circulant", [{3, 1}, {4, 0}, {5, 8}, {6, 7}]),
    ],
)
def test_arrangements_of_the_literature(arrangement: str, reached: list[set[int]]) -> None:
    plan = blueprint("dragonfly", Params(2, 4, 2, 9, arrangement=arrangement), ())
    of = {switch.name: switch.position.group for switch in plan.switches}
    ends = [(c.a, c.b) for c in plan.cables if c.kind == "global"]
    found = {
        near: {of[b] for a, b in [*ends, *((b, a) for a, b in ends)] if a == near}
        for near in (f"router-2-{n}" for n in range(4))
    }
    assert list(found.values()) == reached


# Palm tree, a·h = g − 1: port q of a group meets port a·h − 1 − q, so router n meets router
# a − 1 − n; circulant with h even: steps +k and −k are ports of one router, so n meets n.
@pytest.mark.parametrize(("arrangement", "meets"), [("palm-tree", 3), ("circulant", None)])
def test_which_routers_meet(arrangement: str, meets: int | None) -> None:
    plan = blueprint("dragonfly", Params(2, 4, 2, 9, arrangement=arrangement), ())
    index = {switch.name: switch.position.index for switch in plan.switches}
    for cable in plan.cables:
        if cable.kind == "global":
            a, b = index[cable.a], index[cable.b]
            assert b == (a if meets is None else meets - a)


def test_names_positions_and_cables() -> None:
    lengths = CableLengths(5.0, (("local", 2.0), ("global", 40.0)))
    plan = blueprint("dragonfly", dragonfly(local_links=2), (), 400, lengths)
    assert plan.kind == "dragonfly"
    assert [(s.name, s.role, s.position, s.group_name) for s in plan.switches][:3] == [
        ("router-0-0", "router", Position(0, 0, 0), "0"),
        ("router-0-1", "router", Position(0, 0, 1), "0"),
        ("router-1-0", "router", Position(0, 1, 0), "1"),
    ]
    assert plan.cables[0] == CableNode(
        "router-0-0", "router-0-1", 2, 400, 2.0, "local", a_slot=0, b_slot=0
    )
    # groups by number, the own one left out: 0 → 1, 2; 1 → 0, 2; 2 → 0, 1
    assert plan.cables[3:] == tuple(
        CableNode(a, b, 1, 400, 40.0, "global", a_slot=2, b_slot=2)
        for a, b in (
            ("router-0-0", "router-1-0"),
            ("router-0-1", "router-2-0"),
            ("router-1-1", "router-2-1"),
        )
    )


def test_names_positions_and_cables_of_dragonfly_plus() -> None:
    lengths = CableLengths(5.0, (("leaf-spine", 2.0), ("global", 40.0)))
    plan = blueprint("dragonfly-plus", plus(links=2), (), 400, lengths)
    assert plan.kind == "dragonfly-plus"
    listed = [(s.name, s.role, s.position, s.group_name) for s in plan.switches]
    assert listed[:3] == [
        ("leaf-0-0", "leaf", Position(0, 0, 0), "0"),
        ("leaf-0-1", "leaf", Position(0, 0, 1), "0"),
        ("leaf-1-0", "leaf", Position(0, 1, 0), "1"),
    ]
    assert listed[6] == ("spine-0-0", "spine", Position(1, 0, 0), "0")
    assert plan.cables[1] == CableNode(
        "leaf-0-0", "spine-0-1", 2, 400, 2.0, "leaf-spine", a_slot=2, b_slot=0
    )
    assert plan.cables[12:] == tuple(
        CableNode(a, b, 1, 400, 40.0, "global", a_slot=0, b_slot=0)
        for a, b in (
            ("spine-0-0", "spine-1-0"),
            ("spine-0-1", "spine-2-0"),
            ("spine-1-1", "spine-2-1"),
        )
    )


PlusSizes = st.fixed_dictionaries(
    {
        "leaves": st.integers(1, 4),
        "spines": st.integers(1, 4),
        "h": st.integers(1, 4),
        "g": st.integers(2, 6),
        "links": st.integers(1, 2),
        "arrangement": st.sampled_from(ARRANGEMENTS),
    }
)


@given(sizes=PlusSizes)
def test_counts_and_slots_of_dragonfly_plus(sizes: dict[str, Any]) -> None:
    leaves, spines, h, g, links = (sizes[k] for k in ("leaves", "spines", "h", "g", "links"))
    assume(spines * h >= g - 1)
    plan = blueprint("dragonfly-plus", PlusParams(2, **sizes))
    pair = spines * h // (g - 1)
    assert Counter(s.role for s in plan.switches) == {"leaf": leaves * g, "spine": spines * g}
    assert plan.shape.endpoints == 2 * leaves * g
    counts = Counter[str]()
    for cable in plan.cables:
        counts[cable.kind] += cable.count
    assert counts == {
        "leaf-spine": leaves * spines * links * g,
        "global": g * (g - 1) // 2 * pair,
    }
    for switch in plan.switches:
        if switch.role == "leaf":
            own = slots(plan, switch.name, ("leaf-spine",))
            assert own == list(range(spines * links))
        else:
            assert slots(plan, switch.name, ("leaf-spine",)) == list(range(leaves * links))
            taken = slots(plan, switch.name, ("global",))
            assert len(set(taken)) == len(taken)
            assert set(taken) <= set(range(h))
    for ends in spread(plan).values():
        assert [len(units) for units in ends] == [min(pair, spines)] * 2
    assert dict(plan.shape.oversubscription) == {
        "leaf": 2 / (spines * links),
        "spine": leaves * spines * links / (pair * (g - 1)),
    }


def moved(before: Blueprint, after: Blueprint) -> set[CableNode]:
    """Cables of the smaller fabric that the larger one has not, or elsewhere."""
    return set(before.cables) - set(after.cables)


@given(a=st.integers(1, 5), h=st.integers(1, 4), links=st.integers(1, 3), g=st.integers(2, 8))
def test_another_group_moves_no_consecutive_cable(a: int, h: int, links: int, g: int) -> None:
    assume(links * g <= a * h)
    one, more = (
        blueprint("dragonfly", dragonfly(a=a, h=h, g=n, links_per_group_pair=links), ())
        for n in (g, g + 1)
    )
    assert not moved(one, more)


@pytest.mark.parametrize("arrangement", ["palm-tree", "circulant"])
def test_another_group_re_cables_the_other_arrangements(arrangement: str) -> None:
    one, more = (
        blueprint(
            "dragonfly",
            dragonfly(a=4, g=g, links_per_group_pair=1, arrangement=arrangement),
            (),
        )
        for g in (4, 5)
    )
    assert moved(one, more)


def test_default_hosts_and_room() -> None:
    default = topologies.DefaultHosts
    assert topologies.default_hosts("dragonfly", Params(2, 4, 2, 9)) == (default("host-{n}", 72),)
    assert topologies.default_hosts("dragonfly-plus", plus(p=3)) == (default("host-{n}", 18),)
    plan = blueprint("dragonfly", Params(4, 2, 1, 3), (group(3, nics=2),))
    assert [host.leaves[0] for host in plan.hosts] == ["router-0-0", "router-0-0", "router-0-1"]
    with pytest.raises(ProblemError) as error:
        blueprint("dragonfly", dragonfly(), (group(7),))
    assert problems(error)[0][:3] == (
        "RCE016",
        ("hosts", 0),
        "gpu: 7 hosts, but the fabric takes 6: 6 router switches × 1",
    )


IMPOSSIBLE: list[tuple[str, Any, str, str, str]] = [
    ("dragonfly", dragonfly(p=0), "p", "p is 0; it is at least 1", "p: 1"),
    ("dragonfly", dragonfly(a=0), "a", "a is 0; it is at least 1", "a: 1"),
    ("dragonfly", dragonfly(h=0), "h", "h is 0; it is at least 1", "h: 1"),
    ("dragonfly", dragonfly(g=1), "g", "g is 1; it is at least 2", "g: 2"),
    (
        "dragonfly",
        dragonfly(local_links=0),
        "local_links",
        "local_links is 0; it is at least 1",
        "local_links: 1",
    ),
    (
        "dragonfly",
        dragonfly(g=4),
        "g",
        "g is 4; a group has a·h = 2·1 = 2 global ports, which reach 2 other groups",
        "g: 3, or more a or h",
    ),
    (
        "dragonfly",
        Params(2, 8, 4, 8, 5),
        "links_per_group_pair",
        (
            "links_per_group_pair is 5; 5 to each of 7 other groups are 35, and a group has "
            "a·h = 8·4 = 32 global ports"
        ),
        "links_per_group_pair: 4",
    ),
    (
        "dragonfly",
        dragonfly(links_per_group_pair=0),
        "links_per_group_pair",
        "links_per_group_pair is 0; it is at least 1",
        "links_per_group_pair: 1",
    ),
    (
        "dragonfly",
        dragonfly(arrangement="palmtree"),
        "arrangement",
        f"there is no arrangement palmtree: known are {', '.join(ARRANGEMENTS)}",
        "did you mean palm-tree?",
    ),
    ("dragonfly-plus", plus(leaves=0), "leaves", "leaves is 0; it is at least 1", "leaves: 1"),
    ("dragonfly-plus", plus(spines=0), "spines", "spines is 0; it is at least 1", "spines: 1"),
    ("dragonfly-plus", plus(links=0), "links", "links is 0; it is at least 1", "links: 1"),
    (
        "dragonfly-plus",
        plus(g=4),
        "g",
        "g is 4; a group has spines·h = 2·1 = 2 global ports, which reach 2 other groups",
        "g: 3, or more spines or h",
    ),
]


@pytest.mark.parametrize(("kind", "params", "key", "message", "fix"), IMPOSSIBLE)
def test_impossible(kind: str, params: Any, key: str, message: str, fix: str) -> None:
    (found,) = topologies.check(kind, params)
    assert (found.rule, found.path) == ("RCE011", ("topology", key))
    assert (found.message, found.fix) == (message, fix)


def test_too_large() -> None:
    (found,) = topologies.check("dragonfly", Params(1, 60_000, 1, 2))
    assert found.message.startswith("120,000 switches and ")
    (found,) = topologies.check("dragonfly-plus", PlusParams(1, 30_000, 1, 1, 2))
    assert found.message.startswith("60,002 switches and 120,001 cables are more")
