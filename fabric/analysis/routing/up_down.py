"""``updown``: a way goes up, then down, never up again: no cycle, at the price of detours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.forwarding import Forwarding, Twins, expanded
from fabric.analysis.routing.levels import Search, flood

if TYPE_CHECKING:
    from collections.abc import Collection

    from fabric.analysis.network import Bools, Ints, Network
    from fabric.analysis.routing.levels import Ends


def default_roots(network: Network) -> tuple[str, ...]:
    """The top tier where there are tiers, else the first switch of those with most cables."""
    alive = np.flatnonzero(network.alive)
    if not len(alive):
        return ()
    if network.is_tiered:
        top = network.tier[alive].max()
        return tuple(network.names[n] for n in alive[network.tier[alive] == top])
    cables = np.bincount(network.tail, weights=network.count, minlength=len(network.names))
    return (network.names[alive[int(np.argmax(cables[alive]))]],)


def up_down(network: Network, roots: Collection[str] = ()) -> Forwarding:
    """Down whenever only downward cables lead there, else up, by the fewest hops of each.

    Up is nearer to ``roots`` (default: :func:`default_roots`), between switches equally near the
    one that comes first. A switch with a downward way uses no other, so a packet that has gone
    down finds its way on downwards.
    """
    up = upward(network, roots)
    twins = Twins.of(network, np.arange(len(network.names)))
    return expanded(network, twins, searched(network, twins.firsts, up).matrix())


def searched(network: Network, starts: Ints, up: Bools, ends: Ends | None = None) -> Search:
    """Ways to some leaves where these arcs (A) lead up."""
    search = Search(network, starts, ends)
    waves = flood(search, search.reached.copy(), ~up)
    lacking = ~search.reached
    newest, hop = waves[0], 0
    while newest.any() or hop < len(waves):  # up to the nearest that has a way of any kind
        (newest,) = search.spread((newest, up), only=lacking)
        hop += 1
        if hop < len(waves):
            newest = newest | waves[hop]
    return search


def upward(network: Network, roots: Collection[str] = ()) -> Bools:
    """A: arcs that lead up."""
    depth = _depths(network, roots)
    rank = depth * len(network.names) + np.arange(len(network.names))
    return np.asarray(rank[network.head] < rank[network.tail])


def _depths(network: Network, roots: Collection[str]) -> Ints:
    """Hops from the nearest root; a part of the fabric without one gets its first switch as one."""
    size = len(network.names)
    depth = np.full(size, -1, dtype=np.int64)
    live = network.count > 0
    tail, head = network.tail[live], network.head[live]
    starts = [network.number[name] for name in roots or default_roots(network)]
    newest = np.array(starts, dtype=np.int64)
    while (depth < 0).any():
        level = 0
        if not len(newest):
            newest = np.flatnonzero(depth < 0)[:1]
        while len(newest):
            depth[newest] = level
            level += 1
            near = np.zeros(size, dtype=np.bool_)
            near[newest] = True
            found = np.unique(head[near[tail]])
            newest = found[depth[found] < 0]
    return depth
