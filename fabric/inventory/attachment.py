"""How NICs hang on their leaves: what the keys of hosts and of addressing say together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.inventory.schema import AddressingSection
    from fabric.model.intent import HostGroup

_PATH = ("addressing", "host_subnets")


def host_subnets(
    section: AddressingSection, groups: Sequence[HostGroup], problems: list[Problem]
) -> str:
    """``per-nic`` or ``per-leaf``: it follows from the ports, and contradicting them is RCE006.

    A routed port has a network of its own, so its NIC cannot share one with the leaf's others.
    """
    modes = {group.port_mode for group in groups}
    written = section.host_subnets
    if written == "per-leaf" and "routed" in modes:
        message = "host_subnets: per-leaf, but a routed port has a subnet of its own"
        fix = "port: vlan in hosts, or leave host_subnets out"
        problems.append(Problem("RCE006", _PATH, message, fix))
    if written == "per-nic" and "vlan" in modes:
        message = "host_subnets: per-nic, but the hosts of a VLAN share the subnet of their leaf"
        fix = "port: routed in hosts, or leave host_subnets out"
        problems.append(Problem("RCE006", _PATH, message, fix))
    return "per-leaf" if modes == {"vlan"} else "per-nic"
