"""One cable in one direction: queue at the sender, PFC on the wire, priority group behind it.

Three things must agree for a packet that nobody may drop: the queue in which the sender holds it on
that port, the queue that the sender's port stops on a pause of priority P, and P, the priority that
the receiver pauses for the DSCP on that wire. Works on intended and on observed chains alike; what
a system does not state is never called wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.checks.chain import marked, paused_queue, pausing
from fabric.model.qos import QosChain, QueueSettings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.qos import ClassMap

_DSCPS = range(64)
_CODES = range(8)


@dataclass(frozen=True, slots=True)
class Packet:
    """What a packet inside a switch is told apart by."""

    dscp: int  # with which it came
    traffic_class: int  # into which the port it came through put it


@dataclass(frozen=True, slots=True)
class Hop:
    """How a packet crosses a cable. ``queue``: at the sender, ``dscp`` on the wire.

    ``priority``: that the receiver pauses for it, ``None``: it drops; ``stopped``: the queue that
    this pause stops at the sender, ``None``: the port does not obey it. ``received_class``: the
    traffic class at the receiver.
    """

    queue: int
    dscp: int
    received_class: int
    priority: int | None
    stopped: int | None
    held_lossless: bool  # some pause can stop the sender's queue

    @property
    def agrees(self) -> bool:
        """Whether what the receiver pauses is what the sender holds; both lossy is agreement."""
        if self.priority is None:
            return not self.held_lossless
        return self.stopped == self.queue


def packets_of(chains: Iterable[QosChain]) -> frozenset[Packet]:
    """Every packet that can be inside a switch with these ports."""
    return frozenset(
        Packet(dscp, tc)
        for chain in chains
        for dscp in _DSCPS
        if (tc := chain.dscp_to_tc[dscp]) is not None
    )


def hops(packet: Packet, sending: QosChain, receiving: QosChain) -> tuple[Hop, ...]:
    """Every way in which the receiver may pause for this packet; none where it is not known."""
    queue = sending.tc_to_queue[packet.traffic_class]
    dscp = marked(sending, packet.traffic_class, packet.dscp)
    received = receiving.dscp_to_tc[dscp]
    if queue is None or received is None:
        return ()
    group = receiving.tc_to_pg[received]
    held = queue in {paused_queue(sending, p) for p in sending.pfc_priorities}
    found = pausing(receiving, received if group is None else group)
    return tuple(
        Hop(queue, dscp, received, priority, _stopped(sending, priority), held)
        for priority in (found or (None,))
    )


def _stopped(sending: QosChain, priority: int | None) -> int | None:
    if priority is None or priority not in sending.pfc_priorities:
        return None
    return paused_queue(sending, priority)


def host_chain(class_map: ClassMap) -> QosChain:
    """A host's NIC as both ends of its cable see it: class and pause follow the priority."""
    priorities = class_map.lossless_priorities
    by_dscp = {dscp: c.priority for c in class_map.classes for dscp in c.dscps}
    return QosChain(
        device="",
        port="",
        dscp_to_tc=tuple(by_dscp.get(dscp) for dscp in _DSCPS),
        tc_to_queue=tuple(_CODES),
        tc_to_pg=tuple(code if code in priorities else 0 for code in _CODES),
        pfc_priority_to_queue=tuple(_CODES),
        pfc_priority_to_pg=(None,) * 8,
        pfc_priorities=priorities,
        watchdog_priorities=(),
        lossless_pgs=priorities,
        xoff_bytes=(None,) * 8,
        queues=tuple(QueueSettings(code, None) for code in _CODES),
    )
