"""Addresses: arithmetic of pools, both ends of a cable, what a leaf announces."""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from itertools import pairwise

import pytest

from fabric.design.addressing import allocate
from fabric.model.addressing import Addressing, Lock, LockRow
from fabric.model.finding import Problem, ProblemError
from fabric.model.intent import ManagementPolicy
from tests.design.graphs import Graph, Node, fat_tree, intent, leaf_spine
from tests.samples import sample_intent, sample_topology


def problems(graph: Graph, **policy: object) -> tuple[Problem, ...]:
    with pytest.raises(ProblemError) as caught:
        allocate(graph.topology(), intent(**policy))
    return caught.value.problems


def texts(found: Addressing) -> dict[tuple[str, str], str | None]:
    return {(x.device, x.port): x.v4 for x in found.interfaces}


def test_a_small_leaf_spine_address_by_address() -> None:
    found = allocate(sample_topology(), sample_intent())
    assert found.loopbacks == (
        ("leaf-0", "10.255.0.1/32", None),
        ("leaf-1", "10.255.0.2/32", None),
        ("spine-0", "10.255.0.3/32", None),
        ("spine-1", "10.255.0.4/32", None),
    )
    assert texts(found) == {
        ("leaf-0", "Ethernet8"): "10.254.0.0/31",
        ("spine-0", "Ethernet0"): "10.254.0.1/31",
        ("leaf-0", "Ethernet12"): "10.254.0.2/31",
        ("spine-1", "Ethernet0"): "10.254.0.3/31",
        ("leaf-1", "Ethernet8"): "10.254.0.4/31",
        ("spine-0", "Ethernet4"): "10.254.0.5/31",
        ("leaf-1", "Ethernet12"): "10.254.0.6/31",
        ("spine-1", "Ethernet4"): "10.254.0.7/31",
        ("leaf-0", "Ethernet0"): "10.0.0.0/31",
        ("gpu-0", "rdma0"): "10.0.0.1/31",
        ("leaf-0", "Ethernet4"): "10.0.0.2/31",
        ("gpu-1", "rdma0"): "10.0.0.3/31",
        ("leaf-1", "Ethernet0"): "10.0.0.4/31",
        ("gpu-2", "rdma0"): "10.0.0.5/31",
        ("leaf-1", "Ethernet4"): "10.0.0.6/31",
        ("gpu-3", "rdma0"): "10.0.0.7/31",
    }
    assert [(s.leaf, s.prefix) for s in found.host_subnets] == [
        ("leaf-0", "10.0.0.0/30"),
        ("leaf-1", "10.0.0.4/30"),
    ]
    assert found.host_aggregates == ("10.0.0.0/12",)
    assert found.pools == (
        ("loopbacks", "10.255.0.0/16", 4, 65536),
        ("links", "10.254.0.0/16", 4, 32768),
        ("hosts", "10.0.0.0/12", 4, 524288),
        ("asn", "4200000000-4294967294", 3, 94967295),
    )


@pytest.mark.parametrize("graph", [fat_tree(4), fat_tree(8, 3), leaf_spine(5, 3, 5, 2)])
def test_no_address_twice_and_ends_and_hosts_where_they_belong(graph: Graph) -> None:
    topology = graph.topology()
    found = allocate(topology, intent())
    every = [a.partition("/")[0] for a in texts(found).values() if a]
    every += [v4.partition("/")[0] for _, v4, _ in found.loopbacks if v4]
    assert len(set(every)) == len(every) == 2 * len(topology.links) + len(topology.switches)
    prefixes = {
        leaf: [ipaddress.IPv4Network(s.prefix) for s in found.host_subnets if s.leaf == leaf]
        for leaf in (switch.name for switch in topology.switches)
    }
    aggregate = ipaddress.IPv4Network(found.host_aggregates[0])
    by_port = texts(found)
    for link in topology.links:
        a = ipaddress.IPv4Interface(by_port[link.a.device, link.a.port] or "")
        b = ipaddress.IPv4Interface(by_port[link.b.device, link.b.port] or "")
        assert a.network == b.network
        assert a.ip != b.ip
        if not topology.is_switch(link.a.device):
            assert int(b.ip) % 2 == 0  # the leaf has the lower one
            assert any(a.network.subnet_of(p) for p in prefixes[link.b.device])
            assert a.network.subnet_of(aggregate)


def test_announced_prefixes_are_disjoint() -> None:
    found = allocate(leaf_spine(7, 2, 5).topology(), intent(hosts_v4="10.0.0.0/25"))
    networks = sorted(ipaddress.IPv4Network(s.prefix) for s in found.host_subnets)
    assert all(not one.overlaps(two) for one, two in pairwise(networks))


def test_the_same_design_gives_the_same_values() -> None:
    one, two = (allocate(fat_tree(4).topology(), intent()) for _ in range(2))
    assert one == two
    again = allocate(fat_tree(4).topology(), intent(), one.lock)
    assert again == one


POOLS = {
    "FC-41": (
        leaf_spine(16, 16),
        {"links_v4": "10.253.0.0/24"},
        "p2p pool 10.253.0.0/24 holds 128 links, 256 needed: use at least a /23",
        "links",
        "for example 10.253.0.0/23",
    ),
    "one link over": (
        leaf_spine(3, 3),
        {"links_v4": "192.168.1.0/28"},
        "p2p pool 192.168.1.0/28 holds 8 links, 9 needed: use at least a /27",
        "links",
        "for example 192.168.1.0/27",
    ),
    "wider prefix begins earlier": (
        leaf_spine(3, 3),
        {"links_v4": "192.168.1.16/28"},
        "p2p pool 192.168.1.16/28 holds 8 links, 9 needed: use at least a /27",
        "links",
        "for example 192.168.1.0/27",
    ),
    "loopbacks": (
        leaf_spine(4, 1),
        {"loopbacks_v4": "10.255.0.0/30"},
        "loopback pool 10.255.0.0/30 holds 4 switches, 5 needed: use at least a /29",
        "loopbacks",
        "for example 10.255.0.0/29",
    ),
    "hosts": (
        leaf_spine(4, 1, 9),
        {"hosts_v4": "10.0.0.0/26"},
        "host pool 10.0.0.0/26 holds 32 NICs, 36 needed: use at least a /25",
        "hosts",
        "for example 10.0.0.0/25",
    ),
    "no link at all": (
        leaf_spine(1, 1),
        {"links_v4": "10.99.9.9/32"},
        "p2p pool 10.99.9.9/32 holds 0 links, 1 needed: use at least a /31",
        "links",
        "for example 10.99.9.8/31",
    ),
}


@pytest.mark.parametrize("case", POOLS)
def test_a_pool_that_is_too_small_names_the_need(case: str) -> None:
    graph, policy, message, key, fix = POOLS[case]
    (problem,) = problems(graph, **policy)
    assert problem == Problem("RCE201", ("addressing", "pools", key), message, fix)


FULL = {
    "links": (leaf_spine(12, 10), {"links_v4": "10.253.0.0/24"}),  # 120 of 128, blocks of 16
    "links to the last": (leaf_spine(16, 8), {"links_v4": "10.253.0.0/24"}),
    "odd links to the last": (leaf_spine(32, 1), {"links_v4": "10.253.0.0/26"}),
    "loopbacks to the first address": (leaf_spine(3, 1), {"loopbacks_v4": "10.255.0.0/30"}),
    "hosts": (leaf_spine(8, 1, 5), {"hosts_v4": "10.0.0.0/25"}),  # 40 of 64, blocks of 8
    "hosts to the last": (leaf_spine(4, 1, 3), {"hosts_v4": "10.0.0.0/27"}),
}


@pytest.mark.parametrize("case", FULL)
def test_a_pool_that_is_just_large_enough_is_used_to_the_last(case: str) -> None:
    graph, policy = FULL[case]
    topology = graph.topology()
    found = allocate(topology, intent(**policy))
    every = [a for a in texts(found).values() if a] + [x[1] for x in found.loopbacks]
    assert len(set(every)) == 2 * len(topology.links) + len(topology.switches)
    assert allocate(topology, intent(**policy), found.lock) == found


def test_a_leaf_of_more_hosts_announces_one_prefix_all_the_same() -> None:
    graph = leaf_spine(2, 1, 0)
    graph.hosts += [("h0", ("leaf-0",)), *((f"h{n}", ("leaf-1",)) for n in range(1, 4))]
    found = allocate(graph.topology(), intent())
    assert [(s.leaf, s.prefix) for s in found.host_subnets] == [
        ("leaf-0", "10.0.0.0/31"),
        ("leaf-1", "10.0.0.8/29"),
    ]


def test_a_block_that_is_no_power_of_two_is_announced_in_its_parts() -> None:
    found = allocate(leaf_spine(8, 1, 7).topology(), intent(hosts_v4="10.0.0.0/25"))
    first = [s.prefix for s in found.host_subnets if s.leaf == "leaf-0"]
    assert first == ["10.0.0.0/28"]  # 8 × 8 of 64 fits
    tight = allocate(leaf_spine(9, 1, 7).topology(), intent(hosts_v4="10.0.0.0/25"))
    parts = [s.prefix for s in tight.host_subnets if s.leaf == "leaf-1"]
    assert parts == ["10.0.0.14/31", "10.0.0.16/29", "10.0.0.24/30"]


def test_every_problem_at_once() -> None:
    found = problems(
        leaf_spine(16, 16, 4),
        links_v4="10.253.0.0/24",
        loopbacks_v4="10.255.0.1/24",
        hosts_v4="10.0.0.0/26",
        asn_base=65_535,
    )
    assert [(p.rule, p.path[-1]) for p in found] == [
        ("RCE006", "loopbacks"),
        ("RCE201", "links"),
        ("RCE201", "hosts"),
        ("RCE203", "base"),
    ]


PREFIXES = {
    "host bits": ("10.254.0.1/16", "bits set behind its length", "write 10.254.0.0/16"),
    "no length": ("10.254.0.1", None, ""),
    "text": ("ten", "is not a prefix", ""),
    "octet": ("10.256.0.0/16", "is not a prefix", ""),
    "loopback range": ("127.0.0.0/16", "lies in 127.0.0.0/8", "10.0.0.0/8"),
    "link local": ("169.254.0.0/16", "lies in 169.254.0.0/16", "10.0.0.0/8"),
    "multicast": ("224.0.0.0/8", "lies in 224.0.0.0/4", "10.0.0.0/8"),
    "everything": ("0.0.0.0/0", "lies in 0.0.0.0/8", "10.0.0.0/8"),
}


@pytest.mark.parametrize("case", PREFIXES)
def test_a_prefix_that_is_none(case: str) -> None:
    prefix, message, fix = PREFIXES[case]
    if message is None:  # a lone address is a pool of no /31
        assert problems(leaf_spine(1, 1), links_v4=prefix)[0].rule == "RCE201"
        return
    (problem,) = problems(leaf_spine(1, 1), links_v4=prefix)
    assert problem.rule == "RCE006"
    assert problem.path == ("addressing", "pools", "links")
    assert message in problem.message
    assert fix in problem.fix


def test_both_are_said_of_a_pool_that_is_too_small_and_overlaps() -> None:
    found = problems(leaf_spine(16, 16), links_v4="10.255.0.0/24")
    assert [p.message for p in found] == [
        "p2p pool 10.255.0.0/24 holds 128 links, 256 needed: use at least a /23",
        "links pool 10.255.0.0/24 overlaps loopbacks pool 10.255.0.0/16",
    ]


def test_pools_that_overlap() -> None:
    found = problems(leaf_spine(1, 1), links_v4="10.255.128.0/17", hosts_v4="10.248.0.0/13")
    assert [(p.rule, p.path[-1], p.message) for p in found] == [
        ("RCE202", "links", "links pool 10.255.128.0/17 overlaps loopbacks pool 10.255.0.0/16"),
        ("RCE202", "hosts", "hosts pool 10.248.0.0/13 overlaps loopbacks pool 10.255.0.0/16"),
        ("RCE202", "hosts", "hosts pool 10.248.0.0/13 overlaps links pool 10.255.128.0/17"),
    ]


def test_the_management_network_stays_clear_of_the_pools() -> None:
    management = ManagementPolicy(
        "eth0", "10.0.0.254", (("leaf-0", "10.0.0.1/24"), ("spine-0", "10.0.0.2/24"))
    )
    policy = replace(intent(), management=management)
    with pytest.raises(ProblemError) as caught:
        allocate(leaf_spine(1, 1).topology(), policy)
    assert [(p.rule, p.path) for p in caught.value.problems] == [
        ("RCE202", ("management", "addresses", "leaf-0")),
        ("RCE202", ("management", "gateway")),
    ]
    apart = replace(management, gateway=None, addresses=(("leaf-0", "192.0.2.1/24"),))
    allocate(leaf_spine(1, 1).topology(), replace(policy, management=apart))


def test_a_management_address_that_is_none() -> None:
    policy = replace(intent(), management=ManagementPolicy("eth0", None, (("leaf-0", "x"),)))
    with pytest.raises(ProblemError, match="management address 'x' of leaf-0 is not an address"):
        allocate(leaf_spine(1, 1).topology(), policy)


def test_unnumbered_links_have_no_addresses() -> None:
    found = allocate(sample_topology(), intent(link_numbering="unnumbered"))
    ports = [x for x in found.interfaces if x.device.startswith("spine")]
    assert len(ports) == 4
    assert all(x.unnumbered and x.v4 is None and x.v6 is None for x in ports)
    assert [pool for pool, *_ in found.pools] == ["loopbacks", "hosts", "asn"]
    assert found.notes == ()


def test_parallel_unnumbered_cables_fall_back_to_a_31() -> None:
    graph = leaf_spine(2, 2)
    graph.cables[0] = ("leaf-0", "spine-0", 2)
    found = allocate(graph.topology(), intent(link_numbering="unnumbered"))
    numbered = {x.device for x in found.interfaces if x.v4 and not x.device.startswith("gpu")}
    assert numbered == {"leaf-0", "spine-0", "leaf-1"}  # leaf-1: its host port
    (note,) = found.notes
    assert "1 pairs, first leaf-0–spine-0" in note
    links = [x.v4 for x in found.interfaces if x.v4 and x.v4.startswith("10.254")]
    assert links == ["10.254.0.0/31", "10.254.0.1/31", "10.254.0.2/31", "10.254.0.3/31"]


def test_a_cable_within_a_tier_is_owned_by_the_first_name_however_it_is_written() -> None:
    ring = Graph([Node("r10", "leaf", 0), Node("r2", "leaf", 0)], [("r10", "r2", 1)])
    back = Graph(ring.switches, [("r2", "r10", 1)])
    one, two = (allocate(g.topology(), intent()) for g in (ring, back))
    assert (
        texts(one)
        == texts(two)
        == {
            ("r2", "p0"): "10.254.0.0/31",
            ("r10", "p0"): "10.254.0.1/31",
        }
    )
    assert one.lock == two.lock


def test_several_nics_on_one_leaf_go_nic_by_nic() -> None:
    graph = leaf_spine(1, 1, 0)
    graph.hosts += [("h0", ("leaf-0", "leaf-0")), ("h1", ("leaf-0", "leaf-0"))]
    by_port = texts(allocate(graph.topology(), intent()))
    assert [by_port[h, f"rdma{n}"] for n in (0, 1) for h in ("h0", "h1")] == [
        "10.0.0.1/31",
        "10.0.0.3/31",
        "10.0.0.5/31",
        "10.0.0.7/31",
    ]


def test_a_leaf_that_serves_one_rail_says_so() -> None:
    graph = leaf_spine(3, 1, 0)
    graph.hosts += [("h0", ("leaf-0", "leaf-1")), ("h1", ("leaf-0", "leaf-1", "leaf-2", "leaf-2"))]
    found = allocate(graph.topology(), intent())
    assert [(s.leaf, s.rail) for s in found.host_subnets] == [
        ("leaf-0", 0),
        ("leaf-1", 1),
        ("leaf-2", None),  # rails 2 and 3
    ]
    assert {s.rail for s in allocate(sample_topology(), intent()).host_subnets} == {None}


def test_the_locks_rows_of_other_pools_are_passed_on() -> None:
    port = LockRow("port", "leaf-0 down", 3, 8)
    found = allocate(leaf_spine(1, 1).topology(), intent(), Lock("sample", (port,)))
    assert port in found.lock.rows


def test_one_row_a_block_not_an_address() -> None:
    found = allocate(fat_tree(8).topology(), intent())
    rows = [(row.pool, row.key) for row in found.lock.rows]
    assert len(set(rows)) == len(rows)
    # loopbacks: 8 pods × 2 roles + cores; links: 64 lower switches; hosts: 32 edges;
    # ASNs: top tier, pods, edges of each pod
    assert len(rows) == (16 + 1) + 64 + 32 + (1 + 1 + 8)
