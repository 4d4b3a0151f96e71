"""In which order devices are changed: one canary, then tier by tier in waves of bounded size.

From the leaves up. A wrong leaf costs the hosts below it alone, a wrong spine costs every job whose
traffic it carries: so what all hosts share is changed last, when the change has been seen to work.
No wave takes more than half of a tier (rounded up): a change that is bad leaves the other half.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from fabric.model.names import natural_key
from fabric.model.push_change import Wave

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Stop:
    """A device with a change. ``tier``: 0 nearest to the hosts. ``alone``: in a wave of its own."""

    device: str
    role: str
    tier: int
    alone: bool
    diff: tuple[str, ...]


def in_waves(stops: Iterable[Stop], size: int) -> tuple[Wave, ...]:
    """All of them, each once; none without any. No wave has more than half of its role, rounded up.

    Raises:
        ValueError: waves of less than one device.
    """
    if size < 1:
        msg = f"a wave holds at least one device, not {size}"
        raise ValueError(msg)
    todo = sorted(stops, key=lambda s: (s.tier, natural_key(s.role), natural_key(s.device)))
    if not todo:
        return ()
    canary, why = _canary(todo)
    found: list[tuple[str, tuple[str, ...], str]] = [("canary", (canary.device,), why)]
    rest = [stop for stop in todo if stop is not canary]
    tiers = Counter(stop.role for stop in todo)
    for (_, role), group in groupby(rest, key=lambda s: (s.tier, s.role)):
        parts = list(_parts(list(group), min(size, -(-tiers[role] // 2))))
        for number, part in enumerate(parts, 1):
            name = role if len(parts) == 1 else f"{role}, {number} of {len(parts)}"
            found.append((name, part, ""))
    return tuple(Wave(n, *wave) for n, wave in enumerate(found, 1))


def _canary(stops: Sequence[Stop]) -> tuple[Stop, str]:
    """Of the lowest tier, one whose change most devices share, and that can go with others."""
    shared = Counter(stop.diff for stop in stops)
    lowest = [stop for stop in stops if stop.tier == stops[0].tier]
    first = min(lowest, key=lambda s: (s.alone, -shared[s.diff]))
    others = shared[first.diff] - 1
    why = f"{first.device}; of the tiers that change, {first.role} is the nearest to the hosts"
    if others:
        many = "other device has" if others == 1 else "other devices have"
        why += f"; {others:,} {many} the same change"
    return first, why


def _parts(stops: list[Stop], size: int) -> Iterator[tuple[str, ...]]:
    """Waves of one role: those that go together first, then the others one by one."""
    together = [s.device for s in stops if not s.alone]
    for first in range(0, len(together), size):
        yield tuple(together[first : first + size])
    yield from ((s.device,) for s in stops if s.alone)
