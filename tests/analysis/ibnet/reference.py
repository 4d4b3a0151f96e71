"""Cyclic buffer dependencies by definition (validation 1.1): every pair of channels, one by one."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from typing import TYPE_CHECKING

import networkx as nx

from tests.analysis.ibnet.tables import Channel, Route

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tests.analysis.ibnet.netlist import Fabric

    Dependencies = nx.DiGraph[Channel]


def active(sources: Collection[str], route: Route) -> frozenset[Channel]:
    """Channels in which packets for a destination can be: followed from every other source."""
    found: set[Channel] = set()
    reached, ahead = set(sources), [s for s in sources if s != route.at]
    while ahead:
        for channel in route.ways.get(ahead.pop(), ()):
            found.add(channel)
            if channel.head not in reached:
                reached.add(channel.head)
                ahead.append(channel.head)
    return frozenset(found)


def dependencies(sources: Collection[str], routes: Iterable[Route]) -> Dependencies:
    """Which channel waits for which."""
    graph: Dependencies = nx.DiGraph()
    for route in routes:
        used = active(sources, route)
        graph.add_nodes_from(used)
        for channel in used:
            graph.add_edges_from(product((channel,), route.ways.get(channel.head, ())))
    return graph


def largest_component(graph: Dependencies) -> int:
    """Channels of the largest strongly connected component with a cycle; 0 without one."""
    sizes = [len(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]
    return max([*sizes, *(1 for _ in nx.selfloop_edges(graph))], default=0)


def is_closed(graph: Dependencies, loop: Collection[Channel]) -> bool:
    """Whether each channel waits for the next, and the last for the first."""
    listed = list(loop)
    return len(listed) > 1 and all(graph.has_edge(*p) for p in pairwise([*listed, listed[0]]))


def used(sources: Collection[str], routes: Iterable[Route]) -> Counter[Channel]:
    """For how many destinations each channel has packets."""
    return Counter(channel for route in routes for channel in active(sources, route))


def shortest(fabric: Fabric) -> list[Route]:
    """All shortest ways to every switch with hosts."""
    channels = [Channel(a, b, port) for (a, port), (b, _) in fabric.ports()[0].items()]
    graph = nx.Graph((channel.tail, channel.head) for channel in channels)
    routes = []
    for at in (name for name, hosts in fabric.hosts.items() if hosts):
        hops = nx.single_source_shortest_path_length(graph, at)
        ways: dict[str, tuple[Channel, ...]] = {}
        for channel in channels:
            if hops[channel.head] < hops[channel.tail]:
                ways[channel.tail] = (*ways.get(channel.tail, ()), channel)
        routes.append(Route(at, ways))
    return routes
