"""From what is observed to arrays: the same proof on real tables as on planned ones.

Switches are the devices that report; cables are those of :mod:`fabric.model.observed_cables`. A
destination is a class of addresses that every switch treats alike, so defaults and aggregates
count; addresses that nobody has are followed too.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits, dependencies, priorities
from fabric.analysis.forwarding import Forwarding
from fabric.analysis.longest_match import Atoms
from fabric.analysis.loops import circles
from fabric.analysis.network import NO_TIER, Cable, Network, Node
from fabric.analysis.observed_actions import AWAY, DROP, FIRST_SET, HOSTS, NO_ROUTE, OWN, Actions
from fabric.analysis.observed_notes import all_notes
from fabric.model.names import link_id
from fabric.model.observed import LoopStep, RoutingLoop
from fabric.model.observed_cables import cabling

if TYPE_CHECKING:
    from fabric.analysis.bits import Matrix, Rows
    from fabric.analysis.network import Ints, Table
    from fabric.model.observed import ObservedFabric
    from fabric.model.observed_cables import Cabling

NOBODY = -1
_SHOWN = 4  # prefixes of a loop


@dataclass(frozen=True, eq=False)
class ObservedForwarding(Forwarding):
    """Next hops as observed; a destination is a class of prefixes.

    ``destinations`` (D): the first switch with hosts of the class, −1 where no switch has any.
    ``ends`` (V, words): classes that a switch delivers, drops by a discard route or sends to what
    did not report. ``prefixes``: by class, as a reader knows them. ``loops``: shortest first.
    """

    ends: Rows = field(kw_only=True)
    prefixes: tuple[tuple[str, ...], ...] = field(kw_only=True)
    loops: tuple[RoutingLoop, ...] = field(kw_only=True)

    @cached_property
    def sources(self) -> Rows:
        """V, words: every leaf may send to every class; what ends on it has no next hop there."""
        count = len(self.destinations)
        found = bits.empty(len(self.network.names), count)
        found[self.network.leaves] = bits.packed(np.ones((1, count), dtype=np.bool_))[0]
        return found

    @cached_property
    def known(self) -> Rows:
        """V, words: classes that some path from a switch comes to an end with."""
        network = self.network
        tails = bits.Gather(network.tail, len(network.names))
        found = self.ends
        while True:
            more = found | tails.union(self.rows & found[network.head])
            if (more == found).all():
                return found
            found = more

    @cached_property
    def unreachable(self) -> tuple[tuple[int, int], ...]:
        """Ordered pairs of leaves of which the first has no way to some prefix of the second."""
        leaves = self.network.leaves
        lost = bits.unpacked(self.sources[leaves] & ~self.known[leaves], len(self.destinations))
        at, bit = np.nonzero(lost & (self.destinations != NOBODY)[None, :])
        pairs = zip(leaves[at].tolist(), self.destinations[bit].tolist(), strict=True)
        return tuple(sorted({(source, far) for source, far in pairs if source != far}))

    @cached_property
    def nobodys(self) -> tuple[int, ...]:
        """Classes that end nowhere: no switch has them, drops them or sends them away."""
        ended = np.bitwise_or.reduce(self.ends, axis=0)
        return tuple(sorted(set(range(len(self.destinations))) - set(bits.members(ended))))

    def destination_name(self, destination: int) -> str:
        """A class for a reader: the switch that has it, or its first prefix where nobody does."""
        at = int(self.destinations[destination])
        return self.network.names[at] if at != NOBODY else self.prefixes[destination][0]


def network_of(observed: ObservedFabric) -> tuple[Network, ObservedForwarding, tuple[str, ...]]:
    """Network and forwarding of a fabric as observed, and what a reader must know of them.

    Contradictions between LLDP tables are refused where the facts are read.
    """
    cables = cabling(observed)
    drawn = _cables(cables)
    bare = Network.of([Node(name) for name in observed.names], drawn)
    arcs = _arc_by_port(bare)
    actions = [Actions(d, cables.ports[d.name], arcs) for d in observed.devices]
    network = Network.of(_nodes(observed, actions), drawn)
    tables = _Tables(network, actions)
    forwarding = tables.forwarding()
    return network, forwarding, all_notes(observed, cables, actions, forwarding, tables.own_classes)


def _cables(cables: Cabling) -> list[Cable]:
    """Each parallel cable with a kind of its own: a table may use one of them alone."""
    seen: Counter[tuple[str, str]] = Counter()
    drawn = []
    for a, b, _ in cables.cables:
        seen[a.device, b.device] += 1
        n = seen[a.device, b.device]
        kind = "cable" if n == 1 else f"cable {n}"
        drawn.append(
            Cable(link_id(a.device, b.device, n), a.device, b.device, kind, a.port, b.port)
        )
    return drawn


def _arc_by_port(network: Network) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for pair, (cable,) in enumerate(network.cables):
        forward = network.number[cable.a] == network.tail[2 * pair]
        found[cable.a, cable.a_port] = 2 * pair + (not forward)
        found[cable.b, cable.b_port] = 2 * pair + forward
    return found


def _nodes(observed: ObservedFabric, actions: list[Actions]) -> list[Node]:
    return [
        Node(
            device.name,
            max(own.host_prefixes, device.is_leaf is True, own.outside),
            NO_TIER if device.tier is None else device.tier,
            device.group,
        )
        for device, own in zip(observed.devices, actions, strict=True)
    ]


class _Tables:
    """All tables on all atoms, merged to classes.

    ``codes`` (V, classes): what each switch does. ``in_proof``: classes that packets of hosts may
    be for: all but addresses of the switches themselves.
    """

    def __init__(self, network: Network, actions: list[Actions]) -> None:
        self._network, self._actions = network, actions
        atoms = Atoms.of(prefix for own in actions for prefix in own.codes)
        table = np.full((len(actions), len(atoms.prefixes)), NO_ROUTE, dtype=np.int64)
        for row, own in zip(table, actions, strict=True):
            which = [atoms.number[prefix] for prefix in own.codes]
            row[which] = list(own.codes.values())
        matched = atoms.matched(table)
        real = np.flatnonzero(atoms.has_addresses)
        matched = matched[:, real]
        is_own = (matched == OWN).any(axis=0) & ~(matched == HOSTS).any(axis=0)
        columns = np.ascontiguousarray(matched.T).view(np.uint64)
        group, first = bits.alike(columns, is_own.astype(np.int64))
        self._codes: Table = matched[:, first]
        self._prefixes = _members(atoms, real, group, len(first))
        delivered = (self._codes == HOSTS).any(axis=0)
        some = np.flatnonzero(~is_own[first])
        self.in_proof = some[np.argsort(~delivered[some], kind="stable")]  # hosts' own first
        self.own_classes = len(first) - len(self.in_proof)

    def forwarding(self) -> ObservedForwarding:
        """Of the classes in the proof; loops are looked for in all."""
        chosen = self.in_proof
        codes = self._codes[:, chosen]
        has = codes == HOSTS
        owner = np.where(has.any(axis=0), has.argmax(axis=0), NOBODY).astype(np.int64)
        found = ObservedForwarding(
            self._network,
            owner,
            self._rows(codes),
            ends=self._ends(codes),
            prefixes=tuple(self._prefixes[n] for n in chosen.tolist()),
            loops=(),
        )
        object.__setattr__(found, "loops", self._loops(found))
        return found

    def _rows(self, codes: Table) -> Rows:
        rows = bits.empty(len(self._network.tail), codes.shape[1])
        for own, row in zip(self._actions, codes, strict=True):
            used = np.unique(row[row >= FIRST_SET])
            if len(used):
                words = bits.packed(row[None, :] == used[:, None])
                for code, mask in zip(used.tolist(), words, strict=True):
                    rows[list(own.sets[code - FIRST_SET])] |= mask
        return rows

    def _ends(self, codes: Table) -> Rows:
        ends: Matrix = np.isin(codes, (HOSTS, OWN, DROP, AWAY))
        for n, own in enumerate(self._actions):
            if own.partly:
                ends[n] |= np.isin(codes[n], list(own.partly))
        return bits.packed(ends)

    def _loops(self, forwarding: ObservedForwarding) -> tuple[RoutingLoop, ...]:
        """Of every class, also of those that are no hosts'."""
        found = circles(self._network, self._rows(self._codes))
        if not found:
            return ()
        flow = dependencies.traffic(forwarding, priorities.none(self._network)).rows[0]
        carried = np.zeros((len(self._network.tail), self._codes.shape[1]), dtype=np.bool_)
        carried[:, self.in_proof] = bits.unpacked(flow, len(self.in_proof))
        nobody = np.isin(self._codes, (HOSTS, OWN, DROP, AWAY)).sum(axis=0) == 0
        loops = []
        for arcs, classes in found:
            names = [name for n in classes for name in self._prefixes[n]]
            in_use = carried[np.ix_(arcs, classes)].all(axis=0)
            loops.append(
                RoutingLoop(
                    steps=tuple(self._step(arc) for arc in arcs),
                    prefixes=tuple(names[:_SHOWN]),
                    of=len(names),
                    dead=bool(nobody[classes].all()),
                    lossless=bool(in_use.any()),
                )
            )
        return tuple(loops)

    def _step(self, arc: int) -> LoopStep:
        network = self._network
        (cable,) = network.cables[arc // 2]
        ends = [(cable.a, cable.a_port), (cable.b, cable.b_port)]
        if cable.a != network.names[network.tail[arc]]:
            ends.reverse()
        return LoopStep(cable.id, *ends[0], *ends[1])


def _members(atoms: Atoms, real: Ints, group: Ints, size: int) -> tuple[tuple[str, ...], ...]:
    """By class the texts of its atoms."""
    found: list[list[str]] = [[] for _ in range(size)]
    for atom, number in zip(real.tolist(), group.tolist(), strict=True):
        found[number].append(atoms.text(atom))
    return tuple(tuple(names) for names in found)
