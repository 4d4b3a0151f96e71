"""Whether things that wait for each other do so in one order."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")
Groups = list[list[T]]


def in_order(waits: Mapping[T, set[T]], harmless: Callable[[T], bool]) -> Groups[T] | None:
    """Groups in an order in which each waits only for later ones, or for its own group.

    ``harmless``: one that may wait for its like, since they stand in an order of their own (by
    tier). ``None``: two different ones wait for each other, or one that is not harmless for its
    like.
    """
    reach = {one: _reached(one, waits) for one in waits}
    for one, found in reach.items():
        if one in found and not harmless(one):
            return None
        if any(two != one and one in reach[two] for two in found):
            return None
    return [[one] for one in sorted(waits, key=lambda x: -len(reach[x] | {x}))]


def _reached(start: T, waits: Mapping[T, set[T]]) -> set[T]:
    found: set[T] = set()
    queue = list(waits[start])
    while queue:
        one = queue.pop()
        if one not in found:
            found.add(one)
            queue.extend(waits[one])
    return found
