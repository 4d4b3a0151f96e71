"""FRR's BGP sessions: its halves of them, and ``show bgp summary json``."""

from __future__ import annotations

import ipaddress
import json
import re
from typing import TYPE_CHECKING, TypeAlias

from fabric.live.rehearsal.box import Peering

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.box import World
    from fabric.live.rehearsal.frr.config import FrrConfig

Addresses: TypeAlias = "Mapping[str, tuple[str, ...]]"  # with prefix length, by interface


def halves(
    device: str, config: FrrConfig, addresses: Addresses, down: frozenset[str] = frozenset()
) -> tuple[Peering, ...]:
    """All neighbours of the default instance. ``down``: interfaces that are shut down."""
    context = next(
        (
            each
            for each in config.tree
            if each[:1] and len(each) == 1 and re.fullmatch(r"router bgp \d+", each[0])
        ),
        None,
    )
    if context is None:
        return ()
    own = dict(addresses)
    for each, lines in config.tree.items():
        if each and each[0].startswith("interface "):
            found = [line.split()[2] for line in lines if re.match(r"ipv?6? address ", line)]
            own[each[0].split()[1]] = (*own.get(each[0].split()[1], ()), *found)
    asn, lines = int(context[0].split()[2]), config.tree[context]
    groups = {line.split()[1] for line in lines if line.endswith(" peer-group")}
    names = dict.fromkeys(line.split()[1] for line in lines if line.startswith("neighbor "))
    return tuple(_half(device, asn, name, lines, own, down) for name in names if name not in groups)


def _half(  # noqa: PLR0913, PLR0917
    device: str, asn: int, name: str, lines: list[str], own: Addresses, down: frozenset[str]
) -> Peering:
    group = next(
        (
            m[1]
            for line in lines
            if (m := re.match(rf"neighbor {re.escape(name)} (?:interface )?peer-group (\S+)", line))
        ),
        "",
    )
    remote = 0
    for peer in filter(None, (group, name)):
        for line in lines:
            if found := re.match(
                rf"neighbor {re.escape(peer)} (?:interface )?remote-as (\S+)", line
            ):
                remote = {"external": 0, "internal": asn}.get(found[1]) or (
                    int(found[1]) if found[1].isdigit() else 0
                )
    shut = any(f"neighbor {each} shutdown" in lines for each in filter(None, (group, name)))
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return Peering(device, name, "", "", asn, remote, not shut and name not in down)
    for port, some in own.items():
        for each in some:
            if address in ipaddress.ip_interface(each).network:
                local = str(ipaddress.ip_interface(each).ip)
                return Peering(
                    device, port, local, name, asn, remote, not shut and port not in down
                )
    return Peering(device, "", "", name, asn, remote, up=False)


def summary_json(config: FrrConfig, mine: tuple[Peering, ...], world: World) -> str:
    """The shape of FRR 8.4.4 (recorded), one object an address family."""
    if not mine:
        return "{}\n"
    families: dict[str, dict[str, object]] = {}
    for each in mine:
        family = "ipv6Unicast" if ":" in each.remote else "ipv4Unicast"
        families.setdefault(family, {})[each.remote or each.port] = _peer(each, world)
    router_id = next(
        (
            line.split()[2]
            for lines in config.tree.values()
            for line in lines
            if line.startswith("bgp router-id ")
        ),
        "0.0.0.0",  # noqa: S104
    )
    whole = {
        family: {
            "routerId": router_id,
            "as": mine[0].local_asn,
            "vrfId": 0,
            "vrfName": "default",
            "tableVersion": 2,
            "ribCount": 3,
            "peerCount": len(peers),
            "peers": peers,
            "failedPeers": sum(p["state"] != "Established" for p in peers.values()),  # type: ignore[index]
            "displayedPeers": len(peers),
            "totalPeers": len(peers),
            "dynamicPeers": 0,
            "bestPath": {"multiPathRelax": "true"},
        }
        for family, peers in families.items()
    }
    return json.dumps(whole, indent=2) + "\n"


def _peer(peering: Peering, world: World) -> dict[str, object]:
    found = world.peers.state(peering)
    up = found.state == "Established"
    seconds = int(found.since_s) if up else 0
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}" if up else "never"
    peer: dict[str, object] = {
        "remoteAs": found.remote_asn or peering.remote_asn,
        "localAs": peering.local_asn,
        "version": 4,
        "msgRcvd": 8 if up else 0,
        "msgSent": 9 if up else 0,
        "tableVersion": 0,
        "outq": 0,
        "inq": 0,
        "peerUptime": clock,
        "peerUptimeMsec": seconds * 1000,
        "pfxRcd": int(up),
        "pfxSnt": 2 if up else 0,
        "state": found.state,
        "peerState": "OK",
        "connectionsEstablished": int(up),
        "connectionsDropped": 0,
        "idType": "interface"
        if not peering.remote
        else ("ipv6" if ":" in peering.remote else "ipv4"),
    }
    return {"hostname": found.hostname, **peer} if up else peer
