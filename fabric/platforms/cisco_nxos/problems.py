"""What NX-OS takes though it breaks lossless Ethernet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.platforms.cisco_nxos.policies import (
    NETWORK,
    QOS,
    QUEUING,
    has_policy,
    policy_classes,
    system_policies,
)
from fabric.platforms.cisco_nxos.queuing import queue_classes
from fabric.platforms.cisco_nxos.reading import (
    applied_classes,
    is_on,
    ports_of,
    unapplied,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.cisco_nxos.policies import Applied, NetworkClass
    from fabric.platforms.cisco_nxos.reading import Port
    from fabric.reading.sections import Line

_COS = re.compile(r"match cos .+")
_ALL_PERCENT = 100


def problems_of(root: Line) -> Iterator[str]:
    """One sentence each; nothing: well."""
    system = system_policies(root)
    ports = list(ports_of(root))
    for name in unapplied(root):
        yield f"policy-map {name} pauses, but system qos does not apply it"
    yield from _missing(root, system, "system qos")
    classes = [each for each in applied_classes(root) if each.pauses]
    lossless = {each.group for each in classes}
    if not lossless:
        yield "no class of the network-qos policy in force pauses"
    yield from _mtu(classes, ports)
    for port in ports:
        yield from _missing(root, port.policies, f"interface {port.name}")
        yield from _port(port, system)
    yield from _classes(root, {port.policies.qos or system.qos for port in ports} - {None})
    policies = {port.policies.queuing or system.queuing for port in ports} - {None}
    yield from _queues(root, natural_sorted(filter(None, policies)), lossless)
    yield from _watchdog(root, ports)


def _mtu(classes: list[NetworkClass], ports: list[Port]) -> Iterator[str]:
    """The MTU stands twice: larger packets than the class has are dropped."""
    largest = max((port.mtu for port in ports if port.mtu), default=0)
    for each in classes:
        if each.mtu is not None and each.mtu < largest:
            yield f"network-qos: qos-group {each.group} has MTU {each.mtu}, ports have {largest}"


def _missing(root: Line, named: Applied, where: str) -> Iterator[str]:
    for kind, name in ((QOS, named.qos), (NETWORK, named.network), (QUEUING, named.queuing)):
        builtin = name is not None and name.startswith("default-")
        if name and not builtin and not has_policy(root, kind, name):
            yield f"{where}: there is no policy-map type {kind} {name}"


def _port(port: Port, system: Applied) -> Iterator[str]:
    where = f"interface {port.name}"
    if not (port.policies.qos or system.qos):
        yield f"{where}: no input policy, so all of it is in qos-group 0"
    if port.pfc_mode != "on":
        said = f"mode {port.pfc_mode}" if port.pfc_mode else "no mode"
        yield f"{where}: priority-flow-control {said}, which is off without DCBX"


def _classes(root: Line, names: set[str | None]) -> Iterator[str]:
    """A class that matches CoS catches nothing on a routed port: its packets have no tag."""
    for policy in natural_sorted(filter(None, names)):
        for name, _ in policy_classes(root, QOS, policy):
            sections = (s for rest, s in root.all("class-map") if rest.split()[-1:] == [name])
            if any(_COS.fullmatch(line.text) for s in sections for line in s.below):
                yield f"class {name} matches CoS, which packets on routed ports do not have"


def _queues(root: Line, names: list[str], lossless: set[int]) -> Iterator[str]:
    for name in names:
        queues = queue_classes(root, name)
        for queue in sorted(lossless):
            marking = queues[queue].marking if queue in queues else None
            if marking is None:
                yield f"policy-map {name}: queue {queue} is no-drop and marks nothing (ECN)"
            elif not marking.ecn:
                yield f"policy-map {name}: random-detect of queue {queue} lacks ecn, so it drops"
        shares = sum(q.remaining for q in queues.values() if q.remaining is not None)
        if queues and shares not in {0, _ALL_PERCENT}:
            yield f"policy-map {name}: bandwidth remaining percent adds up to {shares}, not 100"


def _watchdog(root: Line, ports: list[Port]) -> Iterator[str]:
    here = [port.name for port in ports if port.watched]
    if is_on(root.below) and ports and not here:
        yield "watch-dog-interval is on for the switch and for no port, so nothing is watched"
    elif here and not is_on(root.below):
        yield "watch-dog-interval is on for ports and not for the switch, so nothing is watched"
