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

    A leaf announces its loopback and its host prefixes, never a point-to-point link. The host
    prefixes are aggregates of its /31s, so each has a discard route: an address without a host
    ends on its leaf instead of going up again.
    """
    policy = intent.addressing
    route_policies = dict(topology.route_policies)
    prefixes: dict[str, tuple[str, ...]] = {}
    for subnet in addressing.host_subnets:
        prefixes[subnet.leaf] = (*prefixes.get(subnet.leaf, ()), subnet.prefix)
    return Underlay(
        speakers=tuple(
            replace(
                _speaker(switch, addressing, intent, prefixes.get(switch.name, ())),
                policy=route_policies.get(switch.role),
            )
            for switch in topology.switches
        ),
        sessions=tuple(
            _session(switch.name, link, addressing)
            for switch in topology.switches
            for link in _in_port_order(switch, topology)
        ),
        keepalive_s=policy.bgp_keepalive_s,
        hold_s=policy.bgp_hold_s,
        bfd=policy.bfd,
        bgp_dscp=intent.roce.bgp_dscp,
        numbering=policy.link_numbering,
    )


def _speaker(
    switch: Switch, addressing: Addressing, intent: Intent, prefixes: tuple[str, ...]
) -> Speaker:
    loopback, loopback_v6 = addressing.loopback(switch.name)
    hardware = intent.hardware.of(switch.name, switch.role)
    return Speaker(
        device=switch.name,
        asn=addressing.asn(switch.name),
        router_id=_plain(loopback) or "",
        announces=(*filter(None, (loopback, loopback_v6)), *prefixes),
        discards=prefixes,
        max_paths=min(intent.addressing.max_paths, hardware.platform.capabilities.max_ecmp_paths),
    )


def _in_port_order(switch: Switch, topology: Topology) -> list[Link]:
    """Its cables to other switches in the order of its panel."""
    place = {port.name: number for number, port in enumerate(switch.ports)}
    links = [
        x for x in topology.links_of(switch.name) if topology.is_switch(x.other(switch.name).device)
    ]
    return sorted(links, key=lambda link: place[link.end(switch.name).port])


def _session(device: str, link: Link, addressing: Addressing) -> BgpSession:
    here, there = link.end(device), link.other(device)
    local, peer = (addressing.at(end.device, end.port) for end in (here, there))
    local_address = _plain(local.v4) if local else None
    return BgpSession(
        device=device,
        port=here.port,
        link=link.id,
        peer=there.device,
        peer_port=there.port,
        local_asn=addressing.asn(device),
        peer_asn=addressing.asn(there.device),
        local_address=local_address,
        peer_address=_plain(peer.v4) if peer else None,
        family="ipv6" if local_address is None else "ipv4",
        kind=link.kind,
    )


def _plain(address: str | None) -> str | None:
    """The address without its length."""
    return None if address is None else address.partition("/")[0]
