"""What is left when nothing moves any more: buffers that wait for each other in a ring.

With no new packets and no storm the model has no more chance in it. When nothing has moved for
``delay_slots`` + 2 slots, what every sender has been told is what every buffer says, and no packet
moves ever after. Each packet that is left waits for a buffer that pauses; that one holds more than
XON packets, which wait for another one: so there is a cycle, and following it finds it.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from fabric.model.storm import WaitingBuffer

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.analysis.network import Ints
    from fabric.analysis.storm.ground import Ground
    from fabric.analysis.storm.layout import Layout


def cycle(plan: Layout, length: Ints) -> list[int]:
    """A shortest cycle of buffers that hold packets for each other; empty: nothing is left.

    ``length`` (Q): packets in each queue.
    """
    waits: dict[int, list[int]] = {}
    for queue in np.flatnonzero(length).tolist():
        near, far = int(plan.queue_from[queue]), int(plan.queue_to[queue])
        waits.setdefault(near, []).append(far)
    best: list[int] = []
    for start in waits:
        found = _through(start, waits)
        if found and (not best or len(found) < len(best)):
            best = found
    if waits and not best:
        msg = "packets are left, and no buffers wait for each other"
        raise AssertionError(msg)
    return best


def _through(start: int, waits: dict[int, list[int]]) -> list[int]:
    before: dict[int, int] = {}
    queue, seen = deque([start]), {start}
    while queue:
        here = queue.popleft()
        for there in waits.get(here, ()):
            if there == start:
                way = [here]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return way[::-1]
            if there not in seen:
                seen.add(there)
                before[there] = here
                queue.append(there)
    return []


def frozen_at(plan: Layout, last_served: Ints, buffers: list[int]) -> int:
    """The slot from which no packet went into any of these buffers.

    ``last_served`` (Q): the slot in which each queue sent last, negative: never.
    """
    return max(0, int(last_served[np.isin(plan.queue_to, buffers)].max()) + 1)


def named(
    ground: Ground,
    plan: Layout,
    buffers: list[int],
    packets: Ints,
    priority_of: Callable[[int], int],
) -> tuple[WaitingBuffer, ...]:
    """A cycle for a reader. ``packets`` (B): held by each buffer."""
    steps = []
    for buffer in buffers:
        channel, level = divmod(buffer, plan.levels)
        cable, sender = ground.cable(channel)
        a_sends = cable.a == sender
        ports = (cable.a_port, cable.b_port) if a_sends else (cable.b_port, cable.a_port)
        steps.append(
            WaitingBuffer(
                link=cable.id,
                sender=sender,
                sender_port=ports[0],
                receiver=cable.b if a_sends else cable.a,
                receiver_port=ports[1],
                priority=priority_of(level),
                packets=int(packets[buffer]),
            )
        )
    return tuple(steps)
