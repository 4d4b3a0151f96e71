"""What was handed out stays: growth, removal and return in any order, with the lock carried on."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.design.addressing import allocate
from fabric.design.lock import lock_text, read_lock
from fabric.design.underlay import derive
from fabric.model.addressing import Lock, LockRow
from fabric.model.finding import ProblemError
from tests.design.graphs import Graph, Node, fat_tree, intent, leaf_spine

Facts = dict[tuple[str, ...], object]


def facts(graph: Graph, lock: Lock | None, **policy: object) -> tuple[Facts, Lock]:
    """Every address, ASN and session by what it belongs to, and the lock as a file keeps it."""
    topology, wish = graph.topology(), intent(**policy)
    found = allocate(topology, wish, lock)
    facts: Facts = {("loopback", name): v4 for name, v4, _ in found.loopbacks}
    facts |= {("asn", name): asn for name, asn in found.asns}
    for link in topology.links:
        for end in (link.a, link.b):
            address = found.at(end.device, end.port)
            assert address is not None
            facts["port", link.id, end.device] = address.v4
    for s in derive(topology, found, wish).sessions:
        facts["session", s.link, s.device] = (
            s.local_asn,
            s.peer_asn,
            s.local_address,
            s.peer_address,
        )
    _sound(facts, found.host_subnets)
    return facts, read_lock(lock_text(found.lock), "x")


def _sound(facts: Facts, subnets: tuple[object, ...]) -> None:
    addresses = [v for k, v in facts.items() if k[0] in ("loopback", "port")]
    assert len(set(addresses)) == len(addresses)
    networks = [ipaddress.IPv4Network(s.prefix) for s in subnets]  # type: ignore[attr-defined]
    ordered = sorted(networks)
    assert all(not a.overlaps(b) for a, b in pairwise(ordered))


@dataclass
class Pods:
    """A fabric in pods that grows and shrinks in every way that an inventory allows."""

    pods: dict[int, int] = field(default_factory=lambda: {0: 2})  # pod → edges
    aggs: int = 2
    cores: int = 2
    links: int = 1
    hosts: set[tuple[int, int, int]] = field(default_factory=lambda: {(0, 0, 0), (0, 1, 0)})

    def graph(self) -> Graph:
        g = Graph(kind="fat-tree")
        g.switches += [Node(f"core-{n}", "core", 2) for n in range(self.cores)]
        for pod, edges in self.pods.items():
            g.switches += [Node(f"agg-{pod}-{n}", "agg", 1, pod) for n in range(self.aggs)]
            g.switches += [Node(f"edge-{pod}-{n}", "edge", 0, pod) for n in range(edges)]
            for a in range(self.aggs):
                g.cables += [(f"agg-{pod}-{a}", f"core-{c}", 1) for c in range(self.cores)]
                g.cables += [(f"edge-{pod}-{e}", f"agg-{pod}-{a}", self.links)
                             for e in range(edges)]  # fmt: skip
        g.hosts += [
            (f"gpu-{pod}-{edge}-{n}", (f"edge-{pod}-{edge}",))
            for pod, edge, n in sorted(self.hosts)
            if edge < self.pods.get(pod, 0)
        ]
        return g

    def step(self, what: str, number: int) -> None:
        match what:
            case "pod":
                self.pods.setdefault(number, 1)
            case "no pod" if len(self.pods) > 1:
                self.pods.pop(number, None)
            case "edges":
                pod = sorted(self.pods)[number % len(self.pods)]
                self.pods[pod] = 1 + number
            case "aggs":
                self.aggs = 1 + number
            case "cores":
                self.cores = 1 + number
            case "links":
                self.links = 1 + number % 2
            case "host":
                self.hosts.add((number % 2, number // 2 % 3, number))
            case "no host":
                self.hosts.discard((number % 2, number // 2 % 3, number))
            case _:
                pass


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["pod", "no pod", "edges", "aggs", "cores", "links", "host", "no host"]),
        st.integers(0, 5),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_nothing_that_was_handed_out_ever_changes(steps: list[tuple[str, int]]) -> None:
    fabric, lock, ever = Pods(), None, Facts()
    for what, number in [("", 0), *steps]:
        fabric.step(what, number)
        now, lock = facts(fabric.graph(), lock)
        changed = {key: (ever[key], now[key]) for key in now.keys() & ever if ever[key] != now[key]}
        assert changed == {}
        ever |= now
        assert facts(fabric.graph(), lock) == (now, lock)  # planning again changes nothing


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_tight_pools_keep_whoever_stays(steps: list[tuple[str, int]]) -> None:
    """Removed devices may lose their place there, present ones never."""
    tight = {
        "loopbacks_v4": "10.255.0.0/27",
        "links_v4": "10.254.0.0/25",
        "hosts_v4": "10.0.0.0/28",
    }
    fabric, lock, before = Pods(), None, Facts()
    for what, number in steps:
        fabric.step(what, number)
        try:
            now, lock = facts(fabric.graph(), lock, **tight)
        except ProblemError as error:
            wrong = [p for p in error.problems if p.rule != "RCE201" or not _too_many(p.message)]
            if wrong:
                raise
            break
        stay = before.keys() & now
        assert {key: before[key] for key in stay} == {key: now[key] for key in stay}
        before = now


def _too_many(message: str) -> bool:
    """A refusal is never the allocator's own fault: the pool really has fewer units."""
    words = message.split()
    return int(words[words.index("holds") + 1]) < int(words[words.index("needed:") - 1])


def test_a_rack_in_the_middle_of_the_names_moves_nothing() -> None:
    graph = leaf_spine(3, 3, 2)
    small = Graph(
        [n for n in graph.switches if n.name not in ("leaf-1", "spine-1")],
        [c for c in graph.cables if "leaf-1" not in c and "spine-1" not in c],
        [h for h in graph.hosts if h[1] != ("leaf-1",)],
    )
    before, lock = facts(small, None)
    after, _ = facts(graph, lock)
    assert {key: after[key] for key in before} == before


def test_a_removed_spine_comes_back_to_its_addresses() -> None:
    graph = leaf_spine(4, 3, 2)
    before, lock = facts(graph, None)
    without = Graph(
        [n for n in graph.switches if n.name != "spine-1"],
        [c for c in graph.cables if "spine-1" not in c],
        graph.hosts,
    )
    _, lock = facts(without, lock)
    assert facts(graph, lock)[0] == before


def test_a_grown_leaf_announces_a_further_block() -> None:
    _, lock = facts(leaf_spine(2, 1, 4), None)
    bigger = leaf_spine(2, 1, 4)
    bigger.hosts.append(("gpu-new", ("leaf-0",)))
    found = allocate(bigger.topology(), intent(), lock)
    assert [(s.leaf, s.prefix) for s in found.host_subnets] == [
        ("leaf-0", "10.0.0.0/29"),
        ("leaf-1", "10.0.0.8/29"),
        ("leaf-0", "10.0.0.16/29"),
    ]


def test_a_block_without_hosts_is_not_announced() -> None:
    _, lock = facts(leaf_spine(2, 1, 4), None)
    smaller = leaf_spine(2, 1, 4)
    smaller.hosts = [h for h in smaller.hosts if h[1] == ("leaf-1",)]
    found = allocate(smaller.topology(), intent(), lock)
    assert [(s.leaf, s.prefix) for s in found.host_subnets] == [("leaf-1", "10.0.0.8/29")]


def test_a_block_with_some_hosts_left_is_announced_whole() -> None:
    _, lock = facts(leaf_spine(1, 1, 4), None)
    smaller = leaf_spine(1, 1, 4)
    del smaller.hosts[1]
    found = allocate(smaller.topology(), intent(), lock)
    assert [s.prefix for s in found.host_subnets] == ["10.0.0.0/29"]


WIDER = ["172.20.0.0/24", "172.20.0.0/23", "172.16.0.0/12", "172.20.0.0/28"]


@pytest.mark.parametrize("pool", WIDER)
def test_a_pool_may_be_widened_or_cut_around_what_is_in_use(pool: str) -> None:
    before, lock = facts(leaf_spine(4, 2, 2), None, links_v4="172.20.0.0/25")
    after, again = facts(leaf_spine(4, 2, 2), lock, links_v4=pool)
    assert after == before
    assert dict(again.pools)["link"] == pool


def test_a_pool_widened_to_lower_addresses_moves_nothing() -> None:
    before, lock = facts(leaf_spine(4, 2, 2), None, links_v4="10.254.1.0/24")
    after, _ = facts(leaf_spine(6, 4, 2), lock, links_v4="10.254.0.0/23")
    assert {key: after[key] for key in before} == before


def refusal(graph: Graph, lock: Lock, **policy: object) -> list[tuple[str, str]]:
    with pytest.raises(ProblemError) as caught:
        allocate(graph.topology(), intent(**policy), lock)
    return [(p.rule, p.message) for p in caught.value.problems]


def test_a_pool_that_moved_away_is_refused() -> None:
    _, lock = facts(leaf_spine(2, 2), None)
    message = (
        "the lock gives leaf-0–spine-0, leaf-0–spine-1, leaf-1–spine-0 and 1 more "
        "addresses outside links pool 10.253.0.0/16"
    )
    assert refusal(leaf_spine(2, 2), lock, links_v4="10.253.0.0/16") == [("RCE206", message)]


def test_a_base_that_moved_is_refused() -> None:
    _, lock = facts(leaf_spine(2, 2), None)
    assert refusal(leaf_spine(2, 2), lock, asn_base=65_000) == [
        ("RCE206", "the lock counts ASNs from 4200000000, the inventory from 65000")
    ]


def test_a_lock_of_another_fabric_is_refused() -> None:
    assert refusal(leaf_spine(2, 2), Lock("other")) == [
        ("RCE206", "the lock is of fabric 'other', this is 'sample'")
    ]


def _tampered(lock: Lock, pool: str, **changes: object) -> Lock:
    number = next(n for n, row in enumerate(lock.rows) if row.pool == pool)
    row = replace(lock.rows[number], **changes)  # type: ignore[arg-type]
    return replace(lock, rows=(*lock.rows[:number], row, *lock.rows[number + 1 :]))


TAMPERED: dict[str, tuple[dict[str, object], str, str]] = {
    "overlap": ({"size": 3}, "link", "the link blocks of 'leaf-0' and 'leaf-1' overlap"),
    "loopback overlap": ({"start": 4}, "loopback", "the loopback blocks of 'spine' and 'leaf'"),
    "twice": (
        {"members": ("spine-0", "spine-0")},
        "link",
        "'spine-0' has two places in the link blocks",
    ),
    "asn overlap": ({"start": 1000}, "asn", "the asn blocks of '/top' and 'leaf' overlap"),
}


@pytest.mark.parametrize("case", TAMPERED)
def test_a_lock_that_contradicts_itself_is_refused(case: str) -> None:
    changes, pool, message = TAMPERED[case]
    _, lock = facts(leaf_spine(2, 2, 2), None)
    (found,) = refusal(leaf_spine(2, 2, 2), _tampered(lock, pool, **changes))
    assert found[0] == "RCE206"
    assert message in found[1]


def test_a_lock_without_its_prefix_is_refused() -> None:
    _, lock = facts(leaf_spine(2, 2), None)
    bare = replace(lock, pools=tuple(x for x in lock.pools if x[0] != "link"))
    (found,) = refusal(leaf_spine(2, 2), bare)
    assert found[1] == "the lock does not say which prefix its link blocks were cut from"
    foreign = replace(bare, pools=(*bare.pools, ("link", "fd00::/64")))
    (found,) = refusal(leaf_spine(2, 2), foreign)
    assert found[1] == "the lock's link blocks were cut from fd00::/64, not from 10.254.0.0/16"


def test_an_asn_row_beyond_the_range_is_refused() -> None:
    lock = Lock(
        "sample", (LockRow("asn", "leaf", 2**32, 1, ("leaf-0",)),), (("asn", "4200000000"),)
    )
    (found,) = refusal(leaf_spine(1, 1), lock)
    assert found == ("RCE206", "the lock contradicts itself: ASNs of 'leaf' lie beyond the range")


def test_links_that_become_unnumbered_and_back_find_their_addresses() -> None:
    before, lock = facts(leaf_spine(3, 2), None)
    unnumbered = allocate(leaf_spine(3, 2).topology(), intent(link_numbering="unnumbered"), lock)
    assert facts(leaf_spine(3, 2), unnumbered.lock)[0] == before


def test_a_switch_that_joins_a_group_keeps_its_loopback() -> None:
    graph = fat_tree(4, 2)
    before, lock = facts(graph, None)
    moved = replace(graph.switches[0], group=7)
    after, _ = facts(Graph([moved, *graph.switches[1:]], graph.cables, graph.hosts), lock)
    assert after["loopback", moved.name] == before["loopback", moved.name]
    assert after["asn", moved.name] == before["asn", moved.name]


def test_removed_switches_make_room_only_when_it_is_needed() -> None:
    pool = {"loopbacks_v4": "10.255.0.0/29"}
    _, lock = facts(leaf_spine(6, 1), None, **pool)
    _, lock = facts(leaf_spine(3, 1), lock, **pool)
    assert ("loopback", "leaf-5") in _members(lock)
    after, lock = facts(leaf_spine(3, 5), lock, **pool)
    assert len({v for k, v in after.items() if k[0] == "loopback"}) == 8
    assert ("loopback", "leaf-5") not in _members(lock)


def _members(lock: Lock) -> set[tuple[str, str]]:
    return {(row.pool, member) for row in lock.rows for member in row.members}
