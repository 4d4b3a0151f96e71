"""The way of each flow under a hash: next hop by next hop, all flows at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.hashing import fractions
from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.hashing import Words
    from fabric.analysis.bandwidth.plant import Floats, Pairs, Plant
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Ints

_CHUNK_CELLS = 4_000_000  # flows × out-arcs looked at at once
_WORD = 6  # bits are packed in words of 64


class LoopError(ValueError):
    """Packets of a flow may go round for ever."""


@dataclass(frozen=True, eq=False)
class Ways:
    """Next hops of a plant. ``forwarding``: on its bundled network, one destination a leaf."""

    plant: Plant
    forwarding: Forwarding

    @cached_property
    def _out(self) -> tuple[Ints, Pairs]:
        """V + 1 where each switch's arcs begin, and live arcs by tail; then (V, widest) arcs."""
        network = self.plant.network
        live = np.flatnonzero(network.count > 0)
        order = live[np.argsort(network.tail[live], kind="stable")]
        starts = np.searchsorted(network.tail[order], np.arange(len(network.names) + 1))
        widest = int(np.diff(starts).max(initial=1))  # one empty column where no cable is left
        table = np.full((len(network.names), widest), NOWHERE, dtype=np.int64)
        row = network.tail[order]
        table[row, np.arange(len(order)) - starts[row]] = order
        return starts, table

    @cached_property
    def destination(self) -> Ints:
        """V: the destination that stands on each switch, or ``NOWHERE``."""
        found = np.full(len(self.plant.network.names), NOWHERE, dtype=np.int64)
        found[self.forwarding.destinations] = np.arange(len(self.forwarding.destinations))
        return found

    @cached_property
    def _next_arcs(self) -> dict[tuple[int, int], tuple[int, ...]]:
        return {}

    def next_arcs(self, switch: int, target: int) -> tuple[int, ...]:
        """Cables that a switch may send packets for leaf ``target`` over."""
        key = (switch, target)
        if key not in self._next_arcs:
            where = int(self.destination[target])
            _, table = self._out
            arcs = table[switch][table[switch] != NOWHERE]
            words = self.forwarding.rows[self.plant.bundle[arcs], where >> _WORD]
            able = (words >> np.uint64(where & 63)) & np.uint64(1)
            self._next_arcs[key] = tuple(arcs[able.astype(np.bool_)].tolist()) if where >= 0 else ()
        return self._next_arcs[key]

    def sampled(self, source: Ints, target: Ints, flows: Words, seeds: Words) -> Pairs:
        """(F, hops) arcs of each flow from switch ``source`` to switch ``target``, then NOWHERE.

        ``flows``: what the hash sees of each flow; ``seeds`` (V). A flow without a way has
        ``NOWHERE`` first although its ends differ.

        Raises:
            LoopError: a flow comes round.
        """
        network = self.plant.network
        at, where = source.copy(), self.destination[target]
        columns: list[Ints] = []
        moving = np.flatnonzero((at != target) & (where != NOWHERE))
        for _ in range(len(network.names)):
            if not len(moving):
                break
            step = np.full(len(source), NOWHERE, dtype=np.int64)
            step[moving] = self._step(at[moving], where[moving], flows[moving], seeds)
            columns.append(step)
            on = moving[step[moving] != NOWHERE]
            at[on] = network.head[step[on]]
            moving = on[at[on] != target[on]]
        else:
            msg = "a packet may go round for ever"
            raise LoopError(msg)
        found = np.stack(columns, axis=1) if columns else np.empty((len(source), 0), np.int64)
        lost = (at != target) & (source != target)
        found[lost] = NOWHERE
        return found

    def _step(self, at: Ints, where: Ints, flows: Words, seeds: Words) -> Ints:
        _, table = self._out
        chosen = np.empty(len(at), dtype=np.int64)
        chunk = max(1, _CHUNK_CELLS // max(1, table.shape[1]))
        for start in range(0, len(at), chunk):
            part = slice(start, start + chunk)
            drawn = fractions(flows[part], seeds[at[part]])
            chosen[part] = self._choose(table[at[part]], where[part], drawn)
        return chosen

    def _choose(self, arcs: Pairs, where: Ints, drawn: Floats) -> Ints:
        rows, bundle = self.forwarding.rows, self.plant.bundle
        bit = (where & 63).astype(np.uint64)[:, None]
        words = rows[bundle[arcs], (where >> _WORD)[:, None]]
        able = ((words >> bit) & np.uint64(1)).astype(np.bool_) & (arcs != NOWHERE)
        ranks = np.cumsum(able, axis=1, dtype=np.int32)
        count = ranks[:, -1]
        wanted = (drawn * count).astype(np.int32) + 1
        place = np.argmax(ranks == wanted[:, None], axis=1)
        found = arcs[np.arange(len(arcs)), place]
        return np.where(count > 0, found, NOWHERE)
