"""What the switch refuses, or takes though it breaks lossless Ethernet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.platforms import DSCPS
from fabric.platforms.cumulus_nvue import defaults
from fabric.platforms.cumulus_nvue.ports import GLOBAL, bindings, bonds_of
from fabric.platforms.cumulus_nvue.queues import queues_of
from fabric.platforms.cumulus_nvue.reading import class_map, dscp_map

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabric.platforms.cumulus_nvue.ports import Binding
    from fabric.platforms.cumulus_nvue.tree import Node

_KINDS = ("mapping", "pfc", "congestion-control", "egress-scheduler", "egress-shaper", "remark")
_BREAKOUT = re.compile(r"[1248]x|disabled")
_WHOLE_PERCENT = 100


def problems_of(config: Node) -> Iterator[str]:
    """One sentence each; nothing: well.

    Raises:
        ConfigError: RoCE is in a mode of which nothing is known.
    """
    ports = list(bindings(config))
    yield from _maps(config)
    yield from _pools(config, ports)
    to_class = class_map(config)
    for port in ports:
        yield from _profiles(port)
        yield from _port(port, to_class)
    yield from _interfaces(config)


def _maps(config: Node) -> Iterator[str]:
    for name in config.at("qos", "mapping").below:
        mapping = config.at("qos", "mapping", name)
        if mapping.value("trust") not in {"l3", "both"}:
            continue
        written = {dscp for dscp, _ in mapping.at("dscp").codes(DSCPS)}
        missing = [dscp for dscp in range(DSCPS) if dscp not in written]
        if missing and defaults.roce_mode(config) is None:
            yield (
                f"qos mapping {name}: {len(missing)} of 64 DSCPs follow the default map, "
                f"{missing[0]} first"
            )


def _pools(config: Node, ports: Sequence[Binding]) -> Iterator[str]:
    pools = config.at("qos", "traffic-pool")
    shares = {name: pools.number(name, "memory-percent") or 0 for name in pools.below}
    if sum(shares.values()) > _WHOLE_PERCENT:
        yield f"qos traffic-pool: memory-percent adds up to {sum(shares.values())}"
    lossless = [name for name in shares if name.endswith("-lossless")]
    if len(lossless) > 1:
        yield "qos traffic-pool: two lossless pools, and the switch has one"
    pfc = any(port.priorities() for port in ports)
    if pfc and not lossless and defaults.roce_mode(config) is None:
        yield "qos traffic-pool: PFC is on, and there is no pool default-lossless"


def _profiles(port: Binding) -> Iterator[str]:
    for kind in _KINDS:
        name = port.profile_name(kind)
        if name != GLOBAL and not port.qos.has(kind, name):
            yield f"interface {port.name}: there is no qos {kind} {name}"


def _port(port: Binding, to_class: Sequence[int]) -> Iterator[str]:
    where = f"interface {port.name}"
    if None in dscp_map(port):
        yield f"{where}: does not trust DSCP"
    priorities = port.priorities()
    if port.listed() and not priorities:
        yield f"{where}: PFC is off in one direction"
    elif not priorities:
        yield f"{where}: no priority has PFC"
    queues = queues_of(port)
    for priority in priorities:
        queue = queues[to_class[priority]]
        if not queue.ecn:
            yield f"{where}: traffic class {queue.queue} is lossless and marks nothing (ECN)"
    shares = sum(queue.weight or 0 for queue in queues)
    if shares > _WHOLE_PERCENT:
        yield f"{where}: bw-percent adds up to {shares}"
    if port.watched and not priorities:
        yield f"{where}: has a PFC watchdog and no PFC"


def _interfaces(config: Node) -> Iterator[str]:
    interfaces = config.at("interface")
    for name in interfaces.below:
        split = interfaces.value(name, "link", "breakout")
        if split is not None and not _BREAKOUT.fullmatch(split):
            yield f"interface {name}: breakout {split} is written as before 5.4"
    bonds = bonds_of(config)
    for bond in dict.fromkeys(bonds.values()):
        if interfaces.has(bond, "qos", "pfc-watchdog"):
            yield f"interface {bond}: the PFC watchdog belongs to the members of a bond"
    for member, bond in bonds.items():
        if any(interfaces.has(member, "qos", kind, "profile") for kind in _KINDS):
            yield f"interface {member}: NVUE rejects QoS profiles there, they belong to {bond}"
