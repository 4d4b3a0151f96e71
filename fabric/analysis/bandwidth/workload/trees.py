"""Double binary trees between servers, as NCCL lays them (Sanders, Speck, Träff 2009).

In the first tree odd places are leaves; in the second all places are mirrored (shifted by one where
their number is odd), so that who has children in one has none in the other. Each tree carries half
of a message, up reduced and down again.
"""

from __future__ import annotations


def parent(place: int, count: int) -> int | None:
    """Parent of a place in the first tree; ``None``: the root, place 0."""
    if place == 0:
        return None
    low = place & -place
    above = (place ^ low) | (low << 1)
    return above if above < count else place ^ low


def edges(count: int) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """(child, parent) of the first and of the second tree."""
    first = []
    for place in range(1, count):
        above = parent(place, count)
        if above is not None:
            first.append((place, above))
    if count % 2:
        return tuple(first), tuple(((a + 1) % count, (b + 1) % count) for a, b in first)
    last = count - 1
    return tuple(first), tuple((last - a, last - b) for a, b in first)
