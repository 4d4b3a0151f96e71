"""Graphs with colours, and the mappings of such a graph onto itself (automorphisms).

Colours are refined until neighbours tell nothing new (1-dimensional Weisfeiler-Leman). Where that
leaves vertices alike, one is singled out and colours are refined again, in the graph and in a
second copy of it, until every vertex has its own colour: that pairs them. Only a pairing that is
then verified arc by arc counts, so an unlucky hash or choice loses a symmetry and never invents
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import random

    from fabric.analysis.network import Ints

    Words = np.ndarray[tuple[int], np.dtype[np.uint64]]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_TRIES = 4  # vertices that are tried in one place before giving a pairing up


def mixed(words: Words) -> Words:
    """Each word hashed (splitmix64)."""
    with np.errstate(over="ignore"):
        value = words + _ODD
        value = (value ^ (value >> np.uint64(30))) * _MIX
        value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@dataclass(frozen=True, eq=False)
class Coloured:
    """Vertices 0 … V−1 with colours; arcs with labels, no two of them alike.

    Shapes: ``colour``: V; ``tail``, ``head``, ``label``: A, in the order of the tails.
    """

    colour: Ints
    tail: Ints
    head: Ints
    label: Ints

    @cached_property
    def _starts(self) -> tuple[Ints, Ints]:
        starts = np.flatnonzero(np.diff(self.tail, prepend=-1))
        return starts, self.tail[starts]

    @cached_property
    def _salt(self) -> Words:
        return mixed(mixed(self.label.astype(np.uint64)))

    @cached_property
    def stable(self) -> Words:
        """V: colours as they stand, refined."""
        return self._refined(mixed(self.colour.astype(np.uint64)))

    def _refined(self, colours: Words) -> Words:
        starts, present = self._starts
        classes, before = len(np.unique(colours)), 0
        while before < classes < len(colours):
            before = classes
            fresh = mixed(colours)
            if len(starts):
                told = mixed(colours[self.head] ^ self._salt)
                with np.errstate(over="ignore"):
                    fresh[present] += np.add.reduceat(told, starts)
            colours = mixed(fresh)
            classes = len(np.unique(colours))
        return colours

    def singled(self, colours: Words, vertices: Ints) -> Words:
        """Refined after each of ``vertices``, in their order, got a colour of its own."""
        fresh = colours.copy()
        for rank, vertex in enumerate(vertices.tolist()):
            fresh[vertex] = mixed(fresh[[vertex]] ^ np.uint64(rank + 1))[0]
        return self._refined(fresh)

    @cached_property
    def _keys(self) -> Words:
        return np.sort(self._key(self.tail, self.head))

    def _key(self, tail: Ints, head: Ints) -> Ints:
        labels = int(self.label.max(initial=0)) + 1
        keys: Ints = (tail * len(self.colour) + head) * labels + self.label
        return keys

    def is_automorphism(self, image: Ints) -> bool:
        """Whether vertex v ↦ ``image[v]`` is one to one and keeps colours, arcs and labels."""
        return bool(
            (np.bincount(image, minlength=len(image)) == 1).all()
            and (self.colour[image] == self.colour).all()
            and (np.sort(self._key(image[self.tail], image[self.head])) == self._keys).all()
        )

    def arc_images(self, image: Ints) -> Ints:
        """A: the arc that each is mapped to."""
        mapped = self._key(image[self.tail], image[self.head])
        own = self._key(self.tail, self.head)
        order = np.argsort(own)
        found: Ints = order[np.searchsorted(own[order], mapped)]
        return found


class Pairing:
    """Automorphisms that map what was singled out first in a graph to what was in its copy."""

    def __init__(self, graph: Coloured, singled: Words) -> None:
        self._graph, self._first = graph, singled
        self._last = singled

    @cached_property
    def _steps(self) -> list[tuple[np.uint64, Words]]:
        """What is singled out next, by its colour, and the colours after it, sorted."""
        steps = []
        colours = self._first
        while (cell := _cell(colours)) is not None:
            colours = self._graph.singled(colours, np.flatnonzero(colours == cell)[:1])
            steps.append((cell, np.sort(colours)))
        self._last = colours
        return steps

    def to(self, singled: Words, rng: random.Random) -> Ints | None:
        """V: image of each vertex under a verified automorphism, or ``None`` if none was found."""
        colours = singled
        for cell, wanted in self._steps:
            members = np.flatnonzero(colours == cell).tolist()
            for member in rng.sample(members, min(_TRIES, len(members))):
                tried = self._graph.singled(colours, np.array([member]))
                if (np.sort(tried) == wanted).all():
                    colours = tried
                    break
            else:
                return None
        image = np.empty(len(colours), dtype=np.int64)
        image[np.argsort(self._last)] = np.argsort(colours)
        return image if self._graph.is_automorphism(image) else None


def _cell(colours: Words) -> np.uint64 | None:
    """The colour of the fewest vertices among those of several; ``None`` if all differ."""
    values, many = np.unique(colours, return_counts=True)
    several = np.flatnonzero(many > 1)
    return values[several[np.argmin(many[several])]] if len(several) else None
