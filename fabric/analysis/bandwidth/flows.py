"""Flows between endpoints as lists of links: NIC out, cables, NIC in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.hashing import Words
    from fabric.analysis.bandwidth.placing import Placer
    from fabric.analysis.bandwidth.plant import Floats, Pairs, Plant
    from fabric.analysis.network import Bools, Ints

_LEGS, _HALF = 2, 0.5  # a bond has two


@dataclass(frozen=True, eq=False)
class Flows:
    """``links`` (F, n), −1 beyond the last; ``routed`` (F): the flow has a way.

    Links: cables 0 … A−1, then A + e for what endpoint e sends, A + N + e for what it receives;
    where there are bonds, then the same for each of two legs.
    """

    links: Pairs
    routed: Bools


def link_capacity(plant: Plant) -> Floats:
    """A + 2 N: capacity of cables, of NICs sending, of NICs receiving, in NIC rates.

    With bonds 4 N more: of both legs of each endpoint sending, of both receiving.
    """
    ends = (plant.capacity, plant.rate, plant.rate)
    if not _has_bonds(plant):
        return np.concatenate(ends)
    leg = np.repeat(plant.rate / np.maximum(plant.legs, 1), _LEGS)
    return np.concatenate((*ends, leg, leg))


def _has_bonds(plant: Plant) -> bool:
    return bool((plant.legs > 1).any())


def _leg_links(plant: Plant, source: Ints, target: Ints, bonds: Floats, receiving: Ints) -> Pairs:
    """(F, 2): the leg that each flow leaves by and the one that it comes in by.

    ``receiving``: the leaf that it comes by, which settles the leg of a bond to two.
    """
    out = (plant.legs[source] > 1) & (bonds[0] >= _HALF)
    second = plant.leaf[target, 1]
    into = np.where(second != NOWHERE, receiving == second, bonds[1] >= _HALF)
    into &= plant.legs[target] > 1
    base = len(plant.capacity) + 2 * len(plant)
    middle = base + _LEGS * len(plant)
    return np.stack((base + _LEGS * source + out, middle + _LEGS * target + into), axis=1)


def leaf_for(plant: Plant, endpoints: Ints, drawn: Floats) -> Ints:
    """The leaf that each flow uses at an endpoint; a bond's hash chooses one of two."""
    first: Ints = plant.leaf[endpoints, 0]
    if not plant.paired:
        return first
    second = plant.leaf[endpoints, 1]
    found: Ints = np.where((second != NOWHERE) & (drawn >= _HALF), second, first)
    return found


def leaf_to(plant: Plant, sending: Ints, target: Ints, drawn: Floats) -> Ints:
    """The leaf that each flow comes to its target by.

    The one that it starts from where the target hangs on it too: that leaf has it connected.
    """
    if not plant.paired:
        return leaf_for(plant, target, drawn)
    own = (plant.leaf[target] == sending[:, None]).any(axis=1) & (sending != NOWHERE)
    found: Ints = np.where(own, sending, leaf_for(plant, target, drawn))
    return found


def placed(
    plant: Plant, placer: Placer, pairs: tuple[Ints, Ints], keys: Words, bonds: Floats
) -> Flows:
    """One flow for each pair (sources, targets). ``bonds`` (2, F): what bonds' hashes see."""
    source, target = pairs
    sending = leaf_for(plant, source, bonds[0])
    receiving = leaf_to(plant, sending, target, bonds[1])
    routed = (sending != NOWHERE) & (receiving != NOWHERE)
    arcs = np.full((len(source), 0), NOWHERE, dtype=np.int64)
    moving = np.flatnonzero(routed & (sending != receiving))
    if len(moving):
        cables = placer.cables(sending[moving], receiving[moving], keys[moving])
        arcs = np.full((len(source), max(1, cables.shape[1])), NOWHERE, dtype=np.int64)
        arcs[moving, : cables.shape[1]] = cables
        routed[moving] = (cables != NOWHERE).any(axis=1)
    base, count = len(plant.capacity), len(plant)
    ends = np.stack((base + source, base + count + target), axis=1)
    if _has_bonds(plant):
        ends = np.concatenate((ends, _leg_links(plant, source, target, bonds, receiving)), axis=1)
    links = np.concatenate((ends, arcs), axis=1)
    links[~routed] = NOWHERE
    return Flows(links, routed)
