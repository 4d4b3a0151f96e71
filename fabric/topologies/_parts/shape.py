"""What regular kinds state about their shape: limits, oversubscription, symmetry, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Problem
from fabric.model.units import count_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from fabric.topologies._parts.closed_forms import Load

MAX_SWITCHES = 50_000  # a fat-tree of radix 128 has 20,480
MAX_CABLES = 2_000_000

UNEVEN_NOTE = "no closed form: the endpoints are not spread leaf after leaf"
MIXED_NOTE = "no closed form: NICs of several speeds"
PAIRED_NOTE = "no closed form: bonds that end on two leaves"
EMPTY_NOTE = "no endpoints"


def problem(key: str, message: str, fix: str) -> Problem:
    """RCE011 at a parameter."""
    return Problem("RCE011", ("topology", key), message, fix)


def at_least(key: str, value: int, lowest: int) -> tuple[Problem, ...]:
    """RCE011 where a count is too small."""
    if value >= lowest:
        return ()
    return (problem(key, f"{key} is {value}; it is at least {lowest}", f"{key}: {lowest}"),)


def too_large(switches: int, cables: int) -> tuple[Problem, ...]:
    """RCE011 where the counts can only be a slip of the pen."""
    if switches <= MAX_SWITCHES and cables <= MAX_CABLES:
        return ()
    message = (
        f"{count_text(switches)} switches and {count_text(cables)} cables are more than can be "
        f"planned ({count_text(MAX_SWITCHES)} and {count_text(MAX_CABLES)})"
    )
    return (Problem("RCE011", ("topology",), message, "smaller counts"),)


def no_form_note(load: Load) -> str:
    """Why a regular kind has no bisection in closed form."""
    if not load.endpoints:
        return EMPTY_NOTE
    if load.paired:
        return PAIRED_NOTE
    return MIXED_NOTE if load.nic_gbps is None else UNEVEN_NOTE


def worst_ratio(
    tier: str, down_gbps: Iterable[float], up_gbps: float
) -> tuple[tuple[str, float], ...]:
    """Down capacity over up capacity of the switch of the tier that has the most below it."""
    if up_gbps <= 0:
        return ()
    return ((tier, max(down_gbps, default=0) / up_gbps),)


def labels(role: str, kinds: Mapping[str, Hashable]) -> Sequence[tuple[str, str]]:
    """Symmetry labels: switches of one value are interchangeable. ``leaf``, then ``leaf/1``."""
    known: dict[Hashable, str] = {}
    for value in kinds.values():
        known.setdefault(value, f"{role}/{len(known)}" if known else role)
    return [(name, known[value]) for name, value in kinds.items()]
