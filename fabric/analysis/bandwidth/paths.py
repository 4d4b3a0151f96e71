"""The way of each flow under a hash: next hop by next hop, all flows at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits
from fabric.analysis.bandwidth.hashing import mixed, scaled
from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.hashing import Words
    from fabric.analysis.bandwidth.plant import Floats, Pairs, Plant
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Ints

    Flags = np.ndarray[tuple[int, int], np.dtype[np.bool_]]

_CHUNK_CELLS = 400_000  # flows × out-arcs looked at at once
_LISTED_CELLS = 8_000_000  # arcs × destinations up to which all next hops are listed
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
    def reach(self) -> Flags:
        """(V, V): whether packets of the first switch have a way to the second, a leaf."""
        forwarding, count = self.forwarding, len(self.plant.network.names)
        found = np.zeros((count, count), dtype=np.bool_)
        known = bits.unpacked(forwarding.known, len(forwarding.destinations))
        found[:, forwarding.destinations] = known
        return found

    @cached_property
    def _listed(self) -> tuple[Ints, Ints, Ints] | None:
        """Where next hops begin (V · D), how many, and which; ``None``: they are too many."""
        network, count = self.plant.network, len(self.forwarding.destinations)
        if len(network.tail) * count > _LISTED_CELLS:
            return None
        live = np.flatnonzero(network.count > 0)
        able = bits.unpacked(self.forwarding.rows[self.plant.bundle[live]], count)
        arc, where = np.nonzero(able)
        key = network.tail[live][arc] * count + where
        many = np.bincount(key, minlength=len(network.names) * count)
        order = np.argsort(key, kind="stable")
        return np.cumsum(many) - many, many, live[arc[order]]

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
        drawn = scaled(mixed(flows ^ mixed(seeds)[at]))
        if self._listed is not None:
            return self._picked(self._listed, at * len(self.forwarding.destinations) + where, drawn)
        _, table = self._out
        chosen = np.empty(len(at), dtype=np.int64)
        chunk = max(1, _CHUNK_CELLS // max(1, table.shape[1]))
        near = np.argsort(at * len(self.forwarding.destinations) + where)  # rows stay in the cache
        for start in range(0, len(at), chunk):
            part = near[start : start + chunk]
            chosen[part] = self._choose(table[at[part]], where[part], drawn[part])
        return chosen

    @staticmethod
    def _picked(listed: tuple[Ints, Ints, Ints], cell: Ints, drawn: Floats) -> Ints:
        first, many, arcs = listed
        count = many[cell]
        if not len(arcs):
            return np.full(len(cell), NOWHERE, dtype=np.int64)
        found = arcs[np.minimum(first[cell] + (drawn * count).astype(np.int64), len(arcs) - 1)]
        return np.where(count > 0, found, NOWHERE)

    def _choose(self, arcs: Pairs, where: Ints, drawn: Floats) -> Ints:
        rows = self.forwarding.rows
        bit = (where & 63).astype(np.uint64)[:, None]
        cell = self.plant.bundle[arcs] * rows.shape[1] + (where >> _WORD)[:, None]
        able = ((rows.reshape(-1)[cell] >> bit) & np.uint64(1)).astype(np.bool_)
        able &= arcs != NOWHERE
        count = np.count_nonzero(able, axis=1)
        places = np.flatnonzero(able)
        if not len(places):
            return np.full(len(arcs), NOWHERE, dtype=np.int64)
        wanted = np.cumsum(count) - count + (drawn * count).astype(np.int64)
        found = arcs.reshape(-1)[places[np.minimum(wanted, len(places) - 1)]]
        return np.where(count > 0, found, NOWHERE)
