"""Addresses, ASNs and the lock: what is new finds its place, what has one keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.addressing.assembling import Cables, Numbering, assembled
from fabric.design.addressing.cables import cable_demands, fabric_cables, rails_of
from fabric.design.addressing.host_ports import host_ports, not_built, vlan_words
from fabric.design.addressing.leaf_subnets import (
    NicPlaces,
    nic_places,
    rails_that_ran_out,
    subnet_demands,
)
from fabric.design.addressing.loopbacks import loopback_demands
from fabric.design.addressing.overlaps import management_overlaps, pool_overlaps
from fabric.design.addressing.placing import Filled, fill
from fabric.design.addressing.pools import (
    HOSTS,
    HOSTS_V6,
    LINKS,
    LINKS_V6,
    LOOPBACKS,
    LOOPBACKS_V6,
    Pool,
    PoolKind,
    read_pool,
)
from fabric.design.addressing.rails import fill_by_rail, single_rails
from fabric.design.addressing.subnets import Subnets, place_nics, segment_demands
from fabric.design.asn import plan_asns
from fabric.model.addressing import Addressing, Lock
from fabric.model.finding import Problem, ProblemError

if TYPE_CHECKING:
    from fabric.design.space import Demand
    from fabric.model.intent import Intent
    from fabric.model.topology import Topology


def allocate(topology: Topology, intent: Intent, lock: Lock | None = None) -> Addressing:
    """Addresses and ASNs of everything, and the lock that keeps them.

    ``lock``: what was handed out before; rows of pools that are not handled here (ports) are
    passed on as they come, so hand in the lock with the rows that wiring returned.

    Raises:
        ProblemError: RCE006 (a prefix), RCE010, RCE023 (a system without VLANs), RCE201–204,
            RCE206: all at once.
    """
    problems = not_built(intent)
    if problems:
        raise ProblemError(tuple(problems))
    if lock is None or lock.fabric != intent.name:
        problems += _foreign(lock, intent)
        lock = Lock(intent.name)
    cables = _cables(topology, intent)
    words = vlan_words(topology, intent, cables.segments, problems)
    pools = _pools(topology, intent, cables, problems)
    filled: dict[PoolKind, Filled] = {}
    for pool, demands in pools:
        outcome = _fill(pool, demands, topology, intent, lock)
        if isinstance(outcome, Filled):
            filled[pool.kind] = outcome
        else:
            problems += outcome
    places = nic_places(
        lock, cable_demands(topology, cables.hosts) if intent.addressing.has_v6 else ()
    )
    if isinstance(places, Problem):
        problems.append(places)
        places = NicPlaces((), {})
    # Router ids are numbers, not addresses: with IPv6 alone their pool meets nothing.
    addresses = [
        pool for pool, _ in pools if pool.kind is not LOOPBACKS or intent.addressing.has_v4
    ]
    problems += pool_overlaps(addresses)
    problems += management_overlaps(addresses, intent.management)
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
    return assembled(topology, intent, lock, Numbering(cables, filled, places, seated, asns))


def _cables(topology: Topology, intent: Intent) -> Cables:
    numbered = intent.addressing.link_numbering == "numbered"
    links, unnumbered = fabric_cables(topology, numbered=numbered)
    return Cables(links, unnumbered, *host_ports(topology, intent), numbered)


def _foreign(lock: Lock | None, intent: Intent) -> list[Problem]:
    if lock is None:
        return []
    message = f"the lock is of fabric '{lock.fabric}', this is '{intent.name}'"
    fix = "after a renaming write the new name into the lock; otherwise delete it"
    return [Problem("RCE206", ("fabric",), message, fix)]


def _pools(
    topology: Topology, intent: Intent, cables: Cables, problems: list[Problem]
) -> list[tuple[Pool, list[Demand]]]:
    """The pools in use with what they must hold; faulty ones go to ``problems``."""
    policy, rails = intent.addressing, rails_of(topology)
    links = cable_demands(topology, cables.links)
    hosts = cable_demands(topology, cables.hosts)
    wanted: list[tuple[PoolKind, str | None, list[Demand]]] = [
        (LOOPBACKS, policy.loopbacks_v4, loopback_demands(topology))
    ]
    if intent.addressing.has_v4:
        vlans = segment_demands(cables.segments)
        wanted += [(LINKS, policy.links_v4, links), (HOSTS, policy.hosts_v4, [*hosts, *vlans])]
    if intent.addressing.has_v6:
        wanted += [
            (LOOPBACKS_V6, policy.loopbacks_v6, loopback_demands(topology)),
            (LINKS_V6, policy.links_v6, links),
            (HOSTS_V6, policy.hosts_v6, hosts),
        ]
    pools: list[tuple[Pool, list[Demand]]] = []
    for kind, prefix, demands in wanted:
        if not demands:
            continue
        pool = read_pool(kind, prefix or "")
        if isinstance(pool, Problem):
            problems.append(pool)
        elif kind is HOSTS_V6:
            pools.append((pool, subnet_demands(topology, rails, pool)))
        else:
            pools.append((pool, demands))
    return pools


def _fill(
    pool: Pool, demands: list[Demand], topology: Topology, intent: Intent, lock: Lock
) -> Filled | list[Problem]:
    """One pool filled, rail by rail where that is asked for."""
    if pool.kind is HOSTS and intent.addressing.rail_aggregates:
        rails = single_rails(rails_of(topology))
        if rails is None:
            message = "rail_aggregates: a leaf of this fabric serves several rails, or all one"
            fix = "leave it out"
            return [Problem("RCE006", ("addressing", "rail_aggregates"), message, fix)]
        return fill_by_rail(pool, lock, demands, rails)
    outcome = fill(pool, lock, demands)
    if isinstance(outcome, Problem):
        return [outcome]
    if pool.kind is HOSTS_V6:
        return rails_that_ran_out(outcome, rails_of(topology)) or outcome
    return outcome
