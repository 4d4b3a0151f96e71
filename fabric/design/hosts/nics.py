"""NICs of a host with addresses, gateways and routing tables."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_interface
from typing import TYPE_CHECKING

from fabric.design.attachments import attachments_of
from fabric.model.device import HostNic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabric.design.attachments import Attachment
    from fabric.model.addressing import HostSubnet, InterfaceAddress
    from fabric.model.design import Design
    from fabric.model.topology import Host, HostPort

# Numbers that no distribution uses: 253 to 255 are the kernel's own.
_FIRST_TABLE = 1000

Network = IPv4Network | IPv6Network


def host_nics(
    design: Design, host: Host, subnets: Mapping[str, tuple[HostSubnet, ...]]
) -> tuple[HostNic, ...]:
    """Return the NICs that have a cable. ``subnets``: host prefixes by leaf."""
    found = {one.nic.port: one for one in attachments_of(design.topology, host)}
    return tuple(
        _nic(design, port, found[port.netdev], subnets)
        for port in host.ports
        if port.netdev in found
    )


def _nic(
    design: Design,
    port: HostPort,
    attachment: Attachment,
    subnets: Mapping[str, tuple[HostSubnet, ...]],
) -> HostNic:
    leaf = attachment.leaf
    own = _addresses(design.addressing.at(attachment.nic.device, port.netdev))
    networks = tuple(ip_interface(address).network for address in own)
    switch = _addresses(design.addressing.at(leaf.device, leaf.port))
    candidates = (*switch, *(s.gateway for s in subnets.get(leaf.device, ()) if s.gateway))
    return HostNic(
        index=port.index,
        netdev=port.netdev,
        rdma_device=port.rdma_device,
        speed_gbps=port.speed_gbps,
        rail=port.rail,
        numa=port.numa,
        gpu=port.gpu,
        leaf=leaf.device,
        leaf_port=leaf.port,
        addresses=own,
        gateways=tuple(_gateways(networks, candidates)),
        table=_FIRST_TABLE + port.index,
        cable_m=max(link.length_m for link in attachment.links),
        on_link=tuple(_shared(networks, subnets.get(leaf.device, ()))),
        members=port.members,
        second_leaf=attachment.second.device if attachment.second else "",
        second_leaf_port=attachment.second.port if attachment.second else "",
        dual_tor=attachment.second is not None,
    )


def _addresses(at: InterfaceAddress | None) -> tuple[str, ...]:
    return tuple(a for a in (at.v4, at.v6) if a) if at else ()


def _shared(networks: tuple[Network, ...], subnets: tuple[HostSubnet, ...]) -> Iterator[str]:
    """The subnets of the leaf's VLANs that the NIC sits in."""
    for subnet in subnets:
        if subnet.vlan is not None and subnet.prefix in map(str, networks):
            yield subnet.prefix


def _gateways(networks: tuple[Network, ...], candidates: tuple[str, ...]) -> Iterator[str]:
    """For the network of each own address the switch's address in it."""
    for network in networks:
        for candidate in candidates:
            if ip_interface(candidate).network == network:
                yield candidate.partition("/")[0]
                break
