"""What RDMA software on a host must know: may rings cross NICs, which addresses are ours."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabric.model.addressing import Addressing
    from fabric.model.device import HostNic
    from fabric.model.intent import HostGroup
    from fabric.model.topology import Topology


def cross_nic(
    group: HostGroup, nics: Sequence[HostNic], island_of: Mapping[str, int]
) -> tuple[int, str]:
    """Return NCCL_CROSS_NIC and the reason in one sentence.

    0 keeps every ring on one NIC index, 1 lets it cross, 2 crosses only where that is faster.
    """
    if group.cross_nic is not None:
        return group.cross_nic, "set in the inventory"
    if len(nics) < 2:  # noqa: PLR2004 - crossing takes two
        return 2, "one NIC per host, so there is nothing to cross; 2 is NCCL's default"
    leaves = {nic.leaf for nic in nics}
    if len({island_of[leaf] for leaf in leaves}) > 1:
        return 0, "the rails are not connected to each other, so a ring must stay on its rail"
    if len(leaves) == 1:
        return 2, "all NICs of a host are on one leaf, so crossing costs nothing"
    if len(leaves) == len({nic.rail for nic in nics}):
        return 0, "each rail has a leaf of its own, so crossing would climb to the next tier"
    return 2, "NICs of one rail are on several leaves; NCCL crosses only where that is faster"


def islands(topology: Topology) -> dict[str, int]:
    """Return for each switch the number of the connected part that it is in, hosts left out."""
    neighbours: dict[str, list[str]] = {switch.name: [] for switch in topology.switches}
    for link in topology.fabric_links:
        neighbours[link.a.device].append(link.b.device)
        neighbours[link.b.device].append(link.a.device)
    island: dict[str, int] = {}
    for number, start in enumerate(neighbours):
        front = [] if start in island else [start]
        while front:
            name = front.pop()
            if name not in island:
                island[name] = number
                front.extend(neighbours[name])
    return island


def gid_range(family: str, addressing: Addressing) -> str | None:
    """Return the smallest prefix over all host aggregates of the family that RDMA uses.

    ``family``: ipv4 or ipv6. ``None``: no host has an address of it.
    """
    version = 6 if family == "ipv6" else 4
    networks = [ip_network(text) for text in addressing.host_aggregates]
    wanted = [network for network in networks if network.version == version]
    if not wanted:
        return None
    cover: IPv4Network | IPv6Network = wanted[0]
    last = max(int(network.broadcast_address) for network in wanted)
    first = min(int(network.network_address) for network in wanted)
    while not int(cover.network_address) <= first <= last <= int(cover.broadcast_address):
        cover = cover.supernet()
    return str(cover)
