"""Host prefixes of a rail inside one prefix: the IPv4 host pool dealt out to the rails."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.design.addressing.placing import Filled, fill, rebased
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fabric.design.addressing.pools import Pool
    from fabric.design.space import Demand
    from fabric.model.addressing import Lock, LockRow

_LEAST_BITS = 4  # a sixteenth a rail: servers have up to sixteen NICs, so growth moves none


def single_rails(rail_of: Mapping[str, int | None]) -> dict[str, int] | None:
    """The rail of each leaf; ``None`` where one serves several, or there is one rail alone."""
    rails = {leaf: rail for leaf, rail in rail_of.items() if rail is not None}
    return rails if rails and len(rails) == len(rail_of) else None


def rail_share_bits(rails: Mapping[str, int]) -> int:
    """How many bits longer than the pool the prefix of one rail is."""
    last = max(rails.values(), default=0)
    return max(_LEAST_BITS, last.bit_length())


def fill_by_rail(
    pool: Pool, lock: Lock, demands: Sequence[Demand], rail_of: Mapping[str, int]
) -> Filled | list[Problem]:
    """Place all demands, those of rail r in the r-th equal part of the pool."""
    bits = rail_share_bits(rail_of)
    moved = rebased(pool, lock, [row for row in lock.rows if row.pool == pool.kind.row])
    if isinstance(moved, Problem):
        return [moved]
    size = pool.capacity >> bits
    if not size:
        return [_no_share(pool, bits)]
    problems: dict[int, Problem] = {}
    rows: list[LockRow] = []
    units: dict[tuple[str, str], int] = {}
    of = _rows_by_rail(moved, rail_of, size)
    for rail in sorted({*rail_of.values(), *(r for r in of if r < 1 << bits)}):
        share = _share(pool, rail, bits)
        own = [demand for demand in demands if rail_of[demand.owner] == rail]
        known = replace(lock, rows=tuple(of.get(rail, ())), pools=((pool.kind.row, pool.prefix),))
        filled = fill(share, known, own)
        if isinstance(filled, Problem):
            problems[rail] = _of_rail(filled, rail, pool, share, own)
            continue
        rows += [replace(row, start=row.start + rail * size) for row in filled.rows]
        units |= {key: unit + rail * size for key, unit in filled.units.items()}
    return one_of_many(problems) or Filled(pool, tuple(rows), units)


def one_of_many(problems: Mapping[int, Problem]) -> list[Problem]:
    """One problem of each rule, of the first rail that has it, and how many rails more have it."""
    of: dict[str, list[Problem]] = {}
    for _, problem in sorted(problems.items()):
        of.setdefault(problem.rule, []).append(problem)
    return [
        replace(same[0], message=same[0].message + _more_rails(len(same) - 1))
        for same in of.values()
    ]


def _more_rails(count: int) -> str:
    return f" (and {count} more {'rail' if count == 1 else 'rails'})" if count else ""


def share_prefix(pool: Pool, rails: Mapping[str, int], rail: int) -> str:
    """The prefix that a rail's host prefixes lie in."""
    return _share(pool, rail, rail_share_bits(rails)).prefix


def _share(pool: Pool, rail: int, bits: int) -> Pool:
    length = pool.length + bits
    base = pool.base + (rail << (pool.bits - length))
    return replace(pool, prefix=f"{pool.text(base)}/{length}", base=base, length=length)


def _rows_by_rail(
    rows: Iterable[LockRow], rail_of: Mapping[str, int], size: int
) -> dict[int, list[LockRow]]:
    """A leaf's rows by its rail; those of a leaf that is gone by where they are."""
    of: dict[int, list[LockRow]] = {}
    for row in rows:
        of.setdefault(rail_of.get(row.key, max(0, row.start // size)), []).append(row)
    return of


def _no_share(pool: Pool, bits: int) -> Problem:
    message = f"{pool.kind.title} {pool.prefix} has no room for {1 << bits} rail aggregates"
    length = pool.bits - pool.kind.unit_bits - bits
    return Problem("RCE201", pool.path, message, f"use at least a /{length}")


def _of_rail(
    problem: Problem, rail: int, pool: Pool, share: Pool, demands: Sequence[Demand]
) -> Problem:
    """What is wrong with a part, said of the whole pool."""
    if problem.rule == "RCE206" and problem.path == pool.path:
        message = f"the lock gives NICs of rail {rail} addresses outside {share.prefix}"
        fix = "leave rail_aggregates as it was, or delete the lock to number everything afresh"
        return Problem("RCE206", ("addressing", "rail_aggregates"), message, fix)
    if problem.rule != "RCE201":
        return problem
    needed = sum(len(demand.members) for demand in demands)
    length = pool.length - (share.length - share.length_for(needed))
    message = (
        f"rail {rail} has {share.prefix} of {pool.kind.title} {pool.prefix}, which holds "
        f"{share.capacity} {pool.kind.unit}, {needed} needed: use at least a /{length}"
    )
    return Problem("RCE201", pool.path, message, "a wider pool, or rail_aggregates: false")
