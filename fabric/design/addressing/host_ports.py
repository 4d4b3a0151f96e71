"""Ports of hosts: which are routed and which sit in a VLAN, and what VLANs are refused with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.addressing.cables import Cable, host_cables
from fabric.design.addressing.subnets import Segment, segments
from fabric.design.attachments import Attachment, attachments
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from fabric.model.intent import Intent
    from fabric.model.platform import VlanWords
    from fabric.model.topology import Topology


def host_ports(topology: Topology, intent: Intent) -> tuple[list[Cable], tuple[Segment, ...]]:
    """The NICs on routed ports, and the VLANs of the others."""
    in_vlan = {group.name for group in intent.host_groups if group.port_mode == "vlan"}
    bridged = {host.name for host in topology.hosts if host.group in in_vlan}
    routed: list[Attachment] = []
    seats: list[Attachment] = []
    for one in attachments(topology):
        (seats if one.nic.device in bridged else routed).append(one)
    return host_cables(routed), segments(seats)


def not_built(intent: Intent) -> list[Problem]:
    """RCE010: VLANs together with IPv6 or with rail aggregates."""
    policy = intent.addressing
    if all(group.port_mode != "vlan" for group in intent.host_groups):
        return []
    problems: list[Problem] = []
    if policy.has_v6:
        message = f"port: vlan gives IPv4 subnets alone, and family is {policy.family}"
        problems.append(Problem("RCE010", ("addressing", "family"), message, "write ipv4"))
    if policy.rail_aggregates:
        message = "rail_aggregates do not cover subnets of VLANs"
        path = ("addressing", "rail_aggregates")
        problems.append(Problem("RCE010", path, message, "leave it out"))
    return problems


def vlan_words(
    topology: Topology, intent: Intent, found: tuple[Segment, ...], problems: list[Problem]
) -> dict[str, VlanWords]:
    """How the system of each leaf with VLANs calls them; one that has none is RCE023."""
    words: dict[str, VlanWords] = {}
    numbers = {group.name: number for number, group in enumerate(intent.host_groups)}
    refused: set[tuple[str, str]] = set()
    for one in found:
        spec = intent.hardware.of(one.leaf, topology.switch(one.leaf).role).platform
        group = topology.host(one.seats[0].nic.device).group
        if spec.vlan is not None:
            words[one.leaf] = spec.vlan
        elif (spec.name, group) not in refused:
            refused.add((spec.name, group))
            message = f"{group}: host ports in a VLAN are not rendered for {spec.title}"
            path = ("hosts", numbers[group], "port")
            problems.append(Problem("RCE023", path, message, "port: routed", subject=group))
    return words
