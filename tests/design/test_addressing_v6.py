"""IPv6 and both families: /128s, /127s, a /64 a leaf, router ids; growth keeps every one."""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.design.addressing import allocate
from fabric.design.addressing.pools import HOSTS_V6, LINKS_V6, LOOPBACKS_V6, read_pool
from fabric.design.underlay import derive
from fabric.model.addressing import Addressing, Lock, LockRow
from fabric.model.finding import Problem, ProblemError
from fabric.model.intent import ManagementPolicy
from tests.design.graphs import Graph, Node, fat_tree, intent, leaf_spine

POOLS = {
    "loopbacks_v6": "fd00:255::/64",
    "links_v6": "fd00:254::/64",
    "hosts_v6": "fd00:100::/56",
}


def found(
    graph: Graph, lock: Lock | None = None, family: str = "ipv6", **policy: object
) -> Addressing:
    return allocate(graph.topology(), intent(**{"family": family, **POOLS, **policy}), lock)


def problems(graph: Graph, lock: Lock | None = None, **policy: object) -> tuple[Problem, ...]:
    wanted = {"family": "ipv6", **POOLS, **policy}
    with pytest.raises(ProblemError) as caught:
        allocate(graph.topology(), intent(**wanted), lock)
    return caught.value.problems


def v6(addressing: Addressing) -> dict[tuple[str, str], str | None]:
    return {(x.device, x.port): x.v6 for x in addressing.interfaces}


def test_a_small_leaf_spine_address_by_address() -> None:
    addressing = found(leaf_spine(2, 1, 2))
    assert addressing.loopbacks == (
        ("leaf-0", None, "fd00:255::1/128"),
        ("leaf-1", None, "fd00:255::2/128"),
        ("spine-0", None, "fd00:255::3/128"),
    )
    # Of the links' /64 the address ...:: is every router's: the first /127 stays free.
    assert v6(addressing) == {
        ("leaf-0", "p0"): "fd00:254::2/127",
        ("spine-0", "p0"): "fd00:254::3/127",
        ("leaf-1", "p0"): "fd00:254::4/127",
        ("spine-0", "p1"): "fd00:254::5/127",
        ("leaf-0", "p1"): "fd00:100::2/127",
        ("gpu-0", "rdma0"): "fd00:100::3/127",
        ("leaf-0", "p2"): "fd00:100::4/127",
        ("gpu-1", "rdma0"): "fd00:100::5/127",
        ("leaf-1", "p1"): "fd00:100:0:1::2/127",
        ("gpu-2", "rdma0"): "fd00:100:0:1::3/127",
        ("leaf-1", "p2"): "fd00:100:0:1::4/127",
        ("gpu-3", "rdma0"): "fd00:100:0:1::5/127",
    }
    assert all(x.v4 is None for x in addressing.interfaces)
    assert [(s.leaf, s.prefix) for s in addressing.host_subnets] == [
        ("leaf-0", "fd00:100::/64"),
        ("leaf-1", "fd00:100:0:1::/64"),
    ]
    assert addressing.host_aggregates == ("fd00:100::/56",)
    assert addressing.router_ids == (
        ("leaf-0", "10.255.0.1"),
        ("leaf-1", "10.255.0.2"),
        ("spine-0", "10.255.0.3"),
    )
    assert addressing.pools[:-1] == (
        ("router ids", "10.255.0.0/16", 3, 65536),
        ("loopbacks_v6", "fd00:255::/64", 3, 2**64),
        ("links_v6", "fd00:254::/64", 2, 2**63),
        ("hosts_v6", "fd00:100::/56", 2, 256),
    )


def test_both_families_stand_side_by_side() -> None:
    graph = leaf_spine(3, 2, 2)
    both = found(graph, family="dual")
    four = allocate(graph.topology(), intent())
    six = found(graph)
    assert {(x.device, x.port): x.v4 for x in both.interfaces} == {
        (x.device, x.port): x.v4 for x in four.interfaces
    }
    assert v6(both) == v6(six)
    assert both.loopback("leaf-1") == ("10.255.0.2/32", "fd00:255::2/128")
    assert both.host_aggregates == ("10.0.0.0/12", "fd00:100::/56")
    assert both.host_subnets == four.host_subnets + six.host_subnets
    assert both.router_ids == ()
    assert len(both.interfaces) == len({(x.device, x.port) for x in both.interfaces})


def test_changing_the_family_keeps_what_there_was() -> None:
    graph = leaf_spine(3, 2, 2)
    four = allocate(graph.topology(), intent())
    both = found(graph, four.lock, "dual")
    alone = found(graph, both.lock)
    back = allocate(graph.topology(), intent(), alone.lock)
    assert back.interfaces == four.interfaces
    assert v6(alone) == v6(both)
    ids = {n: alone.router_id(n) for n, _, _ in alone.loopbacks}
    assert ids == {n: (v4 or "").partition("/")[0] for n, v4, _ in four.loopbacks}
    assert found(graph, back.lock) == alone


@pytest.mark.parametrize("graph", [fat_tree(4), fat_tree(8, 3), leaf_spine(5, 3, 5, 2)])
@pytest.mark.parametrize("family", ["ipv6", "dual"])
def test_no_address_twice_and_hosts_inside_their_leafs_64(graph: Graph, family: str) -> None:
    topology = graph.topology()
    addressing = found(graph, family=family)
    every = [ipaddress.IPv6Interface(text) for text in v6(addressing).values() if text]
    every += [ipaddress.IPv6Interface(x[2] or "") for x in addressing.loopbacks]
    assert (
        len({x.ip for x in every}) == len(every) == 2 * len(topology.links) + len(topology.switches)
    )
    for address in every:  # RFC 4291 2.6.1 and RFC 2526
        assert int(address.ip) & (2**64 - 1) not in {0, *range(2**64 - 128, 2**64)}
    subnet = {
        s.leaf: ipaddress.IPv6Network(s.prefix) for s in addressing.host_subnets if ":" in s.prefix
    }
    assert all(network.prefixlen == 64 for network in subnet.values())
    assert len(set(subnet.values())) == len(subnet)
    by_port = v6(addressing)
    for link in topology.links:
        a, b = (
            ipaddress.IPv6Interface(by_port[end.device, end.port] or "") for end in (link.a, link.b)
        )
        assert a.network == b.network
        assert a.ip != b.ip
        if not topology.is_switch(link.a.device):
            assert a.network.subnet_of(subnet[link.b.device])


RAIL_HOSTS = 4


def rails(groups: int, count: int, hosts: int = RAIL_HOSTS) -> Graph:
    """NIC r of the hosts of a group on leaf-<group>-<r>."""
    graph = leaf_spine(0, 1)
    for group in range(groups):
        leaves = tuple(f"leaf-{group}-{rail}" for rail in range(count))
        graph.switches += [Node(leaf, "leaf", 0, group) for leaf in leaves]
        graph.cables += [(leaf, "spine-0", 1) for leaf in leaves]
        graph.hosts += [(f"gpu-{group * hosts + n}", leaves) for n in range(hosts)]
    return graph


def test_each_rail_has_one_aggregate_with_room_for_a_sixteenth_of_the_pool() -> None:
    addressing = found(rails(2, 8))
    assert addressing.rail_aggregates == tuple(
        (rail, f"fd00:100:0:{rail * 16:x}::/60" if rail else "fd00:100::/60") for rail in range(8)
    )
    prefix = {s.leaf: s.prefix for s in addressing.host_subnets}
    assert prefix["leaf-1-3"] == "fd00:100:0:31::/64"
    grown = found(rails(9, 8), addressing.lock)
    assert grown.rail_aggregates == addressing.rail_aggregates
    assert {**v6(grown), **v6(addressing)} == v6(grown)


def test_a_rail_that_outgrows_its_room_says_so() -> None:
    addressing = found(rails(2, 8), hosts_v6="fd00:100::/59")  # 32 /64s: two a rail
    (problem,) = problems(rails(3, 8), addressing.lock, hosts_v6="fd00:100::/59")
    assert (problem.rule, problem.path) == ("RCE201", ("addressing", "pools", "hosts_v6"))
    assert problem.message == (
        "rail 0 has room for 2 leaves in IPv6 host pool fd00:100::/59, 3 needed (and 7 more rails)"
    )


def test_ipv4_gets_rail_aggregates_where_asked() -> None:
    graph = rails(2, 8)
    plain = allocate(graph.topology(), intent())
    assert plain.rail_aggregates == ()
    addressing = allocate(graph.topology(), intent(rail_aggregates=True))
    assert addressing.rail_aggregates == tuple((rail, f"10.{rail}.0.0/16") for rail in range(8))
    for subnet in addressing.host_subnets:
        aggregate = ipaddress.IPv4Network(f"10.{subnet.rail}.0.0/16")
        assert ipaddress.IPv4Network(subnet.prefix).subnet_of(aggregate)
    grown = allocate(rails(5, 8).topology(), intent(rail_aggregates=True), addressing.lock)
    before = {(x.device, x.port): x.v4 for x in addressing.interfaces if x.device[:3] == "gpu"}
    after = {(x.device, x.port): x.v4 for x in grown.interfaces}
    assert before.items() <= after.items()
    assert grown.host_aggregates == ("10.0.0.0/12",)


def test_the_part_of_a_rail_runs_out() -> None:
    with pytest.raises(ProblemError) as caught:
        allocate(
            rails(2, 2, 5).topology(), intent(rail_aggregates=True, hosts_v4="10.0.0.0/24")
        )  # 16 parts of eight /31s
    assert [p.message for p in caught.value.problems] == [
        (
            "rail 0 has 10.0.0.0/28 of host pool 10.0.0.0/24, which holds 8 NICs, 10 needed: "
            "use at least a /23 (and 1 more rail)"
        )
    ]


def test_rail_aggregates_are_no_matter_of_an_old_lock() -> None:
    graph = rails(2, 4)
    plain = allocate(graph.topology(), intent())
    with pytest.raises(ProblemError) as caught:
        allocate(graph.topology(), intent(rail_aggregates=True), plain.lock)
    (problem,) = caught.value.problems
    assert (problem.rule, problem.path) == ("RCE206", ("addressing", "rail_aggregates"))
    assert problem.message == (
        "the lock gives NICs of rail 1 addresses outside 10.1.0.0/16 (and 2 more rails)"
    )


def test_rail_aggregates_need_rails() -> None:
    with pytest.raises(ProblemError) as caught:
        allocate(leaf_spine(2, 1).topology(), intent(rail_aggregates=True))
    (problem,) = caught.value.problems
    assert (problem.rule, problem.path) == ("RCE006", ("addressing", "rail_aggregates"))


SMALL = {
    "loopbacks_v6": (
        leaf_spine(2, 2),
        "fd00:255::/126",  # the first of four is every router's
        "IPv6 loopback pool fd00:255::/126 holds 3 switches, 4 needed: use at least a /125",
    ),
    "links_v6": (
        leaf_spine(2, 2),
        "fd00:254::/125",
        "IPv6 p2p pool fd00:254::/125 holds 3 links, 4 needed: use at least a /124",
    ),
    "hosts_v6": (
        leaf_spine(3, 1),
        "fd00:100::/63",
        "IPv6 host pool fd00:100::/63 holds 2 /64s (one a leaf), 3 needed: use at least a /62",
    ),
    "hosts_v6 longer than one /64": (
        leaf_spine(1, 1),
        "fd00:100::/80",
        "IPv6 host pool fd00:100::/80 holds 0 /64s (one a leaf), 1 needed: use at least a /64",
    ),
}


@pytest.mark.parametrize("case", SMALL)
def test_a_pool_that_is_too_small_names_the_need(case: str) -> None:
    graph, prefix, message = SMALL[case]
    key = case.split(maxsplit=1)[0]
    (problem,) = problems(graph, None, **{key: prefix})
    assert (problem.rule, problem.path[-1], problem.message) == ("RCE201", key, message)


PREFIXES = {
    "link local": ("fe80::/64", "lies in fe80::/10", "fd00::/8"),
    "multicast": ("ff00::/16", "lies in ff00::/8", "fd00::/8"),
    "mapped IPv4": ("::ffff:0:0/96", "lies in ::/8", "fd00::/8"),
    "site local": ("fec0::/48", "lies in fec0::/10", "fd00::/8"),
    "discard": ("100::/64", "lies in 100::/64", "fd00::/8"),
    "IPv4": ("10.0.0.0/16", "is not of IPv6", "IPv6"),
    "text": ("six", "is not a prefix", "fd12:3456:789a::/64"),
    "host bits": ("fd00::1/64", "bits set behind its length", "fd00::/64"),
}


@pytest.mark.parametrize("case", PREFIXES)
def test_a_prefix_that_is_none(case: str) -> None:
    prefix, message, fix = PREFIXES[case]
    (problem,) = problems(leaf_spine(1, 1), links_v6=prefix)
    assert (problem.rule, problem.path) == ("RCE006", ("addressing", "pools", "links_v6"))
    assert message in problem.message
    assert fix in problem.fix


def test_an_ipv6_prefix_is_no_ipv4_pool() -> None:
    with pytest.raises(ProblemError, match="is not of IPv4"):
        allocate(leaf_spine(1, 1).topology(), intent(links_v4="fd00::/64"))


def test_pools_of_ipv6_overlap_only_each_other() -> None:
    (problem,) = problems(leaf_spine(1, 1), family="dual", links_v6="fd00:100::/64")
    assert problem.rule == "RCE202"
    assert problem.message == ("hosts_v6 pool fd00:100::/56 overlaps links_v6 pool fd00:100::/64")


def test_router_ids_may_be_anybodys_addresses() -> None:
    management = ManagementPolicy("eth0", None, (("leaf-0", "10.255.0.1/24"),))
    for family, clash in (("ipv6", False), ("dual", True)):
        policy = replace(intent(family=family, **POOLS), management=management)
        if not clash:
            allocate(leaf_spine(1, 1).topology(), policy)
            continue
        with pytest.raises(ProblemError, match="overlaps loopbacks pool"):
            allocate(leaf_spine(1, 1).topology(), policy)


def test_a_locks_places_in_a_64_that_contradict_each_other() -> None:
    rows = tuple(LockRow("nic_v6", "leaf-0", 0, 2, ("gpu-0", m)) for m in ("", "gpu-1"))
    (problem,) = problems(leaf_spine(1, 1, 2), Lock("sample", rows))
    assert problem.rule == "RCE206"
    assert "contradicts itself" in problem.message


@pytest.mark.parametrize("family", ["ipv6", "dual"])
def test_parallel_cables_keep_a_127_in_an_unnumbered_fabric(family: str) -> None:
    graph = leaf_spine(2, 1, 1, 2)
    addressing = found(graph, family=family, link_numbering="unnumbered")
    links = [x for x in addressing.interfaces if x.device == "spine-0"]
    assert all(x.v6 and x.v6.startswith("fd00:254::") and not x.unnumbered for x in links)
    (note,) = addressing.notes
    lengths = "a /127 each" if family == "ipv6" else "a /31 and /127 each"
    assert lengths in note
    policy = intent(family=family, **POOLS, link_numbering="unnumbered")
    sessions = derive(graph.topology(), addressing, policy).sessions_of("leaf-0")
    assert [s.family for s in sessions] == (["ipv6"] if family == "ipv6" else ["ipv4", "ipv6"]) * 2


def test_numbered_links_have_a_session_for_each_family() -> None:
    graph = leaf_spine(1, 1)
    policy = intent(family="dual", **POOLS)
    addressing = allocate(graph.topology(), policy)
    underlay = derive(graph.topology(), addressing, policy)
    assert [
        (s.family, s.local_address, s.peer_address) for s in underlay.sessions_of("leaf-0")
    ] == [
        ("ipv4", "10.254.0.0", "10.254.0.1"),
        ("ipv6", "fd00:254::2", "fd00:254::3"),
    ]
    speaker = underlay.speaker("leaf-0")
    assert speaker.announces == (
        "10.255.0.1/32",
        "fd00:255::1/128",
        "10.0.0.0/31",
        "fd00:100::/64",
    )
    assert speaker.discards == ("10.0.0.0/31", "fd00:100::/64")


def test_without_addresses_one_session_carries_all() -> None:
    graph = leaf_spine(1, 1)
    for family, announced in (("ipv6", 2), ("dual", 4)):
        policy = intent(family=family, **POOLS, link_numbering="unnumbered")
        addressing = allocate(graph.topology(), policy)
        underlay = derive(graph.topology(), addressing, policy)
        (session,) = underlay.sessions_of("leaf-0")
        assert (session.family, session.peer_address) == ("ipv6", None)
        assert underlay.speaker("leaf-0").router_id == "10.255.0.1"
        assert len(underlay.speaker("leaf-0").announces) == announced


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 6), st.integers(1, 4), st.integers(0, 5)), min_size=2, max_size=5
    )
)
def test_growth_and_shrinking_move_nothing(steps: list[tuple[int, int, int]]) -> None:
    lock: Lock | None = None
    seen: dict[tuple[str, str], str | None] = {}
    subnet: dict[str, str] = {}
    for leaves, spines, per_leaf in steps:
        graph = leaf_spine(leaves, spines, 0)
        graph.hosts += [
            (f"gpu-{leaf}-{n}", (f"leaf-{leaf}",))
            for leaf in range(leaves)
            for n in range(per_leaf)
        ]
        addressing = found(graph, lock)
        hosts = {k: v for k, v in v6(addressing).items() if k[0].startswith("gpu")}
        assert all(seen.setdefault(key, text) == text for key, text in hosts.items())
        for item in addressing.host_subnets:
            assert subnet.setdefault(item.leaf, item.prefix) == item.prefix
        lock = addressing.lock
    texts = list(chain(seen.values()))
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("kind", [LOOPBACKS_V6, LINKS_V6])
def test_the_reserved_interface_ids_are_never_handed_out(kind: object) -> None:
    whole = read_pool(kind, "fd00::/64")  # type: ignore[arg-type]
    top = read_pool(kind, "fd00::ffff:ffff:ffff:ff00/120")  # type: ignore[arg-type]
    inner = read_pool(kind, "fd00::ab00/120")  # type: ignore[arg-type]
    assert not isinstance(whole, Problem)
    assert not isinstance(top, Problem)
    assert not isinstance(inner, Problem)
    bits = whole.kind.unit_bits
    assert whole.usable == range(1, (2**64 - 128) >> bits)
    assert top.usable == range(128 >> bits)
    assert inner.usable == range(256 >> bits)


def test_64s_have_room_for_both() -> None:
    pool = read_pool(HOSTS_V6, "fd00::/62")
    assert not isinstance(pool, Problem)
    assert pool.usable == range(4)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 3)), min_size=2, max_size=4))
def test_rails_grow_and_shrink_inside_their_aggregates(steps: list[tuple[int, int]]) -> None:
    lock: Lock | None = None
    seen: dict[tuple[str, str], tuple[str | None, str | None]] = {}
    for groups, hosts in steps:
        graph = rails(groups, 3, 3)
        graph.hosts = [(name, on) for name, on in graph.hosts if int(name[4:]) % 3 < hosts]
        addressing = found(graph, lock, "dual", rail_aggregates=True)
        aggregates = [(rail, ipaddress.ip_network(p)) for rail, p in addressing.rail_aggregates]
        assert [str(network) for rail, network in aggregates if rail == 2] == [
            "10.2.0.0/16",
            "fd00:100:0:20::/60",
        ]
        for item in addressing.interfaces:
            if item.device.startswith("gpu"):
                assert seen.setdefault((item.device, item.port), (item.v4, item.v6)) == (
                    item.v4,
                    item.v6,
                )
                for text in (item.v4, item.v6):
                    address = ipaddress.ip_interface(text or "").ip
                    inside = [rail for rail, network in aggregates if address in network]
                    assert inside == [int(item.port[-1])]
        lock = addressing.lock
