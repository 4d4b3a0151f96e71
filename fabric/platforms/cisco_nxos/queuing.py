"""The classes of a queuing policy: share, strict priority, marking."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.platforms.cisco_nxos.lines import last
from fabric.platforms.cisco_nxos.policies import QUEUING, policy_classes, queue_of

if TYPE_CHECKING:
    from fabric.reading.sections import Line

_REMAINING = re.compile(r"bandwidth remaining percent (\d+)")
_BANDWIDTH = re.compile(r"bandwidth percent (\d+)")
_PRIORITY = re.compile(r"priority(?: level (\d+))?")
_DETECT = re.compile(
    r"random-detect(?: minimum-threshold (\d+) (\w+) maximum-threshold (\d+) (\w+))?"
    r"(?: drop-probability (\d+))?(?: weight (\d+))?(?: threshold \S+)?( ecn)?"
)


@dataclass(frozen=True)
class Marking:
    """A ``random-detect`` line. Without ``ecn`` it drops. Units as written: bytes, kbytes, …"""

    low: int | None
    high: int | None
    unit: str
    probability: int | None
    weight: int | None
    ecn: bool


@dataclass(frozen=True)
class QueueClass:
    """What is said of one queue. ``level``: of strict priority, 1 is served first."""

    remaining: int | None = None
    bandwidth: int | None = None
    level: int | None = None
    marking: Marking | None = None


def queue_classes(root: Line, name: str | None) -> dict[int, QueueClass]:
    """The queues of a queuing policy by number."""
    found: dict[int, QueueClass] = {}
    for word, lines in policy_classes(root, QUEUING, name):
        queue = queue_of(word)
        if queue is not None:
            found[queue] = _queue(lines)
    return found


def _queue(lines: tuple[Line, ...]) -> QueueClass:
    remaining, bandwidth = last(lines, _REMAINING), last(lines, _BANDWIDTH)
    priority, detect = last(lines, _PRIORITY), last(lines, _DETECT)
    return QueueClass(
        remaining=int(remaining[1]) if remaining else None,
        bandwidth=int(bandwidth[1]) if bandwidth else None,
        level=int(priority[1] or 1) if priority else None,
        marking=_marking(detect) if detect else None,
    )


def _marking(found: re.Match[str]) -> Marking:
    low, unit, high, other, probability, weight, ecn = found.groups()
    return Marking(
        low=int(low) if low else None,
        high=int(high) if high else None,
        unit=unit if unit and unit == other else "",
        probability=int(probability) if probability else None,
        weight=int(weight) if weight else None,
        ecn=bool(ecn),
    )
