"""Scheme E of a rising class: the sender's egress port moves it to the next queue and DSCP.

A pause must name the priority under which the sender queued the packet, so three things agree on
each cable: the queue that holds the packet, the queue that a received pause stops, and the priority
that the neighbour pauses for the DSCP on the wire. Raised at the sender's egress, all three are
the new class's, and the maps of every ingress stay those of all other ports.

SAI knows a TC → DSCP map of a port with an entry missing as one that marks DSCP 0 ("the default
value of TC 0 becomes effective", opencomputeproject/SAI#2349), while some chips are told to leave
such packets alone (``sai_pkt_dscp_modification_disable`` in two SKUs of sonic-buildimage). So the
map names all eight classes. Several DSCPs of one class leave as its first: a packet stays in its
class, but its DSCP is not what its sender chose.

The last class does not rise any further: a packet on a path that ought not to exist (two such
cables) goes on in the default class. It may be dropped there, but it can wait for nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.intent import Intent
    from fabric.model.qos import ClassMap, Rise
    from fabric.model.topology import Blueprint

_CODES = range(8)


def rising_queues(class_map: ClassMap, rise: Rise) -> tuple[int, ...]:
    """Queue of each traffic class on such a port; a class that no DSCP leads to keeps its own."""
    queues = {
        c.traffic_class: rise.next_class(class_map, c).queue for c in reversed(class_map.classes)
    }
    return tuple(queues.get(code, code) for code in _CODES)


def rising_dscps(class_map: ClassMap, rise: Rise) -> tuple[int, ...]:
    """DSCP of each traffic class as it leaves; for one that no DSCP leads to the default's.

    The first DSCP of a class stands for all of them, CS6 and CS7 of control alike.
    """
    dscps = {
        c.traffic_class: rise.next_class(class_map, c).dscps[0]
        for c in reversed(class_map.classes)
        if c.dscps
    }
    return tuple(dscps.get(code, 0) for code in _CODES)


def rise_problems(blueprint: Blueprint, intent: Intent) -> Iterator[Problem]:
    """What the user wrote and no configuration of the systems in use can honour (RCE023).

    That is a system with PFC, but without maps of a port's own, on a cable that makes RoCE rise.
    """
    rise = intent.roce.rise
    kinds = rise.kinds if rise else ()
    ends = (end for cable in blueprint.cables if cable.kind in kinds for end in (cable.a, cable.b))
    roles = {switch.name: switch.role for switch in blueprint.switches}
    unable: dict[str, list[str]] = {}
    for name in dict.fromkeys(ends):
        hardware = intent.hardware.of(name, roles[name])
        able = hardware.platform.capabilities
        if able.lossless and not able.per_port_maps and "platform" not in hardware.unknown:
            unable.setdefault(hardware.platform.title, []).append(name)
    for title, devices in unable.items():
        yield _problem(intent, title, devices)


def _problem(intent: Intent, title: str, devices: list[str]) -> Problem:
    more = f" and {len(devices) - 1} more" if len(devices) > 1 else ""
    kind = intent.topology_kind
    return Problem(
        "RCE023",
        ("topology", "kind"),
        f"{kind}: RoCE must rise to another class on its {_kinds(intent)} cables, and no source "
        f"shows maps that differ by port on {title} ({devices[0]}{more}): PFC could deadlock",
        "use SONiC for these switches (platforms), or another kind: fat-tree, leaf-spine and "
        "dragonfly-plus stay in one class",
    )


def _kinds(intent: Intent) -> str:
    rise = intent.roce.rise
    return ", ".join(rise.kinds) if rise else ""
