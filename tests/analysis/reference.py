"""validation.md 1.1–1.3 once more, by dicts and networkx, one channel and one packet at a time.

Slow and plain on purpose; it shares no code with ``fabric.analysis`` but the names of a fabric.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabric.analysis.network import Cable, Node


class Hop(NamedTuple):
    """A cable in one direction."""

    tail: str
    head: str
    kind: str
    cable: str


class Speaker(NamedTuple):
    """What a switch does with BGP routes; ``tags`` (kind → community, alone), ``denied`` by kind."""

    asn: int
    own_asn_allowed: int = 0
    relax: bool = True
    tags: tuple[tuple[str, str, bool], ...] = ()
    denied: tuple[tuple[str, str], ...] = ()


Tables = dict[str, dict[str, frozenset[Hop]]]  # destination → switch → next hops
RiseOf = Callable[[Hop | None, Hop], int]  # levels that a packet rises by: came by, leaves by


@dataclass
class Fabric:
    """Switches in order, those in service, and cables in service."""

    nodes: list[Node]
    cables: list[Cable]
    dead: frozenset[str] = frozenset()
    hops: dict[str, list[Hop]] = field(init=False)

    def __post_init__(self) -> None:
        self.hops = {node.name: [] for node in self.nodes}
        for cable in self.cables:
            for a, b in ((cable.a, cable.b), (cable.b, cable.a)):
                self.hops[a].append(Hop(a, b, cable.kind, cable.id))

    @property
    def names(self) -> list[str]:
        return [node.name for node in self.nodes]

    @property
    def leaves(self) -> list[str]:
        return [n.name for n in self.nodes if n.endpoints and n.name not in self.dead]

    @property
    def group(self) -> dict[str, str | None]:
        return {node.name: node.group for node in self.nodes}

    @property
    def tier(self) -> dict[str, int]:
        return {node.name: node.tier for node in self.nodes}


def failed(fabric: Fabric, cables: frozenset[str], switches: frozenset[str]) -> Fabric:
    """The fabric without them."""
    left = [
        cable
        for cable in fabric.cables
        if cable.id not in cables and not {cable.a, cable.b} & switches
    ]
    return Fabric(fabric.nodes, left, switches)


def spf(fabric: Fabric) -> Tables:
    graph = nx.Graph()
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


def never(_came: Hop | None, _leaves: Hop) -> int:
    """One level everywhere."""
    return 0


class Channel(NamedTuple):
    """A buffer: at the far end of a cable, for one level."""

    hop: Hop
    level: int


@dataclass(frozen=True)
class Judgement:
    """What ``deadlock.prove`` says, found one by one."""

    edges: int
    sizes: list[int]
    priorities: int
    unreachable: set[tuple[str, str]]


def judge(
    fabric: Fabric,
    tables: Tables,
    rise: RiseOf = never,
    levels: int = 8,
    *,
    floods: bool = False,
    at: Mapping[str, str] | None = None,
) -> Judgement:
    """Follow packets of every leaf to every other; with ``floods`` a leaf sends its own up again.

    ``at``: the leaf of each destination, where destinations are finer than leaves.
    """
    graph: nx.DiGraph[Channel] = nx.DiGraph()
    unreachable = set()
    for destination, table in tables.items():
        leaf = at[destination] if at else destination
        for source in fabric.leaves:
            if source != leaf and not table.get(source):
                unreachable.add((source, leaf))
        seen: set[Channel] = set()
        queue: deque[tuple[str, Channel | None]] = deque(
            (source, None) for source in fabric.leaves if floods or source != leaf
        )
        while queue:
            name, came = queue.popleft()
            out = fabric.hops[leaf] if floods and name == leaf else table.get(name, frozenset())
            for hop in out:
                if floods and came is not None and hop.cable == came.hop.cable:
                    continue
                level = (came.level if came else 0) + rise(came.hop if came else None, hop)
                if level >= levels:
                    continue
                channel = Channel(hop, level)
                graph.add_node(channel)
                if came is not None:
                    graph.add_edge(came, channel)
                if channel not in seen:
                    seen.add(channel)
                    queue.append((hop.head, channel))
    sizes = [
        len(part)
        for part in nx.strongly_connected_components(graph)
        if len(part) > 1 or any(graph.has_edge(c, c) for c in part)
    ]
    top = max((channel.level for channel in graph), default=0)
    return Judgement(graph.number_of_edges(), sorted(sizes), top + 1, unreachable)


def bounce(fabric: Fabric) -> RiseOf:
    """+1 on a turn from down to up."""
    tier = fabric.tier

    def rise(came: Hop | None, leaves: Hop) -> int:
        return int(
            came is not None
            and tier[came.tail] > tier[came.head]
            and tier[leaves.head] > tier[leaves.tail]
        )

    return rise


def global_hop(fabric: Fabric) -> RiseOf:
    """+1 after a cable between two groups."""
    group = fabric.group

    def rise(came: Hop | None, _leaves: Hop) -> int:
        return int(came is not None and group[came.tail] != group[came.head])

    return rise


def on_kinds(kinds: tuple[str, ...]) -> RiseOf:
    """+1 onto a cable of these kinds."""
    return lambda _came, leaves: int(leaves.kind in kinds)


def next_switches(tables: Tables) -> dict[tuple[str, str], frozenset[str]]:
    """Neighbours by (switch, destination), where there are any."""
    return {
        (name, leaf): frozenset(hop.head for hop in hops)
        for leaf, table in tables.items()
        for name, hops in table.items()
        if hops
    }


def twins(fabric: Fabric) -> int:
    """Leaves that have the neighbours of another one."""
    near = Counter(frozenset(Counter(h.head for h in fabric.hops[n])) for n in fabric.leaves)
    return sum(times for times in near.values() if times > 1)
