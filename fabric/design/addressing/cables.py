"""Which cables get a /31 or /127, from which block, and what stands on their two ports."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.design.space import Demand
from fabric.model.addressing import HostSubnet, InterfaceAddress
from fabric.model.names import natural_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.design.addressing.placing import Filled
    from fabric.design.attachments import Attachment
    from fabric.model.topology import End, Link, Topology


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable that gets a /31 or /127: ``near`` owns the block and has the lower address.

    A bond that ends on two leaves has one /31 with both of them; the pair has a block of its own.
    """

    near: End
    far: End
    member: str  # the far end's place in the block
    second: End | None = None  # has the lower address too: the other leaf of a pair

    @property
    def owner(self) -> str:
        """Whose block it is in: the near device's, or that of a pair of leaves."""
        if self.second is None:
            return self.near.device
        return _pair_owner((self.near.device, self.second.device))


def fabric_cables(topology: Topology, *, numbered: bool) -> tuple[list[Cable], list[Link]]:
    """Switch–switch cables with addresses, and those without (unnumbered).

    Parallel cables always get one: where all ports of a switch share one MAC (SONiC), their
    link-local addresses are equal and only one unnumbered session would come up
    (sonic-net/sonic-buildimage#12042).
    """
    pairs = Counter(_pair(link) for link in topology.fabric_links)
    cables: list[Cable] = []
    unnumbered: list[Link] = []
    lower = _lower_first(topology)
    for link in topology.fabric_links:
        if numbered or pairs[_pair(link)] > 1:
            near, far = sorted((link.a, link.b), key=lambda end: lower[end.device])
            cables.append(Cable(near, far, _member(far.device, link)))
        else:
            unnumbered.append(link)
    return cables, unnumbered


def host_cables(routed: Iterable[Attachment]) -> list[Cable]:
    """NICs on routed ports; the leaf owns the block and has the lower address."""
    return [Cable(one.leaf, one.nic, one.member, one.second) for one in routed]


def cable_demands(topology: Topology, cables: Iterable[Cable]) -> list[Demand]:
    """What each switch needs: by n-th cable of a pair, then by the far device in natural order.

    Pairs of leaves come behind all switches.

    Only the order of a first plan: later the lock says whose a place is, so that a spine, host
    or cable added in the middle moves nothing.
    """
    of: dict[str, list[str]] = {}
    for cable in cables:
        of.setdefault(cable.owner, []).append(cable.member)
    names = [switch.name for switch in topology.switches_in_order()]
    pairs = sorted(of.keys() - {*names}, key=natural_key)
    return [
        Demand(name, tuple(sorted(of[name], key=_member_key)))
        for name in (*names, *pairs)
        if name in of
    ]


def port_addresses(filled: Filled, cables: Iterable[Cable]) -> list[InterfaceAddress]:
    """Both ends of each cable, with their length."""
    pool, units = filled.pool, filled.units
    length = pool.bits - pool.kind.unit_bits
    v6 = pool.kind.version == 6  # noqa: PLR2004 — the version's own number
    found: list[InterfaceAddress] = []
    for cable in cables:
        first = pool.first(units[cable.owner, cable.member])
        ends = [(cable.near, first), (cable.far, first + 1)]
        if cable.second is not None:
            ends.append((cable.second, first))
        for end, address in ends:
            text = f"{pool.text(address)}/{length}"
            v4, other = (None, text) if v6 else (text, None)
            found.append(InterfaceAddress(end.device, end.port, v4, other))
    return found


def host_subnets(topology: Topology, filled: Filled) -> tuple[HostSubnet, ...]:
    """What each leaf announces: its blocks, whole, so that a host more changes no route.

    Reserve and removed hosts included; blocks without a host are left out. Of the block of a pair
    of leaves both announce each /31 in use by itself: a leaf that has lost its cable to one host
    must be able to stop announcing that host alone.
    """
    rails = rails_of(topology)
    live = {(owner, unit) for (owner, _), unit in filled.units.items()}
    pairs = {_pair_owner(lag.pair): lag.pair for lag in topology.lags if lag.pair}
    subnets: list[HostSubnet] = []
    for row in filled.rows:
        if row.key in rails and any(
            (row.key, row.start + place) in live for place in range(len(row.members))
        ):
            subnets += [
                HostSubnet(row.key, prefix, rails[row.key], None, None)
                for prefix in filled.pool.prefixes(row.start, row.size)
            ]
    subnets += [
        HostSubnet(leaf, prefix, rails[leaf], None, None, of_port=True)
        for unit, owner in sorted((unit, owner) for owner, unit in live if owner in pairs)
        for prefix in filled.pool.prefixes(unit, 1)
        for leaf in pairs[owner]
    ]
    return tuple(subnets)


def merged(addresses: Iterable[InterfaceAddress]) -> tuple[InterfaceAddress, ...]:
    """One entry a port, in the order of first mention: of two families on one port make one."""
    by_port: dict[tuple[str, str], InterfaceAddress] = {}
    for item in addresses:
        here = by_port.get((item.device, item.port))
        if here is not None:
            item = _both(here, item)  # noqa: PLW2901
        by_port[item.device, item.port] = item
    return tuple(by_port.values())


def _both(one: InterfaceAddress, other: InterfaceAddress) -> InterfaceAddress:
    return replace(one, v4=one.v4 or other.v4, v6=one.v6 or other.v6, vlan=one.vlan or other.vlan)


def parallel_note(cables: Iterable[Cable], families: Iterable[str]) -> str:
    """The note for parallel cables in an unnumbered fabric; empty: there are none."""
    lengths = " and ".join("/31" if family == "ipv4" else "/127" for family in families)
    pairs = sorted(
        {(cable.near.device, cable.far.device) for cable in cables},
        key=lambda pair: (natural_key(pair[0]), natural_key(pair[1])),
    )
    if not pairs:
        return ""
    first = "–".join(pairs[0])
    return (
        f"Parallel cables keep a {lengths} each though links are unnumbered ({len(pairs)} pairs, "
        f"first {first}): the ports of a switch may share one MAC, hence one link-local address"
    )


def _pair_owner(leaves: Sequence[str]) -> str:
    """Owner of the block of two leaves: no name of a device has a colon."""
    return ":".join(leaves)


def _pair(link: Link) -> tuple[str, str]:
    return (min(link.a.device, link.b.device), max(link.a.device, link.b.device))


def _member(device: str, link: Link) -> str:
    """``spine-0``, or ``spine-0:2`` for the second cable between the two."""
    ordinal = link.id.rpartition(":")[2]
    return device if ordinal == "1" else f"{device}:{ordinal}"


def _member_key(member: str) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    device, _, ordinal = member.partition(":")
    return (int(ordinal or 1), natural_key(device))


def _lower_first(topology: Topology) -> dict[str, int]:
    """Rank of each switch by tier, then natural order: the lower one owns the block."""
    return {switch.name: rank for rank, switch in enumerate(topology.switches_in_order())}


def rails_of(topology: Topology) -> dict[str, int | None]:
    """Leaves with hosts, and the rail of each that serves one alone, where there are several."""
    rail_at = {(h.name, d): nic.rail for h in topology.hosts for nic in h.ports for d in nic.cabled}
    of: dict[str, set[int]] = {}
    for link in topology.host_links:
        of.setdefault(link.b.device, set()).add(rail_at[link.a.device, link.a.port])
    several = len(set(rail_at.values())) > 1
    return {
        leaf: next(iter(rails)) if several and len(rails) == 1 else None
        for leaf, rails in of.items()
    }
