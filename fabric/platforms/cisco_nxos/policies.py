"""The QoS policies of a configuration: class maps, policy maps of three types, where they apply."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.platforms import CODES, DSCPS
from fabric.platforms.cisco_nxos.lines import in_force, last

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.reading.sections import Line

QOS, NETWORK, QUEUING = "qos", "network-qos", "queuing"
DEFAULT_CLASS = "class-default"

_TYPED = re.compile(r"(?:type (qos|network-qos|queuing) )?(?:match-(?:any|all) )?(\S+)")
_CLASS = re.compile(r"class (?:type (?:qos|network-qos|queuing) )?(\S+)")
_SYSTEM_CLASS = re.compile(r"c-(?:\d+q-)?(?:nq|out-q|out-\d+q-q|out-)-?q?(\d|default)")
_APPLIED = re.compile(r"service-policy type (qos|network-qos|queuing)(?: (input|output))? (\S+).*")
_GROUP = re.compile(r"set qos-group (\d)")
_MATCHED_GROUP = re.compile(r"match qos-group (\d)")
_DSCP = re.compile(r"match (?:ip )?(dscp|precedence) (.+)")
_PAUSE = re.compile(r"pause (?:.* )?pfc-cos ([\d,-]+).*")
_MTU = re.compile(r"mtu (\d+)")
_SPAN = re.compile(r"(\d+)(?:-(\d+))?")
_PER_PRECEDENCE = 8
_NAMED = {"default": 0, "ef": 46} | {f"cs{n}": 8 * n for n in range(CODES)}
_NAMED |= {f"af{x}{y}": 8 * x + 2 * y for x in range(1, 5) for y in range(1, 4)}


@dataclass(frozen=True)
class Applied:
    """Policies by type as ``service-policy`` lines name them; of queuing the output ones."""

    qos: str | None = None
    network: str | None = None
    queuing: str | None = None


@dataclass(frozen=True)
class NetworkClass:
    """A class of the network-qos policy: its qos-group, the priorities it pauses, its MTU."""

    group: int
    pauses: tuple[int, ...]
    mtu: int | None


def numbers(text: str, below: int) -> list[int]:
    """``24-31,46`` or ``ef, cs6`` as numbers; what is no number below the limit is left out."""
    found: list[int] = []
    for part in re.split(r"[\s,]+", text.strip().lower()):
        span = _SPAN.fullmatch(part)
        if span:
            low, high = int(span[1]), int(span[2] or span[1])
            found.extend(range(low, min(high + 1, below)))
        elif part in _NAMED:
            found.append(_NAMED[part])
    return [n for n in found if n < below]


def applied(lines: Iterable[Line]) -> Applied:
    """What the lines of an interface, or of ``system qos``, apply."""
    found: dict[str, str] = {}
    for line in in_force(lines):
        match = _APPLIED.fullmatch(line.text)
        if match and match[2] != ("output" if match[1] == QOS else "input"):
            found[match[1]] = match[3]
    return Applied(found.get(QOS), found.get(NETWORK), found.get(QUEUING))


def system_policies(root: Line) -> Applied:
    """What ``system qos`` applies."""
    return applied(line for _, section in root.all("system qos") for line in section.below)


def policy_classes(root: Line, kind: str, name: str | None) -> list[tuple[str, tuple[Line, ...]]]:
    """The classes of a policy map in its order, each with its lines; empty: there is none."""
    found: list[tuple[str, tuple[Line, ...]]] = []
    for section in _of_kind(root, "policy-map", kind, name):
        for line in section.below:
            match = _CLASS.fullmatch(line.text)
            if match:
                found.append((match[1], tuple(in_force(line.below))))
    return found


def has_policy(root: Line, kind: str, name: str) -> bool:
    """Whether the configuration has a policy map of that name."""
    return any(True for _ in _of_kind(root, "policy-map", kind, name))


def group_of(lines: Iterable[Line]) -> int:
    """The qos-group that a class is put into; 0 without a word."""
    found = last(lines, _GROUP)
    return int(found[1]) if found else 0


def dscps_of(root: Line, name: str) -> tuple[int, ...]:
    """The DSCPs of a class map; one that matches something else (cos, a list) has none."""
    found: set[int] = set()
    for section in _of_kind(root, "class-map", QOS, name):
        for line in in_force(section.below):
            match = _DSCP.fullmatch(line.text)
            if match and match[1] == "dscp":
                found.update(numbers(match[2], DSCPS))
            elif match:
                first = [n * _PER_PRECEDENCE for n in numbers(match[2], CODES)]
                found.update(n + step for n in first for step in range(_PER_PRECEDENCE))
    return tuple(sorted(found))


def network_classes(root: Line, name: str | None) -> tuple[NetworkClass, ...]:
    """The classes of a network-qos policy whose qos-group is known."""
    found = []
    for word, lines in policy_classes(root, NETWORK, name):
        group = _network_group(root, word)
        pause, mtu = last(lines, _PAUSE), last(lines, _MTU)
        pauses = tuple(numbers(pause[1], CODES)) if pause else ()
        if group is not None:
            found.append(NetworkClass(group, pauses, int(mtu[1]) if mtu else None))
    return tuple(found)


def paused(root: Line, name: str | None) -> set[int]:
    """The priorities that a network-qos policy pauses, also in classes of an unknown qos-group."""
    classes = [lines for _, lines in policy_classes(root, NETWORK, name)]
    words = [found[1] for lines in classes if (found := last(lines, _PAUSE))]
    return {code for word in words for code in numbers(word, CODES)}


def queue_of(word: str) -> int | None:
    """Queue or qos-group of a class that the system defines: ``c-out-8q-q3``, ``c-8q-nq3``."""
    found = _SYSTEM_CLASS.fullmatch(word)
    if found is None:
        return 0 if word == DEFAULT_CLASS else None
    return int(found[1]) if found[1].isdigit() else 0


def _network_group(root: Line, word: str) -> int | None:
    for section in _of_kind(root, "class-map", NETWORK, word):
        match = last(section.below, _MATCHED_GROUP)
        if match:
            return int(match[1])
    return queue_of(word)


def _of_kind(root: Line, word: str, kind: str, name: str | None) -> Iterator[Line]:
    for rest, section in root.all(word):
        match = _TYPED.fullmatch(rest)
        if match and (match[1] or QOS) == kind and match[2] == name:
            yield section
