"""From the configuration to the QoS chain of each port.

A forwarding class is known by its queue, so the queue's number stands for the traffic class too;
the priority that a no-loss class is paused as stands for its priority group, and what may be lost
is in the first group that no such class has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.model.qos import QosChain
from fabric.platforms import CODES
from fabric.platforms.juniper_junos.classes import (
    ForwardingClass,
    bound,
    classes_of,
    classifier,
    groups_of,
    rewritten,
)
from fabric.platforms.juniper_junos.config import cos_of, ports_of
from fabric.platforms.juniper_junos.pause import Pausing, pausing
from fabric.platforms.juniper_junos.queues import queues_of
from fabric.platforms.juniper_junos.tree import Tree, all_words, at, number, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.qos import QueueSettings

LOAD_BALANCING, DYNAMIC, HASH = "load balancing", "dynamic", "hash"
EQUAL_PATHS, EVERY, ONE = "equal paths in the forwarding table", "all", "one"
_SILENT: tuple[None, ...] = (None,) * CODES


@dataclass(frozen=True)
class Binding:
    """A port with what it is bound to. ``by_dscp``: class of each DSCP, as far as known."""

    name: str
    own: Tree
    cos: Tree
    family: str | None
    classifier: str | None
    by_dscp: tuple[ForwardingClass | None, ...]
    pausing: Pausing

    @property
    def profile(self) -> str | None:
        """Its congestion notification profile."""
        return value(self.cos, "congestion-notification-profile")

    @property
    def scheduler_map(self) -> str | None:
        """Its scheduler map."""
        return value(self.cos, "scheduler-map")

    def stops(self, priority: int) -> int | None:
        """The queue that a pause of this priority stops: the class's own, if it is one of them."""
        queues = self.pausing.obeys[priority]
        own = {one.queue for one in self.by_dscp if one is not None and one.priority == priority}
        return next((queue for queue in queues if queue in own), queues[0] if queues else None)


def bindings(config: Tree) -> Iterator[Binding]:
    """The ports in natural order."""
    classes = classes_of(config)
    maps: dict[tuple[str, str], tuple[ForwardingClass | None, ...]] = {}
    profiles: dict[str, Pausing] = {}
    for name, own in ports_of(config):
        cos = cos_of(config, name)
        family, classifier_name = next(bound(cos, "classifiers"), ("", ""))
        key = (family, classifier_name)
        if key not in maps:
            named = classifier(config, classifier_name, family)
            maps[key] = tuple(classes.get(x) if x else None for x in named)
        profile = value(cos, "congestion-notification-profile") or ""
        if profile not in profiles:
            profiles[profile] = pausing(config, profile)
        yield Binding(
            name, own, cos, family or None, classifier_name or None, maps[key], profiles[profile]
        )


def chains_of(config: Tree, device: str) -> tuple[QosChain, ...]:
    """One chain a port; headroom has no word here."""
    classes = classes_of(config)
    by_map: dict[str | None, tuple[QueueSettings, ...]] = {}
    found = []
    for port in bindings(config):
        if port.scheduler_map not in by_map:
            by_map[port.scheduler_map] = queues_of(config, port.scheduler_map, classes)
        chain = _chain(port, classes, by_map[port.scheduler_map])
        marks = rewritten(config, port.cos, classes)
        found.append(replace(chain, device=device, tc_to_dscp=marks))
    return tuple(found)


def _chain(
    port: Binding, classes: dict[str, ForwardingClass], queues: tuple[QueueSettings, ...]
) -> QosChain:
    groups = groups_of(classes.values())
    sends = port.pausing.sends(port.by_dscp)
    watched = tuple(p for p in sends if port.stops(p) is not None)
    watchdog = port.pausing.watchdog if watched else None
    return QosChain(
        device="",
        port=port.name,
        dscp_to_tc=tuple(one.queue if one else None for one in port.by_dscp),
        tc_to_queue=tuple(q if q in groups else None for q in range(CODES)),
        tc_to_pg=tuple(map(groups.get, range(CODES))),
        pfc_priority_to_queue=tuple(port.stops(p) for p in range(CODES)),
        pfc_priority_to_pg=_SILENT,
        pfc_priorities=sends,
        watchdog_priorities=watched if watchdog else (),
        lossless_pgs=tuple(sorted({groups[q] for q in groups if queues[q].lossless_buffer})),
        xoff_bytes=_SILENT,
        queues=queues,
        mtu_bytes=number(port.own, "mtu"),
        watchdog=watchdog,
    )


def settings_of(config: Tree) -> dict[str, str]:
    """How the chip chooses among equal paths, and whether it is given more than one."""
    dynamic = at(config, "forwarding-options", "enhanced-hash-key", "ecmp-dlb")
    return {
        LOAD_BALANCING: DYNAMIC if dynamic else HASH,
        EQUAL_PATHS: EVERY if uses_every_path(config) else ONE,
    }


def uses_every_path(config: Tree) -> bool:
    """Without a policy that balances, Junos puts one next hop into the forwarding table."""
    names = at(config, "routing-options", "forwarding-table", "export")
    policies = at(config, "policy-options", "policy-statement")
    return any("load-balance" in all_words(policies.get(name, {})) for name in names)
