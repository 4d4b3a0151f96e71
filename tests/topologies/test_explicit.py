"""Explicit graphs: any order of ends, groups, shape, everything that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from fabric import topologies
from fabric.model.finding import ProblemError
from fabric.model.intent import CableLengths
from fabric.model.topology import CableNode, Position
from fabric.topologies.explicit import CableEntry as Cable
from fabric.topologies.explicit import Params
from fabric.topologies.explicit import SwitchEntry as Switch
from tests.topologies.fabrics import blueprint, group, problems

L0, L1 = Switch("l0", 0, 65001, 4, 0), Switch("l1", 0, 65002, 2, 0)
S0 = Switch("s0", 1, 65100)


def _ring(count: int) -> Params:
    switches = tuple(Switch(f"r{n}", endpoints=1) for n in range(count))
    return Params(switches, tuple(Cable(f"r{n}", f"r{(n + 1) % count}") for n in range(count)))


def test_ends_in_any_order() -> None:
    cables = (
        Cable("s0", "l0", a_port="x"),
        Cable("l1", "s0", speed=200, length=7.5, label="c-17"),
        Cable("l10", "l9"),
    )
    params = Params((L0, L1, S0, Switch("l9"), Switch("l10")), cables)
    plan = blueprint("explicit", params, speed=400, cables=CableLengths(5.0, (("cable", 20.0),)))
    assert plan.cables == (
        CableNode("l0", "s0", 1, 400, 20.0, "cable", b_port="x"),
        CableNode("l1", "s0", 1, 200, 7.5, "cable", label="c-17"),
        CableNode("l9", "l10", 1, 400, 20.0, "same-tier"),
    )


def test_switches_groups_and_roles() -> None:
    switches = (
        Switch("l0", 0, 65001, group=3),
        Switch("l1", 0, group="east"),
        Switch("l2", 0, group=3),
        Switch("a0", 1, group="west"),
        Switch("a1", 1, role="border"),
        Switch("c0", 2),
    )
    plan = blueprint("explicit", Params(switches))
    assert [(s.role, s.position, s.asn, s.group_name) for s in plan.switches] == [
        ("leaf", Position(0, 3, 0), 65001, "3"),
        ("leaf", Position(0, 4, 0), None, "east"),
        ("leaf", Position(0, 3, 1), None, "3"),
        ("agg", Position(1, 5, 0), None, "west"),
        ("border", Position(1, None, 0), None, None),
        ("spine", Position(2, None, 0), None, None),
    ]


def test_a_ring_is_all_leaves() -> None:
    plan = blueprint("explicit", _ring(4))
    assert {s.role for s in plan.switches} == {"leaf"}
    assert [(c.a, c.b, c.kind) for c in plan.cables] == [
        ("r0", "r1", "same-tier"),
        ("r1", "r2", "same-tier"),
        ("r2", "r3", "same-tier"),
        ("r0", "r3", "same-tier"),
    ]
    assert (plan.shape.up_down, plan.shape.oversubscription) == (False, ())


def test_endpoints_become_hosts() -> None:
    plan = blueprint("explicit", Params((L0, L1, S0), (Cable("l0", "s0"), Cable("l1", "s0"))))
    assert [(h.name, h.leaves) for h in plan.hosts] == [
        *((f"l0-h{n}", ("l0",)) for n in range(4)),
        *((f"l1-h{n}", ("l1",)) for n in range(2)),
    ]


def test_hosts_of_the_user_take_endpoints_nic_by_nic() -> None:
    plan = blueprint("explicit", Params((L0, L1, S0)), (group(3, nics=2),))
    assert [h.leaves for h in plan.hosts] == [("l0", "l0"), ("l0", "l0"), ("l1", "l1")]


def test_without_endpoints_hosts_stand_on_tier_0() -> None:
    params = Params((Switch("l0"), Switch("l1"), S0))
    assert [h.leaves[0] for h in blueprint("explicit", params, (group(3),)).hosts] == [
        "l0",
        "l0",
        "l1",
    ]


def test_endpoints_are_a_firm_limit() -> None:
    with pytest.raises(ProblemError) as error:
        blueprint("explicit", Params((L0, L1, S0)), (group(8, per_leaf=4),))
    assert problems(error)[0][2] == (
        "gpu: 8 hosts, but the fabric takes 6: 1 leaf switch × 4 + 1 leaf switch × 2"
    )


def test_shape() -> None:
    cables = (Cable("l0", "s0", 2), Cable("s0", "l1"), Cable("s0", "c0", speed=3))
    shape = blueprint("explicit", Params((L0, L1, S0, Switch("c0", 2)), cables)).shape
    assert shape.title == "explicit: 4 switches, 4 cables"
    assert (shape.bisection_gbps, shape.endpoints) == (None, 6)
    assert shape.bisection_note == "no closed form for an arbitrary graph"
    assert shape.oversubscription == (("leaf", 2.0), ("agg", 1.0))
    assert (shape.up_down, shape.symmetry) == (True, ())


def _params(*switches: Switch, cables: tuple[Cable, ...] = ()) -> Params:
    return Params(switches, cables)


WRONG: list[tuple[Params, str, tuple[Any, ...], str, str]] = [
    (
        Params(()),
        "RCE011",
        ("switches",),
        "an explicit topology needs at least one switch",
        "name the switches",
    ),
    (
        _params(L0, S0, L0),
        "RCE012",
        ("switches", 2, "name"),
        "l0 is the name of switches 0 and 2",
        "give every switch a name of its own",
    ),
    (
        _params(Switch("a/b")),
        "RCE006",
        ("switches", 0, "name"),
        "name 'a/b' is not made of letters, digits, '-', '_' and '.'",
        "use other characters",
    ),
    (
        _params(Switch("..")),
        "RCE006",
        ("switches", 0, "name"),
        "name '..' is not made of letters, digits, '-', '_' and '.'",
        "use other characters",
    ),
    (
        _params(Switch("l0", role="top of rack")),
        "RCE006",
        ("switches", 0, "role"),
        "role 'top of rack' is not made of letters, digits, '-', '_' and '.'",
        "use other characters",
    ),
    (
        _params(Switch("l0", -1)),
        "RCE011",
        ("switches", 0, "tier"),
        "l0: tier is -1; it is at least 0",
        "tier: 0",
    ),
    (
        _params(Switch("l0", endpoints=-4)),
        "RCE011",
        ("switches", 0, "endpoints"),
        "l0: endpoints is -4; it is at least 0",
        "endpoints: 0",
    ),
    (
        _params(L0, Switch("s0", 1, endpoints=2)),
        "RCE011",
        ("switches", 1, "endpoints"),
        "s0 has 2 endpoints on tier 1; endpoints stand on tier 0",
        "tier: 0, or no endpoints",
    ),
    (
        _params(Switch("leaf-1"), S0, cables=(Cable("s0", "leaf1"),)),
        "RCE012",
        ("cables", 0, "b"),
        "cable s0–leaf1: there is no switch leaf1",
        "did you mean leaf-1?",
    ),
    (
        _params(L0, cables=(Cable("l0", "l0"),)),
        "RCE013",
        ("cables", 0),
        "cable l0–l0 leads back to its own switch",
        "name two switches",
    ),
    (
        _params(L0, S0, cables=(Cable("l0", "s0", 0),)),
        "RCE013",
        ("cables", 0, "count"),
        "cable l0–s0: count is 0",
        "count: 1, or leave the cable out",
    ),
    (
        _params(L0, S0, cables=(Cable("l0", "s0", speed=0),)),
        "RCE013",
        ("cables", 0, "speed"),
        "cable l0–s0: speed is 0",
        "a speed in Gb/s, such as 400",
    ),
    (
        _params(L0, S0, cables=(Cable("l0", "s0", length=-2.0),)),
        "RCE013",
        ("cables", 0, "length"),
        "cable l0–s0: length is -2",
        "a length in metres, at most 100,000",
    ),
    (
        _params(L0, S0, cables=(Cable("l0", "s0", length=1e300),)),
        "RCE013",
        ("cables", 0, "length"),
        "cable l0–s0: length is 1e+300",
        "a length in metres, at most 100,000",
    ),
    (
        _params(L0, S0, cables=(Cable("l0", "s0", 10**9),)),
        "RCE011",
        (),
        "2 switches and 1,000,000,004 cables are more than can be planned (50,000 and 2,000,000)",
        "smaller counts",
    ),
    (
        _params(Switch("l0", endpoints=10**9)),
        "RCE011",
        (),
        "1 switches and 1,000,000,000 cables are more than can be planned (50,000 and 2,000,000)",
        "smaller counts",
    ),
    (
        _params(L0, S0, cables=(Cable("l0", "s0", 2, b_port="Ethernet0"),)),
        "RCE013",
        ("cables", 0, "count"),
        "cable l0–s0 names a port for 2 cables",
        "write each cable by itself",
    ),
    (
        _params(
            L0, L1, S0, cables=(Cable("l0", "s0", b_port="e1"), Cable("s0", "l1", a_port="e1"))
        ),
        "RCE102",
        ("cables", 1, "a_port"),
        "s0 e1 is used by two cables: l0–s0 and s0–l1",
        "one port, one cable",
    ),
]


@pytest.mark.parametrize(("params", "rule", "path", "message", "fix"), WRONG)
def test_what_cannot_be(
    params: Params, rule: str, path: tuple[Any, ...], message: str, fix: str
) -> None:
    found = topologies.check("explicit", params)
    assert [(p.rule, p.path, p.message, p.fix) for p in found] == [
        (rule, ("topology", *path), message, fix)
    ]


def test_names_of_letters_digits_dash_underscore_and_dot() -> None:
    names = ("l0", "-x", "_y", "a.b", "Z-9_8.7")
    assert topologies.check("explicit", Params(tuple(map(Switch, names)))) == ()


def test_a_host_named_like_a_switch() -> None:
    params = Params((L0, Switch("l0-h2")))
    with pytest.raises(ProblemError) as error:
        blueprint("explicit", params)
    assert [(rule, message) for rule, _, message, _ in problems(error)] == [
        ("RCE012", "l0-h2 is the name of a switch and of a host of l0-h{n}")
    ]
