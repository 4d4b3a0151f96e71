"""The cycle that is shown: a shortest one, and each of its steps true."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import pytest

from fabric.analysis import cycle, priorities
from fabric.analysis.deadlock import Proof, prove
from fabric.analysis.network import Cable, Network, Node, numbered
from fabric.analysis.routing.shortest import l2_flood, spf

if TYPE_CHECKING:
    from collections.abc import Callable

Cables = list[tuple[str, str]]


def _network(switches: list[tuple[str, int]], cables: Cables) -> Network:
    nodes = [Node(name, int(tier == 0), tier) for name, tier in switches]
    return Network.of(nodes, numbered([(a, b, "cable") for a, b in cables]))


def _ring(size: int) -> Network:
    cables = [(f"r{n}", f"r{(n + 1) % size}") for n in range(size)]
    return _network([(f"r{n}", 0) for n in range(size)], cables)


def _leaf_spine(leaves: int, spines: int, times: int = 1) -> Network:
    switches = [(f"l{n}", 0) for n in range(leaves)] + [(f"s{n}", 1) for n in range(spines)]
    cables = [(f"l{n}", f"s{s}") for n in range(leaves) for s in range(spines)]
    return _network(switches, cables * times)


CASES: dict[str, tuple[Callable[[], Proof], int]] = {
    "ring of 4": (lambda: prove(spf(_ring(4))), 4),
    "ring of 5": (lambda: prove(spf(_ring(5))), 5),
    "ring of 8": (lambda: prove(spf(_ring(8))), 8),
    "leaf-spine 4×2, two cuts": (
        lambda: prove(spf(_leaf_spine(4, 2).without(["l0:s1:1", "l1:s0:1"]))),
        4,
    ),
    "leaf-spine 6×2, two cuts": (
        lambda: prove(spf(_leaf_spine(6, 2).without(["l0:s1:1", "l1:s0:1"]))),
        4,
    ),
    "flooding": (lambda: prove(l2_flood(_leaf_spine(2, 2))), 4),
    "flooding over parallel cables": (lambda: prove(l2_flood(_leaf_spine(1, 1, 2))), 2),
}


def _neighbours(proof: Proof) -> dict[tuple[str, str], set[tuple[str, str]]]:
    """Channels by names, one level: dependencies listed one by one."""
    flow = proof.graph.traffic
    network = flow.forwarding.network
    found: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for one in range(len(network.tail)):
        for two in range(len(network.tail)):
            if network.head[one] != network.tail[two] or not network.count[one]:
                continue
            back = one == two ^ 1 and flow.forwarding.floods and network.count[one] == 1
            if (flow.rows[0][one] & flow.forwarding.rows[two]).any() and not back:
                key = (network.names[network.tail[one]], network.names[network.head[one]])
                end = (network.names[network.tail[two]], network.names[network.head[two]])
                found.setdefault(key, set()).add(end)
    return found


@pytest.mark.parametrize("case", CASES)
def test_a_shortest_cycle_is_shown(case: str) -> None:
    make, length = CASES[case]
    proof = make()
    steps = cycle.shortest(proof, lambda level: 3 + level)
    assert len(steps) == length
    follow = _neighbours(proof)
    for here, there in zip(steps, (*steps[1:], steps[0]), strict=True):
        assert here.receiver == there.sender
        assert (there.sender, there.receiver) in follow[here.sender, here.receiver]
    graph = nx.DiGraph([(a, b) for a, many in follow.items() for b in many])
    assert min(map(len, nx.simple_cycles(graph, length_bound=length))) == length


@pytest.mark.parametrize("case", CASES)
def test_each_step_names_a_flow_that_crosses_it(case: str) -> None:
    proof = CASES[case][0]()
    forwarding = proof.graph.traffic.forwarding
    for step in cycle.shortest(proof, lambda level: 3 + level):
        tables: nx.DiGraph[str] = nx.DiGraph()
        for name in forwarding.network.names:
            hops = forwarding.next_switches(name, step.destination)
            tables.add_edges_from((name, hop) for hop in hops)
        leaves = {forwarding.network.names[n] for n in forwarding.network.leaves}
        assert step.source in leaves
        assert step.source != step.destination or forwarding.floods
        assert nx.has_path(tables, step.source, step.sender)
        assert tables.has_edge(step.sender, step.receiver)
        assert tables.out_degree(step.receiver) > 0


def test_what_is_flooded_goes_back_over_another_cable() -> None:
    steps = cycle.shortest(CASES["flooding over parallel cables"][0](), lambda level: level)
    assert {step.link for step in steps} == {"l0:s0:1", "l0:s0:2"}


def test_no_cycle_no_steps() -> None:
    assert cycle.shortest(prove(spf(_leaf_spine(4, 2))), lambda level: level) == ()


def test_ports_and_priorities_are_those_of_the_channel() -> None:
    nodes = [Node(f"r{n}", 1, 0, str(n % 2)) for n in range(4)]
    cables = [
        Cable(f"c{n}", f"r{n}", f"r{(n + 1) % 4}", "cable", f"out{n}", f"in{n}") for n in range(4)
    ]
    proof = prove(spf(Network.of(nodes, cables)))
    steps = cycle.shortest(proof, (5, 6).__getitem__)
    for step in steps:
        number, forward = step.link[1:], step.sender_port.startswith("out")
        assert step.sender_port == f"{'out' if forward else 'in'}{number}"
        assert step.receiver_port == f"{'in' if forward else 'out'}{number}"
        assert step.priority == 5


def test_a_cycle_at_a_raised_level_bears_its_priority() -> None:
    """Ring of 4 in which the first hop of every packet raises: all the waiting is on level 1."""
    network = _ring(4)
    rising = priorities.on_kinds(network, ("cable",), levels=3)
    first_only = priorities.Rising("first", rising.way * 0, rising.steps[:2, :1] * 0, 2)
    first_only.steps[1, 0] = 1
    steps = cycle.shortest(prove(spf(network), first_only), (3, 4).__getitem__)
    assert [step.priority for step in steps] == [4] * 4
