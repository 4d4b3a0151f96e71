"""How NICs hang on their leaves: what the keys of hosts and of addressing say together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabric.files.yaml import Path
    from fabric.inventory.schema import AddressingSection, HostsSection
    from fabric.model.hardware import Nic
    from fabric.model.intent import HostGroup

_PATH = ("addressing", "host_subnets")
_ROCE_LAG = "mlx5"  # the driver that joins the ports of a card into one RDMA device
_LEAVES = 2  # of a bond to two leaves, with one member on each
_PAIRED_KINDS = ("leaf-spine", "fat-tree", "rail")  # where leaves stand in an order of their own


def host_subnets(
    section: AddressingSection, groups: Sequence[HostGroup], problems: list[Problem]
) -> str:
    """``per-nic`` or ``per-leaf``: it follows from the ports, and contradicting them is RCE006.

    A routed port has a network of its own, so its NIC cannot share one with the leaf's others.
    What is not built for VLANs is RCE010.
    """
    modes = {group.port_mode for group in groups}
    if "vlan" in modes:
        problems.extend(_vlans_not_built(section))
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


def _vlans_not_built(section: AddressingSection) -> Iterator[Problem]:
    """IPv6, and rail aggregates, which know the /31s of leaves alone.

    SONiC's radvd announces itself as a router on each VLAN interface with an IPv6 address
    (sonic-buildimage, dockers/docker-router-advertiser/radvd.conf.j2).
    """
    if section.family != "ipv4":
        message = (
            f"port: vlan gives IPv4 subnets alone, and family is {section.family}: on a VLAN with "
            "IPv6 SONiC's radvd would send router advertisements, and hosts would take a default "
            "route from them"
        )
        fix = "family: ipv4, or port: routed in hosts"
        yield Problem("RCE010", ("addressing", "family"), message, fix)
    if section.rail_aggregates:
        message = "rail_aggregates keep /31s of NICs together, and port: vlan gives a leaf subnets"
        fix = "leave rail_aggregates out, or port: routed in hosts"
        yield Problem("RCE010", ("addressing", "rail_aggregates"), message, fix)


def bond_problems(
    section: HostsSection, path: Path, nic: Nic, speed_gbps: int, members: int
) -> Iterator[Problem]:
    """A bond that carries no RDMA (RCE023), or has other ports than one card (RCE006).

    RoCE LAG joins all ports of one card and them alone (kernel, drivers/net/ethernet/mellanox/
    mlx5/core/lag; Mellanox, "HowTo Configure RoCE over LAG").
    """
    if nic.driver != _ROCE_LAG:
        message = (
            f"attach: {section.attach}, but no source confirms RDMA over a bond of {nic.name}: "
            "with mlx5 adapters the ports of a card become one RDMA device"
        )
        yield Problem("RCE023", (*path, "attach"), message, "attach: single, or an mlx5 nic")
    elif not any(count == members and gbps >= speed_gbps for count, gbps in nic.ports):
        cards = ", ".join(f"{count}×{gbps}G" for count, gbps in nic.ports)
        message = (
            f"a bond joins all ports of one card, and {nic.name} comes as {cards}, not as "
            f"{members}×{speed_gbps}G"
        )
        key = "members" if section.members else "speed" if section.speed else "attach"
        yield Problem("RCE006", (*path, key), message, "another speed, nic or number of members")


def dual_tor_problems(
    sections: Sequence[HostsSection], addressing: AddressingSection, kind: str | None
) -> Iterator[Problem]:
    """What bonds to two leaves are not built together with (RCE010), and what contradicts them.

    Whether the leaves' system takes them shows when it is known which leaves these are
    (``fabric.design.port_channels``).
    """
    dual = [(n, section) for n, section in enumerate(sections) if section.attach == "dual-tor"]
    for number, section in dual:
        path = ("hosts", number)
        if section.members not in (None, _LEAVES):
            message = f"attach: dual-tor is a bond of {_LEAVES}, a member on each leaf"
            yield Problem("RCE006", (*path, "members"), message, "leave members out")
        if section.port == "vlan":
            message = "port: vlan, but attach: dual-tor gives a bond a routed port on two leaves"
            yield Problem("RCE006", (*path, "port"), message, "port: routed, or attach: bond")
        if kind not in (None, *_PAIRED_KINDS):
            message = f"attach: dual-tor pairs the leaves of {', '.join(_PAIRED_KINDS)}, not {kind}"
            yield Problem("RCE010", (*path, "attach"), message, "attach: bond")
    if not dual:
        return
    if addressing.family != "ipv4":
        message = f"attach: dual-tor gives IPv4 networks alone, and family is {addressing.family}"
        fix = "family: ipv4, or attach: bond in hosts"
        yield Problem("RCE010", ("addressing", "family"), message, fix)
    if addressing.rail_aggregates:
        message = (
            "rail_aggregates keep the /31s of a leaf together; of attach: dual-tor two have them"
        )
        fix = "leave rail_aggregates out, or attach: bond in hosts"
        yield Problem("RCE010", ("addressing", "rail_aggregates"), message, fix)
