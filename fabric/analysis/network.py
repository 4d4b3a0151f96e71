"""Switches and directed cables as arrays; names come back only for the report.

An *arc* is a pair of neighbours in one direction, with all parallel cables of one kind between
them: parallel cables carry the same traffic under ECMP, so they are counted, not repeated. Arc
``i ^ 1`` is arc ``i`` the other way round.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.model.names import link_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from fabric.model.topology import Topology

    Ints = np.ndarray[tuple[int], np.dtype[np.int64]]
    Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]
    Table = np.ndarray[tuple[int, int], np.dtype[np.int64]]

NO_TIER = -1
NO_GROUP = -1


class Node(NamedTuple):
    """A switch. ``endpoints``: NIC ports that hang on it; with 0 it sends and receives nothing."""

    name: str
    endpoints: int = 0
    tier: int = NO_TIER
    group: str | None = None


class Cable(NamedTuple):
    """A cable between two switches; ports are empty where they are not known."""

    id: str
    a: str
    b: str
    kind: str = "cable"
    a_port: str = ""
    b_port: str = ""


@dataclass(frozen=True, eq=False)
class Network:
    """Switches 0 … V−1 and arcs 0 … A−1.

    Shapes: ``tier``, ``group``, ``endpoints``: V; ``tail``, ``head``, ``kind``, ``count``: A.
    ``count``: cables in service, 0 where all have failed. ``kinds``: names of the values of
    ``kind``. ``cables``: by pair of arcs (A/2) those in service, each with its id first.
    ``alive``: V, switches in service. ``hung``: cables of hosts in service by id, each with the
    number of its switch; those that are taken out are no endpoints any more.
    """

    names: tuple[str, ...]
    tier: Ints
    group: Ints
    group_names: tuple[str, ...]
    endpoints: Ints
    alive: Bools
    tail: Ints
    head: Ints
    kind: Ints
    kinds: tuple[str, ...]
    count: Ints
    cables: tuple[tuple[Cable, ...], ...]
    hung: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, nodes: Iterable[Node], cables: Iterable[Cable]) -> Network:
        """The network of these switches and cables; ``hung`` stays empty.

        Raises:
            ValueError: a cable that names an unknown switch, or joins a switch with itself.
        """
        listed = tuple(nodes)
        number = {node.name: n for n, node in enumerate(listed)}
        bundles: dict[tuple[int, int, str], list[Cable]] = {}
        for cable in cables:
            if cable.a not in number or cable.b not in number or cable.a == cable.b:
                msg = f"cable {cable.id} does not join two of the {len(listed)} switches"
                raise ValueError(msg)
            pair = (number[cable.a], number[cable.b])
            low, high = min(pair), max(pair)
            bundles.setdefault((low, high, cable.kind), []).append(cable)
        groups = tuple(dict.fromkeys(node.group for node in listed if node.group is not None))
        group_number = {name: n for n, name in enumerate(groups)}
        kinds = tuple(dict.fromkeys(kind for _, _, kind in bundles))
        pairs = np.array([(a, b) for a, b, _ in bundles], dtype=np.int64).reshape(-1, 2)
        counts = np.array([len(cables) for cables in bundles.values()], dtype=np.int64)
        kind_numbers = [kinds.index(kind) for _, _, kind in bundles]
        return cls(
            names=tuple(number),
            tier=np.array([node.tier for node in listed], dtype=np.int64),
            group=np.array(
                [NO_GROUP if n.group is None else group_number[n.group] for n in listed],
                dtype=np.int64,
            ),
            group_names=groups,
            endpoints=np.array([node.endpoints for node in listed], dtype=np.int64),
            alive=np.ones(len(listed), dtype=np.bool_),
            tail=pairs.reshape(-1),
            head=pairs[:, ::-1].reshape(-1),
            kind=np.repeat(np.array(kind_numbers, dtype=np.int64), 2),
            kinds=kinds,
            count=np.repeat(counts, 2),
            cables=tuple(tuple(cables) for cables in bundles.values()),
        )

    @cached_property
    def leaves(self) -> Ints:
        """Switches in service that have endpoints: between them traffic flows."""
        return np.flatnonzero((self.endpoints > 0) & self.alive)

    @cached_property
    def number(self) -> Mapping[str, int]:
        """Switch by name."""
        return {name: n for n, name in enumerate(self.names)}

    @property
    def is_tiered(self) -> bool:
        """Whether every switch has a tier and some cable leads to another one."""
        return bool((self.tier >= 0).all() and (self.tier[self.tail] != self.tier[self.head]).any())

    @property
    def up(self) -> Bools:
        """A: arcs that lead to a higher tier."""
        return self.tier[self.head] > self.tier[self.tail]

    @property
    def down(self) -> Bools:
        """A: arcs that lead to a lower tier."""
        return self.tier[self.head] < self.tier[self.tail]

    def without(self, cables: Iterable[str] = (), switches: Iterable[str] = ()) -> Network:
        """The same network with cables (ids, of hosts too) and switches out of service.

        Raises:
            KeyError: an id or a name that it does not have.
        """
        wanted = {*cables}
        if nics := wanted & self.hung.keys():
            return self._unplugged(nics).without(wanted - nics, switches)
        gone = {*switches}
        alive = self.alive.copy()
        for name in gone:
            alive[self.number[name]] = False
        cut: dict[int, set[str]] = {}
        for cable in wanted:
            cut.setdefault(self._bundle_of[cable], set()).add(cable)
        count, left = self.count.copy(), list(self.cables)
        for bundle, ids in cut.items():
            left[bundle] = tuple(c for c in left[bundle] if c.id not in ids)
            count[2 * bundle : 2 * bundle + 2] = len(left[bundle])
        if gone:
            count[~(alive[self.tail] & alive[self.head])] = 0
        return replace(self, alive=alive, count=count, cables=tuple(left))

    def _unplugged(self, nics: AbstractSet[str]) -> Network:
        """Without these cables of hosts."""
        endpoints = self.endpoints.copy()
        for cable in nics:
            endpoints[self.hung[cable]] -= 1
        left = {cable: leaf for cable, leaf in self.hung.items() if cable not in nics}
        return replace(self, endpoints=endpoints, hung=left)

    def apart(self) -> tuple[Network, Ints]:
        """The same network with a pair of arcs for each cable, and the old arc of each new one."""
        bundle = np.repeat(np.arange(len(self.cables)), [len(cables) for cables in self.cables])
        old = np.column_stack((2 * bundle, 2 * bundle + 1)).reshape(-1)
        single = replace(
            self,
            tail=self.tail[old],
            head=self.head[old],
            kind=self.kind[old],
            count=np.minimum(self.count[old], 1),
            cables=tuple((cable,) for cables in self.cables for cable in cables),
        )
        return single, old

    @cached_property
    def _bundle_of(self) -> Mapping[str, int]:
        return {cable.id: n for n, cables in enumerate(self.cables) for cable in cables}

    def arc_text(self, arc: int) -> str:
        """``a → b`` of an arc."""
        return f"{self.names[self.tail[arc]]} → {self.names[self.head[arc]]}"


def of_topology(topology: Topology) -> Network:
    """The network between the switches; hosts become endpoints of their leaves."""
    endpoints: Counter[str] = Counter(link.b.device for link in topology.host_links)
    network = Network.of(
        (
            Node(
                s.name,
                endpoints[s.name],
                s.position.tier,
                s.group_name or (None if s.position.group is None else str(s.position.group)),
            )
            for s in topology.switches
        ),
        (
            Cable(x.id, x.a.device, x.b.device, x.kind, x.a.port, x.b.port)
            for x in topology.fabric_links
        ),
    )
    return replace(
        network, hung={link.id: network.number[link.b.device] for link in topology.host_links}
    )


def numbered(pairs: Iterable[tuple[str, str, str]]) -> list[Cable]:
    """Cables with their ids from (a, b, kind); the n-th between two switches has ordinal n."""
    seen: Counter[frozenset[str]] = Counter()
    cables = []
    for a, b, kind in pairs:
        seen[frozenset((a, b))] += 1
        cables.append(Cable(link_id(a, b, seen[frozenset((a, b))]), a, b, kind))
    return cables
