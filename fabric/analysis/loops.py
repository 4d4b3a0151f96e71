"""Routing loops: destinations whose next hops lead round in a circle."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits

if TYPE_CHECKING:
    from fabric.analysis.bits import Rows
    from fabric.analysis.network import Network


def looping(network: Network, rows: Rows) -> Rows:
    """A, words: destinations that can go round for ever through an arc, or between two circles.

    Arcs that lead to an end, and arcs that nothing comes back to, are taken away until none is
    left; what stays has a circle for each destination that it holds.
    """
    size = len(network.names)
    left = np.where((network.count > 0)[:, None], rows, np.uint64(0))
    out, into = bits.Gather(network.tail, size), bits.Gather(network.head, size)
    while left.any():
        kept = left & out.union(left)[network.head] & into.union(left)[network.tail]
        if (kept == left).all():
            break
        left = kept
    return left


def circles(network: Network, rows: Rows) -> list[tuple[list[int], list[int]]]:
    """For each set of destinations with the same circles a shortest one: (arcs, destinations)."""
    left = looping(network, rows)
    arcs = np.flatnonzero(left.any(axis=1))
    if not len(arcs):
        return []
    matrix = bits.unpacked(left[arcs], rows.shape[1] * bits.WORD)
    columns = np.flatnonzero(matrix.any(axis=0))
    _, first, group = np.unique(matrix[:, columns], axis=1, return_index=True, return_inverse=True)
    found = []
    for number, column in enumerate(columns[first].tolist()):
        circle = _shortest(network, arcs[matrix[:, column]].tolist())
        members = columns[group.reshape(-1) == number].tolist()
        found.append((circle, members))
    return sorted(found, key=lambda pair: (len(pair[0]), pair[0]))


def _shortest(network: Network, arcs: list[int]) -> list[int]:
    """A shortest circle among arcs that hold one."""
    out: dict[int, list[int]] = {}
    for arc in arcs:
        out.setdefault(int(network.tail[arc]), []).append(arc)
    best: list[int] = []
    for start in sorted(out):
        found = _back_to(network, out, start, len(best))
        if found:
            best = found
    return best


def _back_to(network: Network, out: dict[int, list[int]], start: int, limit: int) -> list[int]:
    """The fewest arcs from a switch back to itself; nothing if not below ``limit`` (0: none)."""
    came: dict[int, int] = {}
    hops = {start: 0}
    queue = deque([start])
    while queue:
        switch = queue.popleft()
        if limit and hops[switch] + 1 >= limit:
            return []
        for arc in out.get(switch, ()):
            head = int(network.head[arc])
            if head == start:
                path = [arc]
                while switch != start:
                    path.append(came[switch])
                    switch = int(network.tail[came[switch]])
                return path[::-1]
            if head not in hops:
                hops[head] = hops[switch] + 1
                came[head] = arc
                queue.append(head)
    return []
