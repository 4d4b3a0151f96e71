"""Valiant on a Dragonfly: minimally to a random middle in a third group, minimally on from there.

Every middle is possible, so all of them count. Packets within a group go straight.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits
from fabric.analysis.forwarding import Forwarding
from fabric.analysis.legs import Legs, across, laid_out_twice
from fabric.analysis.priorities import UNLIMITED, Rising
from fabric.analysis.routing.dragonfly import minimal

if TYPE_CHECKING:
    from fabric.analysis.bits import Matrix
    from fabric.analysis.network import Ints, Network

_LEAST_GROUPS = 3


def to_group(network: Network) -> Legs:
    """To whichever router of a random group is nearest, then minimally to the destination.

    Raises:
        GroupError: a switch without a group.
        ValueError: fewer than three groups.
    """
    groups = np.unique(network.group[network.alive])
    return _legs(network, middles=groups, group_of=groups, toward=_toward_groups(network, groups))


def to_router(network: Network) -> Legs:
    """Minimally to a random router of a third group, then minimally to the destination.

    Raises:
        GroupError: a switch without a group.
        ValueError: fewer than three groups.
    """
    middles = np.flatnonzero(network.alive)
    toward = _minimal_to_all(network)[:, middles]
    ends = network.head[:, None] == middles
    return _legs(
        network,
        middles=middles,
        group_of=network.group[middles],
        toward=(toward & ~ends, toward & ends),
    )


def rising_at_middle(legs: Legs, *, levels: int = UNLIMITED) -> Rising:
    """One up after every global cable, and one at the middle router (validation 1.4)."""
    network = legs.forwarding.network
    abroad = network.group[network.tail] != network.group[network.head]
    way = abroad.astype(np.int64) + 2 * across(legs.fabric)
    steps = np.repeat(np.array([[0], [1], [1], [2], [0]]), 4, axis=1)
    return Rising("global-hop and middle", way, steps, levels)


def _minimal_to_all(network: Network) -> Matrix:
    """A, V: whether an arc leads minimally to a switch, be it a leaf or not."""
    found = minimal(replace(network, endpoints=np.ones_like(network.endpoints)))
    toward = np.zeros((len(network.tail), len(network.names)), dtype=np.bool_)
    toward[:, found.destinations] = bits.unpacked(found.rows, len(found.destinations))
    return toward


def _toward_groups(network: Network, groups: Ints) -> tuple[Matrix, Matrix]:
    """A, groups: arcs that lead towards a group, and those that lead into it."""
    own, far = network.group[network.tail], network.group[network.head]
    live = network.count > 0
    into = (live & (own != far))[:, None] & (far[:, None] == groups)
    beside = np.zeros((len(network.names), len(groups)), dtype=np.bool_)
    arc, group = np.nonzero(into)
    beside[network.tail[arc], group] = True
    local = (live & (own == far))[:, None] & (own[:, None] != groups)
    return local & beside[network.head] & ~beside[network.tail], into


def _legs(
    network: Network, *, middles: Ints, group_of: Ints, toward: tuple[Matrix, Matrix]
) -> Legs:
    """``toward`` (A, middles): arcs to each middle that do not end there, and those that do."""
    onward = _minimal_to_all(network)
    if len(np.unique(network.group[network.alive])) < _LEAST_GROUPS:
        msg = "there is no third group to go through"
        raise ValueError(msg)
    leaves = network.leaves
    middle = np.repeat(np.arange(len(middles)), len(leaves))
    end = np.tile(leaves, len(middles))
    abroad = group_of[middle] != network.group[end]
    middle, end = middle[abroad], end[abroad]
    home = network.group[leaves][:, None]
    detour = (home != group_of[middle]) & (home != network.group[end])
    straight = (home == network.group[leaves]) & (leaves[:, None] != leaves)
    ends = np.concatenate((end, leaves))

    size, arcs = len(network.names), len(network.tail)
    layers = laid_out_twice(network)
    rows = np.zeros((4 * arcs, len(ends)), dtype=np.bool_)
    rows[:arcs, : len(end)] = toward[0][:, middle]
    rows[arcs : 2 * arcs] = onward[:, ends]
    rows[2 * arcs :: 2, : len(end)] = toward[1][:, middle]
    senders = np.zeros((2 * size, len(ends)), dtype=np.bool_)
    senders[leaves, : len(end)] = detour
    senders[size + leaves, len(end) :] = straight
    forwarding = Forwarding(layers, size + ends, bits.packed(rows), senders=bits.packed(senders))
    return Legs(network, forwarding, ends)
