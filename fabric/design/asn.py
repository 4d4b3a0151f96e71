"""ASNs: which scheme, whose number, and what the lock keeps.

RFC 7938 numbering: one ASN for the whole top tier, one for the middle tier of each pod, one for
each leaf. Numbers count from the base B: upper tiers take B, B+1, …, leaves B+1000, B+1001, …
(B+100 where the range is short), so that pods and leaves grow without meeting. When the numbers
below the leaves are used up, the upper tiers go on behind them; nothing moves, for the lock
holds every number. A base inside a private range (RFC 6996) never leaves that range.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.design.asn_scheme import Choice, asn_demands, choose
from fabric.design.asn_written import (
    LAST_ASN,
    RESERVED,
    lock_clashes,
    missing_problem,
    number_fault,
    scheme_problem,
    session_problems,
    written_faults,
)
from fabric.design.blocks import PoolFullError, assign
from fabric.design.space import Space, row_faults
from fabric.design.valleys import refused_pair, valley
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.addressing import Lock, LockRow
    from fabric.model.intent import Intent
    from fabric.model.topology import Topology

POOL = "asn"
PRIVATE = ((64_512, 65_534), (4_200_000_000, 4_294_967_294))  # RFC 6996
_BASE_PATH = ("addressing", "asn", "base")
_LEAVES_FROM = 1000
_SHORT_LEAVES_FROM = 100
_SHORT_RANGE = 10_000
_FIX = "write base: 4200000000, where the private range has 94,967,295 numbers"


@dataclass(frozen=True, slots=True)
class AsnPlan:
    """The number of each switch in the order of the topology, or ``problems``.

    ``used``: numbers of the range that are taken, written ones included.
    """

    base: int
    scheme: str
    problems: tuple[Problem, ...]
    asns: tuple[tuple[str, int], ...] = ()
    reason: str = ""
    valleys_refused: bool = False
    range_text: str = ""
    used: int = 0
    size: int = 0
    rows: tuple[LockRow, ...] = ()


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Numbers by switch: handed out by us, and taken over from a written one of the group."""

    rows: tuple[LockRow, ...]
    generated: dict[str, int]
    joined: dict[str, int]


def plan_asns(topology: Topology, intent: Intent, lock: Lock) -> AsnPlan:
    """Number every switch; what the inventory gives and what the lock holds stays."""
    base = intent.addressing.asn_base
    every = {switch.name: switch.asn for switch in topology.switches if switch.asn is not None}
    problems = written_faults(intent, every)
    written = {name: asn for name, asn in every.items() if not number_fault(asn)}
    problems += scheme_problem(topology, intent)
    choice = choose(topology, intent.addressing.asn_scheme, every)
    numbers: _Numbers | Problem
    if choice.scheme == "explicit":
        problems += missing_problem(topology, every)
        numbers = _Numbers(tuple(row for row in lock.rows if row.pool == POOL), {}, {})
    else:
        numbers = _number(topology, base, lock, choice, written)
    if isinstance(numbers, Problem):
        problems.append(numbers)
    if problems or isinstance(numbers, Problem):
        return AsnPlan(base, choice.scheme, tuple(problems))
    problems += lock_clashes(intent, written, numbers.generated)
    found = {**numbers.generated, **numbers.joined, **written}
    asns = {switch.name: found[switch.name] for switch in topology.switches}
    problems += session_problems(topology, intent, asns)
    last = _last(base)
    refused, text = _reason(topology, choice, asns, len(written))
    return AsnPlan(
        base=base,
        scheme=choice.scheme,
        problems=tuple(problems),
        asns=tuple(asns.items()),
        reason=text,
        valleys_refused=refused,
        range_text=f"{base}-{last}",
        used=len({asn for asn in asns.values() if base <= asn <= last}),
        size=last - base + 1,
        rows=numbers.rows,
    )


def _number(
    topology: Topology, base: int, lock: Lock, choice: Choice, written: Mapping[str, int]
) -> _Numbers | Problem:
    """Numbers for the labels that have none."""
    if number_fault(base):
        return Problem("RCE203", _BASE_PATH, f"base: {number_fault(base)}", _FIX)
    rows = tuple(row for row in lock.rows if row.pool == POOL)
    space = _space(base, written)
    fault = _lock_fault(space, base, lock, rows)
    if fault is not None:
        return fault
    shared = _shared(choice, written, rows)
    without = {n: x for n, x in choice.labels.items() if n not in written and x not in shared}
    start = _LEAVES_FROM if space.capacity >= _SHORT_RANGE else _SHORT_LEAVES_FROM
    demands = asn_demands(topology, choice.labels, set(without.values()), start)
    try:
        placed = assign(space, rows, demands)
    except PoolFullError as full:
        free = space.capacity - len(space.blocked)
        message = f"ASN range {base}–{_last(base)} has {free} free, {full.needed} needed"
        return Problem("RCE203", _BASE_PATH, message, _FIX)
    units = {label: unit for (_, label), unit in placed.units.items()}
    return _Numbers(
        placed.rows,
        {name: base + units[label] for name, label in without.items()},
        {n: shared[x] for n, x in choice.labels.items() if n not in written and x in shared},
    )


def _last(base: int) -> int:
    """Last number of the range: of the private range that the base lies in, or of all."""
    return next((high for low, high in PRIVATE if low <= base <= high), LAST_ASN)


def _space(base: int, written: Mapping[str, int]) -> Space:
    """Numbers from the base on without the reserved and the written ones."""
    capacity = _last(base) - base + 1
    blocked = (asn - base for asn in {*RESERVED, *written.values()})
    inside = frozenset(unit for unit in blocked if 0 <= unit < capacity)
    return Space(POOL, capacity, behind=False, one_home=True, blocked=inside)


def _lock_fault(space: Space, base: int, lock: Lock, rows: tuple[LockRow, ...]) -> Problem | None:
    if not rows:
        return None
    old = dict(lock.pools).get(POOL)
    if old != str(base):
        message = f"the lock counts ASNs from {old}, the inventory from {base}"
        fix = "put the base back, or delete the lock to number everything afresh"
        return Problem("RCE206", _BASE_PATH, message, fix)
    faults = row_faults(space, rows)
    faults += [f"ASNs of '{row.key}' lie beyond the range" for row in rows if _beyond(space, row)]
    if faults:
        message = f"the lock contradicts itself: {faults[0]}"
        return Problem("RCE206", (), message, "restore the lock from version control")
    return None


def _beyond(space: Space, row: LockRow) -> bool:
    return row.start + row.size > space.capacity


def _shared(
    choice: Choice, written: Mapping[str, int], rows: tuple[LockRow, ...]
) -> dict[str, int]:
    """Groups in which all written numbers agree: the other switches of the group join them.

    Not where the lock has a number for the group: what was handed out stays.
    """
    of: dict[str, set[int]] = {}
    for name, asn in written.items():
        of.setdefault(choice.labels[name], set()).add(asn)
    kept = {member for row in rows for member in row.members}
    return {label: min(asns) for label, asns in of.items() if len(asns) == 1 and label not in kept}


def _reason(
    topology: Topology, choice: Choice, asns: Mapping[str, int], written: int
) -> tuple[bool, str]:
    """Whether valleys are refused, and the plan in words."""
    parts = [choice.why]
    if written and choice.scheme != "explicit":
        parts.append(f"{written} written in the inventory kept")
    found = valley(topology, asns)
    if topology.route_policies:
        parts.append("communities decide which routes are passed on, not ASNs")
    elif found is None:
        parts.append("no route goes down and up again: it would meet the same ASN twice")
    else:
        low, one, two = found
        parts.append(f"routes may go down and up again, as {one} → {low} → {two}: two ASNs")
    pair = refused_pair(topology, asns)
    if pair is not None:
        above, one, two = pair
        parts.append(f"{one} and {two} share an ASN: {above} joins them in vain")
    return found is None, "; ".join(parts)
