"""Rows of ``fabric show``: the same plain values for the table and for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.names import natural_key
from fabric.model.roce_packet import FAMILIES, wire_efficiency
from fabric.report.lossless import fit_json, profile_json
from fabric.report.text import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.addressing import InterfaceAddress
    from fabric.model.design import Design

Row = dict[str, object]


def table_lines(rows: Sequence[dict[str, object]]) -> list[str]:
    """Rows as a table, their keys as headings."""
    table = [tuple(key.replace("_", " ") for key in rows[0])]
    table += [tuple(cell(value) for value in row.values()) for row in rows]
    return columns(table)


def cell(value: object) -> str:
    """A value as a table shows it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return " ".join(cell(item) for item in value) or "–"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)


def devices(design: Design) -> list[Row]:
    """One row a switch."""
    rows: list[Row] = []
    for switch in design.topology.switches_in_order():
        hardware = design.intent.hardware.of(switch.name, switch.role)
        loopback = [a for a in design.addressing.loopback(switch.name) if a]
        rows.append(
            {
                "device": switch.name,
                "role": switch.role,
                "platform": hardware.platform.name,
                "model": hardware.model.name,
                "asn": design.addressing.asn(switch.name),
                "loopback": loopback,
                "ports_used": sum(p.used for p in switch.ports),
                "ports": len(switch.ports),
                "management": design.intent.management.address_of(switch.name),
            }
        )
    return rows


def ports(design: Design, device: str) -> list[Row]:
    """One row a port of a switch."""
    switch = design.topology.switch(device)
    at = {link.end(device).port: link for link in design.topology.links_of(device)}
    profiles = {(p.device, p.port): p.profile for p in design.lossless.ports}
    lags = [lag for lag in design.topology.lags if lag.device == device]
    lag_at = {port: [f"in {lag.name}"] for lag in lags for port in lag.ports}
    rows: list[Row] = []
    for port in switch.ports:
        link = at.get(port.name)
        peer = link.other(device) if link else None
        address = design.addressing.at(device, port.name)
        rows.append(
            {
                "port": port.name,
                "alias": port.alias,
                "speed_gbps": port.speed_gbps,
                "breakout": port.breakout,
                "peer": f"{peer.device} {peer.port}" if peer else None,
                "length_m": link.length_m if link else None,
                "address": lag_at.get(port.name) or _addresses(address),
                "lossless_profile": profiles.get((device, port.name)),
                "link": link.id if link else None,
            }
        )
    return rows


def _addresses(item: InterfaceAddress | None) -> list[str]:
    """The addresses of an interface, or the word for why it has none."""
    if item is None:
        return []
    if item.vlan is not None:
        return [f"vlan {item.vlan}"]
    return ["unnumbered"] if item.unnumbered else [a for a in (item.v4, item.v6) if a]


def cables(design: Design) -> list[Row]:
    """One row a cable."""
    links = sorted(
        design.topology.links, key=lambda x: (natural_key(x.a.device), natural_key(x.a.port))
    )
    return [
        {
            "link": link.id,
            "a": link.a.device,
            "a_port": link.a.port,
            "b": link.b.device,
            "b_port": link.b.port,
            "kind": link.kind,
            "speed_gbps": link.speed_gbps,
            "length_m": link.length_m,
        }
        for link in links
    ]


def addresses(design: Design) -> list[Row]:
    """One row an interface with an address."""
    rows: list[Row] = [
        {"device": device, "interface": "loopback", "address": [a for a in (v4, v6) if a]}
        for device, v4, v6 in design.addressing.loopbacks
    ]
    rows += [
        {"device": device, "interface": "router id", "address": [router_id]}
        for device, router_id in design.addressing.router_ids
    ]
    rows += [
        {
            "device": item.device,
            "interface": item.port,
            "address": _addresses(item),
        }
        for item in design.addressing.interfaces
    ]
    return rows


def pools(design: Design) -> list[Row]:
    """One row a pool: how much of it is used."""
    return [
        {"pool": pool, "prefix": prefix, "used": used, "size": size}
        for pool, prefix, used, size in design.addressing.pools
    ]


def rail_aggregates(design: Design) -> list[Row]:
    """One row a prefix over all host addresses of a rail."""
    return [{"rail": rail, "prefix": prefix} for rail, prefix in design.addressing.rail_aggregates]


def hosts(design: Design) -> list[Row]:
    """One row a NIC of a host."""
    rows: list[Row] = []
    for host in design.topology.hosts:
        links = {link.end(host.name).port: link for link in design.topology.links_of(host.name)}
        for nic in host.ports:
            far = links[nic.cabled[0]].other(host.name)
            faces = [(x.device, x.name) for x in design.topology.lags_of(host.name, nic.netdev)]
            faces = faces or [(far.device, far.port)]
            address = design.addressing.at(host.name, nic.netdev)
            rows.append(
                {
                    "host": host.name,
                    "nic": nic.netdev,
                    "rdma_device": nic.rdma_device,
                    "speed_gbps": nic.speed_gbps,
                    "rail": nic.rail,
                    "leaf": " + ".join(leaf for leaf, _ in faces),
                    "leaf_port": " + ".join(port for _, port in faces),
                    "address": [a for a in (address.v4, address.v6) if a] if address else [],
                }
            )
    return rows


def qos(design: Design) -> Row:
    """The marking in its four spellings, and the classes."""
    roce = design.intent.roce
    rise = roce.rise
    return {
        "preset": roce.preset,
        "preset_source": roce.preset_source,
        "roce": _marking(roce.dscp, roce.priority),
        "cnp": _marking(roce.cnp_dscp, roce.cnp_priority),
        "nccl_ib_tc": roce.dscp << 2,
        "mtu_bytes": {
            "switch": roce.switch_mtu_bytes,
            "host": roce.host_mtu_bytes,
            "rdma": roce.rdma_mtu_bytes,
        },
        "rdma_over": design.intent.addressing.rdma_family,
        "wire_efficiency": {
            family: round(float(wire_efficiency(roce.rdma_mtu_bytes, family)), 4)
            for family in FAMILIES
        },
        "rise": {"on": list(rise.kinds), "classes": list(rise.steps)} if rise else None,
        "pfc_priorities": list(design.lossless.class_map.lossless_priorities),
        "watchdog": {
            "enabled": design.lossless.watchdog.enabled,
            "poll_ms": design.lossless.watchdog.poll_ms,
            "detect_ms": design.lossless.watchdog.detect_ms,
            "restore_ms": design.lossless.watchdog.restore_ms,
            "action": design.lossless.watchdog.action,
        },
        "profiles": [profile_json(p) for p in design.lossless.profiles if p.in_use],
        "headroom": [fit_json(fit) for fit in design.lossless.fits],
        "notes": list(design.lossless.notes),
        "classes": [
            {
                "name": c.name,
                "dscps": list(c.dscps),
                "priority": c.priority,
                "traffic_class": c.traffic_class,
                "queue": c.queue,
                "priority_group": c.priority_group,
                "lossless": c.lossless,
                "scheduler": c.scheduler,
                "weight": c.weight,
                "max_rate_percent": c.max_rate_percent,
            }
            for c in design.lossless.class_map.classes
        ],
    }


def _marking(dscp: int, priority: int) -> Row:
    return {
        "dscp": dscp,
        "traffic_class_byte": dscp << 2,
        "traffic_class_byte_with_ect": dscp << 2 | 2,
        "priority": priority,
    }
