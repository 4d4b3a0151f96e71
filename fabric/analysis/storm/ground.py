"""What flows run over: channels, and those that each switch may choose from.

A channel is a directed cable: first those between switches, arc by arc, then of each NIC the cable
to its leaf, then of each NIC the cable from its leaf.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Cable, Ints, Network
    from fabric.analysis.priorities import Rising
    from fabric.analysis.storm.traffic import Nic

    Reals = np.ndarray[tuple[int], np.dtype[np.float64]]

NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Ground:
    """What flows run over: a network with its next hops, rule of levels and NICs."""

    network: Network
    forwarding: Forwarding
    rising: Rising
    nics: Sequence[Nic]

    @cached_property
    def first_channel(self) -> Ints:
        """A: the first channel of each arc; its cables follow each other."""
        count = self.network.count
        return np.asarray(np.cumsum(count) - count)

    @cached_property
    def arc_of(self) -> Ints:
        """The arc of each channel between switches."""
        return np.repeat(np.arange(len(self.network.count)), self.network.count)

    @property
    def fabric_channels(self) -> int:
        """Channels between switches."""
        return len(self.arc_of)

    @property
    def channels(self) -> int:
        """All channels."""
        return self.fabric_channels + 2 * len(self.nics)

    def to_leaf(self, nic: Ints) -> Ints:
        """Channels from NICs to their leaves."""
        return self.fabric_channels + nic

    def from_leaf(self, nic: Ints) -> Ints:
        """Channels from leaves to NICs."""
        return self.fabric_channels + len(self.nics) + nic

    def cable(self, channel: int) -> tuple[Cable, str]:
        """The cable between switches of a channel, and the switch that sends on it."""
        arc = int(self.arc_of[channel])
        cable = self.network.cables[arc // 2][channel - int(self.first_channel[arc])]
        return cable, self.network.names[self.network.tail[arc]]

    def channel(self, link: str, sender: str) -> int:
        """The channel of a cable on which a switch sends; −1: out of service."""
        return self._by_cable.get((link, sender), NOWHERE)

    @cached_property
    def _by_cable(self) -> dict[tuple[str, str], int]:
        return {
            (cable.id, sender): channel
            for channel in range(self.fabric_channels)
            for cable, sender in (self.cable(channel),)
        }

    @cached_property
    def leaf(self) -> Ints:
        """The switch of each NIC."""
        return np.array([nic.leaf for nic in self.nics], dtype=np.int64)

    @cached_property
    def destination(self) -> Ints:
        """V: which destination of the forwarding a switch is, or −1."""
        found = np.full(len(self.network.names), NOWHERE, dtype=np.int64)
        count = len(self.forwarding.destinations)
        found[self.forwarding.destinations[::-1]] = np.arange(count)[::-1]
        return found

    @cached_property
    def choices(self) -> Choices:
        """All next hops."""
        network, count = self.network, len(self.forwarding.destinations)
        allowed = bits.unpacked(self.forwarding.rows, count)[self.arc_of]
        channel, bit = np.nonzero(allowed)
        key = network.tail[self.arc_of[channel]] * count + bit
        return Choices.of(key, channel, len(network.names) * count)

    @cached_property
    def onward(self) -> Choices:
        """Next hops, of which those to the next leaf in order alone where it is one of them."""
        leaves = self.network.leaves
        following = np.full(len(self.network.names), NOWHERE, dtype=np.int64)
        following[leaves] = np.roll(leaves, -1)
        arc = self.arc_of[self.choices.channel]
        leads_on = self.network.head[arc] == following[self.network.tail[arc]]
        key = self.choices.key
        has = np.zeros(len(self.choices.count), dtype=np.bool_)
        has[key[leads_on]] = True
        kept = leads_on | ~has[key]
        return Choices.of(key[kept], self.choices.channel[kept], len(self.choices.count))


@dataclass(frozen=True, eq=False)
class Choices:
    """Channels to choose from by key (switch · destinations + destination), sorted by key."""

    key: Ints
    channel: Ints
    start: Ints
    count: Ints

    @classmethod
    def of(cls, key: Ints, channel: Ints, keys: int) -> Choices:
        """From the key of each channel that may be chosen."""
        order = np.lexsort((channel, key))
        count = np.bincount(key, minlength=keys)
        return cls(key[order], channel[order], np.cumsum(count) - count, count)

    def at(self, key: int) -> Ints:
        """The channels of one key."""
        return self.channel[self.start[key] : self.start[key] + self.count[key]]

    def drawn(self, key: Ints, draw: Reals) -> Ints:
        """One channel of each key, −1 where there is none. ``draw``: in [0, 1)."""
        count = self.count[key]
        place = self.start[key] + (draw * count).astype(np.int64)
        found = np.full(len(key), NOWHERE, dtype=np.int64)
        found[count > 0] = self.channel[place[count > 0]]
        return found
