"""From ``sonic-cli``'s text to the QoS chain of each port: DSCP → TC → queue and PG, PFC, ECN."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.model.qos import QosChain, QueueSettings, Watchdog
from fabric.platforms import CODES
from fabric.platforms.dell_sonic.lines import in_force, last, named, numbers, ports
from fabric.platforms.dell_sonic.objects import Objects, Schedule, objects_of

if TYPE_CHECKING:
    from fabric.reading.sections import Line

SEED = "seed of the ECMP hash"

_BOUND = re.compile(r"qos-map (\S+) (\S+)")
_SCHEDULER = re.compile(r"scheduler-policy (\S+)")
_WRED = re.compile(r"queue (\d+) wred-policy (\S+)")
_MTU = re.compile(r"mtu (\d+)")
_CHANNEL = re.compile(r"channel-group (\d+)(?: .*)?")
_PRIORITY = re.compile(r"priority-flow-control priority (\S+)")
_WATCHDOG = "priority-flow-control watchdog"
_OFF = f"{_WATCHDOG} off"
_ACTION = re.compile(rf"{_WATCHDOG} action (\w+)")
_DETECT = re.compile(rf"{_WATCHDOG} (?:on )?detect-time (\d+)")
_RESTORE = re.compile(rf"{_WATCHDOG} restore-time (\d+)")
_POLL = re.compile(rf"{_WATCHDOG} polling-interval (\d+)")
_SEED = re.compile(r"ip load-share hash seed (\d+)")
_DEFAULT_ACTION = "drop"
_SILENT: tuple[None, ...] = (None,) * CODES


@dataclass(frozen=True, slots=True)
class _Switch:
    """What ports refer to. ``interfaces``: lines of every interface, port-channels among them."""

    device: str
    objects: Objects
    interfaces: dict[str, tuple[Line, ...]]
    poll_ms: int | None


def chains_of(config: Line, device: str) -> tuple[QosChain, ...]:
    """One chain a port, in natural order. What a port does not name it does not have.

    Raises:
        ConfigError: a line of a known form has a value that cannot be.
    """
    found, poll = ports(config), last(in_force(config.below), _POLL)
    interfaces = named(config, "interface")
    switch = _Switch(device, objects_of(config), interfaces, int(poll[1]) if poll else None)
    return tuple(_chain(switch, name, found[name]) for name in natural_sorted(found))


def settings_of(config: Line) -> dict[str, str]:
    """The seed of the hash over equal paths."""
    seed = last(in_force(config.below), _SEED)
    return {SEED: seed[1] if seed else "none"}


def bound_maps(rows: tuple[Line, ...]) -> dict[str, str]:
    """Names of the maps that a port binds, by kind."""
    return {match[1]: match[2] for line in rows if (match := _BOUND.fullmatch(line.text))}


def bound_wreds(rows: tuple[Line, ...]) -> dict[int, str]:
    """Names of the WRED policies of a port's queues."""
    return {int(match[1]): match[2] for line in rows if (match := _WRED.fullmatch(line.text))}


def bound_scheduler(rows: tuple[Line, ...]) -> str | None:
    """Name of the scheduler policy that a port binds."""
    found = last(rows, _SCHEDULER)
    return found[1] if found else None


def pfc_priorities(rows: tuple[Line, ...]) -> tuple[int, ...]:
    """Priorities with PFC."""
    found = {
        priority
        for line in rows
        if (match := _PRIORITY.fullmatch(line.text))
        for priority in numbers(match[1], CODES, line)
    }
    return tuple(sorted(found))


def _chain(switch: _Switch, port: str, rows: tuple[Line, ...]) -> QosChain:
    objects = switch.objects
    maps, priorities = bound_maps(rows), pfc_priorities(rows)
    guarded = priorities if _is_guarded(rows) else ()
    return QosChain(
        device=switch.device,
        port=port,
        dscp_to_tc=objects.map("dscp-tc", maps.get("dscp-tc")),
        tc_to_queue=objects.map("tc-queue", maps.get("tc-queue")),
        tc_to_pg=objects.map("tc-pg", maps.get("tc-pg")),
        tc_to_dscp=objects.map("tc-dscp", maps.get("tc-dscp")),
        pfc_priority_to_queue=objects.map("pfc-priority-queue", maps.get("pfc-priority-queue")),
        pfc_priority_to_pg=objects.map("pfc-priority-pg", maps.get("pfc-priority-pg")),
        pfc_priorities=priorities,
        watchdog_priorities=guarded,
        lossless_pgs=(),
        xoff_bytes=_SILENT,
        queues=_queues(rows, objects),
        mtu_bytes=_mtu(rows, switch.interfaces),
        watchdog=_watchdog(rows, switch.poll_ms) if guarded else None,
    )


def _is_guarded(rows: tuple[Line, ...]) -> bool:
    return last(rows, _DETECT) is not None and not any(line.text == _OFF for line in rows)


def _watchdog(rows: tuple[Line, ...], poll_ms: int | None) -> Watchdog | None:
    """Times and action of a port; ``None``: not all times are written."""
    detect, restore, action = (last(rows, form) for form in (_DETECT, _RESTORE, _ACTION))
    if poll_ms is None or detect is None or restore is None:
        return None
    said = action[1] if action else _DEFAULT_ACTION
    return Watchdog(
        enabled=True,
        poll_ms=poll_ms,
        detect_ms=int(detect[1]),
        restore_ms=int(restore[1]),
        action=said,
    )


def _mtu(rows: tuple[Line, ...], interfaces: dict[str, tuple[Line, ...]]) -> int | None:
    """A member of a port-channel has the port-channel's."""
    if channel := last(rows, _CHANNEL):
        rows = in_force(interfaces.get(f"PortChannel{channel[1]}", ()))
    found = last(rows, _MTU)
    return int(found[1]) if found else None


def _queues(rows: tuple[Line, ...], objects: Objects) -> tuple[QueueSettings, ...]:
    wreds = bound_wreds(rows)
    schedules = objects.schedulers.get(bound_scheduler(rows) or "", {})
    return tuple(_queue(number, wreds.get(number), schedules, objects) for number in range(CODES))


def _queue(
    number: int, wred: str | None, schedules: dict[int, Schedule], objects: Objects
) -> QueueSettings:
    schedule, marking = schedules.get(number), objects.wreds.get(wred or "")
    marks = marking is not None and marking.marks
    return QueueSettings(
        queue=number,
        scheduler=schedule.kind if schedule else None,
        weight=schedule.weight if schedule else None,
        max_rate_bytes_per_s=schedule.max_rate_bytes_per_s if schedule else None,
        ecn=marks,
        kmin_bytes=marking.kmin_bytes if marking and marks else None,
        kmax_bytes=marking.kmax_bytes if marking and marks else None,
        pmax_percent=marking.pmax_percent if marking and marks else None,
    )
