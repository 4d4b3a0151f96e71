"""``show configuration``: as ``set`` lines and in the curly form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Facts, Json, Reading
from fabric.platforms.juniper_junos.classes import classes_of, classifier
from fabric.platforms.juniper_junos.config import COS
from fabric.platforms.juniper_junos.pause import pausing
from fabric.platforms.juniper_junos.queues import queue_of
from fabric.platforms.juniper_junos.readers.noise import said
from fabric.platforms.juniper_junos.reading import bindings
from fabric.platforms.juniper_junos.tree import BrokenTextError, Tree, at, number, tree_of, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.qos import QueueSettings
    from fabric.platforms.juniper_junos.reading import Binding

_TOPS = (
    "version|groups|apply-groups|system|chassis|security|interfaces|forwarding-options|snmp|"
    "policy-options|class-of-service|routing-instances|routing-options|protocols|vlans|firewall"
)
_SET = re.compile(rf"^(?:set|deactivate) (?:{_TOPS})\b", re.MULTILINE)
_LINE = re.compile(r"(?:set|delete|deactivate|activate|protect) .*|#.*")
_CURLY = re.compile(rf"^(?:{_TOPS})\b[^;{{\n]*(?:\{{|;)", re.MULTILINE)
_EVERY_QUEUE = 64
_STATEMENT = re.compile(r";\s*(?:#.*)?$", re.MULTILINE)


def set_lines(text: str) -> Reading:
    """Host name, classes, maps, shares, thresholds, PFC priorities and the watchdog."""
    if not _SET.search(text):
        return Reading()
    left = [line for line in text.split("\n") if not _LINE.fullmatch(line.strip())]
    return _reading(text, said(left))


def curly(text: str) -> Reading:
    """The same from the curly form."""
    if _SET.search(text) or not (_CURLY.search(text) and _STATEMENT.search(text)):
        return Reading()
    return _reading(text, ())


def _reading(text: str, left: tuple[str, ...]) -> Reading:
    try:
        config = tree_of(text)
    except BrokenTextError as error:
        return Reading({}, (*left, str(error)))
    facts: Facts = dict(_facts(config))
    return Reading(facts, left)


def _facts(config: Tree) -> Iterator[tuple[str, Json]]:
    hostname = value(config, "system", "host-name")
    if hostname is not None:
        yield "hostname", hostname
    classes = classes_of(config, queues=_EVERY_QUEUE)
    yield "class_to_queue", {name: one.queue for name, one in classes.items()}
    yield "dscp_to_class", dict(_dscps(config))
    yield "scheduler_percent", dict(_shares(config))
    yield "ecn", dict(_marks(config))
    yield "lossless", [*_lossless(config)]
    ports: Facts = {
        port.name: {"lossless": _sends(port)} for port in bindings(config) if port.profile
    }
    if ports:
        yield "ports", ports
    yield from _watchdog(config)


def _sends(port: Binding) -> list[Json]:
    """The priorities that the port pauses, all DSCPs of their classes or none."""
    return [*port.pausing.sends(port.by_dscp)]


def _dscps(config: Tree) -> Iterator[tuple[str, Json]]:
    """All classifiers together; where two differ, the one that a port is bound to first counts."""
    for family in ("dscp-ipv6", "dscp"):
        for name in at(config, COS, "classifiers", family):
            for dscp, class_name in enumerate(classifier(config, name, family)):
                if class_name is not None:
                    yield str(dscp), class_name


def _schedulers(config: Tree) -> Iterator[tuple[str, Tree]]:
    """Each class with its scheduler, of every map."""
    for body in at(config, COS, "scheduler-maps").values():
        for class_name, entry in at(body, "forwarding-class").items():
            scheduler = value(entry, "scheduler")
            if scheduler is not None:
                yield class_name, at(config, COS, "schedulers", scheduler)


def _shares(config: Tree) -> Iterator[tuple[str, Json]]:
    for class_name, scheduler in _schedulers(config):
        share = number(scheduler, "transmit-rate", "percent")
        if share is not None:
            yield class_name, share


def _marks(config: Tree) -> Iterator[tuple[str, Json]]:
    for class_name, scheduler in _schedulers(config):
        settings = queue_of(config, 0, scheduler)
        if settings.ecn:
            yield class_name, _levels(settings)


def _levels(settings: QueueSettings) -> Json:
    found: Facts = {
        "min_percent": settings.kmin_percent,
        "max_percent": settings.kmax_percent,
        "probability": settings.pmax_percent,
    }
    return {key: level for key, level in found.items() if level is not None}


def _lossless(config: Tree) -> list[int]:
    """Priorities that some profile pauses for: by the DSCP of their class, or by themselves."""
    classes = classes_of(config)
    found: set[int] = set()
    by_dscp = [
        tuple(classes.get(name) if name else None for name in classifier(config, one, family))
        for family in ("dscp", "dscp-ipv6")
        for one in at(config, COS, "classifiers", family)
    ]
    for name in at(config, COS, "congestion-notification-profile"):
        profile = pausing(config, name)
        found |= profile.tagged
        for named in by_dscp:
            found.update(
                one.paused_as
                for dscp, one in enumerate(named)
                if one is not None and one.paused_as is not None and dscp in profile.dscps
            )
    return sorted(found)


def _watchdog(config: Tree) -> Iterator[tuple[str, Json]]:
    for name in at(config, COS, "congestion-notification-profile"):
        timers = pausing(config, name).watchdog
        if timers is not None:
            yield "watchdog_action", timers.action
            yield "polling_interval_ms", timers.poll_ms
            return
