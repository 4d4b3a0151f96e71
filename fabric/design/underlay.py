"""BGP of the fabric: a speaker on every switch, an eBGP session over every cable between two."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.model.underlay import BgpSession, Speaker, Underlay

if TYPE_CHECKING:
    from fabric.model.addressing import Addressing
    from fabric.model.intent import Intent
    from fabric.model.topology import Link, Switch, Topology


def derive(topology: Topology, addressing: Addressing, intent: Intent) -> Underlay:
    """Who talks BGP to whom and what each announces.

    A leaf announces its loopback and its host prefixes, never a point-to-point link. Where these
    are aggregates of /31s and /127s, each has a discard route: an address without a host ends on
    its leaf instead of going up again. The prefix of a VLAN is the leaf's own network and needs
    none. Nor has the network of a port that a NIC shares with another leaf: when the port goes
    down the leaf announces it no longer, and the other leaf alone is left.
    """
    policy = intent.addressing
    route_policies = dict(topology.route_policies)
    prefixes: dict[str, tuple[str, ...]] = {}
    discards: dict[str, tuple[str, ...]] = {}
    for subnet in addressing.host_subnets:
        prefixes[subnet.leaf] = (*prefixes.get(subnet.leaf, ()), subnet.prefix)
        if subnet.vlan is None and not subnet.of_port:
            discards[subnet.leaf] = (*discards.get(subnet.leaf, ()), subnet.prefix)
    return Underlay(
        speakers=tuple(
            replace(
                _speaker(switch, addressing, intent, (prefixes, discards)),
                policy=route_policies.get(switch.role),
            )
            for switch in topology.switches
        ),
        sessions=tuple(
            session
            for switch in topology.switches
            for link in _in_port_order(switch, topology)
            for session in _sessions(switch.name, link, addressing)
        ),
        keepalive_s=policy.bgp_keepalive_s,
        hold_s=policy.bgp_hold_s,
        bfd=policy.bfd,
        bgp_dscp=intent.roce.bgp_dscp,
        numbering=policy.link_numbering,
    )


def _speaker(
    switch: Switch,
    addressing: Addressing,
    intent: Intent,
    hosts: tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]],
) -> Speaker:
    """``hosts``: by leaf what it announces for its hosts, and what of this it discards."""
    prefixes, discards = (found.get(switch.name, ()) for found in hosts)
    loopbacks = addressing.loopback(switch.name)
    hardware = intent.hardware.of(switch.name, switch.role)
    return Speaker(
        device=switch.name,
        asn=addressing.asn(switch.name),
        router_id=addressing.router_id(switch.name),
        announces=(*filter(None, loopbacks), *prefixes),
        discards=discards,
        max_paths=min(intent.addressing.max_paths, hardware.platform.capabilities.max_ecmp_paths),
    )


def _in_port_order(switch: Switch, topology: Topology) -> list[Link]:
    """Its cables to other switches in the order of its panel."""
    place = {port.name: number for number, port in enumerate(switch.ports)}
    links = [
        x for x in topology.links_of(switch.name) if topology.is_switch(x.other(switch.name).device)
    ]
    return sorted(links, key=lambda link: place[link.end(switch.name).port])


def _sessions(device: str, link: Link, addressing: Addressing) -> list[BgpSession]:
    """One over each family of addresses on the cable, which carries that family alone.

    Without addresses one session over IPv6 link-local ones carries all families (RFC 8950).
    """
    here, there = link.end(device), link.other(device)
    local, peer = (addressing.at(end.device, end.port) for end in (here, there))
    pairs: list[tuple[str, str | None, str | None]] = []
    if local and peer:
        both = (("ipv4", local.v4, peer.v4), ("ipv6", local.v6, peer.v6))
        pairs = [pair for pair in both if pair[1] is not None]
    return [
        BgpSession(
            device=device,
            port=here.port,
            link=link.id,
            peer=there.device,
            peer_port=there.port,
            local_asn=addressing.asn(device),
            peer_asn=addressing.asn(there.device),
            local_address=_plain(own),
            peer_address=_plain(other),
            family=family,
            kind=link.kind,
        )
        for family, own, other in pairs or [("ipv6", None, None)]
    ]


def _plain(address: str | None) -> str | None:
    """The address without its length."""
    return None if address is None else address.partition("/")[0]
