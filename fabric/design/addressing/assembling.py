"""From places in pools to the addressing of a design and its lock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.design.addressing.cables import (
    Cable,
    host_subnets,
    merged,
    parallel_note,
    port_addresses,
    rails_of,
)
from fabric.design.addressing.leaf_subnets import (
    NIC_ROW,
    NicPlaces,
    leaf_subnets,
    nic_addresses,
    rail_prefixes,
)
from fabric.design.addressing.loopbacks import loopback_addresses
from fabric.design.addressing.pools import (
    HOSTS,
    HOSTS_V6,
    LINKS,
    LINKS_V6,
    LOOPBACKS,
    LOOPBACKS_V6,
    PoolKind,
)
from fabric.design.addressing.rails import share_prefix, single_rails
from fabric.design.addressing.subnets import NIC_ROWS
from fabric.design.lock import sorted_rows
from fabric.model.addressing import Addressing, InterfaceAddress, Lock

if TYPE_CHECKING:
    from fabric.design.addressing.placing import Filled
    from fabric.design.addressing.subnets import Segment, Subnets
    from fabric.design.asn import AsnPlan
    from fabric.model.intent import Intent
    from fabric.model.topology import Link, Topology


@dataclass(frozen=True, slots=True)
class Cables:
    """The cables of a fabric by what stands on their ports."""

    links: list[Cable]
    unnumbered: list[Link]
    hosts: list[Cable]
    segments: tuple[Segment, ...]
    numbered: bool  # by intent


@dataclass(frozen=True, slots=True)
class Numbering:
    """What was worked out: places in every pool, in the leaves' /64s and VLANs, and ASNs."""

    cables: Cables
    filled: dict[PoolKind, Filled]
    places: NicPlaces
    seated: Subnets
    asns: AsnPlan


def assembled(topology: Topology, intent: Intent, lock: Lock, numbering: Numbering) -> Addressing:
    """The addressing of a design, with the lock that keeps it."""
    cables, filled, asns = numbering.cables, numbering.filled, numbering.asns
    hosts, hosts_v6 = filled.get(HOSTS), filled.get(HOSTS_V6)
    ids = loopback_addresses(topology, filled.get(LOOPBACKS))
    v4 = ids if intent.addressing.has_v4 else {}
    v6 = loopback_addresses(topology, filled.get(LOOPBACKS_V6))
    names = [switch.name for switch in topology.switches]
    parallel = "" if cables.numbered else parallel_note(cables.links, intent.addressing.families)
    subnets = (*(host_subnets(topology, hosts) if hosts else ()), *numbering.seated.subnets)
    if hosts_v6:
        subnets += leaf_subnets(hosts_v6, rails_of(topology))
    return Addressing(
        loopbacks=tuple((n, v4.get(n), v6.get(n)) for n in names) if filled else (),
        interfaces=_interfaces(numbering),
        host_subnets=subnets,
        host_aggregates=tuple(f.pool.prefix for f in (hosts, hosts_v6) if f),
        asns=asns.asns,
        asn_scheme=asns.scheme,
        asn_reason=asns.reason,
        pools=(
            *(_usage(f, intent) for f in filled.values()),
            ("asn", asns.range_text, asns.used, asns.size),
        ),
        lock=_new_lock(lock, numbering),
        notes=(parallel,) if parallel else (),
        valleys_refused=asns.valleys_refused,
        router_ids=tuple((n, ids[n].partition("/")[0]) for n in names) if ids and not v4 else (),
        rail_aggregates=_rail_aggregates(topology, intent, hosts, hosts_v6),
    )


def _interfaces(numbering: Numbering) -> tuple[InterfaceAddress, ...]:
    """Links, unnumbered links, host links, VLANs; both families of a port in one entry."""
    cables, filled, places = numbering.cables, numbering.filled, numbering.places
    found: list[InterfaceAddress] = []
    for kind in (LINKS, LINKS_V6):
        found += port_addresses(filled[kind], cables.links) if kind in filled else []
    found += [
        InterfaceAddress(end.device, end.port, None, None, unnumbered=True)
        for link in cables.unnumbered
        for end in (link.a, link.b)
    ]
    found += port_addresses(filled[HOSTS], cables.hosts) if HOSTS in filled else []
    found += nic_addresses(filled[HOSTS_V6], places, cables.hosts) if HOSTS_V6 in filled else []
    return merged((*found, *numbering.seated.interfaces))


def _rail_aggregates(
    topology: Topology, intent: Intent, hosts: Filled | None, hosts_v6: Filled | None
) -> tuple[tuple[int, str], ...]:
    """(rail, prefix) of both families, in order of the rails."""
    found: list[tuple[int, str]] = []
    rails = single_rails(rails_of(topology))
    if rails is None:
        return ()
    if hosts and intent.addressing.rail_aggregates:
        found += [(r, share_prefix(hosts.pool, rails, r)) for r in sorted(set(rails.values()))]
    if hosts_v6:
        found += [(r, p) for r, p in rail_prefixes(hosts_v6, rails).items() if p]
    return tuple(sorted(found, key=lambda pair: pair[0]))


def _usage(filled: Filled, intent: Intent) -> tuple[str, str, int, int]:
    pool = filled.pool
    key = pool.kind.key if pool.kind is not LOOPBACKS or intent.addressing.has_v4 else "router ids"
    return (key, pool.prefix, len(filled.units), pool.capacity)


def _new_lock(lock: Lock, numbering: Numbering) -> Lock:
    """New rows of the pools that were filled, the others as they were."""
    filled, asns = numbering.filled, numbering.asns
    done = {kind.row for kind in filled} | {"asn", NIC_ROW, NIC_ROWS}
    rows = [row for row in lock.rows if row.pool not in done]
    rows += [row for f in filled.values() for row in f.rows] + list(asns.rows)
    rows += [*numbering.places.rows, *numbering.seated.rows]
    pools = dict(lock.pools) | {kind.row: f.pool.prefix for kind, f in filled.items()}
    pools["asn"] = str(asns.base)
    return Lock(lock.fabric, sorted_rows(rows), tuple(sorted(pools.items())))
