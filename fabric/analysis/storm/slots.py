"""The event model itself: all runs side by side, one slot after the other.

In a slot every channel carries one packet at most, from the egress queues at its near end that are
not paused. A packet that arrives counts to the buffer of its channel until it leaves it. A buffer
at XOFF pauses its sender's queue of that priority, until it is down at XON; the sender obeys
``delay_slots`` later. A NIC takes what arrives at once, unless it pauses its leaf.

Which packet goes first: with ``fifo`` the one that came first, as in a switch with shared memory
and one queue for each port and priority; with ``round-robin`` one of the ingress port that has
waited longest since it was last served; with ``random`` one of any ingress port, all alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.storm import arbitration
from fabric.model.storm import FIFO, ROUND_ROBIN

if TYPE_CHECKING:
    from fabric.analysis.network import Bools, Ints, Table
    from fabric.analysis.storm.ground import Reals
    from fabric.analysis.storm.layout import Layout
    from fabric.model.storm import StormModel

    Draws = np.ndarray[tuple[int, int, int], np.dtype[np.float64]]

_TRUE = np.ones(1, dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Runs:
    """R runs. ``load``, ``seed`` (place of its seed), ``seed_number``, ``storm`` (R).

    ``up`` (N): the buffer behind each NIC's cable to its leaf. ``held``: buffers towards the NIC
    that pauses in a storm.
    """

    load: Reals
    seed: Ints
    seed_number: Ints
    storm: Bools
    up: Ints
    held: Ints


@dataclass(frozen=True, eq=False)
class Offers:
    """Packets that hosts want to send in a number of slots.

    ``fresh`` (slots, R · N): whether a NIC gets a packet to send. ``step``: the first step of the
    one that it sends, if it sends one in that slot.
    """

    fresh: np.ndarray[tuple[int, int], np.dtype[np.bool_]]
    step: Table

    @classmethod
    def of(cls, plan: Layout, runs: Runs, draws: Draws) -> Offers:
        """From draws in [0, 1) (slots, 2, S, N): whether, and which flow of the NIC."""
        shape = (len(draws), len(runs.load) * len(runs.up))
        sends = plan.flows > 0
        chance = runs.load[:, None] * sends[runs.seed]
        fresh = draws[:, 0][:, runs.seed] < chance
        nth = (draws[:, 1] * plan.flows).astype(np.int64)
        step = plan.flow_step[np.where(sends, plan.first_flow + nth, 0)]
        return cls(fresh.reshape(shape), step[:, runs.seed].reshape(shape))


class Slots:
    """The state of all runs, as of one fabric that holds R copies of everything.

    Shapes: ``length`` (packets), ``served`` (packets since the start), ``last_served`` (slot): R·Q;
    ``packets``, ``peak``: R·B; ``offered``, ``sent``: R·N.
    """

    def __init__(self, plan: Layout, runs: Runs, model: StormModel) -> None:
        self.plan, self.runs, self.model = plan, runs, model
        count, queues = len(runs.load), len(plan.queue_from)
        self._came_by = np.tile(plan.queue_from // plan.levels, count)
        self._channels = plan.buffers // plan.levels
        copies = np.arange(count)[:, None]
        to_queue, to_buffer = copies * queues, copies * plan.buffers
        self._from = (to_buffer + plan.queue_from).reshape(-1)
        self._to = (to_buffer + plan.queue_to).reshape(-1)
        self._port = (copies * self._channels + plan.queue_to // plan.levels).reshape(-1)
        self._salt = arbitration.salts(
            np.repeat(runs.seed_number, queues), np.tile(_names(plan), count)
        )
        self._goes_on = np.tile(~(plan.delivers | plan.demotes), count)
        self._copy = np.repeat(to_queue.reshape(-1), queues)
        self._up = (to_buffer + runs.up).reshape(-1)
        self._nic_copy = np.repeat(to_queue.reshape(-1), len(runs.up))
        self._free = np.ones(count * plan.buffers, dtype=np.bool_)
        self._free[(to_buffer[runs.storm] + runs.held).reshape(-1)] = False
        # No buffer holds more than XOFF and what arrives until the sender obeys.
        depth = model.xoff_packets + model.delay_slots
        cells = np.arange(count * queues * depth).reshape(-1, depth)
        self._after = np.roll(cells, -1, axis=1).reshape(-1)
        self._head, self._tail = cells[:, 0].copy(), cells[:, 0].copy()
        self._step = np.zeros(cells.size, dtype=np.int64)
        self._came = np.zeros(cells.size, dtype=np.int64)
        self.length = np.zeros(count * queues, dtype=np.int64)
        self.served = np.zeros(count * queues, dtype=np.int64)
        self.last_served = np.tile(np.arange(queues) - queues, count)
        self.packets = np.zeros(count * plan.buffers, dtype=np.int64)
        self.peak = np.zeros_like(self.packets)
        self._pausing = np.zeros(len(self.packets), dtype=np.bool_)
        self._may_send = np.ones((model.delay_slots + 1, len(self.packets)), dtype=np.bool_)
        self.offered = np.zeros(len(self._up), dtype=np.int64)
        self.sent = np.zeros_like(self.offered)
        self.slot = 0

    def by_run(self, values: Ints) -> Table:
        """Values as a row for each run."""
        return values.reshape(len(self.runs.load), -1)

    @property
    def delivered(self) -> Ints:
        """R: packets at the NICs that they are for."""
        return np.asarray(self.by_run(self.served)[:, self.plan.delivers].sum(axis=1))

    def offer(self, offers: Offers) -> None:
        """As many slots as there are offers."""
        for fresh, step in zip(offers.fresh, offers.step, strict=True):
            self.offered += fresh
            self._advance(step)

    def drain(self) -> None:
        """One slot in which no NIC sends."""
        self._advance(None)

    def _advance(self, step: Ints | None) -> None:
        model, place = self.model, self.slot % len(self._may_send)
        may_send = self._may_send[place]
        if model.storm_at <= self.slot < model.storm_end:
            may_send = may_send & self._free
        queue = self._chosen(may_send)
        taken = self._taken(queue)
        on = self._goes_on[queue]
        queue, taken = queue[on], taken[on] + 1
        into, copy = self._to[queue], self._copy[queue]
        if step is not None:
            nic = np.flatnonzero(may_send[self._up] & (self.offered > self.sent))
            self.sent[nic] += 1
            taken = np.concatenate((taken, step[nic]))
            into = np.concatenate((into, self._up[nic]))
            copy = np.concatenate((copy, self._nic_copy[nic]))
        self._put(taken, into, copy)
        np.maximum(self.peak, self.packets, out=self.peak)
        self._pausing &= self.packets > model.xon_packets
        self._pausing |= self.packets >= model.xoff_packets
        np.logical_not(self._pausing, out=self._may_send[place])
        self.slot += 1

    def _chosen(self, may_send: Bools) -> Ints:
        """Queues whose first packet leaves in this slot: one for each channel at most."""
        holds = np.flatnonzero(self.length)
        queue: Ints = np.asarray(holds[may_send[self._to[holds]]])
        if not len(queue):
            return queue
        rank, port = self._ranks(queue), self._port[queue]
        first = np.flatnonzero(np.concatenate((_TRUE, port[1:] != port[:-1])))
        best = np.minimum.reduceat(rank, first)
        sizes = np.concatenate((first[1:], [len(queue)])) - first
        return np.asarray(queue[rank == np.repeat(best, sizes)])

    def _ranks(self, queue: Ints) -> Ints:
        """Of queues that hold packets: the lowest goes first; at one channel no two are equal."""
        if self.model.arbitration == FIFO:
            return np.asarray(self._came[self._head[queue]])
        if self.model.arbitration == ROUND_ROBIN:
            return np.asarray(self.last_served[queue])
        return arbitration.ranks(self._salt[queue], self.slot)

    def _taken(self, queue: Ints) -> Ints:
        """The first packets of queues, as steps."""
        cell = self._head[queue]
        self._head[queue] = self._after[cell]
        self.length[queue] -= 1
        self.served[queue] += 1
        self.last_served[queue] = self.slot
        np.subtract.at(self.packets, self._from[queue], 1)
        return np.asarray(self._step[cell])

    def _put(self, step: Ints, buffer: Ints, copy: Ints) -> None:
        """Packets into their queues; no buffer gets two of them, for a channel carries one."""
        queue = self.plan.step_queue[step] + copy
        cell = self._tail[queue]
        self._step[cell] = step
        # Of packets that come in one slot another one is first in every slot.
        turn = (self._came_by[queue] + self.slot) % self._channels
        self._came[cell] = self.slot * self._channels + turn
        self._tail[queue] = self._after[cell]
        self.length[queue] += 1
        self.packets[buffer] += 1


def _names(plan: Layout) -> Ints:
    """Q: a number for each queue that does not depend on which others there are."""
    near, far = (
        (buffer // plan.levels << 4) + buffer % plan.levels
        for buffer in (plan.queue_from, plan.queue_to)
    )
    return np.asarray((near << 32) + far)
