"""One pool: the lock's rows fitted to it, then a unit for everything that needs one."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.design.addressing.pools import HOSTS_V6, LOOPBACKS, LOOPBACKS_V6, Pool
from fabric.design.blocks import PoolFullError, assign
from fabric.design.space import Demand, Space, home, row_faults, within
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.addressing import Lock, LockRow

RENUMBER = "put the pool back, or delete the lock to number everything afresh"
_NAMED = 3  # how many a message names before it counts


@dataclass(frozen=True, slots=True)
class Filled:
    """A pool with its rows and the unit of each demanded (owner, member)."""

    pool: Pool
    rows: tuple[LockRow, ...]
    units: dict[tuple[str, str], int]


def fill(pool: Pool, lock: Lock, demands: Sequence[Demand]) -> Filled | Problem:
    """Place all demands; what the lock holds keeps its address, even in a widened pool."""
    space = _space(pool)
    needed = sum(max(len(demand.members), demand.least) for demand in demands)
    whole = {demand.owner for demand in demands if demand.least > 1}
    if needed > pool.free:
        return _too_small(pool, needed, "/31s" if whole else pool.kind.unit)
    rows = tuple(row for row in lock.rows if row.pool == pool.kind.row)
    faults = row_faults(space, rows)
    if faults:
        return Problem("RCE206", (), f"the lock contradicts itself: {faults[0]}", RENUMBER)
    moved = rebased(pool, lock, rows)
    if isinstance(moved, Problem):
        return moved
    inside = within(space, moved)
    lost = _outside(space, moved, inside, demands)
    lost += [row.key for row in inside if row.key in whole and row not in moved]
    if lost:
        return _does_not_fit(pool, lost)
    try:
        placed = assign(space, inside, demands)
    except PoolFullError:  # enough units, counted above, but no gap for a whole prefix
        return _too_small(pool, 2 * pool.free, "/31s")
    return Filled(pool, placed.rows, placed.units)


def _space(pool: Pool) -> Space:
    """Blocks of /31s and /64s start where they are one prefix.

    A loopback, like a leaf's /64, stays when its switch changes group; the loopback pool's first
    address, whose host part is zero, is handed out last.
    """
    row, usable = pool.kind.row, pool.usable
    blocked = frozenset(range(usable.start))
    if pool.kind in (LOOPBACKS, LOOPBACKS_V6):
        return Space(row, usable.stop, lowest=1, one_home=True, blocked=blocked)
    one_home = pool.kind is HOSTS_V6
    return Space(row, usable.stop, aligned=True, one_home=one_home, blocked=blocked)


def _too_small(pool: Pool, needed: int, unit: str) -> Problem:
    kind = pool.kind
    wider = next(w for w in map(pool.widened, range(pool.length - 1, -1, -1)) if w.free >= needed)
    message = (
        f"{kind.title} {pool.prefix} holds {pool.free} {unit}, "
        f"{needed} needed: use at least a /{wider.length}"
    )
    return Problem("RCE201", pool.path, message, f"for example {wider.prefix}")


def rebased(pool: Pool, lock: Lock, rows: Sequence[LockRow]) -> tuple[LockRow, ...] | Problem:
    """The rows with the same addresses, counted from the pool's present first address."""
    if not rows:
        return ()
    old = dict(lock.pools).get(pool.kind.row)
    try:
        network = ipaddress.ip_network(old or "")
    except ValueError:
        message = f"the lock does not say which prefix its {pool.kind.row} blocks were cut from"
        return Problem("RCE206", (), message, "restore the lock from version control")
    if network.max_prefixlen != pool.bits:
        message = f"the lock's {pool.kind.row} blocks were cut from {old}, not from {pool.prefix}"
        return Problem("RCE206", pool.path, message, RENUMBER)
    shift = (int(network.network_address) - pool.base) >> pool.kind.unit_bits
    return tuple(replace(row, start=row.start + shift) for row in rows)


def _outside(
    space: Space, rows: Sequence[LockRow], inside: Sequence[LockRow], demands: Sequence[Demand]
) -> list[str]:
    """Demanded members whose place fell out of the pool."""

    def homes(some: Sequence[LockRow]) -> set[tuple[str, str]]:
        return {home(space, row.key, m) for row in some for m in row.members if m}

    gone = homes(rows) - homes(inside)
    return [
        member if space.one_home else f"{demand.owner}–{member}"
        for demand in demands
        for member in demand.members
        if gone and home(space, demand.owner, member) in gone
    ]


def _does_not_fit(pool: Pool, lost: Sequence[str]) -> Problem:
    names = ", ".join(lost[:_NAMED]) + (f" and {len(lost) - _NAMED} more" * (len(lost) > _NAMED))
    message = f"the lock gives {names} addresses outside {pool.kind.key} pool {pool.prefix}"
    return Problem("RCE206", pool.path, message, RENUMBER)
