"""IPv6 of hosts: a /64 for each leaf that has some, and in it a /127 for each NIC.

The leaf announces its /64 alone, whatever becomes of its NICs. Where every leaf serves one rail,
the /64s of a rail stand in one block of the pool, which is the rail's aggregate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.design.addressing.placing import RENUMBER
from fabric.design.addressing.rails import one_of_many, rail_share_bits, single_rails
from fabric.design.blocks import assign
from fabric.design.groups import block_of
from fabric.design.space import Demand, Space, row_faults
from fabric.model.addressing import HostSubnet, InterfaceAddress
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fabric.design.addressing.cables import Cable
    from fabric.design.addressing.placing import Filled
    from fabric.design.addressing.pools import Pool
    from fabric.model.addressing import Lock, LockRow
    from fabric.model.topology import Topology

NIC_ROW = "nic_v6"
_MOST_NICS = 1 << 16  # far below the reserved interface ids at the end of a /64
_LENGTH = 127  # RFC 6164


@dataclass(frozen=True, slots=True)
class NicPlaces:
    """The places of NICs in the /64s of their leaves, and the lock's rows of them."""

    rows: tuple[LockRow, ...]
    units: dict[tuple[str, str], int]


def subnet_demands(
    topology: Topology, rail_of: Mapping[str, int | None], pool: Pool
) -> list[Demand]:
    """One /64 a leaf of ``rail_of``: side by side by rail where each has one, else by role and pod.

    Each rail reserves a sixteenth of the pool (less where there are more than 16 rails).
    """
    rails = single_rails(rail_of)
    of: dict[str, list[str]] = {}
    for switch in topology.switches_in_order():
        if switch.name in rail_of:
            owner = _owner(rails[switch.name]) if rails else block_of(switch)
            of.setdefault(owner, []).append(switch.name)
    if rails is None:
        return [Demand(owner, tuple(members)) for owner, members in of.items()]
    share = pool.capacity >> rail_share_bits(rails)
    return [
        Demand(_owner(rail), tuple(of[_owner(rail)]), rail * share, max(1, share))
        for rail in sorted(set(rails.values()))
    ]


def _owner(rail: int) -> str:
    return f"rail {rail}"


def rail_prefixes(filled: Filled, rails: Mapping[str, int]) -> dict[int, str | None]:
    """The prefix over all /64s of each rail; ``None``: they are not in one block of its own."""
    unit_of = {leaf: unit for (_, leaf), unit in filled.units.items()}
    found: dict[int, str | None] = {}
    for rail in sorted(set(rails.values())):
        units = [unit_of[leaf] for leaf, its in rails.items() if its == rail]
        homes = [
            filled.pool.prefixes(row.start, row.size)
            for row in filled.rows
            if row.key == _owner(rail) and all(0 <= unit - row.start < row.size for unit in units)
        ]
        found[rail] = homes[0][0] if homes and len(homes[0]) == 1 else None
    return found


def rails_that_ran_out(filled: Filled, rail_of: Mapping[str, int | None]) -> list[Problem]:
    """RCE201 if there are rails whose /64s do not fit one block."""
    rails = single_rails(rail_of)
    problems: dict[int, Problem] = {}
    for rail, prefix in rail_prefixes(filled, rails).items() if rails else ():
        own = [row for row in filled.rows if row.key == _owner(rail)]
        if prefix is None and len(own) > 1:
            need = sum(its == rail for its in rails.values()) if rails else 0
            message = (
                f"rail {rail} has room for {max(row.size for row in own)} leaves in "
                f"{filled.pool.kind.title} {filled.pool.prefix}, {need} needed"
            )
            fix = "use a wider pool, and delete the lock to number everything afresh"
            problems[rail] = Problem("RCE201", filled.pool.path, message, fix)
    return one_of_many(problems)


def nic_places(lock: Lock, demands: Sequence[Demand]) -> NicPlaces | Problem:
    """A place in its leaf's /64 for each NIC; one that has a place keeps it."""
    space = Space(NIC_ROW, _MOST_NICS)
    kept = [row for row in lock.rows if row.pool == NIC_ROW]
    of: dict[str, list[LockRow]] = {}
    for row in kept:
        of.setdefault(row.key, []).append(row)
    units: dict[tuple[str, str], int] = {}
    for demand in demands:
        rows = of.get(demand.owner, [])
        faults = row_faults(space, rows)
        if faults:
            return Problem("RCE206", (), f"the lock contradicts itself: {faults[0]}", RENUMBER)
        placed = assign(space, rows, [demand])  # no leaf has 65,536 ports
        of[demand.owner] = list(placed.rows)
        units |= placed.units
    return NicPlaces(tuple(row for rows in of.values() for row in rows), units)


def leaf_subnets(filled: Filled, rails: Mapping[str, int | None]) -> tuple[HostSubnet, ...]:
    """What each leaf announces: its /64."""
    ordered = sorted(((unit, leaf) for (_, leaf), unit in filled.units.items()))
    return tuple(
        HostSubnet(leaf, filled.pool.prefixes(unit, 1)[0], rails[leaf], None, None)
        for unit, leaf in ordered
    )


def nic_addresses(
    filled: Filled, places: NicPlaces, cables: Iterable[Cable]
) -> list[InterfaceAddress]:
    """Both ends of each cable to a NIC. Place 0 is ``::2/127``: ``::`` is an anycast address."""
    pool = filled.pool
    first_of = {leaf: pool.first(unit) for (_, leaf), unit in filled.units.items()}
    found: list[InterfaceAddress] = []
    for cable in cables:
        place = places.units[cable.near.device, cable.member]
        near = first_of[cable.near.device] + 2 * (place + 1)
        for end, address in ((cable.near, near), (cable.far, near + 1)):
            text = f"{pool.text(address)}/{_LENGTH}"
            found.append(InterfaceAddress(end.device, end.port, None, text))
    return found
