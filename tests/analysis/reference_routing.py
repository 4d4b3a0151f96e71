"""The routing models of validation.md 1.3 in plain words: next hops by dicts."""

from __future__ import annotations

from collections import deque
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.analysis.reference import Fabric, Hop, Tables


class Speaker(NamedTuple):
    """What a switch does with BGP routes; ``tags`` (kind, community, alone), ``denied`` by kind."""

    asn: int
    own_asn_allowed: int = 0
    relax: bool = True
    tags: tuple[tuple[str, str, bool], ...] = ()
    denied: tuple[tuple[str, str], ...] = ()


def spf(fabric: Fabric) -> Tables:
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(fabric.names)
    graph.add_edges_from((c.a, c.b) for c in fabric.cables)
    tables: Tables = {}
    for leaf in fabric.leaves:
        far = nx.single_source_shortest_path_length(graph, leaf)
        tables[leaf] = {
            name: frozenset(h for h in fabric.hops[name] if far[h.head] == far[name] - 1)
            for name in far
            if name != leaf
        }
    return tables


def up_down(fabric: Fabric, roots: list[str]) -> Tables:
    """Up: nearer to the roots, or as near and earlier; down where it can, else up."""
    rank = _ranks(fabric, roots)
    up = {name: [h for h in fabric.hops[name] if rank[h.head] < rank[name]] for name in rank}
    down = {name: [h for h in fabric.hops[name] if rank[h.head] > rank[name]] for name in rank}
    tables: Tables = {}
    for leaf in fabric.leaves:
        cost, only_down = {leaf: 0}, {leaf}
        table = {}
        for name in sorted(rank, key=lambda n: rank[n], reverse=True):  # the lowest first
            ways = [h for h in down[name] if h.head in only_down]
            if name != leaf and ways:
                cost[name] = 1 + min(cost[h.head] for h in ways)
                table[name] = frozenset(h for h in ways if cost[h.head] == cost[name] - 1)
                only_down.add(name)
        for name in sorted(rank, key=lambda n: rank[n]):  # the highest first
            ways = [h for h in up[name] if h.head in cost]
            if name not in cost and ways:
                cost[name] = 1 + min(cost[h.head] for h in ways)
                table[name] = frozenset(h for h in ways if cost[h.head] == cost[name] - 1)
        tables[leaf] = table
    return tables


def _ranks(fabric: Fabric, roots: list[str]) -> dict[str, tuple[int, int]]:
    order = {name: n for n, name in enumerate(fabric.names)}
    depth: dict[str, int] = {}
    queue = deque((root, 0) for root in roots)
    while len(depth) < len(order):
        if not queue:
            queue.append((next(name for name in order if name not in depth), 0))
        name, level = queue.popleft()
        if name not in depth:
            depth[name] = level
            queue.extend((h.head, level + 1) for h in fabric.hops[name])
    return {name: (depth[name], order[name]) for name in order}


SHAPES = ("g", "lg", "gl", "lgl")  # cables of a minimal way between two groups


def dragonfly_minimal(fabric: Fabric) -> Tables:
    """First hops of the shortest ways of local and global cables in one of ``SHAPES``."""

    def ways(name: str, shape: str) -> Iterator[tuple[Hop, ...]]:
        if not shape:
            yield ()
            return
        for hop in fabric.hops[name]:
            crosses = fabric.group[hop.head] != fabric.group[name]
            if crosses == (shape[0] == "g"):
                for rest in ways(hop.head, shape[1:]):
                    yield (hop, *rest)

    tables: Tables = {leaf: {} for leaf in fabric.leaves}
    for name, leaf in product(fabric.names, fabric.leaves):
        shapes = ("l",) if fabric.group[name] == fabric.group[leaf] else SHAPES
        found = [way for shape in shapes for way in ways(name, shape) if way[-1].head == leaf]
        shortest = min(map(len, found), default=0)
        if name != leaf and found:
            tables[leaf][name] = frozenset(way[0] for way in found if len(way) == shortest)
    return tables


class Route(NamedTuple):
    """A route as a switch holds it."""

    path: tuple[int, ...]
    communities: frozenset[str]


def bgp(fabric: Fabric, speakers: Mapping[str, Speaker], kinds: tuple[str, ...]) -> Tables:
    """Everyone tells its best route to everyone, again and again, until nothing changes.

    The best of equally long routes is that of the first peer, over the first of ``kinds``.
    """
    place = {name: n for n, name in enumerate(fabric.names)}
    tables: Tables = {}
    for leaf in fabric.leaves:
        best: dict[str, Route] = {leaf: Route((), frozenset())}
        table: dict[str, frozenset[Hop]] = {}
        for _ in range(3 * len(place) + 3):
            now = {leaf: best[leaf]}
            table = {}
            for name in set(place) - {leaf}:
                offers = _offers(fabric, speakers, name, best)
                if not offers:
                    continue
                shortest = min(len(route.path) for route in offers.values())
                good = {h: r for h, r in offers.items() if len(r.path) == shortest}
                now[name] = good[min(good, key=lambda h: (place[h.head], kinds.index(h.kind)))]
                table[name] = frozenset(
                    h for h, r in good.items() if speakers[name].relax or r.path == now[name].path
                )
            if now == best:
                break
            best = now
        else:
            msg = "the routes do not settle"
            raise AssertionError(msg)
        tables[leaf] = table
    return tables


def _offers(
    fabric: Fabric, speakers: Mapping[str, Speaker], name: str, best: Mapping[str, Route]
) -> dict[Hop, Route]:
    own = speakers[name]
    offers = {}
    for hop in fabric.hops[name]:
        peer = speakers[hop.head]
        route = best.get(hop.head)
        if route is None or dict(peer.denied).get(hop.kind, "") in route.communities:
            continue
        path = (peer.asn, *route.path)
        if path.count(own.asn) > own.own_asn_allowed:
            continue
        communities = route.communities
        for kind, community, alone in own.tags:
            if kind == hop.kind:
                communities = frozenset({community}) | (frozenset() if alone else communities)
        offers[hop] = Route(path, communities)
    return offers
