"""Maps, schedulers and WRED policies of a config, by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.platforms import CODES, DSCPS
from fabric.platforms.dell_sonic.lines import in_force, last, named, numbers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.reading.sections import Line

Map = tuple[int | None, ...]

# By kind of map: word before, size; word after, size.
_KINDS = {
    "dscp-tc": ("dscp", DSCPS, "traffic-class", CODES),
    "tc-queue": ("traffic-class", CODES, "queue", CODES),
    "tc-pg": ("traffic-class", CODES, "priority-group|pg", CODES),
    "tc-dscp": ("traffic-class", CODES, "dscp", DSCPS),
    "pfc-priority-queue": ("pfc-priority", CODES, "queue", CODES),
    "pfc-priority-pg": ("pfc-priority", CODES, "priority-group|pg", CODES),
}
_QUEUE = re.compile(r"queue (\d+)")
_TYPE = re.compile(r"type (\w+)")
_WEIGHT = re.compile(r"weight (\d+)")
_CAP = re.compile(r"pir (\d+(?:\.\d+)?)")
_GREEN = re.compile(
    r"green minimum-threshold (\d+(?:\.\d+)?) maximum-threshold (\d+(?:\.\d+)?)"
    r" drop-probability (\d+)"
)
_ECN = re.compile(r"ecn (\w+)")
_MARKS_GREEN = frozenset({"all", "green", "green_yellow", "green_red"})
_KBYTE, _BITS, _KILO = 1000, 8, 1000


@dataclass(frozen=True, slots=True)
class Schedule:
    """One queue of a scheduler policy. ``kind``: dwrr, wrr or strict."""

    kind: str | None
    weight: int | None
    max_rate_bytes_per_s: int | None


@dataclass(frozen=True, slots=True)
class Wred:
    """What a WRED policy does to green packets, those that nobody has policed."""

    marks: bool
    kmin_bytes: int | None
    kmax_bytes: int | None
    pmax_percent: int | None


@dataclass(frozen=True, slots=True)
class Objects:
    """All of a config that ports name. ``maps``: by kind and name."""

    maps: dict[tuple[str, str], Map]
    schedulers: dict[str, dict[int, Schedule]]
    wreds: dict[str, Wred]

    def map(self, kind: str, name: str | None) -> Map:
        """A map; one that is not named or not there says nothing."""
        size = _KINDS[kind][1]
        return self.maps.get((kind, name or ""), (None,) * size)


def objects_of(config: Line) -> Objects:
    """Read them all.

    Raises:
        ConfigError: a map has an entry that is none.
    """
    return Objects(
        {
            (kind, name): _map(kind, in_force(rows))
            for kind in _KINDS
            for name, rows in named(config, f"qos map {kind}").items()
        },
        {
            name: _schedule(in_force(rows))
            for name, rows in named(config, "qos scheduler-policy").items()
        },
        {name: _wred(in_force(rows)) for name, rows in named(config, "qos wred-policy").items()},
    )


def _map(kind: str, rows: Iterable[Line]) -> Map:
    before, size, after, most = _KINDS[kind]
    entry = re.compile(rf"{before} (\S+) (?:{after}) (\S+)")
    found: dict[int, int] = {}
    for line in rows:
        if match := entry.fullmatch(line.text):
            (target,) = numbers(match[2], most, line)[:1]
            found.update(dict.fromkeys(numbers(match[1], size, line), target))
    return tuple(found.get(code) for code in range(size))


def _schedule(rows: Iterable[Line]) -> dict[int, Schedule]:
    found: dict[int, Schedule] = {}
    for line in rows:
        if match := _QUEUE.fullmatch(line.text):
            own = in_force(line.below)
            kind, weight, cap = (last(own, form) for form in (_TYPE, _WEIGHT, _CAP))
            found[int(match[1])] = Schedule(
                kind[1] if kind else None,
                int(weight[1]) if weight else None,
                round(float(cap[1]) * _KILO) // _BITS if cap else None,
            )
    return found


def _wred(rows: Iterable[Line]) -> Wred:
    """Thresholds are printed in KBytes of 1000 bytes."""
    rows = tuple(rows)
    green, ecn = last(rows, _GREEN), last(rows, _ECN)
    low, high = (round(float(green[n]) * _KBYTE) if green else None for n in (1, 2))
    marks = ecn is not None and ecn[1] in _MARKS_GREEN and green is not None
    return Wred(marks, low, high, int(green[3]) if green else None)
