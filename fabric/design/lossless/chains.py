"""The QoS chain that each port is meant to have: DSCP → TC → queue and PG → PFC → buffer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fabric.design.lossless.rise import rising_dscps, rising_queues
from fabric.model.qos import GroupBuffer, QosChain, QueueSettings, silent_chain
from fabric.model.units import bytes_per_second

if TYPE_CHECKING:
    from fabric.model.platform import Capabilities
    from fabric.model.qos import ClassMap, LosslessProfile, Rise, TrafficClass, Watchdog
    from fabric.model.topology import Port

DSCPS = 64
CODES = 8  # traffic classes, priorities, queues and priority groups
LOSSY_GROUP = 0

_SILENT: tuple[None, ...] = (None,) * CODES


@dataclass(frozen=True, slots=True)
class OfProfile:
    """Headroom and the rest of the buffer by priority group, and the eight queues."""

    xoff_bytes: tuple[int | None, ...]
    buffers: tuple[GroupBuffer | None, ...]
    queues: tuple[QueueSettings, ...]


@dataclass(frozen=True)
class Binding:
    """What all ports of one switch have in common.

    Every port is bound to the same maps but those on whose cables a class rises (``rise``).
    """

    class_map: ClassMap
    watchdog: Watchdog
    capabilities: Capabilities
    mtu_bytes: int
    pfc_to_pg_map: bool
    rise: Rise | None = None

    @cached_property
    def dscp_to_tc(self) -> tuple[int, ...]:
        """Traffic class of each of the 64 DSCPs."""
        classes = {d: c.traffic_class for c in self.class_map.classes for d in c.dscps}
        return tuple(classes[dscp] for dscp in range(DSCPS))

    @cached_property
    def tc_to_queue(self) -> tuple[int, ...]:
        """Queue of each traffic class; one that no DSCP leads to keeps its own number."""
        queues = {c.traffic_class: c.queue for c in self.class_map.classes}
        return tuple(queues.get(code, code) for code in range(CODES))

    @cached_property
    def rising(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Queue and DSCP of each traffic class on ports whose cable makes a class rise."""
        if self.rise is None:
            return None
        return rising_queues(self.class_map, self.rise), rising_dscps(self.class_map, self.rise)

    def egress(self, cable: str | None) -> tuple[tuple[int, ...], tuple[int | None, ...]]:
        """Queue and DSCP of each traffic class on a port with a cable of this kind."""
        if self.rise is None or self.rising is None or cable not in self.rise.kinds:
            return self.tc_to_queue, _SILENT
        return self.rising

    @cached_property
    def tc_to_pg(self) -> tuple[int, ...]:
        """Priority group of each traffic class; the unused ones are lossy."""
        groups = {c.traffic_class: c.priority_group for c in self.class_map.classes}
        return tuple(groups.get(code, LOSSY_GROUP) for code in range(CODES))

    @cached_property
    def pfc_to_queue(self) -> tuple[int, ...]:
        """Queue that a pause for each priority stops."""
        queues = {c.priority: c.queue for c in self.class_map.lossless}
        return tuple(queues.get(code, code) for code in range(CODES))

    @cached_property
    def pfc_to_pg(self) -> tuple[int | None, ...]:
        """Priority group that pauses each priority, where the system has such a map."""
        if not self.pfc_to_pg_map:
            return _SILENT
        groups = {c.priority: c.priority_group for c in self.class_map.lossless}
        return tuple(groups.get(code, code) for code in range(CODES))

    @cached_property
    def lossless_pgs(self) -> tuple[int, ...]:
        """Priority groups with headroom."""
        return tuple(sorted({c.priority_group for c in self.class_map.lossless}))

    @cached_property
    def priorities(self) -> tuple[int, ...]:
        """PFC priorities."""
        return self.class_map.lossless_priorities

    @cached_property
    def watched(self) -> tuple[int, ...]:
        """Priorities under the watchdog: every lossless one, or none."""
        armed = self.watchdog.enabled and self.capabilities.watchdog
        return self.priorities if armed else ()

    @cached_property
    def by_queue(self) -> dict[int, TrafficClass]:
        """Class that sets each queue: the lossless one where several share it, else the first."""
        first: dict[int, TrafficClass] = {}
        for traffic_class in sorted(self.class_map.classes, key=lambda c: not c.lossless):
            first.setdefault(traffic_class.queue, traffic_class)
        return first

    def of_profile(self, profile: LosslessProfile) -> OfProfile:
        """What the profile decides; made once for each."""
        known = self._of_profile.get(profile.name)
        if known is None:
            value, groups = profile.xoff_bytes.value, self.lossless_pgs
            buffer = _group_buffer(profile)
            known = OfProfile(
                tuple(value if group in groups else None for group in range(CODES)),
                tuple(buffer if group in groups else None for group in range(CODES)),
                tuple(_queue(number, self, profile) for number in range(CODES)),
            )
            self._of_profile[profile.name] = known
        return known

    @cached_property
    def _of_profile(self) -> dict[str, OfProfile]:
        return {}


def chain(
    device: str,
    port: Port,
    binding: Binding,
    profile: LosslessProfile | None,
    cable: str | None = None,
) -> QosChain:
    """The chain of one port, used or not. ``profile`` None: a system without PFC, all silent.

    ``cable``: kind of the link in the port.
    """
    if profile is None:
        return silent_chain(device, port.name, binding.mtu_bytes)
    tc_to_queue, tc_to_dscp = binding.egress(cable)
    kind = binding.of_profile(profile)
    return QosChain(
        device=device,
        port=port.name,
        dscp_to_tc=binding.dscp_to_tc,
        tc_to_queue=tc_to_queue,
        tc_to_pg=binding.tc_to_pg,
        pfc_priority_to_queue=binding.pfc_to_queue,
        pfc_priority_to_pg=binding.pfc_to_pg,
        pfc_priorities=binding.priorities,
        watchdog_priorities=binding.watched,
        lossless_pgs=binding.lossless_pgs,
        xoff_bytes=kind.xoff_bytes,
        queues=kind.queues,
        mtu_bytes=binding.mtu_bytes,
        buffers=kind.buffers,
        watchdog=binding.watchdog if binding.watched else None,
        tc_to_dscp=tc_to_dscp,
    )


def rate_cap_bytes_per_s(speed_gbps: int, percent: int) -> int:
    """A share of the line rate in bytes per second."""
    return int(bytes_per_second(speed_gbps) * percent / 100)


def _group_buffer(profile: LosslessProfile) -> GroupBuffer:
    return GroupBuffer(
        size_bytes=profile.size_bytes.value,
        xon_bytes=profile.xon_bytes.value,
        xon_offset_bytes=profile.xon_offset_bytes,
        dynamic_th=profile.dynamic_th,
    )


def _queue(number: int, binding: Binding, profile: LosslessProfile) -> QueueSettings:
    traffic_class = binding.by_queue.get(number)
    if traffic_class is None:
        return QueueSettings(number, None)
    percent = traffic_class.max_rate_percent if binding.capabilities.rate_cap else None
    marks = traffic_class.lossless and binding.capabilities.ecn
    fill = profile.ecn.fill
    in_bytes, in_percent = marks and not fill, fill if marks else None
    return QueueSettings(
        queue=number,
        scheduler=traffic_class.scheduler,
        weight=traffic_class.weight,
        max_rate_bytes_per_s=rate_cap_bytes_per_s(profile.speed_gbps, percent) if percent else None,
        ecn=marks,
        kmin_bytes=profile.ecn.kmin_bytes.value if in_bytes else None,
        kmax_bytes=profile.ecn.kmax_bytes.value if in_bytes else None,
        pmax_percent=(fill or profile.ecn).pmax_percent if marks else None,
        lossless_buffer=traffic_class.lossless,
        kmin_percent=in_percent.kmin_percent if in_percent else None,
        kmax_percent=in_percent.kmax_percent if in_percent else None,
    )
