"""Datelines against plain path enumeration: nothing of the engine but the cables it names."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from fabric.analysis.dateline import MOST_CABLES, dateline
from fabric.analysis.deadlock import prove
from fabric.analysis.network import Network, Node, numbered
from fabric.analysis.routing.shortest import spf
from tests.analysis.cure_fabrics import grid, ring

if TYPE_CHECKING:
    from collections.abc import Iterator

Channel = tuple[int, int, int]  # from, to, level
Ends = frozenset[int]


@st.composite
def graphs(draw: st.DrawFn) -> nx.Graph[int]:
    size = draw(st.integers(4, 8))
    seed = draw(st.integers(0, 10_000))
    extra = draw(st.integers(0, 4))
    cycle: nx.Graph[int] = nx.cycle_graph(size)
    rest = sorted(nx.complement(cycle).edges)
    for n in range(extra):
        cycle.add_edge(*rest[(seed + n * 7) % len(rest)])
    return cycle


def _walks(graph: nx.Graph[int], raising: set[Ends]) -> Iterator[list[Channel]]:
    """Every shortest path of every pair as the channels that it fills."""
    for source in graph:
        for target in graph:
            if source == target:
                continue
            for path in nx.all_shortest_paths(graph, source, target):
                level, walk = 0, []
                for a, b in pairwise(path):
                    level += frozenset((a, b)) in raising
                    walk.append((a, b, level))
                yield walk


def _dependencies(graph: nx.Graph[int], raising: set[Ends]) -> nx.DiGraph[Channel]:
    waits: nx.DiGraph[Channel] = nx.DiGraph()
    for walk in _walks(graph, raising):
        nx.add_path(waits, walk)
    return waits


def _network(graph: nx.Graph[int]) -> Network:
    return Network.of(
        [Node(str(n), 1) for n in graph],
        numbered((str(a), str(b), "cable") for a, b in sorted(graph.edges)),
    )


@given(graphs())
def test_no_cycle_is_left_and_the_levels_are_those(graph: nx.Graph[int]) -> None:
    network = _network(graph)
    forwarding = spf(network)
    with_none = _dependencies(graph, set())
    assert prove(forwarding).cbd != nx.is_directed_acyclic_graph(with_none)
    found = dateline(forwarding)
    raising = {
        frozenset((int(network.cables[n][0].a), int(network.cables[n][0].b))) for n in found.bundles
    }
    waits = _dependencies(graph, raising)
    assert nx.is_directed_acyclic_graph(waits) != found.proof.cbd
    assert found.proof.priorities == 1 + max(level for _, _, level in waits)


def test_nothing_to_break_takes_no_cable() -> None:
    assert dateline(spf(ring(3))).bundles == ()


def test_a_search_that_finds_nothing_ends() -> None:
    found = dateline(spf(grid(4, torus=True)))
    assert found.proof.cbd
    assert len(found.bundles) == MOST_CABLES
