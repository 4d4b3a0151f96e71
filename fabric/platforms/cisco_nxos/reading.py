"""From NX-OS's text to the QoS chain of each port: DSCP → qos-group = queue, PFC, ECN."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import CODES, DSCPS
from fabric.platforms.cisco_nxos.lines import interfaces_of, last
from fabric.platforms.cisco_nxos.policies import (
    DEFAULT_CLASS,
    NETWORK,
    QOS,
    applied,
    dscps_of,
    group_of,
    has_policy,
    network_classes,
    policy_classes,
    system_policies,
)
from fabric.platforms.cisco_nxos.queuing import QueueClass, queue_classes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.cisco_nxos.policies import Applied, NetworkClass
    from fabric.reading.sections import Line

SEED, NETWORK_MTU = "ECMP hash seed", "network-qos MTU"
PFC_MODE = re.compile(r"priority-flow-control mode (auto|on|off)(?: send-tlv)?")
WATCHDOG = re.compile(r"priority-flow-control watch-dog-interval (on|off).*")
IDENTITY = tuple(range(CODES))
_PORT = re.compile(r"Ethernet\d+(?:/\d+)+")
_MEMBER = re.compile(r"channel-group (\d+)(?: .*)?")
_MTU = re.compile(r"mtu (\d+)")
_SEED = re.compile(r"ip load-sharing address .*\buniversal-id (\d+)\b.*")
_SILENT: tuple[None, ...] = (None,) * CODES


@dataclass(frozen=True)
class Port:
    """An Ethernet port with all that holds for it: its own lines, then its port-channel's."""

    name: str
    lines: tuple[Line, ...]
    policies: Applied

    @property
    def pfc_mode(self) -> str | None:
        """``auto``, ``on`` or ``off``; ``None``: not said."""
        found = last(self.lines, PFC_MODE)
        return found[1] if found else None

    @property
    def mtu(self) -> int | None:
        """As written."""
        found = last(self.lines, _MTU)
        return int(found[1]) if found else None

    @property
    def watched(self) -> bool:
        """Whether the watchdog is on for the port."""
        return is_on(self.lines)


def is_on(lines: tuple[Line, ...]) -> bool:
    """Whether the last word about the watchdog is ``on``."""
    found = last(lines, WATCHDOG)
    return found is not None and found[1] == "on"


def ports_of(root: Line) -> Iterator[Port]:
    """The Ethernet ports in natural order; a member of a port-channel has its settings."""
    sections = interfaces_of(root)
    for name in natural_sorted(n for n in sections if _PORT.fullmatch(n)):
        own = sections[name]
        member = last(own, _MEMBER)
        channel = sections.get(f"port-channel{member[1]}", ()) if member else ()
        lines = (*own, *channel)
        yield Port(name, lines, applied(lines))


def chains_of(root: Line, device: str) -> tuple[QosChain, ...]:
    """One chain a port. Priority groups, headroom and the watchdog's times are not said."""
    system = system_policies(root)
    classes = network_classes(root, system.network)
    stops = {cos: each.group for each in classes for cos in each.pauses}
    watched = is_on(root.below)
    maps: dict[str | None, tuple[int | None, ...]] = {}
    queues: dict[str | None, tuple[QueueSettings, ...]] = {}
    found = []
    for port in ports_of(root):
        inward = port.policies.qos or system.qos
        outward = port.policies.queuing or system.queuing
        if inward not in maps:
            maps[inward] = dscp_map(root, inward)
        if outward not in queues:
            queues[outward] = _queues(queue_classes(root, outward))
        paused = tuple(sorted(stops)) if port.pfc_mode == "on" else ()
        found.append(
            QosChain(
                device=device,
                port=port.name,
                dscp_to_tc=maps[inward],
                tc_to_queue=IDENTITY,
                tc_to_pg=_SILENT,
                pfc_priority_to_queue=tuple(stops.get(n) for n in range(CODES)),
                pfc_priority_to_pg=_SILENT,
                pfc_priorities=paused,
                watchdog_priorities=paused if watched and port.watched else (),
                lossless_pgs=(),
                xoff_bytes=_SILENT,
                queues=queues[outward],
                mtu_bytes=port.mtu,
            )
        )
    return tuple(found)


def settings_of(root: Line) -> dict[str, str]:
    """What holds for the whole switch: the seed of ECMP, the MTU of network-qos."""
    seed = last(root.below, _SEED)
    mtus = {str(each.mtu) for each in applied_classes(root) if each.mtu is not None}
    found = {SEED: seed[1]} if seed else {}
    return found | ({NETWORK_MTU: ", ".join(natural_sorted(mtus))} if mtus else {})


def applied_classes(root: Line) -> tuple[NetworkClass, ...]:
    """The classes of the network-qos policy in force."""
    return network_classes(root, system_policies(root).network)


def dscp_map(root: Line, policy: str | None) -> tuple[int | None, ...]:
    """The qos-group of each DSCP under an input policy; all in 0 where there is none.

    A policy that the configuration does not hold leaves the map unknown.
    """
    if policy is not None and not has_policy(root, QOS, policy):
        return (None,) * DSCPS
    groups: dict[int, int] = {}
    rest = 0
    for name, lines in policy_classes(root, QOS, policy):
        if name == DEFAULT_CLASS:
            rest = group_of(lines)
            continue
        for dscp in dscps_of(root, name):
            groups.setdefault(dscp, group_of(lines))  # the first class that matches has it
    return tuple(groups.get(dscp, rest) for dscp in range(DSCPS))


def unapplied(root: Line) -> Iterator[str]:
    """Network-qos policies that pause a class and are not in force."""
    in_force = system_policies(root).network
    names = {rest.removeprefix(f"type {NETWORK} ") for rest, _ in root.all("policy-map")}
    for name in natural_sorted(names - {in_force}):
        if any(each.pauses for each in network_classes(root, name)):
            yield name


def _queues(classes: dict[int, QueueClass]) -> tuple[QueueSettings, ...]:
    return tuple(_queue(number, classes.get(number, QueueClass())) for number in range(CODES))


def _queue(number: int, said: QueueClass) -> QueueSettings:
    """Thresholds in bytes alone: NX-OS does not say how many bytes a kbyte has."""
    share = said.remaining if said.remaining is not None else said.bandwidth
    marking = said.marking if said.marking and said.marking.ecn else None
    in_bytes = marking is not None and marking.unit == "bytes"
    strict = said.level is not None
    return QueueSettings(
        queue=number,
        scheduler="strict" if strict else "dwrr" if share else None,
        weight=share if share and not strict else None,
        ecn=marking is not None,
        kmin_bytes=marking.low if marking and in_bytes else None,
        kmax_bytes=marking.high if marking and in_bytes else None,
        pmax_percent=marking.probability if marking else None,
    )
