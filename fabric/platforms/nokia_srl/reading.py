"""From SR Linux's configuration to the QoS chain of each port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.qos import QosChain, QueueSettings, Watchdog
from fabric.platforms import CODES
from fabric.platforms.nokia_srl.classes import Classes, Schedule
from fabric.platforms.nokia_srl.ports import ports
from fabric.platforms.nokia_srl.tree import below, by_key, entries, number, word

if TYPE_CHECKING:
    from fabric.platforms.nokia_srl.classes import Pause
    from fabric.platforms.nokia_srl.ports import Port
    from fabric.platforms.nokia_srl.tree import Tree

SEED, FROM_MAC = "seed of the ECMP hash", "generate-from-mac"
FORWARD = "forward"  # pause is ignored for the recovery time
NO_POLLING = 0  # the deadlock mechanism has no polling interval
_SILENT: tuple[None, ...] = (None,) * CODES
_BYTES_PER_GBPS = 125_000_000


def chains_of(config: Tree, device: str) -> tuple[QosChain, ...]:
    """One chain a port. A port without QoS entries has default maps, of which nothing is known."""
    classes = Classes(config)
    return tuple(_chain(device, port, classes) for port in ports(config))


def settings_of(config: Tree) -> dict[str, str]:
    """The seed of the hash over equal paths."""
    hashing = below(config, "system", "load-balancing", "hash-options")
    return {SEED: word(hashing, "hash-seed") or FROM_MAC}


def pause_of(port: Port, classes: Classes) -> Pause | None:
    """The PFC profile in force at a port; ``None``: PFC is off, or nothing is known of it."""
    pfc = below(port.qos, "pfc")
    on = pfc.get("pfc-enable") is True
    return classes.pause(word(pfc, "pfc-mapping-profile")) if on else None


def marking_of(port: Port, classes: Classes) -> dict[int, Tree]:
    """The ECN slope of each queue of a port that has one."""
    profiles = by_key(classes.qos, "buffer-management", "queue-management-profile", key="name")
    found = {}
    for row in entries(port.qos, "output", "queues", "queue"):
        queue, profile = (
            classes.queue(word(row, "queue-name")),
            word(row, "queue-management-profile"),
        )
        for slope in entries(profiles.get(profile or "", {}), "wred", "wred-slope"):
            if slope.get("enable-ecn") is True and queue is not None:
                found[queue] = slope
    return found


def _chain(device: str, port: Port, classes: Classes) -> QosChain:
    pause = pause_of(port, classes)
    priorities = tuple(sorted(pause.queue_of)) if pause else ()
    guarded = pause is not None and pause.detect_ms is not None
    xoff = _headroom(port, classes)
    return QosChain(
        device=device,
        port=port.name,
        dscp_to_tc=classes.dscp_map(word(port.classifiers, "dscp-policy")),
        tc_to_queue=classes.queues(),
        tc_to_pg=_by_code(pause.group_of if pause else {}),
        pfc_priority_to_queue=_by_code(pause.queue_of if pause else {}),
        pfc_priority_to_pg=_SILENT,
        pfc_priorities=priorities,
        watchdog_priorities=priorities if guarded else (),
        lossless_pgs=tuple(sorted(xoff)),
        xoff_bytes=_by_code(xoff),
        queues=_queues(port, classes),
        mtu_bytes=port.mtu_bytes,
        watchdog=_watchdog(pause) if priorities else None,
    )


def _by_code(values: dict[int, int]) -> tuple[int | None, ...]:
    return tuple(values.get(code) for code in range(CODES))


def _watchdog(pause: Pause | None) -> Watchdog | None:
    if pause is None or pause.detect_ms is None:
        return None
    return Watchdog(
        enabled=True,
        poll_ms=NO_POLLING,
        detect_ms=pause.detect_ms,
        restore_ms=pause.restore_ms,
        action=FORWARD,
    )


def _headroom(port: Port, classes: Classes) -> dict[int, int]:
    """What each PFC queue may take from the reserve after its pause, where it is said in bytes."""
    name = word(below(port.qos, "input"), "pfc-buffer-allocation-profile")
    profiles = by_key(classes.qos, "buffer-management", "buffer-allocation-profile", key="name")
    return {
        queue: share
        for row in entries(profiles.get(name or "", {}), "queues", "pfc-queue")
        if (share := number(row, "maximum-pfc-reserved-share-bytes")) is not None
        and (queue := classes.pfc_queue(word(row, "pfc-queue-name") or "")) is not None
    }


def _queues(port: Port, classes: Classes) -> tuple[QueueSettings, ...]:
    schedules = classes.schedules(word(below(port.qos, "output", "scheduler"), "scheduler-policy"))
    slopes = marking_of(port, classes)
    return tuple(
        _queue(code, schedules.get(code), slopes.get(code), port.speed_gbps)
        for code in range(CODES)
    )


def _queue(
    code: int, schedule: Schedule | None, slope: Tree | None, speed_gbps: int | None
) -> QueueSettings:
    said = slope or {}
    peak = schedule.peak_percent if schedule else None
    cap = None if peak is None or speed_gbps is None else speed_gbps * _BYTES_PER_GBPS * peak // 100
    return QueueSettings(
        queue=code,
        scheduler=None if schedule is None else "strict" if schedule.strict else "dwrr",
        weight=schedule.weight if schedule else None,
        max_rate_bytes_per_s=cap,
        ecn=slope is not None,
        kmin_bytes=number(said, "min-threshold"),
        kmax_bytes=number(said, "max-threshold"),
        pmax_percent=number(said, "max-drop-probability-percent"),
    )
