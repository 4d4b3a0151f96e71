"""Following a DSCP through one port's QoS chain, hop by hop, in words.

Works on intended and on observed chains alike. A value that a system does not state (``None``) is
never called wrong.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.units import bytes_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.qos import QosChain
    from fabric.model.topology import Link, Topology


@dataclass(frozen=True, slots=True)
class Walk:
    """Where a DSCP goes on a port. ``faults``: what keeps it from being lossless; empty: nothing.

    ``arriving`` and ``leaving``: the port as ingress and as egress, in words. ``dscp``: what it
    leaves with. Of a port that re-marks the queue is not judged, only the buffer of one that PFC
    stops: what the queue must agree with stands at the other end of the cable (``hop``).
    """

    traffic_class: int | None
    queue: int | None
    priority_group: int | None
    dscp: int
    arriving: str
    leaving: str
    faults: tuple[str, ...]


def listed(numbers: Iterable[int]) -> str:
    """``3,4``; ``none``."""
    return ",".join(str(n) for n in numbers) or "none"


def pausing(chain: QosChain, group: int) -> tuple[int, ...]:
    """Enabled PFC priorities that stop what fills this priority group."""
    return tuple(p for p in chain.pfc_priorities if _or(chain.pfc_priority_to_pg[p], p) == group)


def paused_queue(chain: QosChain, priority: int) -> int:
    """The queue that a received pause of this priority stops."""
    return _or(chain.pfc_priority_to_queue[priority], priority)


def marked(chain: QosChain, traffic_class: int, dscp: int) -> int:
    """What a packet of this class leaves with that came with ``dscp``."""
    return _or(chain.tc_to_dscp[traffic_class], dscp)


def walk(chain: QosChain, dscp: int) -> Walk:
    """Follow ``dscp`` through a port that must not drop it."""
    tc = chain.dscp_to_tc[dscp]
    if tc is None:
        gone = f"DSCP {dscp} → no traffic class"
        return Walk(None, None, None, dscp, gone, gone, (f"{gone}: the map has no entry for it",))
    group, queue = chain.tc_to_pg[tc], chain.tc_to_queue[tc]
    # Systems without priority groups pause by traffic class.
    priorities = pausing(chain, tc if group is None else group)
    arriving = f"DSCP {dscp} → TC {tc}" + ("" if group is None else f" → PG {group}")
    leaving = f"TC {tc} → queue {'?' if queue is None else queue}"
    faults = tuple(_ingress_faults(chain, arriving, group, priorities))
    if chain.remarks:
        leaving += f", DSCP {marked(chain, tc, dscp)}"
        if queue in {paused_queue(chain, p) for p in chain.pfc_priorities}:
            faults += tuple(_buffer_faults(chain, f"DSCP {dscp} → {leaving}", queue))
    else:
        faults += tuple(_egress_faults(chain, f"DSCP {dscp} → {leaving}", queue, priorities))
    return Walk(
        tc,
        queue,
        group,
        marked(chain, tc, dscp),
        f"{arriving}{_headroom_text(chain, group)}, PFC on {listed(chain.pfc_priorities)}",
        leaving,
        faults,
    )


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


def _headroom_text(chain: QosChain, group: int | None) -> str:
    xoff = None if group is None else chain.xoff_bytes[group]
    return "" if xoff is None else f" (headroom {bytes_text(xoff)})"


def _ingress_faults(
    chain: QosChain, arriving: str, group: int | None, priorities: tuple[int, ...]
) -> Iterable[str]:
    if not priorities:
        place = "its priority" if group is None else f"PG {group}"
        yield (
            f"{arriving}; {place} is not in PFC ({listed(chain.pfc_priorities)}): "
            "this traffic is dropped under congestion"
        )
    if group is not None and group not in chain.lossless_pgs:
        yield f"{arriving}; PG {group} has no lossless buffer: it drops before a pause can work"


def _egress_faults(
    chain: QosChain, leaving: str, queue: int | None, priorities: tuple[int, ...]
) -> Iterable[str]:
    if queue is None:
        return
    for priority in priorities:
        stopped = paused_queue(chain, priority)
        if stopped != queue:
            yield (
                f"{leaving}; a received pause of priority {priority} stops queue {stopped}, "
                f"not queue {queue}: the neighbour's buffer overflows"
            )
    yield from _buffer_faults(chain, leaving, queue)


def _buffer_faults(chain: QosChain, leaving: str, queue: int) -> Iterable[str]:
    if queue < len(chain.queues) and not chain.queues[queue].lossless_buffer:
        yield f"{leaving}; queue {queue} has a lossy buffer: it drops at the egress"


def path_through(topology: Topology, device: str) -> tuple[Link, ...]:
    """Cables of one path host → … → ``device`` → … → another host; or nothing.

    A path over a further switch is preferred to one between two hosts of the same switch.
    """
    first = _to_host(topology, device, frozenset(), 1)
    if not first:
        return ()
    used = frozenset(end.device for link in first for end in (link.a, link.b)) - {device}
    second = _to_host(topology, device, used, 2) or _to_host(topology, device, used, 1)
    return (*reversed(first), *second) if second else ()


def _to_host(topology: Topology, start: str, avoid: frozenset[str], least: int) -> tuple[Link, ...]:
    """Shortest cables, ``least`` or more, from a switch to any host, breadth first."""
    came: dict[str, tuple[Link, ...]] = {start: ()}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for link in topology.links_of(here):
            there = link.other(here).device
            if there in came or there in avoid:
                continue
            came[there] = (*came[here], link)
            if topology.is_switch(there):
                waiting.append(there)
            elif len(came[there]) >= least:
                return came[there]
    return ()
