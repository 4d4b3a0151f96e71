"""How the lossless priority of a packet rises on its way: levels 0, 1, … of one class.

A level is what a buffer is told apart by. An arc has a *kind of way*; a switch moves a packet from
the level of the arc that it came by to that of the arc that it leaves by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from fabric.analysis.network import Bools, Ints, Network, Table

UNLIMITED = 8  # 802.1p has no more priorities
LOSSLESS = range(1, 6)  # 0 is the default class's, 6 and 7 are CNP's and control's (RCE020)


def numbers(named: Sequence[int], taken: Collection[int] = ()) -> tuple[int, ...]:
    """802.1p number of each level: those named, then what else can be lossless, upwards first.

    ``taken``: numbers of other classes. As many levels as numbers: no two share a buffer.
    """
    following = [*range(named[-1] + 1, LOSSLESS.stop), *range(LOSSLESS.start, named[-1])]
    free = [p for p in following if p not in taken and p not in named]
    return (*named, *free)


@dataclass(frozen=True, eq=False)
class Rising:
    """A rule of rising levels.

    ``way`` (A): kind of way of each arc, 0 … n−1. ``steps`` (n + 1, n): levels that a packet rises
    by from the way that it came by to the way that it leaves by; the last row is for packets that
    come from a host. ``levels``: those that are lossless; above, a packet can wait for nobody.
    """

    name: str
    way: Ints
    steps: Table
    levels: int = UNLIMITED

    @property
    def ways(self) -> int:
        """Kinds of way."""
        return int(self.steps.shape[1])


def none(network: Network) -> Rising:
    """One level everywhere."""
    return Rising("none", np.zeros(len(network.tail), np.int64), np.zeros((2, 1), np.int64), 1)


def bounce(network: Network, *, levels: int = UNLIMITED) -> Rising:
    """One up on every turn from down to up (Tagger, CoNEXT'17)."""
    way = np.where(network.down, 1, np.where(network.up, 2, 0))
    steps = np.zeros((4, 3), dtype=np.int64)
    steps[1, 2] = 1
    return Rising("bounce", way, steps, levels)


def global_hop(network: Network, *, levels: int = UNLIMITED) -> Rising:
    """One up after every global cable: one between two groups (validation 1.4)."""
    way = (network.group[network.tail] != network.group[network.head]).astype(np.int64)
    return Rising("global-hop", way, np.array([[0, 0], [1, 1], [0, 0]]), levels)


def on_kinds(network: Network, kinds: tuple[str, ...], *, levels: int) -> Rising:
    """One up where a packet leaves over a cable of these kinds, as a switch that re-marks there."""
    raising = np.array([kind in kinds for kind in network.kinds] or [False], dtype=np.int64)
    way = raising[network.kind] if len(network.kinds) else np.zeros(0, np.int64)
    steps = np.array([[0, 1], [0, 1], [0, 1]], dtype=np.int64)
    return Rising("as planned: " + " and ".join(kinds), way, steps, levels)


def on_arcs(network: Network, raising: Bools, name: str, *, levels: int = UNLIMITED) -> Rising:
    """One up where a packet leaves over one of these arcs (A): a dateline, wherever it is drawn."""
    steps = np.array([[0, 1], [0, 1], [0, 1]], dtype=np.int64)
    return Rising(
        name, raising.astype(np.int64) + np.zeros(len(network.tail), np.int64), steps, levels
    )
