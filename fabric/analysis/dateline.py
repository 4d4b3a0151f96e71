"""Dateline: cables at which the priority rises so that no cycle can close (Dally & Seitz 1987).

A level never falls, so a cycle crosses no cable that raises it: a set of cables that every cycle
crosses is enough. Sets of up to three are found by branching over the cables of a shortest cycle,
small ones first; beyond that cables are added one by one, each the one that leaves least.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis import priorities
from fabric.analysis.cycle import shortest
from fabric.analysis.deadlock import prove

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.analysis.deadlock import Proof
    from fabric.analysis.forwarding import Forwarding

LOOKED_AT = priorities.UNLIMITED + 1  # a packet at that level has no priority left
MOST_SWITCHES = 128
_EXACT = 3  # cables
MOST_CABLES = 12
_PROOFS = 100  # a search is cut off there, by count, so that it ends alike everywhere

Bundles = frozenset[int]  # pairs of arcs: all parallel cables of one kind between two switches


class Dateline(NamedTuple):
    """``bundles``: where the priority rises; ``proof``: with that."""

    bundles: tuple[int, ...]
    proof: Proof


class _Search:
    """Proofs of one forwarding, counted and kept."""

    def __init__(self, forwarding: Forwarding) -> None:
        self._forwarding = forwarding
        self._proofs: dict[Bundles, Proof] = {}
        self._cycles: dict[Bundles, tuple[int, ...]] = {}

    @property
    def spent(self) -> bool:
        return len(self._proofs) >= _PROOFS

    def proof(self, bundles: Bundles) -> Proof:
        if bundles not in self._proofs:
            network = self._forwarding.network
            raising = np.zeros(len(network.tail), dtype=np.bool_)
            for bundle in bundles:
                raising[2 * bundle : 2 * bundle + 2] = True
            rule = priorities.on_arcs(network, raising, "dateline", levels=LOOKED_AT)
            self._proofs[bundles] = prove(self._forwarding, rule)
        return self._proofs[bundles]

    def on_cycle(self, bundles: Bundles) -> tuple[int, ...]:
        """The pairs of arcs of a shortest cycle that is left."""
        if bundles not in self._cycles:
            network = self._forwarding.network
            where = {c.id: n for n, cables in enumerate(network.cables) for c in cables}
            steps = shortest(self.proof(bundles), lambda level: level)
            self._cycles[bundles] = tuple(dict.fromkeys(where[step.link] for step in steps))
        return self._cycles[bundles]


def dateline(forwarding: Forwarding) -> Dateline:
    """The cables, few and with few priorities; 12 of them may still leave a CBD."""
    search = _Search(forwarding)
    for size in range(1, _EXACT + 1):
        sets = list(_hitting(search, frozenset(), size))
        if sets:
            best = min(sets, key=lambda found: _rank(search, found))
            return Dateline(tuple(sorted(best)), search.proof(best))
        if search.spent:
            break
    return _greedy(search)


def _rank(search: _Search, bundles: Bundles) -> tuple[int, list[int]]:
    """Few priorities; then the last cables, which close a ring as people write it."""
    return (search.proof(bundles).priorities, [-bundle for bundle in sorted(bundles, reverse=True)])


def _hitting(search: _Search, chosen: Bundles, left: int) -> Iterator[Bundles]:
    """Sets of ``left`` more cables, one of each shortest cycle that the others leave."""
    if not search.proof(chosen).cbd:
        yield chosen
        return
    if not left or search.spent:
        return
    for bundle in search.on_cycle(chosen):
        yield from _hitting(search, chosen | {bundle}, left - 1)


def _greedy(search: _Search) -> Dateline:
    chosen: Bundles = frozenset()
    while search.proof(chosen).cbd and len(chosen) < MOST_CABLES:
        options = [chosen | {bundle} for bundle in search.on_cycle(chosen)]
        chosen = min(options, key=lambda found: (_left(search.proof(found)), -max(found)))
    return Dateline(tuple(sorted(chosen)), search.proof(chosen))


def _left(proof: Proof) -> int:
    """Channels that are still on a cycle."""
    return int(proof.component_sizes.sum())
