"""The proof again after failures, from what held before them.

Only destinations that some switch lost its last next hop for are settled again. All others keep
their ways or have fewer of them, so they wait for less than before: where there was no cycle, a new
one needs a destination that was settled again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis import bits, deadlock
from fabric.analysis.forwarding import Forwarding
from fabric.analysis.routing.shortest import add_floods

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.analysis.bits import Rows
    from fabric.analysis.network import Bools, Ints, Network
    from fabric.analysis.priorities import Rising
    from fabric.analysis.routing.models import Again, Model


class Outcome(NamedTuple):
    """Of one set of failures.

    ``free``: no choice that failures left open went by the order of the switches. If that was so
    before them as well, what symmetry maps the set to has the same outcome.
    """

    cbd: bool
    unreachable: bool
    free: bool = True


@dataclass(frozen=True, eq=False)
class _Hit:
    """Failures: the network after them, arcs that are gone, destinations in service (D).

    ``matters``: whether more is gone than some of several parallel cables.
    """

    state: Network
    gone: Ints
    served: Bools
    matters: bool


class Rerouting:
    """The outcome of failures in ``model.network`` under a rule of rising levels."""

    def __init__(self, model: Model, rising: Rising) -> None:
        self._model, self._rising = model, rising
        self._network = network = model.network
        self._before = model.settle()
        self._bits = len(self._before.destinations)
        self._order = np.argsort(network.tail, kind="stable")
        self._starts = np.searchsorted(network.tail[self._order], np.arange(len(network.names) + 1))
        self._stand_ins = model.stand_ins()
        self._firm = model.firm(self._before.destinations)
        self._valleys = _Valleys(network)

    def outcome(self, bundles: Sequence[int] = (), switches: Sequence[int] = ()) -> Outcome:
        """After these failures: pairs of arcs, one mention for each cable cut, and switches."""
        hit = self._hit(bundles, switches)
        if not hit.matters and not self._model.floods and self._model.keeps(hit.state):
            return self.unfailed  # parallel cables carry the same
        touched, again = self._settled(hit)
        free = again is None or again.free
        lost = self._lost(hit, touched, again)
        return Outcome(self._cyclic(hit, touched, again), lost, free)

    def forwarding(self, bundles: Sequence[int] = (), switches: Sequence[int] = ()) -> Forwarding:
        """All ways after these failures; destinations out of service keep their place, empty."""
        hit = self._hit(bundles, switches)
        return self._after(hit, *self._settled(hit))

    def _settled(self, hit: _Hit) -> tuple[Ints, Again | None]:
        """Destinations that have to be settled again, and their ways."""
        touched = self._touched(hit)
        starts = self._before.destinations[touched]
        return touched, self._model.again(hit.state, starts) if len(touched) else None

    @cached_property
    def unfailed(self) -> Outcome:
        """With nothing failed."""
        proof = deadlock.prove(self._before, self._rising)
        firm = self._firm is None or bool(bits.unpacked(self._firm, self._bits).all())
        return Outcome(proof.cbd, bool(self._missing.any()), firm)

    def _hit(self, bundles: Sequence[int], switches: Sequence[int]) -> _Hit:
        network = self._network
        count = network.count.copy()
        for bundle in bundles:
            count[2 * bundle : 2 * bundle + 2] -= 1
        alive = network.alive
        if switches:
            alive = alive.copy()
            alive[list(switches)] = False
            count[~(alive[network.tail] & alive[network.head])] = 0
        gone = np.flatnonzero((network.count > 0) & (count == 0))
        served = alive[self._before.destinations]
        state = replace(network, alive=alive, count=count)
        return _Hit(state, gone, served, matters=bool(len(gone)) or bool(switches))

    def _touched(self, hit: _Hit) -> Ints:
        """Destinations (bits) that have to be settled again."""
        if not self._model.keeps(hit.state):
            return np.flatnonzero(hit.served)
        rows, network = self._before.rows, self._network
        touched = np.zeros(rows.shape[1], dtype=np.uint64)
        for arc in hit.gone.tolist():
            own = network.tail[arc]
            if not hit.state.alive[own]:
                continue
            lost = rows[arc]
            others = self._order[self._starts[own] : self._starts[own + 1]]
            left = (hit.state.count[others] > 0) & (self._stand_ins[others] == self._stand_ins[arc])
            touched |= lost & ~np.bitwise_or.reduce(rows[others[left]], axis=0)
            if self._firm is not None:
                touched |= lost & ~self._firm[own]
        return np.flatnonzero(bits.unpacked(touched[None, :], self._bits)[0] & hit.served)

    @cached_property
    def _missing(self) -> Rows:
        """V, words: destinations that endpoints of a switch have no way to, before failures."""
        lost: Rows = self._before.sources & ~self._before.known
        return lost

    def _lost(self, hit: _Hit, touched: Ints, again: Again | None) -> bool:
        leaves = hit.state.leaves
        old = hit.served.copy()
        old[touched] = False
        if (self._missing[leaves] & bits.packed(old[None, :])).any():
            return True
        if again is None:
            return False
        part = Forwarding(hit.state, self._before.destinations[touched], again.rows)
        return bool((part.sources[leaves] & ~part.known[leaves]).any())

    def _cyclic(self, hit: _Hit, touched: Ints, again: Again | None) -> bool:
        if not self._model.floods:
            if again is None and not self.unfailed.cbd:
                return False
            if self._certified and (
                again is None
                or self._valleys.none(
                    Forwarding(hit.state, self._before.destinations[touched], again.rows)
                )
            ):
                return False
        return deadlock.prove(self._after(hit, touched, again), self._rising).cbd

    @cached_property
    def _certified(self) -> bool:
        """Whether all ways before the failures go up, then down."""
        return self._network.is_tiered and self._valleys.none(self._before)

    def _after(self, hit: _Hit, touched: Ints, again: Again | None) -> Forwarding:
        """All ways after failures, the old ones as far as they hold."""
        old = hit.served.copy()
        old[touched] = False
        rows = self._before.rows & bits.packed(old[None, :])
        rows[hit.gone] = 0
        if again is not None:
            matrix = np.zeros((len(rows), self._bits), dtype=np.bool_)
            matrix[:, touched] = bits.unpacked(again.rows, len(touched))
            rows |= bits.packed(matrix)
        if self._model.floods:
            add_floods(hit.state, self._before.destinations, rows)
        return Forwarding(hit.state, self._before.destinations, rows, floods=self._model.floods)


class _Valleys:
    """The valley certificate (validation 1.2) on rows, for any state of a network."""

    def __init__(self, network: Network) -> None:
        live, size = network.count > 0, len(network.names)
        self._arcs = np.flatnonzero(live)
        self._down = np.flatnonzero(live & network.down)
        self._up = np.flatnonzero(live & network.up)
        self._level = np.flatnonzero(
            live & (network.tier[network.tail] == network.tier[network.head])
        )
        self._arrive = bits.Gather(network.head[self._arcs], size)
        self._arrive_down = bits.Gather(network.head[self._down], size)

    def none(self, forwarding: Forwarding) -> bool:
        """Whether no packet that came down goes up or sideways, and none goes sideways at all."""
        rows, network = forwarding.rows, forwarding.network
        allowed, tail = rows[self._arcs], network.tail[self._arcs]
        held = forwarding.sources
        newest = held
        while newest.any():
            newest = self._arrive.union(newest[tail] & allowed) & ~held
            held = held | newest
        if (held[network.tail[self._level]] & rows[self._level]).any():
            return False
        fell = self._arrive_down.union(held[network.tail[self._down]] & rows[self._down])
        return not (fell[network.tail[self._up]] & rows[self._up]).any()
