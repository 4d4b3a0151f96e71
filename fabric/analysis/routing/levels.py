"""Breadth-first search from all destinations at once, on rows of destination bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis import bits

if TYPE_CHECKING:
    from fabric.analysis.bits import Matrix, Rows
    from fabric.analysis.network import Bools, Ints, Network


class Ends(NamedTuple):
    """Arcs gathered by their tails, for any state of a network in which no others are live."""

    arcs: Ints
    tails: bits.Gather

    @classmethod
    def of(cls, network: Network) -> Ends:
        """Those of a network as it stands."""
        live = np.flatnonzero(network.count > 0)
        return cls(live, bits.Gather(network.tail[live], len(network.names)))


class Search:
    """Routes that grow away from the destinations, hop by hop.

    ``reached`` (V, words): destinations that a switch has a way to. ``rows`` (A, words): those
    that an arc leads to. ``ends``: those of the network with less failed, where many states of
    one network are searched.
    """

    def __init__(self, network: Network, starts: Ints, ends: Ends | None = None) -> None:
        self._network = network
        self.destinations = len(starts)
        self.live, self._tails = Ends.of(network) if ends is None else ends
        self._usable = network.count[self.live] > 0
        self.rows = bits.empty(len(network.tail), self.destinations)
        self.reached = bits.empty(len(network.names), self.destinations)
        bits.set_bits(self.reached, starts, np.arange(self.destinations))

    def spread(self, *offers: tuple[Rows, Bools], only: Rows | None = None) -> tuple[Rows, ...]:
        """One hop on, to switches that have no way yet.

        ``offers``: from where (V, words), and over which arcs (A); what two of them reach at once
        is reached by both. ``only`` (V, words): who may be reached for what. Returns what each
        gained (V, words), which is in ``reached`` then.
        """
        tail, head = self._network.tail[self.live], self._network.head[self.live]
        offered = []
        for newest, arcs in offers:
            part = newest[head]
            part[~(arcs[self.live] & self._usable)] = 0
            offered.append(part)
        fresh = ~self.reached if only is None else ~self.reached & only
        gained = tuple(self._tails.union(part) & fresh for part in offered)
        for part, won in zip(offered, gained, strict=True):
            self.rows[self.live] |= part & won[tail]
            self.reached |= won
        return gained

    def matrix(self) -> Matrix:
        """The rows as booleans (A, destinations)."""
        return bits.unpacked(self.rows, self.destinations)


def flood(search: Search, newest: Rows, arcs: Bools, *, only: Rows | None = None) -> list[Rows]:
    """Spread until nothing is gained: each switch by the fewest hops over these arcs.

    Returns what was reached by how many hops, ``newest`` first.
    """
    waves = [newest]
    while waves[-1].any():
        waves.extend(search.spread((waves[-1], arcs), only=only))
    return waves
