"""Flows between endpoints as lists of links: NIC out, cables, NIC in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.hashing import Words
    from fabric.analysis.bandwidth.paths import Ways
    from fabric.analysis.bandwidth.plant import Floats, Pairs, Plant
    from fabric.analysis.network import Bools, Ints


@dataclass(frozen=True, eq=False)
class Flows:
    """``links`` (F, n), −1 beyond the last: cables 0 … A−1, then A + e for what endpoint e sends,
    A + N + e for what it receives. ``routed`` (F): the flow has a way.
    """

    links: Pairs
    routed: Bools


def link_capacity(plant: Plant) -> Floats:
    """A + 2 N: capacity of cables, of NICs sending, of NICs receiving, in NIC rates."""
    return np.concatenate((plant.capacity, plant.rate, plant.rate))


def leaf_for(plant: Plant, endpoints: Ints, drawn: Floats) -> Ints:
    """The leaf that each flow uses at an endpoint; a bond's hash chooses one of two."""
    first, second = plant.leaf[endpoints, 0], plant.leaf[endpoints, 1]
    return np.where((second != NOWHERE) & (drawn >= 0.5), second, first)  # noqa: PLR2004 - half


def flows_between(
    ways: Ways, source: Ints, target: Ints, keys: Words, seeds: Words, bond: Floats
) -> Flows:
    """One flow for each of F pairs of endpoints. ``keys``: what the hash sees; ``bond`` (F): what a
    bond's hash sees.
    """
    plant = ways.plant
    sending, receiving = leaf_for(plant, source, bond), leaf_for(plant, target, bond)
    arcs = ways.sampled(sending, receiving, keys, seeds)
    routed = (sending != NOWHERE) & (receiving != NOWHERE)
    if arcs.shape[1]:
        routed &= (arcs[:, 0] != NOWHERE) | (sending == receiving)
    else:
        routed &= sending == receiving
    base, count = len(plant.capacity), len(plant)
    ends = np.stack((base + source, base + count + target), axis=1)
    links = np.concatenate((ends, arcs), axis=1)
    links[~routed] = NOWHERE
    return Flows(links, routed)
