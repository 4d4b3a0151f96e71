"""Explicit graphs: the user's ports, the lock, growth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.catalog import switch_model
from fabric.design.lock import lock_text, read_lock
from fabric.model.addressing import Lock, LockRow
from fabric.model.finding import ProblemError
from fabric.topologies.explicit import CableEntry as Cable
from fabric.topologies.explicit import Params
from fabric.topologies.explicit import SwitchEntry as Switch
from tests.topologies.fabrics import generic_model, hardware, ports, ports_of, problems, wired

if TYPE_CHECKING:
    from fabric.model.topology import Port, Topology

SN3700 = hardware(switch_model("nvidia-sn3700"))
SN5600 = hardware(switch_model("nvidia-sn5600"))
GENERIC = hardware(generic_model())

L0, L1, S0 = Switch("l0", endpoints=4), Switch("l1", endpoints=2), Switch("s0", 1)


def _port(topology: Topology, device: str, name: str) -> Port:
    return next(port for port in topology.switch(device).ports if port.name == name)


def test_hosts_then_cables_inside_the_tier_then_cables_up() -> None:
    cables = (Cable("s0", "l0", 2), Cable("l1", "s0"), Cable("l1", "l0"))
    topology, rows = wired("explicit", Params((L0, L1, S0), cables), on=SN3700)
    assert [(x.id, x.kind) for x in topology.fabric_links] == [
        ("l0:s0:1", "cable"),
        ("l0:s0:2", "cable"),
        ("l1:s0:1", "cable"),
        ("l0:l1:1", "same-tier"),
    ]
    assert ports_of(topology, "l0")[4:] == [
        ("s0", "Ethernet124"),
        ("s0", "Ethernet120"),
        ("l1", "Ethernet16"),
    ]
    assert ports_of(topology, "s0") == [
        ("l0", "Ethernet0"),
        ("l0", "Ethernet4"),
        ("l1", "Ethernet8"),
    ]
    assert rows == (
        LockRow("port", "l0/1x", 0, 5, ("l0-h0", "l0-h1", "l0-h2", "l0-h3", "l1")),
        LockRow("port", "l0/1x", 30, 2, ("s0:2", "s0")),
        LockRow("port", "l1/1x", 0, 3, ("l1-h0", "l1-h1", "l0")),
        LockRow("port", "l1/1x", 31, 1, ("s0",)),
        LockRow("port", "s0/1x", 0, 3, ("l0", "l0:2", "l1")),
    )


def test_rows_survive_the_lock_file() -> None:
    cables = (Cable("s0", "l0", 20), Cable("l1", "s0", 13), Cable("l1", "l0"))
    topology, rows = wired("explicit", Params((L0, L1, S0), cables), on=SN3700)
    again = read_lock(lock_text(Lock("f", rows)), "lock")
    assert set(again.rows) == set(rows)
    same, same_rows = wired("explicit", Params((L0, L1, S0), cables), on=SN3700, lock=again)
    assert (ports(same), same_rows) == (ports(topology), rows)


def test_a_ring_on_generic_switches() -> None:
    params = Params(
        tuple(Switch(f"r{n}", endpoints=2) for n in range(4)),
        tuple(Cable(f"r{n}", f"r{(n + 1) % 4}") for n in range(4)),
    )
    topology, _ = wired("explicit", params, speed=400, on=GENERIC)
    assert ports_of(topology, "r0") == [
        ("r0-h0", "Ethernet0"),
        ("r0-h1", "Ethernet8"),
        ("r1", "Ethernet16"),
        ("r3", "Ethernet24"),
    ]


def test_ports_of_the_user_come_first() -> None:
    cables = (
        Cable("l0", "s0", a_port="Ethernet0", b_port="Ethernet126", label="x1"),
        Cable("s0", "l0", a_port="Ethernet124"),
        Cable("l0", "s0", speed=25, a_port="Ethernet8"),
    )
    topology, rows = wired("explicit", Params((L0, S0), cables), on=SN3700)
    assert ports_of(topology, "l0") == [
        ("l0-h0", "Ethernet4"),  # Ethernet0 and Ethernet8 are spoken for
        ("l0-h1", "Ethernet12"),
        ("l0-h2", "Ethernet16"),
        ("l0-h3", "Ethernet20"),
        ("s0", "Ethernet0"),
        ("s0", "Ethernet124"),
        ("s0", "Ethernet8"),
    ]
    assert [port for _, port in ports_of(topology, "s0")] == [
        "Ethernet126",
        "Ethernet124",
        "Ethernet0",
    ]
    assert _port(topology, "s0", "Ethernet126").children == 2
    assert _port(topology, "l0", "Ethernet8").speed_gbps == 25
    assert topology.fabric_links[0].cable_id == "x1"
    assert [(row.key, row.members) for row in rows] == [
        ("l0/1x", ("l0-h0",)),
        ("l0/1x", ("l0-h1", "l0-h2", "l0-h3")),
        ("l0/1x", ("s0:2",)),
        ("s0/1x", ("l0:3",)),
    ]


def test_the_split_is_the_least_that_has_all_named_ports() -> None:
    cables = (
        Cable("l0", "s0", speed=200, a_port="Ethernet0"),
        Cable("l0", "s0", speed=200, a_port="Ethernet6"),
        Cable("l0", "s0", speed=400, a_port="Ethernet8"),
    )
    topology, _ = wired("explicit", Params((L0, S0), cables), on=SN5600)
    assert _port(topology, "l0", "Ethernet0").children == 4
    assert _port(topology, "l0", "Ethernet8").children == 1


def test_named_ports_on_generic_switches() -> None:
    cables = (
        Cable("l0", "s0", a_port="Ethernet8", b_port="Ethernet1000"),
        Cable("l0", "s0", a_port="Ethernet3"),
    )
    topology, _ = wired("explicit", Params((L0, S0), cables), on=GENERIC)
    assert [port for _, port in ports_of(topology, "l0")] == [
        "Ethernet0",
        "Ethernet16",
        "Ethernet24",
        "Ethernet32",
        "Ethernet8",
        "Ethernet3",
    ]
    far = _port(topology, "s0", "Ethernet1000")
    assert (far.number, far.cage, far.lane_numbers) == (1000, 126, ())


def test_linux_takes_any_interface_name() -> None:
    lab = hardware(generic_model(), "frr")
    cables = (Cable("l0", "s0", a_port="uplink1", b_port="eth7"), Cable("l0", "s0"))
    topology, _ = wired("explicit", Params((L0, S0), cables), on=lab)
    assert ports_of(topology, "s0") == [("l0", "eth7"), ("l0", "swp1")]
    assert (_port(topology, "s0", "eth7").cage, _port(topology, "s0", "eth7").number) == (7, None)


def test_a_port_named_later_moves_only_its_own_cable() -> None:
    plain = (Cable("l0", "s0"), Cable("l1", "s0"), Cable("l2", "s0"))
    switches = (Switch("l0"), Switch("l1"), Switch("l2"), Switch("l3"), S0)
    old, rows = wired("explicit", Params(switches, plain), on=SN3700)
    named = (*plain, Cable("l3", "s0", b_port="Ethernet4"))
    new, _ = wired("explicit", Params(switches, named), on=SN3700, lock=Lock("f", rows))
    assert ports_of(old, "s0") == [
        ("l0", "Ethernet0"),
        ("l1", "Ethernet4"),
        ("l2", "Ethernet8"),
    ]
    assert ports_of(new, "s0") == [
        ("l0", "Ethernet0"),
        ("l1", "Ethernet12"),
        ("l2", "Ethernet8"),
        ("l3", "Ethernet4"),
    ]


def test_a_cable_whose_speed_changed_finds_a_new_place() -> None:
    rows = (LockRow("port", "s0/4x", 0, 1, ("l0:s0:1",)),)
    cables = (Cable("l0", "s0", speed=200),)
    topology, _ = wired("explicit", Params((L0, S0), cables), on=SN3700, lock=Lock("f", rows))
    assert _port(topology, "s0", "Ethernet0").children == 1


def test_locked_children_are_kept_beside_new_ones() -> None:
    rows = (LockRow("port", "s0/2x", 3, 1, ("l0:s0:1",)),)
    cables = (Cable("l0", "s0"), Cable("l1", "s0"))
    topology, again = wired(
        "explicit", Params((L0, L1, S0), cables), on=SN3700, lock=Lock("f", rows)
    )
    assert ports_of(topology, "s0") == [("l0", "Ethernet6"), ("l1", "Ethernet4")]
    assert LockRow("port", "s0/2x", 2, 2, ("l1", "l0")) in again


def test_a_full_panel_is_split_where_it_stands() -> None:
    switches = (Switch("l0"), S0)
    old, rows = wired("explicit", Params(switches, (Cable("l0", "s0", 32),)), on=SN3700)
    grown = Params(switches, (Cable("l0", "s0", 33),))
    new, again = wired("explicit", grown, on=SN3700, lock=Lock("f", rows))
    assert ports(old).items() <= ports(new).items()
    assert _port(new, "s0", "Ethernet0").children == 2
    assert ports_of(new, "s0")[32] == ("l0", "Ethernet2")
    assert {row.key for row in again} == {
        "leaf/nvidia-sn3700/up/100G",
        "spine/nvidia-sn3700/down/100G",
        "l0/1x",
        "l0/2x",
        "s0/1x",
        "s0/2x",
    }
    third, _ = wired("explicit", grown, on=SN3700, lock=Lock("f", again))
    assert ports(third) == ports(new)


def test_cages_that_the_user_left_whole() -> None:
    cables = (Cable("l0", "s0", a_port="Ethernet0", speed=200), Cable("l0", "s0", 63))
    with pytest.raises(ProblemError) as error:
        wired("explicit", Params((Switch("l0"), S0), cables), on=SN3700)
    assert [found[2] for found in problems(error)] == [
        "l0 needs 63×100G up in 32 cages + 1×200G up in 1 cage = 33 cages, has 32",
        "s0 needs 63×100G down in 32 cages + 1×200G down in 1 cage = 33 cages, has 32",
    ]
    cables = (Cable("l0", "s0", a_port="Ethernet0"), Cable("l0", "s0", 63))
    with pytest.raises(ProblemError) as error:
        wired("explicit", Params((Switch("l0"), S0), cables), on=SN3700)
    assert [found[2] for found in problems(error)] == ["l0 needs 64×100G up = 64, has 63"]
    mixed = (*cables[:1], Cable("l0", "s0", 61), Cable("l0", "s0", speed=200))
    with pytest.raises(ProblemError) as error:
        wired("explicit", Params((Switch("l0"), S0), mixed), on=SN3700)
    assert [found[2] for found in problems(error)] == [
        "l0 needs 62×100G up + 1×200G up = 63, has 62"
    ]


NAMES = ("l0", "l1", "l2", "m0", "m1", "s0")
TIERS = {"l": 0, "m": 1, "s": 2}


@st.composite
def _grown(draw: st.DrawFn) -> tuple[Params, Params]:
    """A graph, and the same with cables put in anywhere and hosts added."""
    pairs = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda p: p[0] != p[1])
    bundles = st.builds(lambda p, n: Cable(p[0], p[1], n), pairs, st.integers(1, 2))
    old = draw(st.lists(bundles, max_size=6))
    new = list(old)
    for cable in draw(st.lists(bundles, max_size=4)):
        new.insert(draw(st.integers(0, len(new))), cable)
    hosts = {name: draw(st.integers(0, 3)) for name in NAMES if name.startswith("l")}
    more = {name: count + draw(st.integers(0, 2)) for name, count in hosts.items()}

    def params(endpoints: dict[str, int], cables: list[Cable]) -> Params:
        switches = tuple(Switch(n, TIERS[n[0]], endpoints=endpoints.get(n, 0)) for n in NAMES)
        return Params(switches, tuple(cables))

    return params(hosts, old), params(more, new)


@given(grown=_grown(), on=st.sampled_from((SN3700, SN5600, GENERIC)))
@settings(max_examples=100, deadline=None)
def test_growth_moves_no_cable(grown: tuple[Params, Params], on: object) -> None:
    before, after = grown
    old, rows = wired("explicit", before, on=on)  # type: ignore[arg-type]
    new, _ = wired("explicit", after, on=on, lock=Lock("f", rows))  # type: ignore[arg-type]
    assert ports(old).items() <= ports(new).items()


def test_the_lock_may_not_give_one_port_twice() -> None:
    rows = (
        LockRow("port", "s0/1x", 0, 2, ("l0:s0:1", "l1:s0:1")),
        LockRow("port", "s0/1x", 1, 1, ("l0:s0:2",)),
        LockRow("port", "s0/1x", 1, 1, ("gone:s0:1",)),
    )
    params = Params((L0, L1, S0), (Cable("l0", "s0", 2), Cable("l1", "s0")))
    with pytest.raises(ProblemError) as error:
        wired("explicit", params, on=SN3700, lock=Lock("f", rows))
    assert problems(error) == [
        (
            "RCE206",
            (),
            "the lock gives one port of s0 to l0:s0:2 and to l1:s0:1",
            "take one of the two out of the lock; it gets a port of its own",
        )
    ]


CAGE_1 = "cage 1 can be 1x200G[100G,50G,40G,25G,10G,1G], 2x100G[50G,25G,10G,1G], 4x50G[25G,10G,1G]"
WRONG = [
    (
        Cable("l0", "s0", a_port="Ethernet400"),
        "RCE014",
        "port Ethernet400 does not exist on l0 (32 ports of 200G: Ethernet0 … Ethernet124)",
        "did you mean Ethernet126? `fabric show ports l0` lists them",
    ),
    (
        Cable("s0", "l0", b_port="Etherent0"),
        "RCE014",
        "port Etherent0 does not exist on l0 (32 ports of 200G: Ethernet0 … Ethernet124)",
        "did you mean Ethernet0? `fabric show ports l0` lists them",
    ),
    (
        Cable("l0", "s0", a_port="Ethernet1"),
        "RCE103",
        "Ethernet1 of l0 cannot run at 100G",
        CAGE_1,
    ),
    (
        Cable("l0", "s0", speed=800),
        "RCE103",
        "nvidia-sn3700 has no port of 800G",
        "its ports run at 200G, 100G, 50G, 40G, 25G, 10G, 1G: set the cable's speed",
    ),
]


@pytest.mark.parametrize(("cable", "rule", "message", "fix"), WRONG)
def test_ports_that_are_not_there(cable: Cable, rule: str, message: str, fix: str) -> None:
    params = Params((L0, S0), (Cable("l0", "s0"), cable))
    with pytest.raises(ProblemError) as error:
        wired("explicit", params, on=SN3700)
    assert problems(error) == [(rule, ("topology", "cables", 1), message, fix)]


def test_named_ports_that_no_split_gives_together() -> None:
    cables = (
        Cable("l0", "s0", speed=200, a_port="Ethernet0"),
        Cable("l0", "s0", a_port="Ethernet2"),
    )
    with pytest.raises(ProblemError) as error:
        wired("explicit", Params((L0, S0), cables), on=SN3700)
    assert problems(error) == [
        (
            "RCE103",
            ("topology", "cables", 1),
            "l0: no split of cage 1 gives Ethernet0 at 200G and Ethernet2 at 100G together",
            CAGE_1,
        )
    ]


def test_a_management_port_carries_no_fabric_link() -> None:
    params = Params((L0, S0), (Cable("l0", "s0", speed=25, a_port="Ethernet512"),))
    with pytest.raises(ProblemError) as error:
        wired("explicit", params, on=SN5600)
    assert problems(error)[0][2:] == (
        "Ethernet512 of l0 is a management port: it carries no fabric link",
        "ports: 64 ports of 800G: Ethernet0 … Ethernet504",
    )


def test_names_that_the_system_does_not_have() -> None:
    params = Params((L0, S0), (Cable("l0", "s0", a_port="swp1"),))
    with pytest.raises(ProblemError) as error:
        wired("explicit", params, on=GENERIC)
    assert problems(error)[0] == (
        "RCE014",
        ("topology", "cables", 0),
        "port swp1 does not exist on l0: sonic calls its ports Ethernet<number>",
        "write the port as sonic calls it",
    )


def test_problems_of_all_switches_at_once() -> None:
    cables = (Cable("l0", "s0", a_port="e1", b_port="e2"), Cable("l1", "s0", a_port="e3"))
    with pytest.raises(ProblemError) as error:
        wired("explicit", Params((L0, L1, S0), cables), on=replace(SN3700))
    assert [path for _, path, _, _ in problems(error)] == [
        ("topology", "cables", 0),
        ("topology", "cables", 1),
        ("topology", "cables", 0),
    ]
