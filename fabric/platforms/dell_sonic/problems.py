"""What Enterprise SONiC refuses, or takes though it breaks lossless Ethernet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.dell_sonic.intended import LOSSLESS_GROUPS
from fabric.platforms.dell_sonic.lines import in_force, ports
from fabric.platforms.dell_sonic.objects import Objects, objects_of
from fabric.platforms.dell_sonic.reading import (
    bound_maps,
    bound_scheduler,
    bound_wreds,
    pfc_priorities,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.reading.sections import Line

_NEEDED = ("dscp-tc", "tc-queue", "tc-pg", "pfc-priority-queue")
_REBOOTS = ("roce enable", "buffer init", "no roce enable", "no buffer init")
_MOST_PRIORITIES = 2


def problems_of(config: Line) -> Iterator[str]:
    """One sentence each; nothing: well."""
    objects = objects_of(config)
    yield from _switch(config, objects)
    for name, rows in ports(config).items():
        if any(line.text == "shutdown" for line in rows) and not pfc_priorities(rows):
            continue
        for what in (*_bindings(rows, objects), *_pfc(rows, objects)):
            yield f"interface {name}: {what}"


def _switch(config: Line, objects: Objects) -> Iterator[str]:
    for line in config.below:
        if line.text.startswith(_REBOOTS):
            yield f"{line.text}: saves and reboots the switch when it is typed"
        if line.text == "no priority-flow-control watchdog counter-poll":
            yield f"{line.text}: the watchdog sees no storm"
    lists = [name for kind, name in objects.maps if kind == "pfc-priority-queue"]
    if len(lists) > 1:
        yield f"qos map pfc-priority-queue: one per switch, here are {', '.join(lists)}"
    for (kind, name), values in objects.maps.items():
        if kind == "dscp-tc" and None in values:
            missing = [dscp for dscp, target in enumerate(values) if target is None]
            yield f"qos map dscp-tc {name}: {len(missing)} of 64 DSCPs missing, {missing[0]} first"
    for name, wred in objects.wreds.items():
        if wred.marks and not (wred.kmin_bytes or 0) < (wred.kmax_bytes or 0):
            yield f"qos wred-policy {name}: minimum-threshold is not below maximum-threshold"


def _bindings(rows: tuple[Line, ...], objects: Objects) -> Iterator[str]:
    bound = bound_maps(rows)
    for kind in _NEEDED:
        if kind not in bound:
            yield f"binds no map {kind}"
    for kind, name in bound.items():
        if kind in _NEEDED and (kind, name) not in objects.maps:
            yield f"there is no qos map {kind} {name}"
    scheduler = bound_scheduler(rows)
    if scheduler and scheduler not in objects.schedulers:
        yield f"there is no qos scheduler-policy {scheduler}"
    for name in bound_wreds(rows).values():
        if name not in objects.wreds:
            yield f"there is no qos wred-policy {name}"


def _pfc(rows: tuple[Line, ...], objects: Objects) -> Iterator[str]:
    priorities, wreds, bound = pfc_priorities(rows), bound_wreds(rows), bound_maps(rows)
    if not priorities:
        yield "no priority has PFC"
    if len(priorities) > _MOST_PRIORITIES:
        yield f"PFC on {len(priorities)} priorities, the box takes {_MOST_PRIORITIES}"
    for priority in priorities:
        if priority not in LOSSLESS_GROUPS:
            yield f"priority {priority} has PFC, but headroom is in groups 3 and 4 alone"
        wred = objects.wreds.get(wreds.get(priority, ""))
        if wred is None or not wred.marks:
            yield f"queue {priority} is lossless and marks nothing (ECN)"
    groups = objects.map("tc-pg", bound.get("tc-pg"))
    queues = objects.map("tc-queue", bound.get("tc-queue"))
    for code, (group, queue) in enumerate(zip(groups, queues, strict=True)):
        lossy = queue is not None and queue not in priorities
        if group in priorities and lossy and "tc-dscp" not in bound:  # there a class may rise
            yield f"traffic class {code} is in lossless group {group} and in lossy queue {queue}"
    if any(line.text == "priority-flow-control asymmetric" for line in in_force(rows)):
        yield "priority-flow-control asymmetric: pauses are obeyed for all priorities"
