"""The path of each flow: one ECMP choice out of the next hops, cable by cable, with its levels."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.storm.ground import NOWHERE

if TYPE_CHECKING:
    from fabric.analysis.network import Bools, Ints, Table
    from fabric.analysis.storm.ground import Ground
    from fabric.analysis.storm.traffic import Demand, Way


class PathError(ValueError):
    """Next hops that a packet cannot be followed along."""


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths of F flows, the first channel being that from the NIC to its leaf.

    ``channels``, ``levels`` (F, K): −1 behind the end. ``demoted`` (F): the path ends before its
    destination, in a lossy class, where a packet waits for nobody. ``source`` (F): the sending
    NIC, rising. ``lost``: flows left out since there is no way.
    """

    channels: Table
    levels: Table
    demoted: Bools
    source: Ints
    lost: int


def paths(ground: Ground, demand: Demand, rng: np.random.Generator) -> Paths:
    """A path for each flow; parallel cables are next hops of their own.

    Raises:
        PathError: next hops lead a packet round in circles, or flood it.
    """
    if ground.forwarding.floods:
        msg = "flooding copies packets, and the event model follows single ones"
        raise PathError(msg)
    hops, lost = _walked(ground, demand, rng)
    hops, source, destination = hops[~lost], demand.source[~lost], demand.destination[~lost]
    levels = _levels(ground, hops)
    lossless = levels < ground.rising.levels
    demoted = (~lossless & (hops != NOWHERE)).any(axis=1)
    # The channel on which a packet becomes lossy is the last that it is followed on.
    ends = (hops == NOWHERE) | (np.cumsum(~lossless, axis=1) > 1)
    length = (~ends).sum(axis=1)
    shape, every = (len(hops), hops.shape[1] + 2), np.arange(len(hops))
    channels, all_levels = np.full(shape, NOWHERE), np.zeros(shape, dtype=np.int64)
    channels[:, 0] = ground.to_leaf(source)
    channels[:, 1:-1] = np.where(ends, NOWHERE, hops)
    all_levels[:, 1:-1] = np.minimum(levels, ground.rising.levels)
    all_levels[every, length + 1] = all_levels[every, length]
    channels[every, length + 1] = np.where(demoted, NOWHERE, ground.from_leaf(destination))
    all_levels[channels == NOWHERE] = NOWHERE
    return Paths(channels, all_levels, demoted, source, int(lost.sum()))


def _walked(ground: Ground, demand: Demand, rng: np.random.Generator) -> tuple[Table, Bools]:
    """Channels between switches (F, H), −1 behind the end; which flows find no way."""
    network = ground.network
    choices = ground.onward if demand.onward else ground.choices
    here, goal = ground.leaf[demand.source], ground.leaf[demand.destination]
    aim = ground.destination[goal]
    lost = (aim == NOWHERE) & (here != goal)
    given = _given(ground, demand)
    hops: list[Ints] = []
    while (moving := (here != goal) & ~lost).any():
        if len(hops) > len(network.names):
            name = network.names[int(here[moving][0])]
            msg = f"the next hops of {name} lead packets round in circles"
            raise PathError(msg)
        key = here * len(ground.forwarding.destinations) + aim
        hop = choices.drawn(np.where(moving, key, 0), rng.random(len(key)))
        for flow, way in given.items():
            if len(hops) < len(way):
                hop[flow] = way[len(hops)]
        lost |= moving & (hop == NOWHERE)
        hop[~moving | lost] = NOWHERE
        on = hop != NOWHERE
        here = here.copy()
        here[on] = network.head[ground.arc_of[hop[on]]]
        hops.append(hop)
    shape = (len(here), len(hops))
    return np.array(hops, dtype=np.int64).reshape(shape[::-1]).T, lost


def _levels(ground: Ground, hops: Table) -> Table:
    """The level on each hop; behind the end that of the last one."""
    rising = ground.rising
    level = np.zeros(len(hops), dtype=np.int64)
    came = np.full(len(hops), rising.ways, dtype=np.int64)
    found = np.zeros_like(hops)
    for n, hop in enumerate(hops.T):
        on = hop != NOWHERE
        way = rising.way[ground.arc_of[hop[on]]]
        level[on] += rising.steps[came[on], way]
        came[on] = way
        found[:, n] = level
    return found


def _given(ground: Ground, demand: Demand) -> dict[int, list[int]]:
    """By flow the channels that it begins with, where routing allows its fixed way."""
    found = {}
    for flow in np.flatnonzero(demand.way >= 0).tolist():
        source, destination = (
            int(ground.leaf[end[flow]]) for end in (demand.source, demand.destination)
        )
        way = _through(ground, source, destination, demand.ways[demand.way[flow]])
        if way:
            found[flow] = way
    return found


def _through(ground: Ground, source: int, destination: int, way: Way) -> list[int]:
    """Channels from a leaf over the cables of a way; empty: routing does not lead there."""
    wanted = [ground.channel(*cable) for cable in way]
    if NOWHERE in wanted:
        return []
    network, aim = ground.network, int(ground.destination[destination])
    tails = network.tail[ground.arc_of[wanted]].tolist()

    def onward(switch: int) -> list[int]:
        key = switch * len(ground.forwarding.destinations) + aim
        return [] if switch == destination else ground.choices.at(key).tolist()

    if any(channel not in onward(tail) for channel, tail in zip(wanted, tails, strict=True)):
        return []
    before: dict[int, list[int]] = {source: []}
    queue = deque([source])
    while queue:
        here = queue.popleft()
        if here == tails[0]:
            return before[here] + wanted
        for channel in onward(here):
            there = int(network.head[ground.arc_of[channel]])
            if there not in before:
                before[there] = [*before[here], channel]
                queue.append(there)
    return []
