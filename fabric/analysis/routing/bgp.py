"""``bgp``: eBGP as a path vector, settled, with the ASNs and policies of an ``Underlay``.

Every hop adds one ASN, so the shortest AS path is that of the fewest hops among those that are
accepted, and routes settle in rising length: what a switch passes on is its best route, and no
longer one can displace it. Which of equally long routes is the best one decides only what is
passed on (its ASNs and communities); all of them are used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.forwarding import Twins, expanded
from fabric.analysis.routing.paths import Routes

if TYPE_CHECKING:
    from fabric.analysis.bits import Matrix
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Bools, Ints, Network, Table
    from fabric.model.underlay import Community, RoutePolicy, Underlay

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
