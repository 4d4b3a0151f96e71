"""Addresses, ASNs and the lock: what is new finds its place, what has one keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.design.addressing.cables import (
    Cable,
    cable_demands,
    fabric_cables,
    host_cables,
    host_subnets,
    parallel_note,
    port_addresses,
    rails_of,
)
from fabric.design.addressing.loopbacks import loopback_addresses, loopback_demands
from fabric.design.addressing.overlaps import management_overlaps, pool_overlaps
from fabric.design.addressing.placing import Filled, fill
from fabric.design.addressing.pools import HOSTS, LINKS, LOOPBACKS, Pool, PoolKind, read_pool
from fabric.design.addressing.subnets import (
    NIC_ROWS,
    Segment,
    Subnets,
    place_nics,
    segment_demands,
    segments,
)
from fabric.design.asn import AsnPlan, plan_asns
from fabric.design.attachments import Attachment, attachments
from fabric.design.lock import sorted_rows
from fabric.model.addressing import Addressing, InterfaceAddress, Lock
from fabric.model.finding import Problem, ProblemError

if TYPE_CHECKING:
    from fabric.design.space import Demand
    from fabric.model.intent import AddressingPolicy, Intent
    from fabric.model.platform import VlanWords
    from fabric.model.topology import Link, Topology


@dataclass(frozen=True, slots=True)
class _Cables:
    """The cables of a fabric by what stands on their ports."""

    links: list[Cable]
    unnumbered: list[Link]
    hosts: list[Cable]
    segments: tuple[Segment, ...]
    numbered: bool  # by intent


def allocate(topology: Topology, intent: Intent, lock: Lock | None = None) -> Addressing:
    """Addresses and ASNs of everything, and the lock that keeps them.

    ``lock``: what was handed out before; rows of pools that are not handled here (ports) are
    passed on as they come, so hand in the lock with the rows that wiring returned.

    Raises:
        ProblemError: RCE006 (a prefix), RCE010, RCE023 (a system without VLANs), RCE201–204,
            RCE206: all at once.
    """
    _refuse_not_built(intent.addressing)
    problems: list[Problem] = []
    if lock is None or lock.fabric != intent.name:
        problems += _foreign(lock, intent)
        lock = Lock(intent.name)
    cables = _cables(topology, intent)
    words = _vlan_words(topology, intent, cables.segments, problems)
    pools = _pools(topology, intent, cables, problems)
    filled: dict[PoolKind, Filled] = {}
    for pool, demands in pools:
        outcome = fill(pool, lock, demands)
        if isinstance(outcome, Problem):
            problems.append(outcome)
        else:
            filled[pool.kind] = outcome
    problems += pool_overlaps([pool for pool, _ in pools])
    problems += management_overlaps([pool for pool, _ in pools], intent.management)
    asns = plan_asns(topology, intent, lock)
    problems += asns.problems
    seated = Subnets((), (), ())
    if not problems and cables.segments:
        placed = place_nics(cables.segments, filled[HOSTS], lock, words, rails_of(topology))
        if isinstance(placed, Subnets):
            seated = placed
        else:
            problems += placed
    if problems:
        raise ProblemError(tuple(problems))
    return _addressing(topology, lock, cables, _Filling(filled, seated, asns))


def _refuse_not_built(policy: AddressingPolicy) -> None:
    problems: list[Problem] = []
    if policy.family != "ipv4":
        message = f"address family {policy.family} is not built yet"
        problems.append(Problem("RCE010", ("addressing", "family"), message, "write ipv4"))
    if problems:
        raise ProblemError(tuple(problems))


def _cables(topology: Topology, intent: Intent) -> _Cables:
    numbered = intent.addressing.link_numbering == "numbered"
    links, unnumbered = fabric_cables(topology, numbered=numbered)
    in_vlan = {group.name for group in intent.host_groups if group.port_mode == "vlan"}
    bridged = {host.name for host in topology.hosts if host.group in in_vlan}
    routed: list[Attachment] = []
    seats: list[Attachment] = []
    for one in attachments(topology):
        (seats if one.nic.device in bridged else routed).append(one)
    return _Cables(links, unnumbered, host_cables(routed), segments(seats), numbered)


def _vlan_words(
    topology: Topology, intent: Intent, found: tuple[Segment, ...], problems: list[Problem]
) -> dict[str, VlanWords]:
    """How the system of each leaf with VLANs calls them."""
    words: dict[str, VlanWords] = {}
    numbers = {group.name: number for number, group in enumerate(intent.host_groups)}
    refused: set[tuple[str, str]] = set()
    for one in found:
        spec = intent.hardware.of(one.leaf, topology.switch(one.leaf).role).platform
        group = topology.host(one.seats[0].nic.device).group
        if spec.vlan is not None:
            words[one.leaf] = spec.vlan
        elif (spec.name, group) not in refused:
            refused.add((spec.name, group))
            message = f"{group}: host ports in a VLAN are not rendered for {spec.title}"
            path = ("hosts", numbers[group], "port")
            problems.append(Problem("RCE023", path, message, "port: routed", subject=group))
    return words


def _foreign(lock: Lock | None, intent: Intent) -> list[Problem]:
    if lock is None:
        return []
    message = f"the lock is of fabric '{lock.fabric}', this is '{intent.name}'"
    fix = "after a renaming write the new name into the lock; otherwise delete it"
    return [Problem("RCE206", ("fabric",), message, fix)]


def _pools(
    topology: Topology, intent: Intent, cables: _Cables, problems: list[Problem]
) -> list[tuple[Pool, list[Demand]]]:
    """The pools in use with what they must hold; faulty ones go to ``problems``."""
    policy = intent.addressing
    wanted = (
        (LOOPBACKS, policy.loopbacks_v4, loopback_demands(topology)),
        (LINKS, policy.links_v4, cable_demands(topology, cables.links)),
        (
            HOSTS,
            policy.hosts_v4,
            [*cable_demands(topology, cables.hosts), *segment_demands(cables.segments)],
        ),
    )
    pools: list[tuple[Pool, list[Demand]]] = []
    for kind, prefix, demands in wanted:
        if not demands:
            continue
        pool = read_pool(kind, prefix or "")
        if isinstance(pool, Problem):
            problems.append(pool)
        else:
            pools.append((pool, demands))
    return pools


@dataclass(frozen=True, slots=True)
class _Filling:
    """What was handed out."""

    pools: dict[PoolKind, Filled]
    seated: Subnets
    asns: AsnPlan


def _addressing(topology: Topology, lock: Lock, cables: _Cables, filling: _Filling) -> Addressing:
    filled, seated, asns = filling.pools, filling.seated, filling.asns
    links, hosts = filled.get(LINKS), filled.get(HOSTS)
    interfaces = port_addresses(links, cables.links) if links else []
    interfaces += [
        InterfaceAddress(end.device, end.port, None, None, unnumbered=True)
        for link in cables.unnumbered
        for end in (link.a, link.b)
    ]
    interfaces += port_addresses(hosts, cables.hosts) if hosts else []
    interfaces += seated.interfaces
    parallel = "" if cables.numbered else parallel_note(cables.links)
    return Addressing(
        loopbacks=loopback_addresses(topology, filled[LOOPBACKS]) if filled else (),
        interfaces=tuple(interfaces),
        host_subnets=(*(host_subnets(topology, hosts) if hosts else ()), *seated.subnets),
        host_aggregates=(hosts.pool.prefix,) if hosts else (),
        asns=asns.asns,
        asn_scheme=asns.scheme,
        asn_reason=asns.reason,
        pools=(*map(_usage, filled.values()), ("asn", asns.range_text, asns.used, asns.size)),
        lock=_new_lock(lock, filling),
        notes=(parallel,) if parallel else (),
        valleys_refused=asns.valleys_refused,
    )


def _usage(filled: Filled) -> tuple[str, str, int, int]:
    pool = filled.pool
    return (pool.kind.key, pool.prefix, len(filled.units), pool.capacity)


def _new_lock(lock: Lock, filling: _Filling) -> Lock:
    """New rows of the pools that were filled, the others as they were."""
    filled, asns = filling.pools, filling.asns
    done = {kind.row for kind in filled} | {"asn", NIC_ROWS}
    rows = [row for row in lock.rows if row.pool not in done]
    rows += [row for f in filled.values() for row in f.rows]
    rows += [*filling.seated.rows, *asns.rows]
    pools = dict(lock.pools) | {kind.row: f.pool.prefix for kind, f in filled.items()}
    pools["asn"] = str(asns.base)
    return Lock(lock.fabric, sorted_rows(rows), tuple(sorted(pools.items())))
