"""What Junos takes though it breaks lossless Ethernet, or balancing over equal paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.juniper_junos.classes import bound, classes_of
from fabric.platforms.juniper_junos.config import COS
from fabric.platforms.juniper_junos.queues import queues_of
from fabric.platforms.juniper_junos.reading import bindings, uses_every_path
from fabric.platforms.juniper_junos.tree import at, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.juniper_junos.classes import ForwardingClass
    from fabric.platforms.juniper_junos.reading import Binding
    from fabric.platforms.juniper_junos.tree import Tree

_WHOLE_PERCENT = 100
_BOUND = (
    ("congestion-notification-profile", "congestion-notification-profile"),
    ("scheduler-map", "scheduler-maps"),
)


def problems_of(config: Tree) -> Iterator[str]:
    """One sentence each; nothing: well."""
    if not uses_every_path(config):
        yield "routing-options forwarding-table: no export policy balances, so one path is used"
    yield from _partitions(config)
    ports: dict[str, list[str]] = {}
    for port, text in _of_ports(config):
        ports.setdefault(text, []).append(port)
    for text, names in ports.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield f"interface {names[0]}{more}: {text}"


def _of_ports(config: Tree) -> Iterator[tuple[str, str]]:
    classes = classes_of(config)
    for port in bindings(config):
        found = (
            *_names(config, port),
            *_maps(port),
            *_pauses(port),
            *_marks(config, port, classes),
        )
        yield from ((port.name, text) for text in found)


def _partitions(config: Tree) -> Iterator[str]:
    for side in ("ingress", "egress"):
        parts = at(config, COS, "shared-buffer", side, "buffer-partition")
        total = sum(number(body, "percent") or 0 for body in parts.values())
        if total > _WHOLE_PERCENT:
            yield f"shared-buffer {side}: its partitions add up to {total} %"


def _names(config: Tree, port: Binding) -> Iterator[str]:
    for what, where in _BOUND:
        for name in at(port.cos, what):
            if name not in at(config, COS, where):
                yield f"there is no {what} {name}"
    for family, name in bound(port.cos, "classifiers"):
        if name not in at(config, COS, "classifiers", family):
            yield f"there is no {family} classifier {name}"


def _maps(port: Binding) -> Iterator[str]:
    missing = [dscp for dscp, one in enumerate(port.by_dscp) if one is None]
    if port.classifier is None:
        yield "no DSCP classifier is bound"
    elif missing:
        yield f"{len(missing)} of 64 DSCPs have no class, {missing[0]} first"


def _pauses(port: Binding) -> Iterator[str]:
    pausing = port.pausing
    lossless = {one for one in port.by_dscp if one is not None and one.paused_as is not None}
    if pausing.tagged and not pausing.dscps:
        yield "PFC goes by 802.1p priority, which untagged packets have none of"
    for one in sorted(lossless, key=lambda one: one.queue):
        unpaused = [
            dscp
            for dscp, other in enumerate(port.by_dscp)
            if other == one and dscp not in pausing.dscps
        ]
        if unpaused:
            listed = ", ".join(map(str, unpaused))
            yield f"class {one.name} is no-loss, but nothing pauses for DSCP {listed}"
        if one.queue not in pausing.obeys[one.paused_as or 0]:
            yield f"a pause of priority {one.paused_as} does not stop queue {one.queue}"
    if not lossless:
        yield "no class is no-loss with a pfc-priority"


def _marks(config: Tree, port: Binding, classes: dict[str, ForwardingClass]) -> Iterator[str]:
    settings = queues_of(config, port.scheduler_map, classes)
    for one in classes.values():
        if one.no_loss and not settings[one.queue].ecn:
            yield f"queue {one.queue} is no-loss and marks nothing (ECN)"
