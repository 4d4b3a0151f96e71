"""Buffers and queues that paths use, and the steps that a packet of each flow takes.

A buffer is a channel at a level: where its packets lie at the far end. A queue holds the packets of
one buffer that leave over one channel at one level: those of one priority and one egress port are
its egress queue, told apart by ingress. A step is a packet of one flow in one queue; where the
packet goes on, its next step has the next number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.storm.ground import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.analysis.network import Bools, Ints, Table
    from fabric.analysis.storm.ground import Ground, Reals
    from fabric.analysis.storm.paths import Paths

    Loads = np.ndarray[tuple[int, int], np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Layout:
    """Queues Q, sorted by the channel that they leave by; steps T; S seeds, N NICs.

    ``levels``: of each channel, so buffer b is channel b // levels at level b % levels.
    ``queue_from``, ``queue_to`` (Q): the buffer that it lies in, and that it leads to.
    ``delivers``, ``demotes`` (Q): packets leave the model behind it, at the NIC that they are for,
    or in a lossy class. ``step_queue`` (T): queue of a step. ``flow_step``: first step of each
    flow, seed by seed. ``first_flow``, ``flows`` (S, N): by seed the flows of each NIC, which
    follow each other. ``offered`` (S, channels): load of each channel when every NIC that sends
    offers 1.
    """

    buffers: int
    levels: int
    queue_from: Ints
    queue_to: Ints
    delivers: Bools
    demotes: Bools
    step_queue: Ints
    flow_step: Ints
    first_flow: Table
    flows: Table
    offered: Loads


def layout(ground: Ground, by_seed: Sequence[Paths]) -> Layout:
    """The layout that serves the paths of every seed."""
    levels = 1 + max(int(p.levels.max(initial=0)) for p in by_seed)
    pairs, starts = [], []
    steps = 0
    for found in by_seed:
        buffer = np.where(
            found.channels == NOWHERE, NOWHERE, found.channels * levels + found.levels
        )
        near, far = buffer[:, :-1], buffer[:, 1:]
        there = far != NOWHERE
        pairs.append(np.column_stack((far[there], near[there])))
        length = there.sum(axis=1)
        starts.append(steps + np.cumsum(length) - length)
        steps += int(length.sum())
    keys, step_queue = np.unique(np.concatenate(pairs), axis=0, return_inverse=True)
    channel, level = np.divmod(keys[:, 0], levels)
    flows = np.array([np.bincount(p.source, minlength=len(ground.nics)) for p in by_seed])
    delivers = channel >= ground.fabric_channels
    return Layout(
        buffers=ground.channels * levels,
        levels=levels,
        queue_from=keys[:, 1],
        queue_to=keys[:, 0],
        delivers=delivers,
        demotes=~delivers & (level >= ground.rising.levels),
        step_queue=step_queue.reshape(-1),
        flow_step=np.concatenate(starts),
        first_flow=(np.cumsum(flows) - flows.reshape(-1)).reshape(flows.shape),
        flows=flows,
        offered=np.array([_offered(ground, p, n) for p, n in zip(by_seed, flows, strict=True)]),
    )


def _offered(ground: Ground, found: Paths, flows: Ints) -> Reals:
    """Load of each channel when every NIC that sends offers 1, evenly to its flows."""
    used = found.channels != NOWHERE
    share = np.repeat(1 / flows[found.source], used.sum(axis=1))
    load = np.bincount(found.channels[used], weights=share, minlength=ground.channels)
    return load.astype(np.float64)
