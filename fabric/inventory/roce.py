"""``roce:`` → the policy with everything explicit, or why it cannot be honoured."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.inventory.classmap import class_map
from fabric.inventory.markings import CS6, CS7, stated_classes
from fabric.inventory.presets import preset, preset_names
from fabric.inventory.raised import with_raised
from fabric.inventory.translate import nearest
from fabric.model.finding import Problem
from fabric.model.intent import DEFAULT_FILL, EcnPolicy, RocePolicy
from fabric.model.qos import FillLevels, Watchdog
from fabric.model.units import bytes_per_second, bytes_text

if TYPE_CHECKING:
    from fabric.files.yaml import Path
    from fabric.inventory.presets import Preset
    from fabric.inventory.schema import RoceSection
    from fabric.model.finding import Location
    from fabric.model.qos import ClassMap
    from fabric.topologies import Rises

_PAUSE_BITS = 65_535 * 512  # longest pause: 65,535 quanta of 512 bit times (802.3 annex 31B)
_PAUSES = 1_000  # a storm is at least this many of them (validation 5)
_MIN_DETECT_MS = 200  # pfcwd start_default
_OVERRIDABLE = ("dscp", "priority", "cnp_dscp", "cnp_priority")
# What Linux takes off the Ethernet MTU before it picks the RDMA MTU (include/rdma/ib_addr.h):
# GRH 40 + UDP 8 + BTH 12 + XRC 4 + AtomicETH 28 + ICRC 4.
RDMA_OVERHEAD_BYTES = 96


@dataclass(frozen=True, slots=True)
class Setting:
    """What the policy depends on beside its section.

    ``slowest_gbps``: the slowest port, for the watchdog; ``pause_cost``: what one lossless
    priority costs, for messages. ``refused``: values that were left out of the section, told
    already; nothing is said about what depends on them. ``rises``: what the topology needs.
    """

    slowest_gbps: int
    pause_cost: str
    location: Location
    rises: Rises | None = None
    refused: frozenset[Path] = frozenset()


def roce_policy(
    section: RoceSection, setting: Setting, problems: list[Problem]
) -> RocePolicy | None:
    """The policy; ``None`` when no map can be made of it."""
    refused = setting.refused
    base = preset(section.preset)
    if base is None:
        message = f"there is no RoCE preset {section.preset}"
        fix = nearest(section.preset, preset_names())
        problems.append(Problem("RCE009", ("roce", "preset"), message, fix))
    named = base if ("roce", "preset") not in refused else None
    stated = stated_classes(section, named, refused, problems)
    stated, rise = with_raised(section, stated, setting.rises, refused, problems)
    made = class_map(stated, problems)
    ecn = _ecn(section, problems)
    watchdog = _watchdog(section, setting, problems)
    _rdma_mtu(section, refused, problems)
    if base is None or made is None:
        return None
    _pfc(section, made, setting.pause_cost, problems)
    roce, cnp, control = (made.named(name) for name in ("roce", "cnp", "control"))
    if roce is None or cnp is None or control is None:
        return None
    return RocePolicy(
        preset=base.name,
        preset_source=_source(section, base),
        dscp=roce.dscps[0],
        priority=roce.priority,
        cnp_dscp=cnp.dscps[0],
        cnp_priority=cnp.priority,
        class_map=made,
        trust=section.trust,
        ecn=ecn,
        watchdog=watchdog,
        dynamic_th=section.dynamic_th,
        switch_mtu_bytes=section.mtu.switch,
        host_mtu_bytes=section.mtu.host,
        rdma_mtu_bytes=section.mtu.rdma,
        rtt_us=section.rtt_us,
        xoff_bytes=section.xoff_bytes,
        bgp_dscp=CS6 if CS6 in control.dscps else CS7,
        rise=rise,
        location=setting.location,
    )


def _source(section: RoceSection, base: Preset) -> str:
    changed = [
        key for key in _OVERRIDABLE if getattr(section, key) not in {None, getattr(base, key)}
    ]
    if not changed:
        return base.source
    return f"{base.source} The inventory changes {', '.join(changed)}."


def _ecn(section: RoceSection, problems: list[Problem]) -> EcnPolicy:
    ecn = section.ecn
    kmin, kmax = ecn.kmin_bytes, ecn.kmax_bytes
    if kmin is not None and kmax is not None and kmin >= kmax:
        message = (
            f"kmin_bytes {bytes_text(kmin)} is not below kmax_bytes {bytes_text(kmax)}: "
            "marking could never rise between them"
        )
        problems.append(
            Problem(
                "RCE022",
                ("roce", "ecn", "kmin_bytes"),
                message,
                "lower kmin_bytes or raise kmax_bytes",
            )
        )
    low, high = ecn.fill_percent or (DEFAULT_FILL.kmin_percent, DEFAULT_FILL.kmax_percent)
    if low >= high:
        message = f"fill_percent [{low}, {high}]: marking could never rise between them"
        fix = "write the lower share first, such as [55, 90]"
        problems.append(Problem("RCE022", ("roce", "ecn", "fill_percent"), message, fix))
    return EcnPolicy(
        ecn.kmin_bytes,
        ecn.kmax_bytes,
        ecn.pmax_percent,
        section.rtt_us,
        FillLevels(low, high, ecn.fill_pmax_percent),
        fill_stated=ecn.fill_percent is not None,
    )


def _watchdog(section: RoceSection, setting: Setting, problems: list[Problem]) -> Watchdog:
    """Timers; a storm is 1,000 longest pauses of the slowest port, in steps of 100 ms."""
    timers = section.watchdog
    pauses_ms = _PAUSES * _PAUSE_BITS / 8 / bytes_per_second(setting.slowest_gbps) * 1_000
    detect = timers.detect_ms or max(_MIN_DETECT_MS, math.ceil(pauses_ms / 100) * 100)
    restore = timers.restore_ms or 2 * detect
    for key, value in (("detect_ms", detect), ("restore_ms", restore)):
        told = {("roce", "watchdog", "poll_ms"), ("roce", "watchdog", key)} & setting.refused
        if timers.poll_ms > value and not told:
            message = (
                f"poll_ms {timers.poll_ms} is above {key} {value}: the watchdog would look "
                "less often than it has to decide"
            )
            fix = f"lower poll_ms to {value} or less, or raise {key}"
            problems.append(Problem("RCE022", ("roce", "watchdog", "poll_ms"), message, fix))
    return Watchdog(timers.enabled, timers.poll_ms, detect, restore, timers.action)


def _rdma_mtu(section: RoceSection, refused: frozenset[Path], problems: list[Problem]) -> None:
    mtu = section.mtu
    needed = mtu.rdma + RDMA_OVERHEAD_BYTES
    told = {("roce", "mtu", "rdma"), ("roce", "mtu", "host")} & refused
    if needed > mtu.host and not told:
        message = (
            f"RDMA MTU {mtu.rdma} + {RDMA_OVERHEAD_BYTES} B of headers = {needed} B does "
            f"not fit into the host MTU of {mtu.host}"
        )
        problems.append(
            Problem("RCE021", ("roce", "mtu", "rdma"), message, "lower rdma or raise host")
        )


def _pfc(section: RoceSection, made: ClassMap, cost: str, problems: list[Problem]) -> None:
    """What the user lists as paused must be the lossless classes, no more and no less."""
    listed = section.pfc.priorities
    if listed is None:
        return
    wanted = made.lossless_priorities
    owners = {stated.priority: stated.name for stated in made.classes}
    path = ("roce", "pfc", "priorities")
    unused = [number for number in dict.fromkeys(listed) if number not in owners]
    for number in dict.fromkeys(listed):
        if number not in wanted and number in owners:
            message = f"pfc.priorities has {number}: {_why_never(owners[number], number)}"
            problems.append(Problem("RCE020", path, message, f"write {list(wanted)}"))
    if unused:
        shown = ", ".join(map(str, unused))
        message = f"pfc.priorities has {shown}, which no class uses; each costs {cost}"
        problems.append(Problem("RCE020", path, message, f"write {list(wanted)}"))
    for number in wanted:
        if number not in listed:
            message = f"pfc.priorities lacks {number}, the priority of {owners[number]}"
            problems.append(Problem("RCE020", path, message, f"write {list(wanted)}"))


def _why_never(owner: str, number: int) -> str:
    match owner:
        case "cnp":
            return (
                f"priority {number} is CNP's; CNP must never be paused, or congestion feedback "
                "stops exactly when it is needed"
            )
        case "control":
            return f"priority {number} is network control's; pausing it takes BGP down"
        case "default":
            return f"priority {number} is the default class's; all unmarked traffic would pause"
        case _:
            return f"priority {number} is class {owner}'s, which is not lossless"
