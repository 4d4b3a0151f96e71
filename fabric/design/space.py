"""A pool as the allocator sees it, and the rows that a lock brings along."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.model.addressing import LockRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Space:
    """``capacity`` units, numbered from 0.

    ``aligned``: a block starts at a multiple of its size, so that it is one prefix.
    ``lowest``: units below are handed out when nothing else is left.
    ``behind``: a new block goes behind all others while there is room, otherwise into the first
    gap. ``one_home``: a member has one place in the pool, whoever its owner is.
    ``blocked``: units that cannot be handed out.
    """

    pool: str
    capacity: int
    aligned: bool = False
    lowest: int = 0
    behind: bool = True
    one_home: bool = False
    blocked: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Demand:
    """An owner and its members in the order in which new ones are placed."""

    owner: str
    members: tuple[str, ...]
    lowest: int = 0  # where this owner's blocks begin while there is room
    least: int = 1  # units of a block; more than one: it is one prefix, and stays whole
    block: int = 1  # least size of a block while there is room, a power of two


def home(space: Space, owner: str, member: str) -> tuple[str, str]:
    """What names a place: the member, within its owner unless it has one place in all."""
    return ("" if space.one_home else owner, member)


def row_faults(space: Space, rows: Sequence[LockRow]) -> list[str]:
    """What is wrong with rows read from a lock: they overlap, or a member has two places."""
    faults: list[str] = []
    end, last = 0, ""
    seen: set[tuple[str, str]] = set()
    for row in sorted(rows, key=lambda row: row.start):
        if row.start < end:
            faults.append(f"the {space.pool} blocks of '{last}' and '{row.key}' overlap")
        if row.start + row.size > end:
            end, last = row.start + row.size, row.key
        for member in filter(None, row.members):
            where = home(space, row.key, member)
            if where in seen:
                faults.append(f"'{member}' has two places in the {space.pool} blocks")
            seen.add(where)
    return faults


def live_runs(
    space: Space, rows: Iterable[LockRow], demands: Iterable[Demand]
) -> tuple[LockRow, ...]:
    """The rows cut down to the places of demanded members; blocks that are one prefix stay."""
    wanted = list(demands)
    live = {home(space, demand.owner, m) for demand in wanted for m in demand.members}
    whole = {demand.owner for demand in wanted if demand.least > 1}
    runs: list[LockRow] = []
    for row in rows:
        if row.key in whole:
            runs.append(row)
            continue
        run: list[str] = []
        for place, member in enumerate((*row.members, "")):
            if member and home(space, row.key, member) in live:
                run.append(member)
            elif run:
                start = row.start + place - len(run)
                runs.append(LockRow(row.pool, row.key, start, len(run), tuple(run)))
                run = []
    return tuple(runs)


def within(space: Space, rows: Iterable[LockRow]) -> tuple[LockRow, ...]:
    """The parts of the rows that lie inside the pool (it may have been cut since)."""
    inside: list[LockRow] = []
    for row in rows:
        low, high = max(row.start, 0), min(row.start + row.size, space.capacity)
        if low < high:
            members = row.members[low - row.start : high - row.start]
            inside.append(replace(row, start=low, size=high - low, members=members))
    return tuple(inside)
