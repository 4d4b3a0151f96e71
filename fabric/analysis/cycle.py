"""A shortest cycle of buffers, with a destination and a flow for each of its dependencies."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits
from fabric.model.deadlock import CycleStep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fabric.analysis.deadlock import Proof
    from fabric.analysis.dependencies import Graph, Traffic
    from fabric.analysis.network import Cable, Ints

Channel = tuple[int, int]  # arc, level
_STARTS = 512  # channels of a component that a shortest cycle is looked for through


def shortest(proof: Proof, priority_of: Callable[[int], int]) -> tuple[CycleStep, ...]:
    """The steps of a shortest cycle; none without a CBD.

    In components of more than 512 channels the shortest through the first 512 of them.
    ``priority_of``: 802.1p number of a level.
    """
    channels = _shortest_channels(proof)
    if not channels:
        return ()
    flow, graph = proof.graph.traffic, proof.graph
    steps = []
    earlier = (channels[-1], *channels[:-1])
    for before, here, following in zip(
        earlier, channels, (*channels[1:], channels[0]), strict=True
    ):
        bit = _common_destination(graph, here, following)
        # What is flooded goes back to where it came from over another cable.
        nth = int(before[0] == here[0] ^ 1 and here[0] % 2 == 1)
        steps.append(_step(flow, here, bit, priority_of(here[1]), nth))
    return tuple(steps)


def _shortest_channels(proof: Proof) -> list[Channel]:
    on = np.flatnonzero(proof.cyclic >= 0)
    if not len(on):
        return []
    graph = proof.graph
    follow = _followers(graph, on)
    best: list[int] = []
    for component in np.unique(proof.cyclic[on]).tolist():
        members = on[proof.cyclic[on] == component]
        for start in members[:_STARTS].tolist():
            found = _cycle_through(start, follow, len(best) or len(on) + 1)
            best = found or best  # a longer one is not looked for
    return [(int(graph.arc[c]), int(graph.level[c])) for c in best]


def _followers(graph: Graph, on: Ints) -> dict[int, list[int]]:
    """By channel on a cycle the channels on one that it waits for."""
    holder, way_out = graph.waiting
    leaving: dict[int, list[int]] = {}
    for channel in on.tolist():
        leaving.setdefault(int(graph.way_out[channel]), []).append(channel)
    waits: dict[int, list[int]] = {}
    wanted = np.isin(holder, np.unique(graph.holder[on]))
    for one, two in zip(holder[wanted].tolist(), way_out[wanted].tolist(), strict=True):
        waits.setdefault(one, []).extend(leaving.get(two, ()))
    return {channel: waits.get(int(graph.holder[channel]), []) for channel in on.tolist()}


def _cycle_through(start: int, follow: dict[int, list[int]], shorter_than: int) -> list[int]:
    """A shortest cycle through ``start``; empty: none that short."""
    before: dict[int, int] = {}
    depth = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if depth[here] + 1 >= shorter_than:
            return []
        for there in follow[here]:
            if there == start:
                return _back(here, before)
            if there not in depth:
                depth[there] = depth[here] + 1
                before[there] = here
                queue.append(there)
    return []


def _back(end: int, before: dict[int, int]) -> list[int]:
    way = [end]
    while way[-1] in before:
        way.append(before[way[-1]])
    return way[::-1]


def _common_destination(graph: Graph, here: Channel, following: Channel) -> int:
    """The first destination whose packets are in one buffer and leave for the other."""
    flow = graph.traffic
    both = flow.rows[here[1]][here[0]] & flow.forwarding.rows[following[0]]
    return bits.members(both)[0]


def _step(flow: Traffic, channel: Channel, bit: int, priority: int, nth: int) -> CycleStep:
    forwarding = flow.forwarding
    network, (arc, _) = forwarding.network, channel
    cables = network.cables[arc // 2]
    cable = cables[nth % len(cables)]
    sender, receiver = network.names[network.tail[arc]], network.names[network.head[arc]]
    return CycleStep(
        link=cable.id,
        sender=sender,
        sender_port=_port(cable, sender),
        receiver=receiver,
        receiver_port=_port(cable, receiver),
        priority=priority,
        destination=forwarding.destination_name(bit),
        source=network.names[_source(flow, channel, bit)],
    )


def _port(cable: Cable, switch: str) -> str:
    return cable.a_port if cable.a == switch else cable.b_port


def _source(flow: Traffic, channel: Channel, bit: int) -> int:
    """The leaf whose packets for a destination are in a buffer by the fewest hops."""
    network, rising = flow.forwarding.network, flow.rising
    sends = flow.forwarding.sources
    queue, seen = deque([channel]), {channel}
    while queue:
        arc, level = queue.popleft()
        tail = int(network.tail[arc])
        fresh = int(rising.steps[rising.ways, rising.way[arc]])
        if level == fresh and _has(sends[tail], bit):
            return tail
        for earlier in _into(flow, tail):
            rise = int(rising.steps[rising.way[earlier], rising.way[arc]])
            before = (earlier, level - rise)
            if before not in seen and level >= rise and _has(flow.rows[level - rise][earlier], bit):
                seen.add(before)
                queue.append(before)
    msg = f"no leaf sends what is on {network.arc_text(channel[0])}"
    raise AssertionError(msg)


def _into(flow: Traffic, switch: int) -> Iterable[int]:
    return [int(arc) for arc in np.flatnonzero(flow.forwarding.network.head == switch)]


def _has(row: np.ndarray[tuple[int], np.dtype[np.uint64]], bit: int) -> bool:
    return bool(row[bit // bits.WORD] >> np.uint64(bit % bits.WORD) & np.uint64(1))
