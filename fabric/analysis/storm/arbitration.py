"""Random ranks that depend on seed, queue and slot alone, whatever else runs beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fabric.analysis.network import Ints

    Words = np.ndarray[tuple[int], np.dtype[np.uint64]]

_STEP = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1
# SplitMix64 (Steele, Lea, Flood, OOPSLA'14).
_SHIFTS = (30, 27, 31)
_FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def _mixed(words: Words) -> Words:
    for shift, factor in zip(_SHIFTS, (*_FACTORS, 1), strict=True):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    return words


def salts(seeds: Ints, queues: Ints) -> Words:
    """A word for each queue of each run: ``seeds`` and ``queues`` have the same shape."""
    return _mixed(_mixed(seeds.astype(np.uint64)) ^ queues.astype(np.uint64))


def ranks(salt: Words, slot: int) -> Ints:
    """Ranks in a slot, 0 … 2⁶²−1, in which every order of some queues is equally likely."""
    mixed = _mixed(salt + np.uint64(slot * _STEP & _WORD))
    return (mixed >> np.uint64(2)).astype(np.int64)
