"""What one switch says of itself, typed alike for all systems. ``None``: it does not say.

Routes and LLDP neighbours are those of ``model/observed``; QoS as in force is a ``QosChain``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.observed import Evidence, ObservedNeighbour, ObservedRoute


@dataclass(frozen=True, slots=True)
class ObservedSystem:
    """Software version, hardware model, name."""

    version: str | None = None
    model: str | None = None
    hostname: str | None = None


@dataclass(frozen=True, slots=True)
class ObservedInterface:
    """A port. ``admin``, ``oper``: ``up`` or ``down``; counters since they were last cleared."""

    name: str
    admin: str | None = None
    oper: str | None = None
    speed_mbps: int | None = None
    mtu: int | None = None
    fec: str | None = None
    in_errors: int | None = None
    out_errors: int | None = None
    crc_errors: int | None = None
    in_discards: int | None = None
    out_discards: int | None = None
    in_drops: int | None = None
    out_drops: int | None = None
    in_pause: int | None = None
    out_pause: int | None = None
    fec_corrected: int | None = None
    fec_uncorrected: int | None = None
    flaps: int | None = None


@dataclass(frozen=True, slots=True)
class ObservedPeer:
    """A BGP session. ``address``: or the interface of an unnumbered one."""

    address: str
    remote_as: str | None = None
    state: str | None = None
    prefixes_received: int | None = None


@dataclass(frozen=True, slots=True)
class PfcCount:
    """Pause frames of one priority of a port; ``priority`` ``None``: a sum over all of them."""

    port: str
    priority: int | None
    rx: int | None = None
    tx: int | None = None


@dataclass(frozen=True, slots=True)
class QueueCount:
    """What an egress queue sent, dropped and marked. ``queue``: as the system calls it."""

    port: str
    queue: str
    packets: int | None = None
    bytes: int | None = None
    drop_packets: int | None = None
    drop_bytes: int | None = None
    ecn_marked_packets: int | None = None


@dataclass(frozen=True, slots=True)
class WatchdogQueue:
    """A queue that the PFC watchdog guards: its state and storms so far."""

    port: str
    queue: str
    status: str | None = None
    storms_detected: int | None = None
    storms_restored: int | None = None


@dataclass(frozen=True, slots=True)
class ObservedSwitch:
    """All of it. ``not_available``: fact and why; what is in neither was not asked for."""

    device: str
    system: ObservedSystem = ObservedSystem()
    interfaces: tuple[ObservedInterface, ...] = ()
    neighbours: tuple[ObservedNeighbour, ...] = ()
    peers: tuple[ObservedPeer, ...] = ()
    routes: tuple[ObservedRoute, ...] = ()
    pfc: tuple[PfcCount, ...] = ()
    queues: tuple[QueueCount, ...] = ()
    watchdog: tuple[WatchdogQueue, ...] = ()
    lossless: tuple[tuple[str, tuple[int, ...]], ...] = ()  # port → priorities with PFC
    evidence: tuple[Evidence, ...] = ()
    not_available: tuple[tuple[str, str], ...] = field(default=())
