"""Random bisections by the loads of their links alone: many at once, no max-min rates.

A flow gets 1 / (flows on the fullest link of its way), as in Hoefler, Schneider, Lumsdaine 2008; no
max-min rate is below that (validation 2.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.flows import leaf_for, leaf_to
from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.hashing import Words
    from fabric.analysis.bandwidth.paths import Ways
    from fabric.analysis.bandwidth.plant import Floats, Pairs
    from fabric.analysis.network import Ints

_CHUNK_CELLS = 500_000  # samples × cables at once: what a cache holds


def loaded(ways: Ways, seeds: Words, *, samples: int, seed: int = 1) -> Floats:
    """Mean rate of each of so many random bisections, one flow a pair, both directions.

    ``seeds`` (V): of the switches' hashes. In NIC rates; a flow without a way has rate 0. Of an odd
    count one endpoint stays idle.
    """
    random = np.random.default_rng(seed)
    plant = ways.plant
    half = len(plant.attached) // 2
    found = np.zeros(samples)
    if not half:
        return found
    chunk = max(1, _CHUNK_CELLS // max(1, len(plant.capacity), 2 * half))
    for start in range(0, samples, chunk):
        count = min(chunk, samples - start)
        drawn = random.permuted(np.tile(plant.attached, (count, 1)), axis=1)
        one, other = drawn[:, :half], drawn[:, half : 2 * half]
        source = np.concatenate((one, other), axis=1).reshape(-1)
        target = np.concatenate((other, one), axis=1).reshape(-1)
        keys = random.integers(0, 2**63, len(source), dtype=np.uint64)
        bonds = random.random((2, len(source)))
        sending = leaf_for(plant, source, bonds[0])
        leaves = (sending, leaf_to(plant, sending, target, bonds[1]))
        leg = plant.rate / np.maximum(plant.legs, 1)  # a flow uses one cable of a bond
        ends = np.minimum(leg[source], leg[target])
        cables = ways.sampled(*leaves, keys, seeds)
        rates = np.minimum(ends, _shares(plant.capacity, cables, count))
        rates[(leaves[0] != leaves[1]) & ~(cables != NOWHERE).any(axis=1)] = 0
        found[start : start + count] = rates.reshape(count, -1).mean(axis=1)
    return found


def _shares(capacity: Floats, cables: Pairs, samples: int) -> Floats:
    """F: the least capacity / flows of the cables of each; each sample's flows come together."""
    width = len(capacity) + 1  # one cable more, which limits nobody
    sample: Ints = np.repeat(np.arange(samples) * width, len(cables) // samples)
    best: Floats = np.full(len(cables), np.inf)
    lanes = [np.where(column == NOWHERE, width - 1, column) + sample for column in cables.T]
    load = np.zeros(samples * width)
    for lane in lanes:
        load += np.bincount(lane, minlength=len(load))
    share = np.full((samples, width), np.inf)
    used = load.reshape(samples, width)[:, :-1]
    np.divide(capacity, used, out=share[:, :-1], where=used > 0)
    flat = share.reshape(-1)
    for lane in lanes:
        np.minimum(best, flat[lane], out=best)
    return best
