"""What SR Linux refuses, or takes though it breaks lossless Ethernet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms import DSCPS
from fabric.platforms.nokia_srl.classes import Classes
from fabric.platforms.nokia_srl.ports import ports
from fabric.platforms.nokia_srl.reading import marking_of, pause_of
from fabric.platforms.nokia_srl.tree import below, by_key, entries, number, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.nokia_srl.ports import Port
    from fabric.platforms.nokia_srl.tree import Tree

_MOST_PROFILES = 7


def problems_of(config: Tree) -> Iterator[str]:
    """One sentence each; nothing: well."""
    classes = Classes(config)
    yield from _switch(classes)
    for port in ports(config):
        if port.admin_up:
            for what in _port(port, classes):
                yield f"{port.name}: {what}"


def _switch(classes: Classes) -> Iterator[str]:
    for name in by_key(classes.qos, "classifiers", "dscp-policy", key="name"):
        missing = sorted(set(range(DSCPS)) - classes.named_dscps(name))
        if missing:
            count = f"{len(missing)} of 64 DSCPs missing, {missing[0]} first"
            yield f"dscp-policy {name}: {count}: they are class 0"
    profiles = by_key(classes.qos, "pfc-mapping-profile", key="name")
    if len(profiles) > _MOST_PROFILES:
        yield f"{len(profiles)} pfc-mapping-profiles, the switch takes {_MOST_PROFILES}"
    for name, profile in profiles.items():
        if below(profile, "received-pfc-pause-frames", "deadlock").get("enable") is not True:
            yield f"pfc-mapping-profile {name}: the deadlock mechanism is off"
    if "explicit-congestion-notification" not in classes.qos:
        yield "explicit-congestion-notification: not there, so no queue marks"


def _port(port: Port, classes: Classes) -> Iterator[str]:
    policy = word(port.classifiers, "dscp-policy")
    if not classes.named_dscps(policy):
        yield "has no DSCP map" if policy is None else f"there is no dscp-policy {policy}"
    pause = pause_of(port, classes)
    if pause is None:
        yield "PFC is off, or its pfc-mapping-profile is not there"
        return
    if not pause.queue_of:
        yield "no priority has PFC"
    slopes, sizes = marking_of(port, classes), _burst_sizes(port, classes)
    for priority, queue in sorted(pause.queue_of.items()):
        if priority not in pause.group_of.values():
            yield f"no forwarding-class pauses priority {priority}"
        slope = slopes.get(queue)
        if slope is None:
            yield f"queue {queue} is lossless and marks nothing (ECN)"
        elif not (number(slope, "min-threshold") or 0) < (number(slope, "max-threshold") or 1):
            yield f"queue {queue}: min-threshold is not below max-threshold"
        elif not sizes.get(queue):
            yield f"queue {queue} has a wred-slope and no maximum-burst-size: it is refused"


def _burst_sizes(port: Port, classes: Classes) -> dict[int, int]:
    name = word(below(port.qos, "output"), "buffer-allocation-profile")
    profiles = by_key(classes.qos, "buffer-management", "buffer-allocation-profile", key="name")
    return {
        queue: number(row, "maximum-burst-size") or 0
        for row in entries(profiles.get(name or "", {}), "queues", "queue")
        if (queue := classes.queue(word(row, "queue-name"))) is not None
    }
