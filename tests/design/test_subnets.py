"""Hosts in VLANs: a subnet for each leaf and NIC number, and places that stay."""

from __future__ import annotations

import ipaddress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.design.addressing import allocate
from fabric.design.lock import lock_text, read_lock
from fabric.design.underlay import derive
from fabric.model.addressing import Addressing, HostSubnet, Lock, LockRow
from fabric.model.finding import ProblemError
from fabric.model.intent import Hardware, Intent
from fabric.model.platform import VlanWords
from tests.design.graphs import Graph, intent, leaf_spine


def in_vlans(**policy: object) -> Intent:
    wish = intent(**policy)
    base = wish.hardware.default
    spec = replace(base.platform, vlan=VlanWords("Vlan{n}", 240, 300))
    groups = tuple(replace(group, port_mode="vlan") for group in wish.host_groups)
    return replace(wish, host_groups=groups, hardware=Hardware(replace(base, platform=spec)))


def hosts(graph: Graph, *on: tuple[str, tuple[str, ...]]) -> Graph:
    graph.hosts = list(on)
    return graph


def at(found: Addressing, device: str, port: str) -> str | None:
    one = found.at(device, port)
    return one.v4 if one else None


def test_two_leaves_with_two_nics_a_host() -> None:
    graph = hosts(
        leaf_spine(2, 1, 0),
        ("gpu-0", ("leaf-0", "leaf-0")),
        ("gpu-1", ("leaf-0", "leaf-0")),
        ("gpu-2", ("leaf-1", "leaf-1")),
    )
    found = allocate(graph.topology(), in_vlans())
    assert found.host_subnets == (
        HostSubnet("leaf-0", "10.0.0.0/24", None, 100, "10.0.0.1/24"),
        HostSubnet("leaf-0", "10.0.1.0/24", None, 101, "10.0.1.1/24"),
        HostSubnet("leaf-1", "10.0.2.0/24", None, 100, "10.0.2.1/24"),
        HostSubnet("leaf-1", "10.0.3.0/24", None, 101, "10.0.3.1/24"),
    )
    assert at(found, "leaf-0", "Vlan100") == "10.0.0.1/24"
    assert at(found, "leaf-1", "Vlan101") == "10.0.3.1/24"
    assert [at(found, "gpu-0", "rdma0"), at(found, "gpu-0", "rdma1")] == [
        "10.0.0.2/24",
        "10.0.1.2/24",
    ]
    assert [at(found, "gpu-1", "rdma0"), at(found, "gpu-2", "rdma1")] == [
        "10.0.0.3/24",
        "10.0.3.2/24",
    ]


def test_on_rails_each_leaf_has_one_vlan_of_its_rail() -> None:
    graph = hosts(leaf_spine(2, 1, 0), ("h0", ("leaf-0", "leaf-1")), ("h1", ("leaf-0", "leaf-1")))
    found = allocate(graph.topology(), in_vlans())
    assert [(s.leaf, s.rail, s.vlan, s.prefix) for s in found.host_subnets] == [
        ("leaf-0", 0, 100, "10.0.0.0/24"),
        ("leaf-1", 1, 100, "10.0.1.0/24"),
    ]
    assert at(found, "h1", "rdma1") == "10.0.1.3/24"


def test_a_leaf_announces_its_subnet_and_discards_nothing() -> None:
    topology, wish = leaf_spine(2, 1).topology(), in_vlans()
    routing = derive(topology, allocate(topology, wish), wish)
    assert routing.speaker("leaf-1").announces[1:] == ("10.0.1.0/24",)
    assert routing.speaker("leaf-1").discards == ()


def test_more_than_253_nics_at_once_get_a_larger_subnet() -> None:
    found = allocate(leaf_spine(1, 1, 254).topology(), in_vlans())
    assert [s.prefix for s in found.host_subnets] == ["10.0.0.0/23"]
    assert at(found, "gpu-253", "rdma0") == "10.0.0.255/23"
    full = allocate(leaf_spine(1, 1, 253).topology(), in_vlans())
    assert [s.prefix for s in full.host_subnets] == ["10.0.0.0/24"]
    assert at(full, "gpu-252", "rdma0") == "10.0.0.254/24"


def said(graph: Graph, wish: Intent, lock: Lock | None = None) -> list[tuple[str, str]]:
    with pytest.raises(ProblemError) as caught:
        allocate(graph.topology(), wish, lock)
    return [(problem.rule, problem.message) for problem in caught.value.problems]


def test_a_leaf_that_outgrows_its_subnet_is_told() -> None:
    lock = allocate(leaf_spine(1, 1, 253).topology(), in_vlans()).lock
    assert said(leaf_spine(1, 1, 254), in_vlans(), lock) == [
        ("RCE201", "the host subnet 10.0.0.0/24 of leaf-0 holds 253 NICs, 254 needed")
    ]


def test_a_pool_that_holds_too_few_subnets_is_told() -> None:
    words = "host pool 10.0.0.0/24 holds 128 /31s, 256 needed: use at least a /23"
    assert said(leaf_spine(2, 1), in_vlans(hosts_v4="10.0.0.0/24")) == [("RCE201", words)]


def test_a_pool_in_pieces_is_told() -> None:
    """Room enough in all, but no whole /24: a /31 stands in each half."""
    rows = (LockRow("host", "leaf-0", 0, 1, ("a",)), LockRow("host", "leaf-0", 128, 1, ("b",)))
    lock = Lock("sample", rows, (("host", "10.0.0.0/23"),))
    graph, wish = leaf_spine(1, 1), in_vlans(hosts_v4="10.0.0.0/23")
    found = allocate(graph.topology(), wish, lock)  # what nobody uses any more gives way
    assert [s.prefix for s in found.host_subnets] == ["10.0.0.0/24"]
    mixed = replace(
        wish,
        host_groups=(
            replace(wish.host_groups[0], names=("a", "b"), port_mode="routed", name="hosts"),
            replace(wish.host_groups[0], names=("gpu-0",), name="bridged"),
        ),
    )
    topology = hosts(
        leaf_spine(1, 1, 0), ("a", ("leaf-0",)), ("b", ("leaf-0",)), ("g", ("leaf-0",))
    )
    three = topology.topology()
    bridged = replace(three, hosts=(*three.hosts[:2], replace(three.hosts[2], group="bridged")))
    with pytest.raises(ProblemError, match=r"holds 256 /31s, 512 needed"):
        allocate(bridged, mixed, lock)


def test_the_subnet_of_a_leaf_that_is_gone_is_given_away_last() -> None:
    two = hosts(leaf_spine(3, 1, 0), ("a", ("leaf-0",)), ("b", ("leaf-1",)))
    wish = in_vlans(hosts_v4="10.0.0.0/23")
    lock = allocate(two.topology(), wish).lock
    other = hosts(leaf_spine(3, 1, 0), ("a", ("leaf-0",)), ("c", ("leaf-2",)))
    found = allocate(other.topology(), wish, lock)
    assert [(s.leaf, s.prefix) for s in found.host_subnets] == [
        ("leaf-0", "10.0.0.0/24"),
        ("leaf-2", "10.0.1.0/24"),
    ]
    assert [row.key for row in found.lock.rows if row.pool == "nic"] == [
        "leaf-0:vlan100",
        "leaf-2:vlan100",
    ]


def test_a_pool_cut_through_a_subnet_is_told() -> None:
    lock = allocate(leaf_spine(1, 1).topology(), in_vlans()).lock
    words = "host pool 10.0.0.0/25 holds 64 /31s, 128 needed: use at least a /24"
    assert said(leaf_spine(1, 1), in_vlans(hosts_v4="10.0.0.0/25"), lock) == [("RCE201", words)]
    big = allocate(leaf_spine(1, 1, 254).topology(), in_vlans()).lock
    words = "the lock gives leaf-0:vlan100 addresses outside hosts pool 10.0.0.0/24"
    assert said(leaf_spine(1, 1), in_vlans(hosts_v4="10.0.0.0/24"), big) == [("RCE206", words)]


def test_a_system_without_vlans_is_told_once() -> None:
    wish = in_vlans()
    spec = replace(wish.hardware.default.platform, vlan=None, title="Other OS")
    without = replace(wish, hardware=Hardware(replace(wish.hardware.default, platform=spec)))
    assert said(leaf_spine(3, 1), without) == [
        ("RCE023", "hosts: host ports in a VLAN are not rendered for Other OS")
    ]


Hosts = dict[str, int]  # host → leaf
STEP = st.tuples(st.integers(0, 7), st.integers(0, 2), st.booleans())


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, max_size=12))
def test_who_has_an_address_keeps_it_and_no_two_share_one(
    steps: list[tuple[int, int, bool]],
) -> None:
    lock: Lock | None = None
    standing: set[tuple[int, int]] = {(0, 0)}
    before: dict[tuple[str, str], str | None] = {}
    for host, leaf, comes in [(0, 0, True), *steps]:
        others = {(h, where) for h, where in standing if h != host}
        standing = others | ({(host, leaf)} if comes else set())
        if not standing:
            continue
        graph = hosts(leaf_spine(3, 1, 0), *((f"g{h}", (f"leaf-{w}",) * 2) for h, w in standing))
        found = allocate(graph.topology(), in_vlans(), lock)
        lock = read_lock(lock_text(found.lock), "x")
        here = {
            (f"g{h}@{w}", port): at(found, f"g{h}", port)
            for h, w in standing
            for port in ("rdma0", "rdma1")
        }
        assert len(set(here.values())) == len(here)
        assert all(before.get(key, value) == value for key, value in here.items())
        gateways = {subnet.gateway for subnet in found.host_subnets}
        assert not gateways & set(here.values())
        nets = [ipaddress.ip_network(subnet.prefix) for subnet in found.host_subnets]
        assert len(set(nets)) == len(nets)
        before |= here


@pytest.mark.parametrize(
    ("policy", "path"),
    [
        ({"family": "dual"}, ("addressing", "family")),
        ({"family": "ipv6"}, ("addressing", "family")),
        ({"rail_aggregates": True}, ("addressing", "rail_aggregates")),
    ],
)
def test_what_is_not_built_for_vlans_is_refused(
    policy: dict[str, object], path: tuple[str, ...]
) -> None:
    with pytest.raises(ProblemError) as caught:
        allocate(leaf_spine(1, 1).topology(), in_vlans(**policy))
    (problem,) = caught.value.problems
    assert (problem.rule, problem.path) == ("RCE010", path)
