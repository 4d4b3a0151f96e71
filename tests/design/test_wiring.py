"""Ports of regular fabrics: typed by hand, counted, and unmoved by growth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric import topologies
from fabric.catalog import switch_model
from fabric.model.addressing import Lock, LockRow
from fabric.model.intent import DeviceFacts, Hardware
from tests.samples import sample_spec
from tests.topologies.fabrics import generic_model, group, hardware, ports, ports_of, wired

if TYPE_CHECKING:
    from fabric.model.topology import Port, Topology

LeafSpine = topologies.params_type("leaf-spine")
FatTree = topologies.params_type("fat-tree")

SN3700 = hardware(switch_model("nvidia-sn3700"))
SN5600 = hardware(switch_model("nvidia-sn5600"))
GENERIC = hardware(generic_model())


def _port(topology: Topology, device: str, name: str) -> Port:
    return next(port for port in topology.switch(device).ports if port.name == name)


def splits(rows: tuple[LockRow, ...]) -> tuple[LockRow, ...]:
    """The rows that say how far new cages are split."""
    return tuple(row for row in rows if not row.members)


def test_the_64_node_fabric() -> None:
    topology, rows = wired("fat-tree", FatTree(8, 4), (group(64, speed=100),), on=SN3700)
    assert (len(topology.switches), len(topology.host_links), len(topology.fabric_links)) == (
        48,
        64,
        128,
    )
    keys = {row.key for row in rows}
    assert {"edge-0-1/1x", "edge-[0-3]-0/1x"} & keys == {"edge-0-1/1x"}  # hosts of its own
    assert [row for row in rows if row.key.startswith(("edge-1-[", "core-[8"))] == [
        LockRow("port", "edge-1-[0-3]/1x", 28, 4, tuple(f"agg-1-{n}" for n in (3, 2, 1, 0))),
        LockRow("port", "core-[8-11]/1x", 0, 4, tuple(f"agg-{n}-2" for n in range(4))),
    ]
    assert ports_of(topology, "edge-1-2") == [
        ("gpu-24", "Ethernet0"),
        ("gpu-25", "Ethernet4"),
        ("gpu-26", "Ethernet8"),
        ("gpu-27", "Ethernet12"),
        ("agg-1-0", "Ethernet124"),
        ("agg-1-1", "Ethernet120"),
        ("agg-1-2", "Ethernet116"),
        ("agg-1-3", "Ethernet112"),
    ]
    assert ports_of(topology, "agg-1-2") == [
        ("edge-1-0", "Ethernet0"),
        ("edge-1-1", "Ethernet4"),
        ("edge-1-2", "Ethernet8"),
        ("edge-1-3", "Ethernet12"),
        ("core-8", "Ethernet124"),
        ("core-9", "Ethernet120"),
        ("core-10", "Ethernet116"),
        ("core-11", "Ethernet112"),
    ]
    assert ports_of(topology, "core-9") == [
        (f"agg-{pod}-2", f"Ethernet{4 * pod}") for pod in range(4)
    ]


def test_ids_ends_kinds_and_lengths() -> None:
    topology, _ = wired("leaf-spine", LeafSpine(2, 1, 2), (group(2, speed=100, nics=2),))
    assert [(x.id, x.kind, x.length_m) for x in topology.links] == [
        ("gpu-0:leaf-0:1", "host", 5.0),
        ("gpu-0:leaf-0:2", "host", 5.0),
        ("gpu-1:leaf-1:1", "host", 5.0),
        ("gpu-1:leaf-1:2", "host", 5.0),
        ("leaf-0:spine-0:1", "leaf-spine", 40.0),
        ("leaf-0:spine-0:2", "leaf-spine", 40.0),
        ("leaf-1:spine-0:1", "leaf-spine", 40.0),
        ("leaf-1:spine-0:2", "leaf-spine", 40.0),
    ]
    nic = topology.link_at("gpu-1", "rdma1")
    assert nic is not None
    assert (nic.a.device, nic.b.device, nic.b.port) == ("gpu-1", "leaf-1", "Ethernet4")


def test_hosts_carry_their_nics() -> None:
    groups = (group(1, speed=200, nics=2, server=None),)
    topology, _ = wired("leaf-spine", LeafSpine(1, 1), groups)
    host = topology.host("gpu-0")
    assert [(p.index, p.netdev, p.rdma_device, p.speed_gbps, p.rail) for p in host.ports] == [
        (0, "rdma0", "mlx5_0", 200, 0),
        (1, "rdma1", "mlx5_1", 200, 1),
    ]


def test_unsplit_as_long_as_cages_suffice() -> None:
    # 20 + 12 = 32 cages: all at 100G in unsplit 200G cages
    topology, rows = wired("leaf-spine", LeafSpine(2, 12), (group(40, speed=100),), on=SN3700)
    assert splits(rows) == ()
    first = _port(topology, "leaf-0", "Ethernet0")
    assert (first.alias, first.cage, first.children, first.speed_gbps) == ("etp1", 1, 1, 100)
    assert first.breakout == "1x200G[100G,50G,40G,25G,10G,1G]"
    assert first.lane_numbers == (0, 1, 2, 3)
    assert len(topology.switch("leaf-0").ports) == 32
    assert Counter(p.used for p in topology.switch("spine-0").ports) == {True: 2, False: 30}
    assert {p.speed_gbps for p in topology.switch("spine-0").ports if not p.used} == {200}


def test_hosts_are_split_before_uplinks() -> None:
    # 24 + 12 = 36 ports: the 24 hosts go two to a cage, 12 + 12 cages
    topology, rows = wired("leaf-spine", LeafSpine(2, 12), (group(48, speed=100),), on=SN3700)
    assert splits(rows) == (LockRow("port", "leaf/nvidia-sn3700/down/100G", 0, 2),)
    assert [port for _, port in ports_of(topology, "leaf-0")][:4] == [
        "Ethernet0",
        "Ethernet2",
        "Ethernet4",
        "Ethernet6",
    ]
    second = _port(topology, "leaf-0", "Ethernet2")
    assert (second.alias, second.cage, second.child, second.children) == ("etp1b", 1, 1, 2)
    assert (second.breakout, second.lane_numbers) == ("2x100G[50G,25G,10G,1G]", (2, 3))
    assert topology.link_at("leaf-0", "Ethernet124") is topology.links_of("leaf-0")[24]
    assert ports_of(topology, "spine-3") == [("leaf-0", "Ethernet0"), ("leaf-1", "Ethernet4")]


# field case 53 b: 128×200G down, 60×400G up = 32 + 30 of 64 cages
def test_two_speeds_on_one_switch() -> None:
    groups = (group(256, speed=200),)
    topology, rows = wired("leaf-spine", LeafSpine(2, 60), groups, speed=400, on=SN5600)
    assert splits(rows) == (
        LockRow("port", "leaf/nvidia-sn5600/down/200G", 0, 4),
        LockRow("port", "leaf/nvidia-sn5600/up/400G", 0, 2),
    )
    names = [port for _, port in ports_of(topology, "leaf-1")]
    assert names[:5] == ["Ethernet0", "Ethernet2", "Ethernet4", "Ethernet6", "Ethernet8"]
    assert names[127] == "Ethernet254"  # cage 32, child d
    assert names[128:132] == ["Ethernet504", "Ethernet508", "Ethernet496", "Ethernet500"]
    child = _port(topology, "leaf-1", "Ethernet254")
    assert (child.alias, child.cage, child.speed_gbps) == ("etp32d", 32, 200)
    assert child.lane_numbers == (254, 255)
    side = _port(topology, "leaf-1", "Ethernet512")
    assert (side.side, side.used, side.cage, side.speed_gbps) == (True, False, 65, 25)


def test_broadcom_lanes_and_a_fixed_split() -> None:
    model = hardware(switch_model("dell-z9664f"))
    topology, _ = wired("leaf-spine", LeafSpine(2, 1), speed=400, on=model)
    up = _port(topology, "leaf-0", "Ethernet252")  # cage 64
    assert (up.used, up.lane_numbers) == (True, (253, 254, 255, 256))
    assert (up.alias, up.breakout) == ("fourhundredGigE1/64", None)


def test_of_equal_splits_the_one_made_for_the_speed() -> None:
    model = switch_model("dell-z9864f")
    topology, _ = wired("leaf-spine", LeafSpine(2, 1), speed=400, on=hardware(model))
    assert _port(topology, "leaf-0", "Ethernet0").breakout == "1x400G(8)"
    wide = replace(model.cages[0].modes[0], text="1x800G[400G]", speeds_gbps=(800, 400))
    cages = tuple(replace(cage, modes=(wide, *cage.modes)) for cage in model.cages)
    both = hardware(replace(model, cages=cages))
    topology, _ = wired("leaf-spine", LeafSpine(2, 1), speed=400, on=both)
    assert _port(topology, "leaf-0", "Ethernet0").breakout == "1x400G(8)"


def test_generic_switches_have_the_ports_in_use_in_zones_of_32() -> None:
    groups = (group(66, speed=400),)
    topology, _ = wired("leaf-spine", LeafSpine(2, 2), groups, speed=400, on=GENERIC)
    names = [port for _, port in ports_of(topology, "leaf-0")]
    assert names[:2] == ["Ethernet0", "Ethernet8"]
    assert names[31:33] == ["Ethernet248", "Ethernet512"]  # ports 32 and 65
    assert names[33:] == ["Ethernet256", "Ethernet264"]  # ports 33 and 34 lead up
    assert len(topology.switch("leaf-0").ports) == 35
    port = _port(topology, "leaf-0", "Ethernet256")
    assert (port.alias, port.cage, port.breakout, port.lane_numbers) == (
        "Ethernet256",
        33,
        None,
        (),
    )
    assert ports_of(topology, "spine-1") == [("leaf-0", "Ethernet0"), ("leaf-1", "Ethernet8")]


def test_frr_names() -> None:
    lab = hardware(generic_model(), "frr")
    topology, _ = wired("leaf-spine", LeafSpine(4, 2), on=lab)
    assert ports_of(topology, "leaf-3") == [
        ("host-6", "swp1"),
        ("host-7", "swp2"),
        ("spine-0", "swp33"),
        ("spine-1", "swp34"),
    ]
    split = hardware(switch_model("nvidia-sn3700"), "frr")
    topology, _ = wired("leaf-spine", LeafSpine(2, 12), (group(48, speed=100),), on=split)
    assert ports_of(topology, "leaf-0")[1] == ("gpu-1", "swp1s1")


def test_names_of_the_model_and_of_the_manifest() -> None:
    model = replace(switch_model("nvidia-sn3700"), naming=(("eos", "Et{c}/{n}"),))
    topology, _ = wired("leaf-spine", LeafSpine(1, 1), on=hardware(model, "eos"))
    assert ports_of(topology, "leaf-0") == [("host-0", "Et1/1"), ("spine-0", "Et32/1")]
    manifest = replace(sample_spec("junos"), port_naming="et-0/0/{c}|et-0/0/{c}:{n0}")
    junos = replace(hardware(switch_model("nvidia-sn3700")), platform=manifest)
    topology, _ = wired("leaf-spine", LeafSpine(1, 12), (group(24, speed=100),), on=junos)
    assert ports_of(topology, "leaf-0")[1][1] == "et-0/0/1:1"


def test_recorded_ports_of_a_generic_switch() -> None:
    lanes = tuple((f"Ethernet{4 * n}", tuple(range(4 * n, 4 * n + 4))) for n in range(8))
    leaf = replace(GENERIC, facts=DeviceFacts(lanes=lanes))
    mixed = Hardware(GENERIC, devices=(("leaf-1", leaf),))
    topology, _ = wired("leaf-spine", LeafSpine(2, 2), on=mixed)
    assert ports_of(topology, "leaf-1") == [
        ("host-2", "Ethernet0"),
        ("host-3", "Ethernet4"),
        ("spine-0", "Ethernet28"),
        ("spine-1", "Ethernet24"),
    ]
    assert _port(topology, "leaf-1", "Ethernet28").lane_numbers == (28, 29, 30, 31)
    assert ports_of(topology, "leaf-0")[0] == ("host-0", "Ethernet0")


def test_recorded_lanes_win_over_the_catalogue() -> None:
    odd = replace(SN3700, facts=DeviceFacts(lanes=(("Ethernet0", (7, 8, 9, 10)),)))
    mixed = Hardware(SN3700, devices=(("leaf-1", odd),))
    topology, _ = wired("leaf-spine", LeafSpine(2, 1), on=mixed)
    assert _port(topology, "leaf-1", "Ethernet0").lane_numbers == (7, 8, 9, 10)
    assert _port(topology, "leaf-0", "Ethernet0").lane_numbers == (0, 1, 2, 3)


def test_hardware_by_role_and_device() -> None:
    mixed = Hardware(GENERIC, (("spine", SN5600),), (("leaf-1", SN3700),))
    topology, _ = wired("leaf-spine", LeafSpine(2, 1), on=mixed)
    assert [link.b.port for link in topology.fabric_links] == ["Ethernet0", "Ethernet8"]
    assert [link.a.port for link in topology.fabric_links] == ["Ethernet256", "Ethernet124"]


def test_equal_switches_share_their_ports() -> None:
    topology, _ = wired("fat-tree", FatTree(8), on=SN3700)
    edges = {id(s.ports) for s in topology.switches if s.role == "edge"}
    assert len(edges) == 1


def test_graph_attributes() -> None:
    topology, _ = wired("fat-tree", FatTree(4, 2), on=SN3700)
    graph = topology.graph
    assert graph.nodes["agg-1-0"] == {
        "kind": "switch",
        "role": "agg",
        "tier": 1,
        "group": 1,
        "index": 0,
    }
    assert graph.nodes["host-0"]["role"] == "host"
    assert graph.edges["agg-1-0", "edge-1-1", "agg-1-0:edge-1-1:1"] == {
        "ports": {"edge-1-1": "Ethernet124", "agg-1-0": "Ethernet4"},
        "speed_gbps": 100,
        "length_m": 5.0,
        "kind": "edge-agg",
    }


ON = st.sampled_from((SN3700, SN5600, GENERIC))


@given(
    on=ON,
    leaves=st.integers(1, 8),
    spines=st.integers(1, 8),
    links=st.integers(1, 2),
    hosts=st.integers(0, 40),
)
@settings(max_examples=60, deadline=None)
def test_leaf_spine_counts(on: Any, leaves: int, spines: int, links: int, hosts: int) -> None:
    topology, _ = wired(
        "leaf-spine", LeafSpine(leaves, spines, links), (group(hosts, speed=100),), on=on
    )
    _check_ports(topology, hosts + leaves * spines * links)


@given(on=ON, half=st.integers(1, 5), pods=st.integers(1, 10), plane=st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_fat_tree_counts(on: Any, half: int, pods: int, plane: int) -> None:
    pods, plane = min(pods, 2 * half), min(plane, half)
    topology, _ = wired("fat-tree", FatTree(2 * half, pods, cores=plane * half), on=on)
    _check_ports(topology, pods * half * half * 2 + pods * half * plane)


def _check_ports(topology: Topology, links: int) -> None:
    """Every port at most once, used ports are those with a cable, names and lanes unique."""
    assert len(topology.links) == links
    ends = Counter((e.device, e.port) for x in topology.links for e in (x.a, x.b))
    assert set(ends.values()) <= {1}
    for switch in topology.switches:
        used = {p.name for p in switch.ports if p.used}
        assert used == {port for device, port in ends if device == switch.name}
        assert len({p.name for p in switch.ports}) == len(switch.ports)
        lanes = [lane for p in switch.ports for lane in p.lane_numbers]
        assert len(set(lanes)) == len(lanes)
        order = [(p.cage, p.child) for p in switch.ports]
        assert order == sorted(order)


GROWTH = [
    ("a pod", "fat-tree", FatTree(8, 2), FatTree(8, 3), 4),
    ("edges", "fat-tree", FatTree(8, 2, edges=2), FatTree(8, 2, edges=4), 4),
    ("cores", "fat-tree", FatTree(8, 2, cores=4), FatTree(8, 2, cores=16), 4),
    ("leaves", "leaf-spine", LeafSpine(4, 2, 2), LeafSpine(7, 2, 2), 10),
    ("spines", "leaf-spine", LeafSpine(4, 2, 2), LeafSpine(4, 5, 2), 10),
]


@pytest.mark.parametrize("on", [SN3700, SN5600, GENERIC])
@pytest.mark.parametrize(
    ("kind", "before", "after", "per_leaf"), [row[1:] for row in GROWTH], ids=[r[0] for r in GROWTH]
)
def test_growth_moves_no_cable(kind: str, before: Any, after: Any, per_leaf: int, on: Any) -> None:
    few, many = (group(n, speed=100, per_leaf=per_leaf) for n in (9, 16))
    if kind == "fat-tree" and before.edges == 2:  # more edges a pod give earlier pods more hosts
        few = many = group(8, speed=100, per_leaf=per_leaf)
    old, rows = wired(kind, before, (few,), on=on)
    new, _ = wired(kind, after, (many,), on=on, lock=Lock("f", rows))
    assert ports(old).items() <= ports(new).items()
    assert len(new.links) > len(old.links)


def test_a_split_stays_when_the_switch_shrinks() -> None:
    many, rows = wired("leaf-spine", LeafSpine(2, 12), (group(48, speed=100),), on=SN3700)
    hosts = (group(20, speed=100, per_leaf=24),)
    few, again = wired("leaf-spine", LeafSpine(2, 12), hosts, on=SN3700, lock=Lock("f", rows))
    assert splits(again) == splits(rows)
    assert ports(few).items() <= ports(many).items()
    back = (group(48, speed=100, per_leaf=24),)
    more, _ = wired("leaf-spine", LeafSpine(2, 12), back, on=SN3700, lock=Lock("f", again))
    assert ports(more) == ports(many)


def test_a_lock_that_no_longer_fits_gives_way() -> None:
    rows = (LockRow("port", "leaf/nvidia-sn3700/up/100G", 0, 4),)
    topology, again = wired("leaf-spine", LeafSpine(2, 2), on=SN3700, lock=Lock("f", rows))
    assert splits(again) == ()
    assert ports_of(topology, "leaf-0")[2] == ("spine-0", "Ethernet124")


def test_rows_of_other_pools_and_keys_are_no_ports() -> None:
    rows = (
        LockRow("link", "leaf-0", 0, 4, ("spine-0",)),
        LockRow("port", "nonsense", 3, 4, ("spine-0",)),
        LockRow("port", "leaf-[3-0]/1x", 3, 4, ("spine-0",)),
        LockRow("port", "leaf-9/1x", 3, 1, ("spine-0",)),
    )
    plain, _ = wired("leaf-spine", LeafSpine(2, 2), on=SN3700)
    topology, _ = wired("leaf-spine", LeafSpine(2, 2), on=SN3700, lock=Lock("f", rows))
    assert ports(topology) == ports(plain)


@pytest.mark.parametrize("member", ["spine-1", "leaf-0:spine-1:1"])
def test_a_row_places_a_cable_also_as_older_locks_name_it(member: str) -> None:
    lock = Lock("f", (LockRow("port", "leaf-0/1x", 3, 1, (member,)),))
    topology, _ = wired("leaf-spine", LeafSpine(2, 2), on=SN3700, lock=lock)
    assert ports_of(topology, "leaf-0")[2:] == [
        ("spine-0", "Ethernet124"),
        ("spine-1", "Ethernet12"),
    ]
