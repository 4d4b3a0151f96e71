"""BGP routes as they settle, hop by hop, with what their best ones tell the next peer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from fabric.analysis.bits import Matrix
    from fabric.analysis.network import Bools, Ints, Network
    from fabric.analysis.routing.bgp import BgpRules

_UNREACHED = -1


class Order(NamedTuple):
    """Arcs by tail, then by head: the first peer of a switch comes first."""

    arcs: Ints

    @classmethod
    def of(cls, network: Network) -> Order:
        """That of the live arcs."""
        live = np.flatnonzero(network.count > 0)
        # The first peer of a switch comes first, and its first kind of cable.
        keys = (network.kind[live], network.head[live], network.tail[live])
        return cls(live[np.lexsort(keys)])


class Routes:
    """Routes to each of R leaves, of growing length.

    ``hops`` (V, R): length of the best route. ``used`` (A, R): routes in use. ``paths``: by hop
    the ASNs (V, R) that the best route has, nearest first. ``marks`` (V, R): its communities.
    ``agree`` (V, R): whether it is all one which of equal routes is the best; ``None`` if unasked.
    ``order``: that of the network with less failed, where many states of one are settled.
    """

    def __init__(
        self,
        network: Network,
        rules: BgpRules,
        starts: Ints,
        *,
        order: Order | None = None,
        compare: bool = False,
    ) -> None:
        self._network, self._rules = network, rules
        size = (len(network.names), len(starts))
        self.hops = np.full(size, _UNREACHED, dtype=np.int16)
        self.hops[starts, np.arange(len(starts))] = 0
        self.used: Matrix = np.zeros((len(network.tail), len(starts)), dtype=np.bool_)
        _, asn = np.unique(rules.asn, return_inverse=True)
        self._asn = asn.reshape(-1).astype(np.int32)
        self._paths: list[np.ndarray[tuple[int, int], np.dtype[np.int32]]] = []
        self._marks = np.zeros(size, dtype=np.int64)
        (arcs,) = Order.of(network) if order is None else order
        self._arcs = arcs[network.count[arcs] > 0]
        self._length = 0
        self.agree: Matrix | None = np.ones(size, dtype=np.bool_) if compare else None
        self._told = self._telling()

    def _telling(self) -> Ints:
        """By ASN number itself where a path with it can be refused or told apart, else one for all.

        The ASN of one switch alone refuses nothing: that switch has a shorter route by then. The
        last entry stands for the end of a path.
        """
        numbers = np.append(np.arange(int(self._asn.max(initial=0)) + 1), -1)
        if self._rules.relax.all():
            numbers[:-1][np.bincount(self._asn, minlength=len(numbers) - 1) == 1] = -2
        return numbers

    def settle(self) -> Routes:
        """All of them."""
        while self.hop():
            pass
        return self

    @property
    def agreed(self) -> bool:
        """Whether no tie mattered, as far as was asked."""
        return self.agree is None or bool(self.agree.all())

    def hop(self) -> bool:
        """Pass the routes of the present length on; whether anyone accepted one."""
        network = self._network
        ready = self.hops == self._length
        want = self.hops == _UNREACHED
        tail, head = network.tail[self._arcs], network.head[self._arcs]
        at, route = np.nonzero(ready[head] & want[tail])
        arc = self._arcs[at]
        good = self._sent(arc, route) & self._accepted(arc, route)
        arc, route = arc[good], route[good]
        if not len(arc):
            return False
        self._settle(arc, route)
        self._length += 1
        return True

    def _sent(self, arc: Ints, route: Ints) -> Bools:
        """Whether the peer passes its route on over the arc."""
        peer, kind = self._network.head[arc], self._network.kind[arc]
        refused = self._marks[peer, route] & self._rules.denied[peer, kind]
        return np.asarray(refused == 0)

    def _accepted(self, arc: Ints, route: Ints) -> Bools:
        """Whether the own ASN stands in the path no more often than allowed."""
        own, peer = self._network.tail[arc], self._network.head[arc]
        times = (self._asn[own] == self._asn[peer]).astype(np.int64)
        for path in self._paths:
            times += path[peer, route] == self._asn[own]
        return np.asarray(times <= self._rules.own_asn_allowed[own])

    def _settle(self, arc: Ints, route: Ints) -> None:
        network, rules = self._network, self._rules
        own, peer = network.tail[arc], network.head[arc]
        # Ordered by switch, then by peer: the first of each (switch, route) is its best.
        pair = own * self.hops.shape[1] + route
        _, first, place = np.unique(pair, return_index=True, return_inverse=True)
        if self.agree is not None:
            differ = ~self._alike(arc, arc[first[place]], route)
            self.agree[own[differ], route[differ]] = False
        strict = ~rules.relax[own]
        if strict.any():
            same = self._same_path(arc, arc[first[place]], route)
            kept = same | ~strict
            self.used[arc[kept], route[kept]] = True
        else:
            self.used[arc, route] = True
        marks = self._marked(arc[first], route[first])
        own, peer, route = own[first], peer[first], route[first]
        self.hops[own, route] = self._length + 1
        self._marks[own, route] = marks
        fresh = np.full(self.hops.shape, -1, dtype=np.int32)
        self._paths.append(fresh)
        for place_in, older in zip(self._paths[:0:-1], self._paths[-2::-1], strict=True):
            place_in[own, route] = older[peer, route]
        self._paths[0][own, route] = self._asn[peer]

    def _alike(self, arc: Ints, best: Ints, route: Ints) -> Bools:
        """Whether the routes over two arcs make the same difference to others."""
        network, told = self._network, self._told
        one, two = network.head[arc], network.head[best]
        same = told[self._asn[one]] == told[self._asn[two]]
        for path in self._paths:
            same &= told[path[one, route]] == told[path[two, route]]
        return np.asarray(same & (self._marked(arc, route) == self._marked(best, route)))

    def _marked(self, arc: Ints, route: Ints) -> Ints:
        """Communities of a route taken in over an arc."""
        network, rules = self._network, self._rules
        own, peer, kind = network.tail[arc], network.head[arc], network.kind[arc]
        return np.asarray(
            (self._marks[peer, route] & rules.keeps[own, kind]) | rules.tag[own, kind]
        )

    def _same_path(self, arc: Ints, best: Ints, route: Ints) -> Bools:
        """Whether the route over ``arc`` has the AS path of that over ``best``."""
        one, two = self._network.head[arc], self._network.head[best]
        same = self._asn[one] == self._asn[two]
        for path in self._paths:
            same &= path[one, route] == path[two, route]
        return np.asarray(same)
