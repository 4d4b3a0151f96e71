"""ASN plans: which scheme and why, whose number, what the validation table says of valleys."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from fabric import topologies
from fabric.design.addressing import allocate
from fabric.model.addressing import Addressing, Lock, LockRow
from fabric.model.finding import ProblemError
from tests.design.graphs import Graph, Node, fat_tree, intent, leaf_spine
from tests.topologies.fabrics import wired

BASE = 4_200_000_000


def plan(graph: Graph, lock: Lock | None = None, **policy: object) -> Addressing:
    return allocate(graph.topology(), intent(**policy), lock)


def numbers(found: Addressing, *prefixes: str) -> list[int]:
    return [asn - BASE for name, asn in found.asns if name.startswith(prefixes)]


def refusal(graph: Graph, lock: Lock | None = None, **policy: object) -> list[tuple[str, str]]:
    with pytest.raises(ProblemError) as caught:
        plan(graph, lock, **policy)
    return [(p.rule, p.message) for p in caught.value.problems]


def written(graph: Graph, asns: dict[str, int]) -> Graph:
    switches = [replace(node, asn=asns.get(node.name)) for node in graph.switches]
    return Graph(switches, graph.cables, graph.hosts, graph.kind)


def test_a_fat_tree_has_one_asn_on_top_one_per_pod_one_per_edge() -> None:
    found = plan(fat_tree(8, 4))
    assert set(numbers(found, "core")) == {0}
    for pod in range(4):
        assert set(numbers(found, f"agg-{pod}-")) == {1 + pod}
        assert numbers(found, f"edge-{pod}-") == [1000 + 4 * pod + n for n in range(4)]
    assert found.asn_scheme == "rfc7938"
    assert found.valleys_refused
    assert found.asn_reason == (
        "every cable joins adjacent tiers: one ASN for the top tier, one per group in the "
        "middle, one per leaf; no route goes down and up again: it would meet the same ASN twice"
    )


def test_a_leaf_spine_has_one_asn_for_all_spines() -> None:
    found = plan(leaf_spine(4, 2))
    assert numbers(found, "leaf") == [1000, 1001, 1002, 1003]
    assert numbers(found, "spine") == [0, 0]
    assert "one ASN for the top tier, one per leaf;" in found.asn_reason


def test_unique_numbers_give_the_leaves_the_same_as_rfc7938() -> None:
    found = plan(leaf_spine(4, 3), asn_scheme="unique")
    assert numbers(found, "leaf") == [1000, 1001, 1002, 1003]
    assert numbers(found, "spine") == [0, 1, 2]
    assert not found.valleys_refused
    assert found.asn_reason == (
        "asked for: every switch has its own ASN; "
        "routes may go down and up again, as spine-0 → leaf-0 → spine-1: two ASNs"
    )
    again = plan(leaf_spine(4, 3), found.lock, asn_scheme="auto")
    assert numbers(again, "leaf") == [1000, 1001, 1002, 1003]


def ring(size: int) -> Graph:
    switches = [Node(f"r{n}", "leaf", 0) for n in range(size)]
    return Graph(switches, [(f"r{n}", f"r{(n + 1) % size}", 1) for n in range(size)])


def test_a_graph_with_cables_within_a_tier_gets_unique_numbers_and_says_which_cable() -> None:
    found = plan(ring(4))
    assert numbers(found, "r") == [1000, 1001, 1002, 1003]
    assert found.asn_scheme == "unique"
    assert found.asn_reason.startswith(
        "r0:r1:1 does not join adjacent tiers, so every switch has its own ASN; "
    )
    assert not found.valleys_refused


def test_a_cable_that_skips_a_tier_is_not_adjacent() -> None:
    graph = fat_tree(4, 2)
    graph.cables.append(("edge-0-0", "core-0", 1))
    found = plan(graph)
    assert found.asn_scheme == "unique"
    assert found.asn_reason.startswith("core-0:edge-0-0:1 does not join adjacent tiers")
    assert len({asn for _, asn in found.asns}) == len(graph.switches)


def test_groups_may_be_words() -> None:
    graph = fat_tree(4, 2)
    words = {0: "west", 1: "hall 2/a"}
    graph.switches = [
        replace(n, group=words.get(n.group)) if isinstance(n.group, int) else n  # numbers → words
        for n in graph.switches
    ]
    found = plan(graph)
    by_name = dict(found.asns)
    assert by_name["agg-0-0"] == by_name["agg-0-1"] != by_name["agg-1-0"] == by_name["agg-1-1"]
    assert {by_name["agg-0-0"], by_name["agg-1-0"]} == {BASE + 1, BASE + 2}
    assert plan(graph, found.lock) == found


def test_a_middle_switch_in_no_group_has_its_own() -> None:
    graph = fat_tree(4, 2)
    graph.switches = [replace(node, group=None) for node in graph.switches]
    found = plan(graph)
    assert sorted(numbers(found, "agg")) == [1, 2, 3, 4]
    assert set(numbers(found, "core")) == {0}
    assert not found.valleys_refused


@dataclass(frozen=True)
class Variant:
    """An ASN plan of ft 4 from validation 1.5: CBD and unreachable counts there."""

    asns: dict[str, int]
    refused: bool
    reason: str


def _ft4(core: list[int], agg: list[int]) -> dict[str, int]:
    """``core``: of core-0…3; ``agg``: of agg-0-0, agg-0-1, agg-1-0 …; edges are unique."""
    aggs = [f"agg-{pod}-{i}" for pod in range(4) for i in range(2)]
    edges = [f"edge-{pod}-{i}" for pod in range(4) for i in range(2)]
    return (
        {f"core-{n}": asn for n, asn in enumerate(core)}
        | dict(zip(aggs, agg, strict=True))
        | {edge: 65_100 + n for n, edge in enumerate(edges)}
    )


PODS = [65_001, 65_001, 65_002, 65_002, 65_003, 65_003, 65_004, 65_004]
EACH = list(range(65_001, 65_009))
PLANES = [65_001, 65_002] * 4
VARIANTS = {
    "RFC 7938: 0 / 64": Variant(_ft4([65_000] * 4, PODS), refused=True, reason="no route"),
    "one ASN per core plane, one per pod: 0 / 64": Variant(
        _ft4([65_010, 65_010, 65_011, 65_011], PODS), refused=True, reason="no route"
    ),
    "aggregations unique, cores shared: 48 / 16": Variant(
        _ft4([65_000] * 4, EACH), refused=False, reason="agg-0-0 → edge-0-0 → agg-0-1"
    ),
    "cores and aggregations unique: 56 / 8": Variant(
        _ft4([65_010, 65_011, 65_012, 65_013], EACH), refused=False, reason="→"
    ),
    "aggregations of a plane share across pods: 0 / 496": Variant(
        _ft4([65_000] * 4, PLANES), refused=False,
        reason="agg-0-0 and agg-1-0 share an ASN: core-0 joins them in vain",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", VARIANTS)
def test_what_a_plan_does_to_valleys_is_told_from_its_numbers(case: str) -> None:
    variant = VARIANTS[case]
    found = plan(written(fat_tree(4), variant.asns))
    assert dict(found.asns) == variant.asns
    assert found.asn_scheme == "explicit"
    assert found.valleys_refused is variant.refused
    assert variant.reason in found.asn_reason
    assert ("in vain" in found.asn_reason) == ("across pods" in case)


def test_a_spine_of_its_own_asn_lets_valleys_through() -> None:
    """Validation 1.5: in two tiers only one ASN for all spines blocks valleys."""
    asns = {f"leaf-{n}": 65_100 + n for n in range(4)}
    same = written(leaf_spine(4, 2), asns | {"spine-0": 65_000, "spine-1": 65_000})
    each = written(leaf_spine(4, 2), asns | {"spine-0": 65_000, "spine-1": 65_001})
    assert plan(same).valleys_refused
    assert not plan(each).valleys_refused


def test_switches_of_a_pod_that_meet_the_same_cores_lose_nothing() -> None:
    graph = leaf_spine(2, 2)
    graph.switches = [replace(node, group=0) for node in graph.switches]
    graph.switches += [Node("top-0", "spine", 2), Node("top-1", "spine", 2)]
    graph.cables += [(f"spine-{s}", f"top-{t}", 1) for s in range(2) for t in range(2)]
    assert "in vain" not in plan(graph).asn_reason


def test_written_numbers_stay_and_the_rest_is_filled_around_them() -> None:
    asns = {"leaf-1": BASE + 1000, "leaf-2": 65_001}
    found = plan(written(leaf_spine(4, 2), asns))
    assert dict(found.asns)["leaf-1"] == BASE + 1000
    assert dict(found.asns)["leaf-2"] == 65_001
    assert numbers(found, "leaf-0", "leaf-3") == [1001, 1002]
    assert "2 written in the inventory kept" in found.asn_reason
    assert found.pools[-1] == ("asn", "4200000000-4294967294", 4, 94_967_295)


def test_the_rest_of_a_group_joins_its_one_written_number() -> None:
    found = plan(written(leaf_spine(2, 3), {"spine-1": 65_000}))
    assert {dict(found.asns)[f"spine-{n}"] for n in range(3)} == {65_000}
    assert found.valleys_refused


def test_a_group_that_was_numbered_does_not_join_a_later_one() -> None:
    before = plan(leaf_spine(2, 2))
    after = plan(written(leaf_spine(2, 3), {"spine-2": 65_000}), before.lock)
    assert [dict(after.asns)[f"spine-{n}"] for n in range(3)] == [BASE, BASE, 65_000]
    assert not after.valleys_refused


def test_pods_leave_the_base_to_the_top_tier() -> None:
    cores = {f"core-{n}": 65_000 for n in range(4)}
    before = plan(written(fat_tree(4, 2), cores))
    assert sorted(set(numbers(before, "agg"))) == [1, 2]
    after = plan(fat_tree(4, 2), before.lock)
    assert set(numbers(after, "core")) == {0}
    assert numbers(after, "agg") == numbers(before, "agg")


def test_a_written_number_in_the_spare_places_of_a_block_is_not_handed_out() -> None:
    before = plan(leaf_spine(3, 1))  # a block of 4: 1000–1003
    after = plan(written(leaf_spine(5, 1), {"leaf-3": BASE + 1003}), before.lock)
    assert len(set(numbers(after, "leaf"))) == 5


def test_a_written_number_that_was_handed_out_before_is_refused() -> None:
    before = plan(leaf_spine(2, 2))
    found = refusal(written(leaf_spine(3, 2), {"leaf-2": BASE + 1001}), before.lock)
    assert found == [("RCE204", "leaf-2: ASN 4200001001 was handed to leaf-1 before")]
    own = plan(written(leaf_spine(2, 2), {"leaf-1": BASE + 1001}), before.lock)
    assert own.asns == before.asns


def test_explicit_numbers_that_are_missing() -> None:
    graph = written(leaf_spine(4, 2), {"leaf-0": 65_001})
    message = (
        "ASN scheme explicit, but 5 of 6 switches have no asn: leaf-1, leaf-2, leaf-3 and 2 more"
    )
    assert refusal(graph, asn_scheme="explicit") == [("RCE204", message)]


def test_both_ends_of_a_cable_must_differ() -> None:
    graph = written(leaf_spine(2, 1), {"leaf-0": 65_001, "leaf-1": 65_002, "spine-0": 65_001})
    assert refusal(graph) == [
        (
            "RCE204",
            "ASN 65001 is on both ends of a cable (leaf-0–spine-0): eBGP needs two different ones",
        )
    ]


def test_rfc7938_cannot_join_two_switches_of_the_top() -> None:
    graph = leaf_spine(2, 2)
    graph.cables.append(("spine-0", "spine-1", 1))
    (found,) = refusal(graph, asn_scheme="rfc7938")
    assert found[0] == "RCE204"
    assert "ASN 4200000000 is on both ends of a cable (spine-0–spine-1)" in found[1]
    assert plan(graph).asn_scheme == "unique"


@pytest.mark.parametrize(
    ("kind", "params"),
    [
        ("dragonfly", {"p": 1, "a": 2, "h": 1, "g": 3}),
        ("dragonfly-plus", {"p": 1, "leaves": 2, "spines": 2, "h": 1, "g": 3}),
    ],
)
def test_dragonflies_have_an_asn_a_switch(kind: str, params: dict[str, int]) -> None:
    topology, _ = wired(kind, topologies.params_type(kind)(**params))
    for scheme in ("auto", "unique"):
        found = allocate(topology, intent(asn_scheme=scheme))
        assert len({asn for _, asn in found.asns}) == len(topology.switches)
        assert found.asn_scheme == "unique"
        assert found.asn_reason.endswith("communities decide which routes are passed on, not ASNs")
    with pytest.raises(ProblemError) as caught:
        allocate(topology, intent(asn_scheme="rfc7938"))
    (problem,) = caught.value.problems
    assert (problem.rule, problem.path) == ("RCE204", ("addressing", "asn", "scheme"))
    assert problem.message.startswith(
        f"ASN scheme rfc7938 numbers the tiers of a Clos; in a {kind}"
    )


UNUSABLE = {
    0: "ASN 0 is reserved (RFC 7607)",
    23_456: "ASN 23456 is reserved (RFC 6793, AS_TRANS)",
    65_535: "ASN 65535 is reserved (RFC 7300)",
    4_294_967_295: "ASN 4294967295 is reserved (RFC 7300)",
    4_294_967_296: "ASN 4294967296 is outside 1..4294967294",
    -1: "ASN -1 is outside 1..4294967294",
}


@pytest.mark.parametrize("asn", UNUSABLE)
def test_numbers_that_nobody_may_use(asn: int) -> None:
    assert refusal(written(leaf_spine(1, 1), {"leaf-0": asn})) == [
        ("RCE203", f"leaf-0: {UNUSABLE[asn]}")
    ]
    assert refusal(leaf_spine(1, 1), asn_base=asn) == [("RCE203", f"base: {UNUSABLE[asn]}")]


def test_the_problem_points_at_the_switch_in_the_inventory() -> None:
    @dataclass(frozen=True)
    class Params:
        switches: tuple[Node, ...]

    graph = written(leaf_spine(2, 1), {"leaf-1": 0})
    wish = replace(intent(), topology_params=Params(tuple(graph.switches)))
    with pytest.raises(ProblemError) as caught:
        allocate(graph.topology(), wish)
    assert caught.value.problems[0].path == ("topology", "switches", 1, "asn")


def test_a_two_byte_base_stays_in_the_private_range() -> None:
    found = plan(leaf_spine(30, 2), asn_base=64_512)
    leaves = [asn for name, asn in found.asns if name.startswith("leaf")]
    assert leaves == list(range(64_612, 64_642))
    assert found.pools[-1][1:] == ("64512-65534", 31, 1023)
    many = leaf_spine(1022, 1)
    assert max(asn for _, asn in plan(many, asn_base=64_512).asns) == 65_534
    assert refusal(leaf_spine(1023, 1), asn_base=64_512) == [
        ("RCE203", "ASN range 64512–65534 has 1023 free, 1024 needed")
    ]


def test_the_end_of_the_four_byte_range() -> None:
    last = plan(leaf_spine(4, 2), asn_base=4_294_967_290)
    assert sorted({asn for _, asn in last.asns}) == list(range(4_294_967_290, 4_294_967_295))
    assert refusal(leaf_spine(5, 2), asn_base=4_294_967_290) == [
        ("RCE203", "ASN range 4294967290–4294967294 has 5 free, 6 needed")
    ]


def test_reserved_numbers_are_stepped_over() -> None:
    """A block is one run: it does not begin at 23455, for 23456 is AS_TRANS."""
    found = plan(leaf_spine(4, 4), asn_base=23_455, asn_scheme="unique")
    spines = [asn for name, asn in found.asns if name.startswith("spine")]
    assert spines == [23_457, 23_458, 23_459, 23_460]
    one = plan(leaf_spine(4, 1), asn_base=23_455, asn_scheme="unique")
    assert dict(one.asns)["spine-0"] == 23_455


def pods(count: int, edges: int = 1) -> Graph:
    graph = Graph([Node("top", "core", 2)])
    for pod in range(count):
        graph.switches.append(Node(f"agg-{pod}", "agg", 1, pod))
        graph.cables.append((f"agg-{pod}", "top", 1))
        for n in range(edges):
            graph.switches.append(Node(f"edge-{pod}-{n}", "edge", 0, pod))
            graph.cables.append((f"edge-{pod}-{n}", f"agg-{pod}", 1))
    return graph


@pytest.mark.parametrize("steps", [(1200,), (3, 990, 1200), (700, 1024, 2048)])
def test_more_pods_than_numbers_below_the_leaves(steps: tuple[int, ...]) -> None:
    lock: Lock | None = None
    ever: dict[str, int] = {}
    for count in steps:
        found = plan(pods(count), lock)
        lock = found.lock
        now = dict(found.asns)
        assert len(set(now.values())) == len(now) == 2 * count + 1
        assert {name: now[name] for name in ever} == ever
        assert now["top"] == BASE
        ever = now


def test_a_large_fat_tree_fits_between_the_base_and_the_leaves() -> None:
    found = plan(pods(64, 32))
    assert sorted(set(numbers(found, "agg"))) == list(range(1, 65))
    assert numbers(found, "edge") == list(range(1000, 1000 + 2048))


def test_a_lock_written_for_a_leaf_is_honoured() -> None:
    rows = (LockRow("asn", "leaf", 77, 1, ("leaf-0",)),)
    found = plan(leaf_spine(2, 1), Lock("sample", rows, (("asn", str(BASE)),)))
    assert numbers(found, "leaf") == [77, 1000]


def test_one_switch_alone() -> None:
    found = plan(Graph([Node("r0", "leaf", 0)]))
    assert numbers(found, "r0") == [1000]
    assert found.asn_scheme == "rfc7938"
