"""Hosts in VLANs: for each leaf and VLAN a subnet with a gateway, and in it a place for each NIC.

A VLAN lies on one leaf. The n-th NIC of a host on its leaf sits in the leaf's n-th VLAN, so that
no two NICs of a host share a subnet. A subnet is a /24, or larger where more NICs need it at once;
it keeps its size, so that a host more changes no mask.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.design.space import Demand
from fabric.model.addressing import HostSubnet, InterfaceAddress, LockRow
from fabric.model.finding import Problem
from fabric.model.names import natural_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fabric.design.addressing.placing import Filled
    from fabric.design.attachments import Attachment
    from fabric.model.addressing import Lock
    from fabric.model.platform import VlanWords

FIRST_VLAN = 100
NIC_ROWS = "nic"  # rows of the lock: places of NICs in a subnet
_LEAST_UNITS = 128  # a unit of the host pool is a /31
_RESERVED = 3  # network, gateway, broadcast
_FIRST_HOST = 2
_PLACE = "subnet"


@dataclass(frozen=True, slots=True)
class Segment:
    """One VLAN of one leaf. ``key``: owner of its rows in the lock."""

    leaf: str
    vlan: int
    seats: tuple[Attachment, ...]

    @property
    def key(self) -> str:
        """No name of a device has a colon."""
        return f"{self.leaf}:vlan{self.vlan}"


@dataclass(frozen=True, slots=True)
class Subnets:
    """What the VLANs add to the addressing."""

    subnets: tuple[HostSubnet, ...]
    interfaces: tuple[InterfaceAddress, ...]
    rows: tuple[LockRow, ...]


def segments(seats: Iterable[Attachment]) -> tuple[Segment, ...]:
    """The VLANs that these NICs sit in, by leaf and VLAN."""
    of: dict[tuple[str, int], list[Attachment]] = {}
    for seat in seats:
        of.setdefault((seat.leaf.device, FIRST_VLAN + seat.ordinal - 1), []).append(seat)
    order = sorted(of, key=lambda place: (natural_key(place[0]), place[1]))
    return tuple(Segment(leaf, vlan, tuple(of[leaf, vlan])) for leaf, vlan in order)


def segment_demands(found: Iterable[Segment]) -> list[Demand]:
    """A whole prefix of the host pool for each."""
    return [
        Demand(one.key, (_PLACE,), least=max(_LEAST_UNITS, (len(one.seats) + _RESERVED + 1) // 2))
        for one in found
    ]


def place_nics(
    found: Sequence[Segment],
    filled: Filled,
    lock: Lock,
    words: Mapping[str, VlanWords],
    rails: Mapping[str, int | None],
) -> Subnets | tuple[Problem, ...]:
    """Addresses of gateways and NICs. ``words``: VLANs in the words of each leaf's system."""
    block = {row.key: row for row in filled.rows}
    kept = {row.key: row for row in lock.rows if row.pool == NIC_ROWS}
    subnets: list[HostSubnet] = []
    interfaces: list[InterfaceAddress] = []
    rows: list[LockRow] = []
    problems: list[Problem] = []
    for one in found:
        places, pool = block[one.key], filled.pool
        prefixes = pool.prefixes(places.start, places.size)
        row = _seated(one, kept.get(one.key), 2 * places.size - _RESERVED)
        if len(prefixes) > 1 or len(row.members) > row.size:
            problems.append(_outgrown(one, prefixes, row))
            continue
        length = prefixes[0].rpartition("/")[2]
        first = pool.first(places.start)
        gateway = f"{pool.text(first + 1)}/{length}"
        svi = words[one.leaf].name(one.vlan)
        seat_of = {member: place for place, member in enumerate(row.members)}
        subnets.append(HostSubnet(one.leaf, prefixes[0], rails[one.leaf], one.vlan, gateway))
        interfaces.append(InterfaceAddress(one.leaf, svi, gateway, None))
        for seat in one.seats:
            place = first + _FIRST_HOST + seat_of[seat.member]
            own = f"{pool.text(place)}/{length}"
            interfaces.append(InterfaceAddress(seat.nic.device, seat.nic.port, own, None))
            interfaces.append(InterfaceAddress(one.leaf, seat.leaf.port, None, None, vlan=one.vlan))
        rows.append(row)
    known = {one.key for one in found}
    rows += [row for key, row in kept.items() if key not in known and key in block]
    return tuple(problems) or Subnets(tuple(subnets), tuple(interfaces), tuple(rows))


def _seated(one: Segment, kept: LockRow | None, capacity: int) -> LockRow:
    """Who had a place keeps it; the places of removed NICs are given away last."""
    members = list(kept.members if kept else ())
    wanted = sorted((seat.member for seat in one.seats), key=natural_key)
    here = set(members)
    new = [member for member in wanted if member not in here]
    fresh, rest = new[: max(0, capacity - len(members))], new[max(0, capacity - len(members)) :]
    members += fresh
    live = set(wanted)
    for place, member in enumerate(members):
        if rest and member not in live:
            members[place] = rest.pop(0)
    return LockRow(NIC_ROWS, one.key, 0, capacity, (*members, *rest))


def _outgrown(one: Segment, prefixes: Sequence[str], row: LockRow) -> Problem:
    message = (
        f"the host subnet {' + '.join(prefixes)} of {one.leaf} holds {row.size} NICs, "
        f"{len(one.seats)} needed"
    )
    fix = "fewer hosts a leaf, or delete the lock to number everything afresh"
    return Problem("RCE201", ("addressing", "pools", "hosts"), message, fix, subject=one.leaf)
