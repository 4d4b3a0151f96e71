"""The CSV files of a plan: cables, ports, addresses, bill of materials."""

from __future__ import annotations

import csv
import io
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from fabric.model.names import natural_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.model.design import Design


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A CSV text, lines ended by LF; ``None`` becomes an empty cell."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return buffer.getvalue()


CABLE_HEADER = (
    "source",
    "rack",
    "location",
    "port",
    "destination",
    "rack",
    "location",
    "port",
    "cable type",
    "length m",
    "label",
    "speed Gb/s",
    "kind",
    "link id",
)


def cables_csv(design: Design) -> str:
    """One row a cable; the first eleven columns are those that cabling lists have."""
    racks, locations = dict(design.intent.racks), dict(design.intent.locations)
    key = cache(natural_key)  # ports of all devices bear the same names
    rows = [
        (
            link.a.device,
            racks.get(link.a.device),
            locations.get(link.a.device),
            link.a.port,
            link.b.device,
            racks.get(link.b.device),
            locations.get(link.b.device),
            link.b.port,
            link.cable_type,
            f"{link.length_m:g}",
            link.cable_id or f"{link.a.device} {link.a.port} / {link.b.device} {link.b.port}",
            link.speed_gbps,
            link.kind,
            link.id,
        )
        for link in sorted(
            design.topology.links,
            key=lambda x: (key(x.a.device), key(x.a.port)),
        )
    ]
    return csv_text(CABLE_HEADER, rows)


def ports_csv(design: Design) -> str:
    """One row a switch port, used or not, with its lossless profile."""
    topology = design.topology
    profiles = {(p.device, p.port): p.profile for p in design.lossless.ports}
    rows = []
    for switch in topology.switches_in_order():
        at = {link.end(switch.name).port: link for link in topology.links_of(switch.name)}
        for port in switch.ports:
            link = at.get(port.name)
            peer = link.other(switch.name) if link else None
            rows.append(
                (
                    switch.name,
                    port.name,
                    port.alias,
                    port.cage,
                    port.breakout,
                    port.speed_gbps,
                    "up" if link else "unused",
                    peer.device if peer else None,
                    peer.port if peer else None,
                    f"{link.length_m:g}" if link else None,
                    profiles.get((switch.name, port.name)),
                    link.id if link else None,
                )
            )
    header = (
        "device",
        "port",
        "alias",
        "cage",
        "breakout",
        "speed Gb/s",
        "state",
        "peer",
        "peer port",
        "length m",
        "lossless profile",
        "link id",
    )
    return csv_text(header, rows)


def addresses_csv(design: Design) -> str:
    """One row an address: loopbacks, links, hosts; and the host prefix of each rail."""
    addressing = design.addressing
    asns = dict(addressing.asns)
    rows: list[Sequence[object]] = []
    for device, v4, v6 in addressing.loopbacks:
        rows.extend((device, "loopback", a, asns.get(device), "") for a in (v4, v6) if a)
    rows.extend(
        (device, "router id", router_id, asns.get(device), "on no interface")
        for device, router_id in addressing.router_ids
    )
    rows.extend(
        (f"rail {rail}", "host aggregate", prefix, "", "")
        for rail, prefix in addressing.rail_aggregates
    )
    for item in addressing.interfaces:
        vlan = "" if item.vlan is None else f"vlan {item.vlan}"
        note = "unnumbered" if item.unnumbered else vlan
        listed = [a for a in (item.v4, item.v6) if a] or [""]
        rows.extend((item.device, item.port, a, asns.get(item.device), note) for a in listed)
    return csv_text(("device", "interface", "address", "asn", "note"), rows)


def bom_csv(design: Design) -> str:
    """Bill of materials: switches, NICs and cables by kind, speed and length."""
    intent = design.intent
    switches = Counter(
        (intent.hardware.of(s.name, s.role).model.name, s.role) for s in design.topology.switches
    )
    rows: list[tuple[object, ...]] = [
        ("switch", model, role, None, None, count)
        for (model, role), count in sorted(switches.items())
    ]
    nics = Counter({(g.nic.name, g.name, g.speed_gbps): 0 for g in intent.host_groups})
    for host in design.topology.hosts:
        group = intent.group(host.group)
        nics[group.nic.name, group.name, group.speed_gbps] += len(host.ports)
    rows += [("NIC", nic, group, speed, None, n) for (nic, group, speed), n in sorted(nics.items())]
    cables = Counter(
        (x.cable_type, x.kind, x.speed_gbps, x.length_m) for x in design.topology.links
    )
    rows += [
        ("cable", model, kind, speed, f"{length:g}", n)
        for (model, kind, speed, length), n in sorted(cables.items())
    ]
    return csv_text(("item", "model", "use", "speed Gb/s", "length m", "count"), rows)
