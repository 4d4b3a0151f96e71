"""A design becomes the layout of a lab: every cable of the plan, every session, every address."""

from __future__ import annotations

from ipaddress import ip_network
from typing import TYPE_CHECKING

from fabric.live.lab import names
from fabric.live.lab.layout import Layout, Node, Peer, Port

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.topology import Link
    from fabric.model.underlay import BgpSession

FRR = "frr"


def layout_of(design: Design, lab: str, inventory: str, management_network: str) -> Layout:
    """The layout of a lab. Every node has an address of ``management_network``, we the first."""
    network = ip_network(management_network)
    addresses = network.hosts()
    root = f"{next(addresses)}/{network.prefixlen}"
    nodes = [
        _switch(design, lab, switch.name, str(next(addresses)))
        for switch in design.topology.switches_in_order()
    ]
    for host in design.topology.hosts:
        space, address = names.namespace(lab, host.name), str(next(addresses))
        nodes.append(Node(host.name, "host", space, address, _ports(design, host.name)))
    return Layout(
        name=lab,
        fabric=design.intent.name,
        inventory=inventory,
        management_network=management_network,
        management_root=root,
        nodes=tuple(nodes),
        stands_in=_stands_in(design),
    )


def _stands_in(design: Design) -> tuple[str, ...]:
    """Titles of the systems other than FRR that the inventory names."""
    hardware = design.intent.hardware
    specs = [hardware.of(s.name, s.role).platform for s in design.topology.switches]
    return tuple(dict.fromkeys(spec.title for spec in specs if spec.name != FRR))


def _switch(design: Design, lab: str, name: str, management: str) -> Node:
    speaker = design.underlay.speaker(name)
    v4, v6 = design.addressing.loopback(name)
    return Node(
        name=name,
        kind="switch",
        namespace=names.namespace(lab, name),
        management=management,
        ports=_ports(design, name),
        peers=tuple(
            _peer(session, speaker.announces) for session in design.underlay.sessions_of(name)
        ),
        asn=speaker.asn,
        loopbacks=tuple(a for a in (v4, v6) if a),
        prefixes=speaker.announces,
        bfd=design.underlay.bfd,
    )


def _peer(session: BgpSession, announces: tuple[str, ...]) -> Peer:
    """Without addresses of its own one session carries every family that is announced."""
    families: tuple[str, ...] = (session.family,)
    if session.peer_address is None:
        used = {"ipv6" if ":" in prefix else "ipv4" for prefix in announces}
        families = tuple(sorted(used))
    netdev = names.netdev(session.port)
    key = session.peer_address or netdev
    return Peer(key, session.peer, session.peer_asn, netdev, families)


def _ports(design: Design, device: str) -> tuple[Port, ...]:
    return tuple(_port(design, device, link) for link in design.topology.links_of(device))


def _port(design: Design, device: str, link: Link) -> Port:
    here, there = link.end(device), link.other(device)
    address = design.addressing.at(device, here.port)
    roce = design.intent.roce
    is_switch = design.topology.is_switch(device)
    return Port(
        name=here.port,
        netdev=names.netdev(here.port),
        link=link.id,
        peer=there.device,
        peer_netdev=names.netdev(there.port),
        mtu_bytes=roce.switch_mtu_bytes if is_switch else roce.host_mtu_bytes,
        addresses=tuple(a for a in (address.v4, address.v6) if a) if address else (),
    )
