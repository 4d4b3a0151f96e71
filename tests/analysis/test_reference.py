"""The engine and the plain reference say the same of random fabrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from fabric.analysis import bits, deadlock, dependencies, priorities
from fabric.analysis.forwarding import of_tables
from fabric.analysis.routing import bgp as bgp_model
from fabric.analysis.routing import dimension_order, dragonfly, shortest
from fabric.analysis.routing.bgp import bgp
from fabric.analysis.routing.up_down import default_roots, up_down
from tests.analysis import random_fabrics, reference, reference_routing
from tests.analysis.random_fabrics import SEEDS, Case, seeded

if TYPE_CHECKING:
    from random import Random

    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Network
    from fabric.analysis.priorities import Rising

RISES = ("none", "bounce", "global hop", "on kinds")


def hops(forwarding: Forwarding) -> dict[str, dict[str, set[tuple[str, str, str]]]]:
    """Destination → switch → (tail, head, kind) of its next hops, from the rows as they stand."""
    network = forwarding.network
    used = bits.unpacked(forwarding.rows, len(forwarding.destinations))
    found: dict[str, dict[str, set[tuple[str, str, str]]]] = {}
    for bit, number in enumerate(forwarding.destinations.tolist()):
        table = found.setdefault(network.names[number], {})
        for arc in used[:, bit].nonzero()[0].tolist():
            tail, head = network.names[network.tail[arc]], network.names[network.head[arc]]
            hop = (tail, head, network.kinds[network.kind[arc]])
            table.setdefault(tail, set()).add(hop)
    return found


def check_tables(case: Case, tables: reference.Tables, forwarding: Forwarding) -> None:
    expected = {
        leaf: {
            name: {(h.tail, h.head, h.kind) for h in hops} for name, hops in table.items() if hops
        }
        for leaf, table in tables.items()
    }
    assert hops(forwarding) == expected, str(case)
    for (name, leaf), heads in reference.next_switches(tables).items():
        assert forwarding.next_switches(name, leaf) == heads


def check(
    case: Case, random: Random, tables: reference.Tables, forwarding: Forwarding
) -> deadlock.Proof:
    """Next hops, then the proof under some rule."""
    check_tables(case, tables, forwarding)
    rule, levels = random.choice(RISES), random.choice((1, 2, 3, 8))
    rise, rising = _rise(case, forwarding.network, rule, levels)
    proof = deadlock.prove(forwarding, rising)
    expected = reference.judge(case.fabric, tables, rise, rising.levels)
    names = case.network.names
    assert {(names[a], names[b]) for a, b in forwarding.unreachable} == expected.unreachable
    assert len(forwarding.unreachable) == len(expected.unreachable)
    found = (proof.edges, sorted(proof.component_sizes.tolist()), proof.priorities)
    assert found == (expected.edges, expected.sizes, expected.priorities), (rule, levels, str(case))
    assert proof.cbd == bool(expected.sizes)
    assert proof.largest_scc == max(expected.sizes, default=0)
    return proof


def _rise(case: Case, network: Network, rule: str, levels: int) -> tuple[reference.RiseOf, Rising]:
    if rule == "bounce":
        return reference.bounce(case.fabric), priorities.bounce(network, levels=levels)
    if rule == "global hop":
        return reference.global_hop(case.fabric), priorities.global_hop(network, levels=levels)
    if rule == "on kinds":
        kinds = ("other", "global")
        return reference.on_kinds(kinds), priorities.on_kinds(network, kinds, levels=levels)
    return reference.never, priorities.none(network)


@given(SEEDS)
@settings(max_examples=80)
def test_spf(seed: int) -> None:
    random = seeded(seed)
    case = random_fabrics.case(random)
    check(case, random, reference_routing.spf(case.fabric), shortest.spf(case.network))


@given(SEEDS)
@settings(max_examples=250)
def test_bgp(seed: int) -> None:
    random = seeded(seed)
    case = random_fabrics.case(random)
    speakers = random_fabrics.speakers(random, case)
    rules = random_fabrics.rules(case.network, speakers)
    check(
        case,
        random,
        reference_routing.bgp(case.fabric, speakers, case.network.kinds),
        bgp(case.network, rules),
    )


@given(SEEDS)
@settings(max_examples=80)
def test_up_down(seed: int) -> None:
    random = seeded(seed)
    case = random_fabrics.case(random)
    alive = [name for name in case.fabric.names if name not in case.fabric.dead]
    roots = random.sample(alive, min(len(alive), random.choice((0, 1, 2))))
    expected = reference_routing.up_down(case.fabric, roots or list(default_roots(case.network)))
    check(case, random, expected, up_down(case.network, roots))


@given(SEEDS)
@settings(max_examples=80)
def test_dragonfly_minimal(seed: int) -> None:
    random = seeded(seed)
    case = random_fabrics.case(random)
    if len(set(case.fabric.group.values())) < 2:
        with pytest.raises(dragonfly.GroupError):
            dragonfly.minimal(case.network)
        return
    expected = reference_routing.dragonfly_minimal(case.fabric)
    check(case, random, expected, dragonfly.minimal(case.network))


@given(SEEDS)
@settings(max_examples=80)
def test_l2_flood(seed: int) -> None:
    random = seeded(seed)
    case = random_fabrics.case(random)
    forwarding = shortest.l2_flood(case.network)
    rule, levels = random.choice(RISES), random.choice((1, 2, 3, 8))
    rise, rising = _rise(case, forwarding.network, rule, levels)
    tables = reference_routing.spf(case.fabric)
    expected = reference.judge(case.fabric, tables, rise, rising.levels, floods=True)
    names = case.network.names
    assert {(names[a], names[b]) for a, b in forwarding.unreachable} == expected.unreachable
    proof = deadlock.prove(forwarding, rising)
    found = (proof.edges, sorted(proof.component_sizes.tolist()), proof.priorities)
    assert found == (expected.edges, expected.sizes, expected.priorities), (rule, levels, str(case))


@given(SEEDS)
@settings(max_examples=50)
def test_dor(seed: int) -> None:
    random = seeded(seed)
    case = random_fabrics.case(random)
    order: dict[tuple[frozenset[str], str], int] = {}
    for n, cable in enumerate(case.whole.cables):
        order.setdefault((frozenset((cable.a, cable.b)), cable.kind), n)

    def first(hops: frozenset[reference.Hop]) -> str:
        return min(hops, key=lambda h: order[frozenset((h.tail, h.head)), h.kind]).head

    one: reference.Tables = {
        leaf: {
            name: frozenset(h for h in hops if h.head == first(hops))
            for name, hops in table.items()
        }
        for leaf, table in reference_routing.spf(case.fabric).items()
    }
    check(case, random, one, dimension_order.dor(case.network))


@given(SEEDS)
@settings(max_examples=50)
def test_tables_that_are_given(seed: int) -> None:
    # Any next hops at all, loops included; destinations finer than leaves.
    random = seeded(seed)
    case = random_fabrics.case(random)
    at = {f"{leaf}/{n}": leaf for leaf in case.fabric.leaves for n in range(random.randint(1, 2))}
    tables: dict[str, dict[str, list[str]]] = {name: {} for name in case.fabric.names}
    wanted: reference.Tables = {destination: {} for destination in at}
    for name in case.fabric.names:
        near = sorted({hop.head for hop in case.fabric.hops[name]})
        for destination, leaf in at.items():
            if near and leaf != name and random.random() < 0.7:
                chosen = random.sample(near, random.randint(1, min(2, len(near))))
                tables[name][destination] = chosen
                wanted[destination][name] = frozenset(
                    hop for hop in case.fabric.hops[name] if hop.head in chosen
                )
    forwarding = of_tables(case.network, tables, at)
    expected = reference.judge(case.fabric, wanted, at=at)
    proof = deadlock.prove(forwarding)
    found = (proof.edges, sorted(proof.component_sizes.tolist()))
    assert found == (expected.edges, expected.sizes), str(case)


@given(SEEDS)
@settings(max_examples=30)
def test_in_small_pieces(seed: int) -> None:
    # What is done in chunks on fabrics of thousands, done in chunks on small ones.
    random = seeded(seed)
    case = random_fabrics.case(random)
    speakers = random_fabrics.speakers(random, case)
    rules = random_fabrics.rules(case.network, speakers)
    tables = reference_routing.bgp(case.fabric, speakers, case.network.kinds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bits, "_CHUNK_BYTES", 16)
        patch.setattr(bgp_model, "_BLOCK", 2)
        patch.setattr(dependencies, "_PAIRS", 3)
        check(case, random, tables, bgp(case.network, rules))
