"""Routing models as values: settle a network, settle a few destinations again after a failure.

A destination has to be settled again only where a switch lost its last next hop for it, or one
that passed on what the others do not (:meth:`Model.firm`, :meth:`Model.stand_ins`): every
other switch keeps its distance and what it tells its peers, and merely has fewer next hops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis import bits
from fabric.analysis.routing import bgp, dragonfly, paths, shortest, up_down
from fabric.analysis.routing.levels import Ends

if TYPE_CHECKING:
    from fabric.analysis.bits import Rows
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Ints, Network, Table

_BLOCK = 256  # destinations at once


class Again(NamedTuple):
    """Ways to some destinations: ``rows`` (A, words). ``free``: no tie was broken by number."""

    rows: Rows
    free: bool = True


class Seen(NamedTuple):
    """What a model looks at besides cables and tiers; a mapping that keeps it keeps the routes.

    ``fixed`` (V, n): values of a switch. ``shared`` (V each): labels of which only their equality
    counts, −1 for one that no other switch has. ``arcs`` (A): labels of arcs.
    """

    fixed: Table
    shared: tuple[Ints, ...]
    arcs: Ints


class Model:
    """A routing model for one network and every state of it with failures."""

    floods = False
    symmetric = True  # cables of one pair and kind are counted, not told apart

    def __init__(self, network: Network) -> None:
        self.network = network
        self._ends = Ends.of(network)

    def settle(self) -> Forwarding:
        """The ways with nothing failed."""
        raise NotImplementedError

    def again(self, state: Network, starts: Ints) -> Again:
        """Ways to the leaves ``starts`` after failures; flooding is left out."""
        raise NotImplementedError

    def firm(self, destinations: Ints) -> Rows | None:
        """V, words: destinations for which all next hops of a switch are as good to its peers.

        ``None``: for all of them.
        """
        del destinations
        return None

    def stand_ins(self) -> Ints:
        """A: arcs of one switch and one label can stand in for each other."""
        return np.zeros(len(self.network.tail), dtype=np.int64)

    def keeps(self, state: Network) -> bool:
        """Whether the failures leave alone what holds for all destinations at once."""
        del state
        return True

    def seen(self) -> Seen:
        """What the model looks at."""
        size = len(self.network.names)
        return Seen(np.zeros((size, 0), np.int64), (), np.zeros(len(self.network.tail), np.int64))


class Spf(Model):
    """``spf``."""

    def settle(self) -> Forwarding:
        """The ways with nothing failed."""
        return shortest.spf(self.network)

    def again(self, state: Network, starts: Ints) -> Again:
        """Ways after failures."""
        return Again(shortest.searched(state, starts, self._ends).rows)


class L2Flood(Spf):
    """``l2-flood``, on a network that was taken apart (:meth:`Network.apart`)."""

    floods = True

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        pairs = network.tail * len(network.names) + network.head
        self.symmetric = len(np.unique(pairs)) == len(pairs)

    def settle(self) -> Forwarding:
        """The ways with nothing failed, flooding among them."""
        return shortest.l2_flood(self.network)


class DragonflyMinimal(Model):
    """``dragonfly-minimal``."""

    def settle(self) -> Forwarding:
        """The ways with nothing failed.

        Raises:
            fabric.analysis.routing.dragonfly.GroupError: there are no groups.
        """
        return dragonfly.minimal(self.network)

    def again(self, state: Network, starts: Ints) -> Again:
        """Ways after failures."""
        return Again(dragonfly.searched(state, starts, self._ends).rows)

    def stand_ins(self) -> Ints:
        """Only what was reached over a global cable is passed on inside the group."""
        return dragonfly.local_arcs(self.network).astype(np.int64)

    def seen(self) -> Seen:
        """Groups, whatever their names are."""
        return super().seen()._replace(shared=(self.network.group,))


class UpDown(Model):
    """``updown``.

    Which arcs lead up may hang on the order of the switches. The outcome does not: a way that goes
    up, then down closes no ring, and there is one wherever there are cables.
    """

    def __init__(self, network: Network, roots: tuple[str, ...] = ()) -> None:
        super().__init__(network)
        self._roots = roots
        self._up = up_down.upward(network, roots)

    def settle(self) -> Forwarding:
        """The ways with nothing failed."""
        return up_down.up_down(self.network, self._roots)

    def again(self, state: Network, starts: Ints) -> Again:
        """Ways after failures."""
        up = up_down.upward(state, self._roots)
        return Again(up_down.searched(state, starts, up, self._ends).rows)

    def keeps(self, state: Network) -> bool:
        """Whether the same arcs lead up."""
        same = up_down.upward(state, self._roots) == self._up
        return bool(same[state.count > 0].all())


class Bgp(Model):
    """``bgp`` under some rules."""

    def __init__(self, network: Network, rules: bgp.BgpRules) -> None:
        super().__init__(network)
        self._rules = rules
        self._order = paths.Order.of(network)

    def settle(self) -> Forwarding:
        """The ways with nothing failed."""
        return bgp.bgp(self.network, self._rules)

    def again(self, state: Network, starts: Ints) -> Again:
        """Ways after failures."""
        rows, free = [], True
        for routes in self._blocks(state, starts):
            rows.append(routes.used)
            free &= routes.agreed
        return Again(bits.packed(np.concatenate(rows, axis=1)), free)

    def firm(self, destinations: Ints) -> Rows | None:
        """Where equal routes say the same."""
        blocks = self._blocks(self.network, destinations)
        agree = [routes.agree for routes in blocks if routes.agree is not None]
        return bits.packed(np.concatenate(agree, axis=1)) if agree else None

    def _blocks(self, state: Network, starts: Ints) -> list[paths.Routes]:
        return [
            paths.Routes(
                state, self._rules, starts[at : at + _BLOCK], order=self._order, compare=True
            ).settle()
            for at in range(0, len(starts), _BLOCK)
        ]

    def seen(self) -> Seen:
        """ASNs up to their numbers, and what is refused, tagged and allowed."""
        rules = self._rules
        fixed = np.column_stack(
            (rules.own_asn_allowed, rules.relax, rules.tag, rules.keeps, rules.denied)
        ).astype(np.int64)
        return super().seen()._replace(fixed=fixed, shared=(rules.asn,))
