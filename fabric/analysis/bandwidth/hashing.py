"""Which of several next hops a flow takes: hash functions with seeds, as switches have them.

A switch computes one number of the flow and its own seed; the next hop is that number scaled to
the count of next hops. Switches of one seed see the same number: that is polarisation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Floats
    from fabric.analysis.network import Ints

    Words = np.ndarray[tuple[int], np.dtype[np.uint64]]

ECMP, POLARISED, DLB, SPRAY = "ecmp", "ecmp-polarised", "dlb", "spray"
HASHES = (ECMP, POLARISED, DLB, SPRAY)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # splitmix64 (Steele, Lea, Flood 2014)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_BITS = 53


def mixed(value: Words) -> Words:
    """splitmix64: every bit of the result hangs on every bit of the value."""
    with np.errstate(over="ignore"):
        value = value + _GOLDEN
        value = (value ^ (value >> np.uint64(30))) * _FIRST
        value = (value ^ (value >> np.uint64(27))) * _SECOND
    return value ^ (value >> np.uint64(31))


def fractions(flows: Words, seeds: Words) -> Floats:
    """One number in [0, 1) for each flow at a switch with that seed."""
    return scaled(mixed(flows ^ mixed(seeds)))


def scaled(value: Words) -> Floats:
    """Words as numbers in [0, 1)."""
    return (value >> np.uint64(64 - _BITS)).astype(np.float64) * 2.0**-_BITS


def own_seeds(switches: int) -> Words:
    """V: another seed for each switch (``ecmp``)."""
    return np.arange(1, switches + 1, dtype=np.uint64)


def one_seed(switches: int) -> Words:
    """V: the same seed everywhere (``ecmp-polarised``)."""
    return np.ones(switches, dtype=np.uint64)


def seeds_of(numbers: Ints) -> Words:
    """V: the seeds that a plan renders, one a switch."""
    return numbers.astype(np.uint64)
