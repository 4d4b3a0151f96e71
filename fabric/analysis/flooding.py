"""What is in each buffer while leaves flood: a packet leaves by any cable but its last one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.analysis.bits import Rows
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Ints
    from fabric.analysis.priorities import Rising


def rows_by_level(forwarding: Forwarding, rising: Rising) -> tuple[Rows, ...]:
    """By level A, words: destinations on each arc, which is a single cable."""
    network = forwarding.network
    allowed = np.where((network.count > 0)[:, None], forwarding.rows, np.uint64(0))
    found: dict[int, Rows] = {0: np.zeros_like(allowed)}
    grown = True
    while grown:
        grown = False
        for came, level, offered in list(_offered(forwarding, rising, found)):
            rise = rising.steps[came][rising.way]
            for step in np.unique(rise[allowed.any(axis=1)]).tolist():
                if level + step >= rising.levels:
                    continue
                moved = np.where((rise == step)[:, None], offered & allowed, np.uint64(0))
                there = found.setdefault(level + step, np.zeros_like(allowed))
                grown |= bool((moved & ~there).any())
                there |= moved
    last = max(q for q, rows in found.items() if rows.any() or q == 0)
    return tuple(found.get(q, np.zeros_like(allowed)) for q in range(last + 1))


def _offered(
    forwarding: Forwarding, rising: Rising, found: dict[int, Rows]
) -> Iterator[tuple[int, int, Rows]]:
    """Way that packets came by, level, and (A, words) what may leave over each arc."""
    network = forwarding.network
    yield rising.ways, 0, forwarding.sources[network.tail]
    for level, rows in found.items():
        for way in range(rising.ways):
            came = np.where((rising.way == way)[:, None], rows, np.uint64(0))
            if came.any():
                yield way, level, _by_other_cables(came, network.tail, network.head)


def _by_other_cables(rows: Rows, tail: Ints, head: Ints) -> Rows:
    """A, words: what came to the tail of an arc by others than its opposite."""
    order = np.argsort(head, kind="stable")
    place = np.arange(len(head)) - np.searchsorted(head[order], head[order])
    once = np.zeros(
        (int(max(tail.max(initial=0), head.max(initial=0))) + 1, rows.shape[1]), rows.dtype
    )
    twice = np.zeros_like(once)
    for nth in range(int(place.max(initial=-1)) + 1):  # the n-th arc into each switch
        arcs = order[place == nth]
        twice[head[arcs]] |= once[head[arcs]] & rows[arcs]
        once[head[arcs]] |= rows[arcs]
    back = rows[np.arange(len(head)) ^ 1]
    others: Rows = twice[tail] | (once[tail] & ~back)
    return others
