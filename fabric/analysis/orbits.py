"""Failures that are alike: a mapping of the network onto itself takes one to the other.

Sound by construction: two cables share an orbit only where an automorphism was found and verified
that keeps all that routing and the rule of levels look at. What was not found stays apart, which
costs time only.
"""

from __future__ import annotations

import random
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.coloured import Coloured, Pairing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.analysis.coloured import Words
    from fabric.analysis.network import Ints, Network
    from fabric.analysis.routing.models import Seen

_SEED = 7  # which automorphisms are found first; the orbits do not depend on it


class Symmetry:
    """Orbits of a network under what keeps ``seen`` and the ways of a rule of levels (A)."""

    def __init__(self, network: Network, seen: Seen, way: Ints) -> None:
        self._network = network
        self._live = np.flatnonzero(network.count > 0)
        self._label = _numbered(network.kind, network.count, way, seen.arcs)
        fixed = (network.tier, network.endpoints > 0, network.alive, *seen.fixed.T)
        self._colour = _numbered(*fixed)
        self._shared = [_groups(labels) for labels in seen.shared]
        self._whole = _Quotient(*self._graph(self._label))

    @cached_property
    def switches(self) -> Ints:
        """V: orbit of each switch, by the number of its first member."""
        vertex = self._whole.vertex_orbits()[self._whole.of_vertex]
        return _firsts(vertex[: len(self._network.names)])

    @cached_property
    def bundles(self) -> Ints:
        """A/2: orbit of each pair of arcs, by its first member; without a cable, one by itself."""
        return self._bundles(self._whole)

    def bundles_beside(self, bundle: int) -> Ints:
        """The same under those automorphisms alone that leave one bundle in its place."""
        label = self._label.copy()
        label[2 * bundle : 2 * bundle + 2] += int(label.max()) + 1
        return self._bundles(_Quotient(*self._graph(label)))

    def _bundles(self, quotient: _Quotient) -> Ints:
        size = len(self._network.tail) // 2
        orbit = np.arange(size) + len(quotient.graph.tail)
        live = self._live[::2] // 2
        orbit[live] = quotient.arc_orbits()[quotient.of_arc[: len(self._live) : 2]]
        return _firsts(orbit)

    def _graph(self, label: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Colours, and tails, heads and labels of arcs, each with its reverse beside it.

        A vertex for each shared label, joined to those that share it.
        """
        network, colours = self._network, [self._colour]
        tails, heads = [network.tail[self._live]], [network.head[self._live]]
        labels = [label[self._live]]
        size = len(self._colour)
        for number, (members, owner, owners) in enumerate(self._shared, 1):
            ends = np.column_stack((members, owner + size))
            tails.append(ends.reshape(-1))
            heads.append(ends[:, ::-1].reshape(-1))
            labels.append(np.full(2 * len(members), -number))
            colours.append(np.full(owners, -number))
            size += owners
        tail, head = np.concatenate(tails), np.concatenate(heads)
        return np.concatenate(colours), tail, head, np.concatenate(labels)


def _groups(labels: Ints) -> tuple[Ints, Ints, int]:
    """Switches that share their label with others, the number of each one's label, and how many."""
    _, number, many = np.unique(labels, return_inverse=True, return_counts=True)
    members = np.flatnonzero((labels >= 0) & (many[number] > 1))
    kept, owner = np.unique(number[members], return_inverse=True)
    return members, owner.reshape(-1), len(kept)


def _numbered(*columns: np.ndarray[tuple[int], np.dtype[np.generic]]) -> Ints:
    """One number for each combination of values."""
    table = np.column_stack([column.astype(np.int64) for column in columns])
    _, number = np.unique(table, axis=0, return_inverse=True)
    return number.reshape(-1).astype(np.int64)


def _firsts(labels: Ints) -> Ints:
    """Each label replaced by the place where it comes first."""
    _, first, number = np.unique(labels, return_index=True, return_inverse=True)
    return first[number.reshape(-1)].astype(np.int64)


class _Quotient:
    """A graph with vertices of the same colour and the same neighbours taken as one.

    Such vertices can be exchanged, so all arcs between two classes of them are in one orbit, and
    an automorphism of the classes, with their sizes as colours, is one of the graph.
    """

    def __init__(self, colour: Ints, tail: Ints, head: Ints, label: Ints) -> None:
        back = label.reshape(-1, 2)[:, ::-1].reshape(-1)
        both = _numbered(label, back)
        order = np.lexsort((both, head, tail))
        starts = np.searchsorted(tail[order], np.arange(len(colour) + 1)).tolist()
        heads, labels = head[order], both[order]
        number: dict[object, int] = {}
        of_vertex = []
        for own, start, end in zip(colour.tolist(), starts, starts[1:], strict=False):
            key = (own, heads[start:end].tobytes(), labels[start:end].tobytes())
            of_vertex.append(number.setdefault(key, len(number)))
        self.of_vertex = np.array(of_vertex, dtype=np.int64)
        _, first, many = np.unique(self.of_vertex, return_index=True, return_counts=True)
        table = np.column_stack((self.of_vertex[tail], self.of_vertex[head], both))
        arcs, of_arc = np.unique(table, axis=0, return_inverse=True)
        self.of_arc = of_arc.reshape(-1).astype(np.int64)
        self.graph = Coloured(_numbered(colour[first], many), arcs[:, 0], arcs[:, 1], arcs[:, 2])
        self._reverse = np.empty(len(arcs), dtype=np.int64)
        self._reverse[self.of_arc] = self.of_arc.reshape(-1, 2)[:, ::-1].reshape(-1)
        self._rng = random.Random(_SEED)  # noqa: S311 — the choice is no secret
        self._arcs, self._vertices = _Sets(len(arcs)), _Sets(len(first))
        self._arcs.merge(self._reverse)

    def arc_orbits(self) -> Ints:
        """Of each arc of the quotient, whichever way it points."""
        graph = self.graph
        for arcs in self._alike(self._arcs, graph.stable[graph.tail], graph.stable[graph.head]):
            ways = [np.array([graph.tail[a], graph.head[a]]) for a in arcs]
            turned = [way[::-1] for way in ways]
            self._merge_class(self._arcs, arcs, list(zip(ways, turned, strict=True)))
        return self._arcs.labels

    def vertex_orbits(self) -> Ints:
        """Of each vertex of the quotient."""
        for vertices in self._alike(self._vertices, self.graph.stable):
            ways = [(np.array([vertex]),) for vertex in vertices]
            self._merge_class(self._vertices, vertices, ways)
        return self._vertices.labels

    def _alike(self, sets: _Sets, *colours: Words) -> list[list[int]]:
        """The first of each set, those of one colour together, if there are several."""
        together: dict[tuple[int, ...], list[int]] = {}
        for first in np.unique(sets.labels).tolist():
            key = tuple(sorted(int(part[first]) for part in colours))
            together.setdefault(key, []).append(first)
        return [firsts for firsts in together.values() if len(firsts) > 1]

    def _merge_class(
        self, sets: _Sets, points: list[int], ways: Sequence[tuple[Ints, ...]]
    ) -> None:
        """Merge points that an automorphism joins; ``ways``: vertices that stand for each."""
        known: dict[bytes, list[tuple[int, Pairing]]] = {}
        for point, own in zip(points, ways, strict=True):
            if any(sets.same(point, other) for some in known.values() for other, _ in some):
                continue
            singled = [self.graph.singled(self.graph.stable, way) for way in own]
            keys = [np.sort(colours).tobytes() for colours in singled]
            if not self._joined(sets, point, singled, [known.get(key, []) for key in keys]):
                known.setdefault(keys[0], []).append((point, Pairing(self.graph, singled[0])))

    def _joined(
        self,
        sets: _Sets,
        point: int,
        singled: list[Words],
        partners: list[list[tuple[int, Pairing]]],
    ) -> bool:
        """Whether an automorphism was found that takes a known point to this one."""
        for colours, pairings in zip(singled, partners, strict=True):
            for other, pairing in pairings:
                image = pairing.to(colours, self._rng)
                if image is not None:
                    self._vertices.merge(image)
                    self._arcs.merge(self.graph.arc_images(image))
                if sets.same(point, other):
                    return True
        return False


class _Sets:
    """Disjoint sets of points 0 … n−1. ``labels`` (n): the first point of each one's set."""

    def __init__(self, size: int) -> None:
        self.labels = np.arange(size)

    def merge(self, image: Ints) -> None:
        """Merge every point with its image."""
        while True:
            low = np.minimum(self.labels, self.labels[image])
            fresh = self.labels.copy()
            np.minimum.at(fresh, self.labels, low)  # the first point of a set speaks for it
            np.minimum.at(fresh, self.labels[image], low)
            fresh = fresh[self.labels]
            if (fresh == self.labels).all():
                return
            self.labels = fresh

    def same(self, one: int, two: int) -> bool:
        """Whether two points are in one set."""
        return bool(self.labels[one] == self.labels[two])
