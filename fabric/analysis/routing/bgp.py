"""``bgp``: eBGP as a path vector, settled, with the ASNs and policies of an ``Underlay``.

Every hop adds one ASN, so the shortest AS path is that of the fewest hops among those that are
accepted, and routes settle in rising length: what a switch passes on is its best route, and no
longer one can displace it. Which of equally long routes is the best one decides only what is
passed on (its ASNs and communities); all of them are used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis.forwarding import Twins, expanded

if TYPE_CHECKING:
    from fabric.analysis.bits import Matrix
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Bools, Ints, Network, Table
    from fabric.model.underlay import Community, RoutePolicy, Underlay

_UNREACHED = -1
_BLOCK = 256  # leaves at once, so that a fabric of thousands fits the memory


@dataclass(frozen=True, eq=False)
class BgpRules:
    """What each switch does with routes.

    Shapes: ``asn``, ``own_asn_allowed`` (times that the own ASN may stand in a path), ``relax``,
    ``max_paths``: V. By switch and kind of cable (V, kinds): ``tag``, communities that an import
    adds; ``keeps``, those that it leaves; ``denied``, those that an export refuses (bit masks).
    """

    asn: Ints
    own_asn_allowed: Ints
    relax: Bools
    max_paths: Ints
    tag: Table
    keeps: Table
    denied: Table

    @classmethod
    def of(cls, underlay: Underlay, network: Network) -> BgpRules:
        """Those of an underlay that has a speaker on every switch of the network."""
        speakers = [underlay.speaker(name) for name in network.names]
        names = [c.name for s in speakers if s.policy for c in _communities(s.policy)]
        bit = {name: 1 << n for n, name in enumerate(dict.fromkeys(names))}
        tables = {s.policy: _table(s.policy, network.kinds, bit) for s in speakers}
        # V, kinds, 3; a fabric without cables has no kinds
        table = np.array([tables[s.policy] for s in speakers], dtype=np.int64)
        table = table.reshape(len(speakers), len(network.kinds), 3)
        return cls(
            asn=np.array([s.asn for s in speakers], dtype=np.int64),
            own_asn_allowed=np.array([s.allowas_in for s in speakers], dtype=np.int64),
            relax=np.array([s.multipath_relax for s in speakers], dtype=np.bool_),
            max_paths=np.array([s.max_paths for s in speakers], dtype=np.int64),
            tag=table[:, :, 0],
            keeps=table[:, :, 1],
            denied=table[:, :, 2],
        )

    def plain(self, *, own_asn_allowed: int = 0) -> BgpRules:
        """The same ASNs without policies, all paths of equal length used."""
        none = np.zeros_like(self.tag)
        return replace(
            self,
            own_asn_allowed=np.full_like(self.own_asn_allowed, own_asn_allowed),
            relax=np.ones_like(self.relax),
            tag=none,
            keeps=~none,
            denied=none,
        )


def _communities(policy: RoutePolicy) -> list[Community]:
    return [*(t.community for t in policy.tags), *policy.denied]


def _table(
    policy: RoutePolicy | None, kinds: tuple[str, ...], bit: dict[str, int]
) -> list[tuple[int, int, int]]:
    rows = []
    for kind in kinds:
        tag = policy.tag(kind) if policy else None
        denial = policy.denial(kind) if policy else None
        rows.append(
            (
                bit[tag.community.name] if tag else 0,
                0 if tag and tag.alone else -1,
                bit[denial.community.name] if denial else 0,
            )
        )
    return rows


def bgp(network: Network, rules: BgpRules) -> Forwarding:
    """The next hops on which BGP settles; the best of equal routes is that of the first peer."""
    twins = Twins.of(network, _alike(rules))
    used: Matrix = np.zeros((len(network.tail), len(twins.firsts)), dtype=np.bool_)
    for start in range(0, len(twins.firsts), _BLOCK):
        block = slice(start, start + _BLOCK)
        used[:, block] = Routes(network, rules, twins.firsts[block]).settle().used
    found = expanded(network, twins, used)
    fanned = np.zeros(len(network.names), dtype=np.int64)
    np.add.at(fanned, network.tail, np.where(found.rows.any(axis=1), network.count, 0))
    over = np.flatnonzero(fanned > rules.max_paths)
    if not len(over):
        return found
    note = (
        f"{network.names[over[0]]} may have more equal paths than the "
        f"{rules.max_paths[over[0]]} that it uses; all of them count"
    )
    return replace(found, notes=(note,))


def _alike(rules: BgpRules) -> Ints:
    """V: label of what BGP looks at; ASNs of one switch alone are interchangeable."""
    _, where, times = np.unique(rules.asn, return_inverse=True, return_counts=True)
    shared = np.where(times[where] > 1, where + 1, 0)
    fixed = np.column_stack(
        (shared, rules.own_asn_allowed, rules.relax, rules.tag, rules.keeps, rules.denied)
    )
    _, label = np.unique(fixed, axis=0, return_inverse=True)
    return label.reshape(-1).astype(np.int64)


class Order(NamedTuple):
    """Arcs by tail, then by head: the first peer of a switch comes first."""

    arcs: Ints

    @classmethod
    def of(cls, network: Network) -> Order:
        """That of the live arcs."""
        live = np.flatnonzero(network.count > 0)
        return cls(live[np.lexsort((network.head[live], network.tail[live]))])


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
        return np.asarray((self._marks[peer, route] & rules.keeps[own, kind]) | rules.tag[own, kind])

    def _same_path(self, arc: Ints, best: Ints, route: Ints) -> Bools:
        """Whether the route over ``arc`` has the AS path of that over ``best``."""
        one, two = self._network.head[arc], self._network.head[best]
        same = self._asn[one] == self._asn[two]
        for path in self._paths:
            same &= path[one, route] == path[two, route]
        return np.asarray(same)
