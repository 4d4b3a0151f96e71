"""Blocks of a pool: what is new finds its place, what has one keeps it.

A block belongs to an owner (a leaf, a group) and gives each of its members one place. It is
as large as the next power of two, so that a few more members need no new row; after that the
owner gets a further block instead of moving. Removed members and owners keep their places, so
that whoever comes back finds the old address, until the pool would otherwise be too small.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.design.gaps import Gaps
from fabric.design.space import Demand, Space, home, live_runs
from fabric.model.addressing import LockRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Placed:
    """The pool's rows, and the unit of each (owner, member) that was demanded."""

    rows: tuple[LockRow, ...]
    units: dict[tuple[str, str], int]


class PoolFullError(Exception):
    """The pool has fewer units than are needed."""

    def __init__(self, needed: int) -> None:
        super().__init__(f"{needed} needed")
        self.needed = needed


@dataclass(frozen=True, slots=True)
class _Attempt:
    """How hard to look for room. ``exact``: no spare places, one block in several pieces."""

    behind: bool = False
    exact: bool = False
    lowest: bool = True
    keep_removed: bool = True


_ATTEMPTS = (
    _Attempt(behind=True),
    _Attempt(),
    _Attempt(exact=True),
    _Attempt(exact=True, lowest=False),
    _Attempt(exact=True, lowest=False, keep_removed=False),
)


def assign(space: Space, rows: Sequence[LockRow], demands: Sequence[Demand]) -> Placed:
    """Give every demanded member a unit; ``rows`` are sound (``row_faults``) and kept.

    Raises:
        PoolFullError: even with every spare and removed place used, the pool is too small, or
            has no gap for a block that has to be one prefix.
    """
    needed = sum(max(len(demand.members), demand.least) for demand in demands)
    for attempt in _ATTEMPTS:
        if attempt.behind and not space.behind:
            continue
        kept = rows if attempt.keep_removed else live_runs(space, rows, demands)
        filling = _Filling(space, kept, attempt)
        if all(filling.add(demand) for demand in demands):
            return Placed(filling.rows(), filling.units(demands))
    raise PoolFullError(needed)


class _Filling:
    """One attempt at placing all demands."""

    def __init__(self, space: Space, rows: Sequence[LockRow], attempt: _Attempt) -> None:
        self._space = space
        self._attempt = attempt
        self._rows = list(rows)
        self._of: dict[str, list[int]] = defaultdict(list)
        self._unit: dict[tuple[str, str], int] = {}
        for number, row in enumerate(rows):
            self._of[row.key].append(number)
            for place, member in enumerate(row.members):
                if member:
                    self._unit[home(space, row.key, member)] = row.start + place
        taken = [(row.start, row.size) for row in rows]
        self._gaps = Gaps(space.capacity, taken + [(unit, 1) for unit in space.blocked])

    def rows(self) -> tuple[LockRow, ...]:
        """All rows, old and new."""
        return tuple(self._rows)

    def units(self, demands: Iterable[Demand]) -> dict[tuple[str, str], int]:
        """Unit of each demanded (owner, member)."""
        return {
            (demand.owner, member): self._unit[home(self._space, demand.owner, member)]
            for demand in demands
            for member in demand.members
        }

    def add(self, demand: Demand) -> bool:
        """Place what has no place yet; False: no room."""
        owner = demand.owner
        new = [m for m in demand.members if home(self._space, owner, m) not in self._unit]
        if not new:
            return True
        for number in self._of[owner]:
            new = self._use_spare(number, new)
        if not new:
            return True
        blocks = self._new_blocks(demand, len(new))
        for start, size in blocks:
            self._of[owner].append(len(self._rows))
            self._rows.append(LockRow(self._space.pool, owner, start, size))
            new = self._use_spare(len(self._rows) - 1, new)
        return not new

    def _use_spare(self, number: int, new: list[str]) -> list[str]:
        """Fill the free places at the end of a row; returns those left over."""
        row = self._rows[number]
        members = list(row.members)
        left = list(reversed(new))
        while left and len(members) < row.size:
            unit = row.start + len(members)
            if unit in self._space.blocked:
                members.append("")
                continue
            member = left.pop()
            self._unit[home(self._space, row.key, member)] = unit
            members.append(member)
        self._rows[number] = replace(row, members=tuple(members))
        return left[::-1]

    def _new_blocks(self, demand: Demand, count: int) -> list[tuple[int, int]]:
        """(start, size) of the owner's new blocks; a growing owner doubles."""
        space = self._space
        lowest = max(space.lowest, demand.lowest) if self._attempt.lowest else 0
        if self._attempt.exact and demand.least == 1:
            return self._gaps.take_pieces(count, lowest) or []
        held = sum(self._rows[number].size for number in self._of[demand.owner])
        most = max(count, held, demand.least)
        size = max(demand.block, 1 << (most - 1).bit_length())
        step = size if space.aligned else 1
        take = self._gaps.take_at_end if self._attempt.behind else self._gaps.take_first
        start = take(size, step, lowest)
        return [] if start is None else [(start, size)]
