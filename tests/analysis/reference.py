"""validation.md 1.1–1.3 once more, by dicts and networkx, one channel and one packet at a time.

Slow and plain on purpose; it shares no code with ``fabric.analysis`` but the names of a fabric.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.analysis.network import Cable, Node


class Hop(NamedTuple):
    """A cable in one direction."""

    tail: str
    head: str
    kind: str
    cable: str


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


def judged(graph: nx.DiGraph[Channel], unreachable: set[tuple[str, str]]) -> Judgement:
    """What a whole dependency graph says."""
    sizes = [
        len(part)
        for part in nx.strongly_connected_components(graph)
        if len(part) > 1 or any(graph.has_edge(c, c) for c in part)
    ]
    top = max((channel.level for channel in graph), default=0)
    return Judgement(graph.number_of_edges(), sorted(sizes), top + 1, unreachable)


def judge(  # noqa: PLR0913 — one for each thing that random cases vary
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
    return judged(graph, unreachable)


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
