"""Forwarding classes, queues, PFC profiles and schedulers of a config, by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.platforms import CODES, DSCPS
from fabric.platforms.nokia_srl.tree import below, by_key, entries, number, word, words

if TYPE_CHECKING:
    from fabric.platforms.nokia_srl.tree import Tree

# Names that always exist: forwarding class fcN, queue unicast-N, PFC queue pfcN.
_CLASS = re.compile(r"fc([0-7])")
_QUEUE = re.compile(r"unicast-([0-7])")
_DEFAULT_TIMER_MS = 750


@dataclass(frozen=True, slots=True)
class Pause:
    """A PFC mapping profile. ``queue_of``: queue that a received priority stops.

    ``group_of``: priority that is sent when packets of a traffic class fill their PFC queue.
    ``detect_ms`` ``None``: no deadlock mechanism.
    """

    queue_of: dict[int, int]
    group_of: dict[int, int]
    detect_ms: int | None
    restore_ms: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """One queue of a scheduler policy."""

    strict: bool
    weight: int | None
    peak_percent: int | None


class Classes:
    """What a config says once per switch."""

    def __init__(self, config: Tree) -> None:
        self.qos = below(config, "qos")
        self._queues = {
            name: number(entry, "queue-index")
            for name, entry in by_key(self.qos, "queues", "queue", key="name").items()
        }
        self._pfc_queues = by_key(self.qos, "queues", "pfc-queue", key="pfc-queue-name")
        self._classes = by_key(self.qos, "forwarding-classes", "forwarding-class", key="name")
        self._policies = by_key(self.qos, "classifiers", "dscp-policy", key="name")
        self._profiles = by_key(self.qos, "pfc-mapping-profile", key="name")
        self._schedulers = by_key(self.qos, "scheduler-policies", "scheduler-policy", key="name")

    def queue(self, name: str | None) -> int | None:
        """Index of a queue."""
        known = self._queues.get(name or "")
        default = _QUEUE.fullmatch(name or "")
        return known if known is not None else int(default[1]) if default else None

    def traffic_class(self, name: str | None) -> int | None:
        """N of the default class ``fcN``; a class of another name counts by its queue."""
        default = _CLASS.fullmatch(name or "")
        if default:
            return int(default[1])
        return self.queue(self._unicast_queue(name or ""))

    def _unicast_queue(self, name: str) -> str | None:
        output = below(self._classes.get(name, {}), "output")
        return word(output, "unicast-queue") or word(output, "queue")

    def queues(self) -> tuple[int | None, ...]:
        """Queue of each traffic class; ``fcN`` leads to ``unicast-N`` unless told otherwise."""
        found: list[int | None] = list(range(CODES))
        for name in self._classes:
            code, queue = self.traffic_class(name), self._unicast_queue(name)
            if code is not None and queue is not None:
                found[code] = self.queue(queue)
        return tuple(found)

    def dscp_map(self, name: str | None) -> tuple[int | None, ...]:
        """Traffic class of each DSCP; what a policy does not name is class 0 (QoS guide)."""
        if name not in self._policies:
            return (None,) * DSCPS
        found: dict[int, int | None] = dict.fromkeys(range(DSCPS), 0)
        for entry in entries(self._policies[name], "dscp"):
            value = number(entry, "value")
            if value in found:
                found[value] = self.traffic_class(word(entry, "forwarding-class"))
        return tuple(found.values())

    def named_dscps(self, name: str | None) -> set[int]:
        """The DSCPs that a policy names."""
        rows = entries(self._policies.get(name or "", {}), "dscp")
        return {value for row in rows if (value := number(row, "value")) is not None}

    def pause(self, name: str | None) -> Pause | None:
        """A PFC mapping profile; of the default one nothing is known."""
        profile = self._profiles.get(name or "")
        if profile is None:
            return None
        received = below(profile, "received-pfc-pause-frames")
        deadlock = below(received, "deadlock")
        detect = number(deadlock, "detection-timer") or _DEFAULT_TIMER_MS
        return Pause(
            self._stopped(received),
            self._groups(profile),
            detect if deadlock.get("enable") is True else None,
            number(deadlock, "recovery-timer") or _DEFAULT_TIMER_MS,
        )

    def _stopped(self, received: Tree) -> dict[int, int]:
        found = {}
        for row in entries(received, "queue"):
            priority, queue = _priority(row), self.queue(word(row, "queue-name"))
            if row.get("enable-pfc") is True and priority is not None and queue is not None:
                found[priority] = queue
        return found

    def _groups(self, profile: Tree) -> dict[int, int]:
        rows = entries(profile, "received-traffic", "unicast-mapping", "pfc-queue")
        return {
            code: priority
            for row in rows
            if (priority := _priority(row)) is not None
            for name in words(row, "forwarding-class")
            if (code := self.traffic_class(name)) is not None
        }

    def pfc_queue(self, name: str) -> int | None:
        """Index of a PFC queue: the priority of the default one, ``pfcN``."""
        known = number(self._pfc_queues.get(name, {}), "queue-index")
        default = re.fullmatch(r"pfc([0-7])", name)
        return known if known is not None else int(default[1]) if default else None

    def schedules(self, name: str | None) -> dict[int, Schedule]:
        """The queues of a scheduler policy: scheduler 0 is strict, 1 weighted."""
        found = {}
        for scheduler in entries(self._schedulers.get(name or "", {}), "scheduler"):
            strict = word(scheduler, "priority") == "strict"
            for row in entries(scheduler, "input"):
                queue = self.queue(word(row, "queue-name") or word(row, "id"))
                if queue is not None:
                    weight = None if strict else number(row, "weight") or 1
                    found[queue] = Schedule(strict, weight, number(row, "peak-rate-percent"))
        return found


def _priority(row: Tree) -> int | None:
    found = number(row, "pfc-pause-frame-priority")
    return found if found in range(CODES) else None
