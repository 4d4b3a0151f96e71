"""Schedulers and drop profiles of Junos: what each queue does."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.model.qos import QueueSettings
from fabric.platforms import CODES
from fabric.platforms.juniper_junos.config import COS
from fabric.platforms.juniper_junos.tree import Tree, at, number, value, whole

if TYPE_CHECKING:
    from fabric.platforms.juniper_junos.classes import ForwardingClass

_RATE = re.compile(r"(\d+)([kmg]?)")
_FACTOR = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_BITS = 8


def queues_of(
    config: Tree, scheduler_map: str | None, classes: dict[str, ForwardingClass]
) -> tuple[QueueSettings, ...]:
    """The eight queues under a scheduler map; a class that it does not name has no scheduler."""
    lossless = {one.queue for one in classes.values() if one.paused_as is not None}
    found: dict[int, QueueSettings] = {}
    entries = at(config, COS, "scheduler-maps", scheduler_map or "", "forwarding-class")
    for name, body in entries.items():
        scheduler = value(body, "scheduler")
        if name in classes and scheduler is not None:
            queue = classes[name].queue
            found[queue] = queue_of(config, queue, at(config, COS, "schedulers", scheduler))
    return tuple(
        replace(found.get(queue, QueueSettings(queue, None)), lossless_buffer=queue in lossless)
        for queue in range(CODES)
    )


def queue_of(config: Tree, queue: int, scheduler: Tree) -> QueueSettings:
    """What one scheduler does with its queue."""
    strict = value(scheduler, "priority") == "strict-high"
    share = number(scheduler, "transmit-rate", "percent")
    marks = _marks(config, scheduler)
    return QueueSettings(
        queue=queue,
        scheduler="strict" if strict else None if share is None else "dwrr",
        weight=None if strict else share,
        max_rate_bytes_per_s=_rate(value(scheduler, "shaping-rate")),
        ecn=marks is not None,
        kmin_percent=marks[0] if marks else None,
        kmax_percent=marks[1] if marks else None,
        pmax_percent=marks[2] if marks else None,
    )


def _rate(text: str | None) -> int | None:
    """Bits per second with k, m or g as bytes per second; a share of the line says no number."""
    found = _RATE.fullmatch(text or "")
    rate = whole(found[1]) if found else None
    return rate * _FACTOR[found[2]] // _BITS if found and rate is not None else None


def _marks(config: Tree, scheduler: Tree) -> tuple[int | None, int | None, int | None] | None:
    """Where marking begins, where it reaches its most, and that; ``None``: ECN is off."""
    if "explicit-congestion-notification" not in scheduler:
        return None
    names = [
        name
        for priority in ("low", "any")
        for protocol in at(
            scheduler, "drop-profile-map", "loss-priority", priority, "protocol"
        ).values()
        if (name := value(protocol, "drop-profile")) is not None
    ]
    points = _points(at(config, COS, "drop-profiles", names[0])) if names else []
    if not points:
        return None, None, None
    quiet = [level for level, chance in points if chance == 0]
    return (quiet or [points[0][0]])[-1], points[-1][0], points[-1][1]


def _points(profile: Tree) -> list[tuple[int, int]]:
    """Fill level and probability of each point, in percent, rising."""
    curve = at(profile, "interpolate")
    levels = [n for text in at(curve, "fill-level") if (n := whole(text)) is not None]
    chances = [n for text in at(curve, "drop-probability") if (n := whole(text)) is not None]
    single = [
        (level, chance)
        for text, body in at(profile, "fill-level").items()
        if (level := whole(text)) is not None
        and (chance := number(body, "drop-probability")) is not None
    ]
    return sorted([*zip(levels, chances, strict=False), *single])
