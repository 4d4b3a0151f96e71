"""Valiant on a Dragonfly, packet by packet: each remembers its middle and whether it was there."""

from __future__ import annotations

from collections import deque
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx

from tests.analysis.reference import Channel, Fabric, Judgement, judged
from tests.analysis.reference_routing import dragonfly_minimal

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.analysis.reference import Hop, Tables

    First = Callable[[str, str], list[Hop]]


class Packet(NamedTuple):
    """In a buffer, on its way to a leaf; ``middle`` ``None``: it was there, or goes straight."""

    channel: Channel
    middle: str | None
    leaf: str
    risen: bool  # the next hop is one level up: it was just at its middle


class Walk:
    """Packets followed through a fabric, and the dependencies that they make."""

    def __init__(self, fabric: Fabric, first: First, tables: Tables, rise: tuple[int, int]) -> None:
        """``rise``: levels after a global cable, and at the middle."""
        self._group, self._first, self._tables, self._rise = fabric.group, first, tables, rise
        self.graph: nx.DiGraph[Channel] = nx.DiGraph()

    def follow(self, source: str, middle: str | None, leaf: str) -> bool:
        """Whether a packet can arrive."""
        queue: deque[tuple[str, Packet | None]] = deque([(source, None)])
        seen: set[Packet] = set()
        while queue:
            at, packet = queue.popleft()
            towards = middle if packet is None else packet.middle
            hops = self._first(at, towards) if towards else self._tables[leaf].get(at, ())
            for hop in hops:
                then = self._moved(packet, hop, towards, leaf)
                self.graph.add_node(then.channel)
                if packet is not None:
                    self.graph.add_edge(packet.channel, then.channel)
                if then not in seen:
                    seen.add(then)
                    queue.append((hop.head, then))
        return any(p.channel.hop.head == leaf and p.middle is None for p in seen)

    def _moved(self, packet: Packet | None, hop: Hop, middle: str | None, leaf: str) -> Packet:
        level = 0
        if packet is not None:
            came = packet.channel.hop
            crossed = self._group[came.tail] != self._group[came.head]
            after_global, at_middle = self._rise
            level = packet.channel.level + after_global * crossed + at_middle * packet.risen
        there = middle is not None and middle in (hop.head, self._group[hop.head])
        return Packet(Channel(hop, level), None if there else middle, leaf, there)


def judge(fabric: Fabric, *, by_router: bool, after_global: bool, at_middle: bool) -> Judgement:
    """What ``legs.prove`` says, found one by one."""
    everyone = Fabric([n._replace(endpoints=1) for n in fabric.nodes], fabric.cables, fabric.dead)
    tables = dragonfly_minimal(everyone)
    group = {name: str(fabric.group[name]) for name in fabric.names if name not in fabric.dead}
    middles = group if by_router else {g: g for g in group.values()}
    first = _to_router(tables) if by_router else _to_group(fabric)
    walk = Walk(fabric, first, tables, (int(after_global), int(at_middle)))
    unreachable = set()
    for source, leaf in permutations(fabric.leaves, 2):
        own, far = group[source], group[leaf]
        ways: list[str | None] = [m for m, g in middles.items() if g not in (own, far)]
        arrived = [walk.follow(source, way, leaf) for way in (ways if own != far else [None])]
        if True not in arrived:
            unreachable.add((source, leaf))
    return judged(walk.graph, unreachable)


def _to_router(tables: Tables) -> First:
    return lambda at, middle: sorted(tables[middle].get(at, ()))


def _to_group(fabric: Fabric) -> First:
    """Straight into the group where there is a cable, else by a neighbour that has one."""

    def into(at: str, middle: str) -> list[Hop]:
        return [hop for hop in fabric.hops[at] if fabric.group[hop.head] == middle]

    def first(at: str, middle: str) -> list[Hop]:
        return into(at, middle) or [
            hop
            for hop in fabric.hops[at]
            if fabric.group[hop.head] == fabric.group[at] and into(hop.head, middle)
        ]

    return first
