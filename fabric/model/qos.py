"""Lossless intent and what a port does with a packet: class map, chain, profile."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, slots=True)
class TrafficClass:
    """One class of the map. ``queue``, ``traffic_class`` and ``priority`` agree for a lossless one.

    ``scheduler``: ``dwrr`` with ``weight``, or ``strict`` with an optional cap in percent of
    line rate.
    """

    name: str  # roce, cnp, control, default, or the user's
    dscps: tuple[int, ...]
    priority: int  # 802.1p and PFC priority
    traffic_class: int
    queue: int
    priority_group: int
    lossless: bool
    scheduler: str
    weight: int | None = None
    max_rate_percent: int | None = None


@dataclass(frozen=True, slots=True)
class ClassMap:
    """A complete map: every one of the 64 DSCPs is in exactly one class."""

    classes: tuple[TrafficClass, ...]

    def of_dscp(self, dscp: int) -> TrafficClass:
        """The class that a DSCP falls into."""
        return next(c for c in self.classes if dscp in c.dscps)

    def named(self, name: str) -> TrafficClass | None:
        """The class of that name, if there is one."""
        return next((c for c in self.classes if c.name == name), None)

    @property
    def lossless(self) -> tuple[TrafficClass, ...]:
        """The lossless classes."""
        return tuple(c for c in self.classes if c.lossless)

    @property
    def lossless_priorities(self) -> tuple[int, ...]:
        """PFC priorities in rising order."""
        return tuple(sorted(c.priority for c in self.lossless))


@dataclass(frozen=True, slots=True)
class Rise:
    """How the RoCE class changes along a path, so that no cycle of pauses can close.

    What leaves a switch on a cable of ``kinds`` in class ``steps[n]`` leaves it in class
    ``steps[n + 1]``: in the queue and with the DSCP of that class. Behind the last step nothing
    is lossless: a further such hop moves the packet to the default class. ``reason``: why this
    topology needs it.
    """

    kinds: tuple[str, ...]  # of Link
    steps: tuple[str, ...]  # names of classes, RoCE's own first
    reason: str = ""

    def next_class(self, class_map: ClassMap, traffic: TrafficClass) -> TrafficClass:
        """The class in which a packet of ``traffic`` leaves on such a cable."""
        if traffic.name not in self.steps:
            return traffic
        place = self.steps.index(traffic.name) + 1
        following = class_map.named(self.steps[place]) if place < len(self.steps) else None
        return following or class_map.of_dscp(0)


@dataclass(frozen=True, slots=True)
class Term:
    """One summand or step of a number: what it is, its value, where it comes from."""

    name: str
    value: float
    unit: str  # B, Gb/s, m, …, or "" for a factor
    text: str  # the arithmetic, e.g. "2 · 5 m · 12.5 GB/s / 198,000 km/s"
    source: str


@dataclass(frozen=True, slots=True)
class Derived:
    """A number with the terms it came from. ``basis``: published row, formula, inventory, …"""

    value: int
    unit: str
    basis: str
    terms: tuple[Term, ...] = ()
    source: str = ""


FILL_SOURCE = (
    "roce.ecn.fill_percent and fill_pmax_percent of the inventory; 55, 90 and 100 unless set "
    "(Juniper/jvd data_center/aidc/aiml_multitenancy_backend, configs of QFX5240)"
)


@dataclass(frozen=True, slots=True)
class FillLevels:
    """Marking of systems that count percent: of the queue's buffer, whose size nobody states."""

    kmin_percent: int
    kmax_percent: int
    pmax_percent: int

    @property
    def text(self) -> str:
        """``55 … 90 % of the queue's buffer``."""
        return f"{self.kmin_percent} … {self.kmax_percent} % of the queue's buffer"


@dataclass(frozen=True, slots=True)
class EcnProfile:
    """Marking: from ``kmin_bytes`` on, rising to ``pmax_percent`` at ``kmax_bytes``.

    ``pause_alone_bytes`` T(1) and ``pause_together_bytes`` T(n): what a priority group may hold
    before it pauses, alone and with all ``congested_ports`` congested; ``None``: pool not known.
    ``fill``: what is set in place of bytes where the system counts percent; ``None``: bytes are.
    """

    kmin_bytes: Derived
    kmax_bytes: Derived
    pmax_percent: int
    pause_alone_bytes: int | None = None
    pause_together_bytes: int | None = None
    congested_ports: int = 0
    fill: FillLevels | None = None


@dataclass(frozen=True, slots=True)
class LosslessProfile:
    """What a lossless priority of one kind of port needs; shared by all such ports.

    ``size_bytes`` reserved, ``xoff_bytes`` headroom after pausing, ``xon_bytes`` (below: resume),
    ``dynamic_th`` n: alpha = 2^n. ``configured_cable_m``: the length as written to the switch,
    the table's next one above ``cable_m``.
    """

    name: str
    role: str
    asic: str
    speed_gbps: int
    cable_m: float
    configured_cable_m: int
    mtu_bytes: int
    size_bytes: Derived
    xoff_bytes: Derived
    xon_bytes: Derived
    xon_offset_bytes: int | None
    dynamic_th: int
    floor_bytes: int  # MTU + 2·L·R/v: nothing can stop those bytes
    ecn: EcnProfile
    published: bool  # row of the catalogue
    in_shared_headroom: bool  # the SKU's pool carries the xoff (pool xoff > 0)
    in_use: bool = True  # some port with a cable has it; False: unused ports alone


@dataclass(frozen=True, slots=True)
class BufferFit:
    """Does it fit (validation 4.3)? Bytes of one device; ``None`` = not known.

    ``verdict``: ``ok`` need ≤ pool; ``oversubscribed`` pool < need ≤ chip; ``exceeds`` need >
    chip; ``unknown``.
    """

    device: str
    need_bytes: int  # Σ ports that are up · lossless priorities · xoff
    headroom_pool_bytes: int | None
    pool_bytes: int | None  # shared ingress pool B, after headroom
    chip_bytes: int | None
    verdict: str
    terms: tuple[Term, ...] = ()
    reserved_bytes: int = 0  # Σ ports that are up · lossless priorities · size without headroom
    room_bytes: int | None = None  # no headroom pool: what the published pools leave of the chip
    note: str = ""  # the verdict in one sentence

    @property
    def used_fraction(self) -> float | None:
        """Need of the headroom pool; without one: all that is reserved, of the room for it.

        Where neither is known: need of the ingress pool, a bound only.
        """
        if not self.headroom_pool_bytes and self.room_bytes:
            return (self.need_bytes + self.reserved_bytes) / self.room_bytes
        pool = self.headroom_pool_bytes or self.pool_bytes
        return self.need_bytes / pool if pool else None


@dataclass(frozen=True, slots=True)
class Watchdog:
    """PFC watchdog timers in milliseconds."""

    enabled: bool
    poll_ms: int
    detect_ms: int
    restore_ms: int
    action: str  # drop, forward or alert


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """What one egress queue does. Thresholds are bytes, or percent of the queue's buffer."""

    queue: int
    scheduler: str | None  # dwrr, strict; None: not stated
    weight: int | None = None
    max_rate_bytes_per_s: int | None = None
    ecn: bool = False
    kmin_bytes: int | None = None
    kmax_bytes: int | None = None
    pmax_percent: int | None = None
    lossless_buffer: bool = False
    kmin_percent: int | None = None
    kmax_percent: int | None = None


@dataclass(frozen=True, slots=True)
class GroupBuffer:
    """What a priority group with headroom reserves, beside its xoff. ``dynamic_th`` n: alpha = 2^n.

    ``None``: the system does not say. ``name``: the profile's own, where it has one; two buffers
    are equal whatever they are called.
    """

    size_bytes: int | None
    xon_bytes: int | None
    xon_offset_bytes: int | None = None
    dynamic_th: int | None = None
    name: str | None = field(default=None, compare=False, repr=False)


_BY_CODE: tuple[None, ...] = (None,) * 8


@dataclass(frozen=True, slots=True)
class QosChain:
    """DSCP → TC → queue and PG → PFC → buffer of one port; intended and observed alike.

    Tuples of 8 or 64 are indexed by the value mapped; ``None``: the system does not say.
    ``tc_to_dscp``: what a packet of each traffic class is marked with as it leaves; ``None``: its
    DSCP stays.
    """

    device: str
    port: str
    dscp_to_tc: tuple[int | None, ...]  # 64
    tc_to_queue: tuple[int | None, ...]  # 8
    tc_to_pg: tuple[int | None, ...]  # 8
    pfc_priority_to_queue: tuple[int | None, ...]  # 8
    pfc_priority_to_pg: tuple[int | None, ...]  # 8; all None where the system has no such map
    pfc_priorities: tuple[int, ...]
    watchdog_priorities: tuple[int, ...]
    lossless_pgs: tuple[int, ...]  # PGs with a lossless buffer (xoff)
    xoff_bytes: tuple[int | None, ...]  # 8, by PG
    queues: tuple[QueueSettings, ...]  # 8
    mtu_bytes: int | None = None
    buffers: tuple[GroupBuffer | None, ...] = _BY_CODE  # 8, by PG; None: no headroom
    watchdog: Watchdog | None = None  # None: it guards nothing here
    tc_to_dscp: tuple[int | None, ...] = _BY_CODE

    @property
    def remarks(self) -> bool:
        """Whether packets leave with another DSCP than they came with."""
        return any(dscp is not None for dscp in self.tc_to_dscp)


def silent_chain(device: str, port: str, mtu_bytes: int | None) -> QosChain:
    """The chain of a port whose system says nothing about classes (no PFC, no ECN)."""
    silent = (None,) * 8
    return QosChain(
        device=device,
        port=port,
        dscp_to_tc=(None,) * 64,
        tc_to_queue=silent,
        tc_to_pg=silent,
        pfc_priority_to_queue=silent,
        pfc_priority_to_pg=silent,
        pfc_priorities=(),
        watchdog_priorities=(),
        lossless_pgs=(),
        xoff_bytes=silent,
        queues=tuple(QueueSettings(number, None) for number in range(8)),
        mtu_bytes=mtu_bytes,
    )


@dataclass(frozen=True, slots=True)
class PortLossless:
    """Which profile a port uses."""

    device: str
    port: str
    profile: str


@dataclass(frozen=True)
class Lossless:
    """Everything lossless of a design. ``notes``: plain sentences for the qos page."""

    class_map: ClassMap
    profiles: tuple[LosslessProfile, ...]
    ports: tuple[PortLossless, ...]
    fits: tuple[BufferFit, ...]
    watchdog: Watchdog
    notes: tuple[str, ...] = ()

    @cached_property
    def _by_port(self) -> dict[tuple[str, str], LosslessProfile]:
        by_name = {profile.name: profile for profile in self.profiles}
        return {(port.device, port.port): by_name[port.profile] for port in self.ports}

    def profile_at(self, device: str, port: str) -> LosslessProfile | None:
        """The profile of a port; ``None``: its system has no PFC."""
        return self._by_port.get((device, port))


def tos_byte(dscp: int, ecn: int = 0) -> int:
    """Return the ToS or traffic-class byte: DSCP in the upper six bits, ECN in the lower two.

    ``ecn`` 0: not ECN-capable, 1: ECT(1), 2: ECT(0), 3: congestion experienced (RFC 3168).
    """
    return dscp * 4 + ecn
