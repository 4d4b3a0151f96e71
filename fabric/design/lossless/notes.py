"""What a reader of the numbers should know, in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.lossless.pause import longest_pause_us
from fabric.model.units import speed_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.model.intent import DeviceHardware, Intent
    from fabric.model.qos import BufferFit, LosslessProfile, TrafficClass
    from fabric.model.topology import Topology

SONIC_PORTS_A_STEP = 32


def notes_of(
    topology: Topology,
    intent: Intent,
    profiles: Sequence[LosslessProfile],
    fits: Iterable[BufferFit],
) -> tuple[str, ...]:
    """Notes on scheduling, headroom, ECN, fit, watchdog and systems without PFC, in that order."""
    systems = {
        hardware.platform.title: hardware
        for hardware in (intent.hardware.of(s.name, s.role) for s in topology.switches)
    }
    profiles = [profile for profile in profiles if profile.in_use]
    return (
        *_rate_notes(intent, systems.values()),
        *_headroom_notes(profiles),
        *_ecn_notes(profiles),
        *_fit_notes(fits),
        *_watchdog_notes(topology, intent, systems.values()),
        *_without_pfc(topology, intent),
    )


def _rate_notes(intent: Intent, systems: Iterable[DeviceHardware]) -> list[str]:
    strict = [c for c in intent.roce.class_map.classes if c.scheduler == "strict"]
    lossless = [h.platform for h in systems if h.platform.capabilities.lossless]
    return [
        _rate_note(traffic_class, platform.title, can_cap=platform.capabilities.rate_cap)
        for platform in lossless
        for traffic_class in strict
    ]


def _rate_note(traffic_class: TrafficClass, system: str, *, can_cap: bool) -> str:
    what = f"{traffic_class.name}: strict priority in queue {traffic_class.queue}"
    percent = traffic_class.max_rate_percent
    if percent is None:
        return f"{what}, uncapped: no cap is asked for"
    if can_cap:
        return f"{what}, capped at {percent} % of line rate"
    return f"{what}, uncapped: {system} has no confirmed cap for a strict queue"


def _headroom_notes(profiles: Sequence[LosslessProfile]) -> list[str]:
    by_basis: dict[str, list[str]] = {}
    for profile in profiles:
        by_basis.setdefault(profile.xoff_bytes.basis, []).append(profile.name)
    notes = [f"headroom by {basis}: {', '.join(names)}" for basis, names in by_basis.items()]
    if any(basis.startswith("generic estimate") for basis in by_basis):
        notes.append(
            "a generic estimate assumes no cell expansion and a peer that takes its full response "
            "time; it is not a lower bound: take the switch's own figure before relying on it"
        )
    return notes


def _ecn_notes(profiles: Sequence[LosslessProfile]) -> list[str]:
    blind = [profile.name for profile in profiles if profile.ecn.pause_alone_bytes is None]
    if not blind:
        return []
    return [f"ECN not clamped below PFC, the shared pool is not known: {', '.join(blind)}"]


def _fit_notes(fits: Iterable[BufferFit]) -> list[str]:
    alike: dict[tuple[str, str], list[str]] = {}
    for fit in fits:
        alike.setdefault((fit.verdict, fit.note), []).append(fit.device)
    return [
        f"{_some(devices)}: headroom {verdict}: {note}"
        for (verdict, note), devices in alike.items()
    ]


def _some(devices: list[str]) -> str:
    if len(devices) == 1:
        return devices[0]
    return f"{devices[0]} … {devices[-1]} ({len(devices)} switches)"


def _watchdog_notes(
    topology: Topology, intent: Intent, systems: Iterable[DeviceHardware]
) -> list[str]:
    watchdog = intent.roce.watchdog
    if not watchdog.enabled:
        return ["PFC watchdog off: one NIC that pauses for good stops every path to it"]
    slowest = min((link.speed_gbps for link in topology.links), default=None)
    timers = (
        f"PFC watchdog: {watchdog.detect_ms} ms of storm on a lossless queue: {watchdog.action}; "
        f"back to normal {watchdog.restore_ms} ms after its end; polled every "
        f"{watchdog.poll_ms} ms"
    )
    notes = [timers]
    if slowest is not None:
        pause_us = longest_pause_us(slowest)
        spans = (
            f"one pause frame lasts at most {pause_us:.1f} µs at {speed_text(slowest)}: "
            f"{watchdog.detect_ms} ms span {watchdog.detect_ms * 1e3 / pause_us:,.0f} of them"
        )
        notes.append(spans)
    if any(hardware.platform.name == "sonic" for hardware in systems):
        notes.extend(_sonic_watchdog(topology))
    return notes


def sonic_watchdog_factor(ports: int) -> int:
    """What SONiC's ``pfcwd start_default`` multiplies its times by (sonic-utilities pfcwd)."""
    return max(1, (ports - 1) // SONIC_PORTS_A_STEP + 1)


def _sonic_watchdog(topology: Topology) -> list[str]:
    most = max((len(switch.ports) for switch in topology.switches), default=0)
    factor = sonic_watchdog_factor(most)
    if factor == 1:
        return []
    text = (
        f"SONiC's `pfcwd start_default` multiplies its own times by {factor} on {most} ports; the "
        "times written here are explicit and taken as they are"
    )
    return [text]


def _without_pfc(topology: Topology, intent: Intent) -> list[str]:
    without: dict[str, list[str]] = {}
    for switch in topology.switches:
        platform = intent.hardware.of(switch.name, switch.role).platform
        if not platform.capabilities.lossless:
            without.setdefault(platform.title, []).append(switch.name)
    return [
        f"{_some(devices)}: {title} has no lossless function here, so no PFC, ECN or headroom"
        for title, devices in without.items()
    ]
