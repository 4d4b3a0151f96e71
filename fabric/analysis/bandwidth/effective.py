"""Effective bisection: random halves, random pairs, hashed flows, max-min fair rates.

Hoefler, Schneider, Lumsdaine 2008, with max-min rates in place of 1 / (flows on the worst link):
these are what fair congestion control converges to (validation 2.1). Both directions at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.fair import max_min
from fabric.analysis.bandwidth.flows import flows_between, link_capacity

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.analysis.bandwidth.hashing import Words
    from fabric.analysis.bandwidth.paths import Ways
    from fabric.analysis.bandwidth.plant import Floats
    from fabric.analysis.network import Ints


@dataclass(frozen=True, slots=True)
class Sample:
    """What one trial gave, in NIC rates a pair and direction.

    ``mean`` of the pairs' sums over their QPs, ``worst`` of them, ``striped``: mean of QPs ×
    slowest QP, ``stranded``: share of pairs without a way.
    """

    mean: float
    worst: float
    striped: float
    stranded: float = 0.0


def random_halves(count: int, random: np.random.Generator) -> tuple[Ints, Ints]:
    """A random matching between random halves of 0 … count−1; of an odd count one stays idle."""
    order = random.permutation(count)
    half = count // 2
    return order[:half], order[half : 2 * half]


def trial(
    ways: Ways, seeds: Words, qps: int, random: np.random.Generator, pairs: tuple[Ints, Ints]
) -> Sample:
    """One pattern: each pair sends both ways over ``qps`` flows a direction.

    ``pairs``: endpoints, among those attached.
    """
    one, other = pairs
    source = np.repeat(np.concatenate((one, other)), qps)
    target = np.repeat(np.concatenate((other, one)), qps)
    keys = random.integers(0, 2**63, len(source), dtype=np.uint64)
    bond = random.random(len(source))
    flows = flows_between(ways, source, target, keys, seeds, bond)
    rates = max_min(flows.links, link_capacity(ways.plant))
    rates[~flows.routed] = 0.0
    return sample_of(rates.reshape(-1, qps), flows.routed.reshape(-1, qps))


def sample_of(rates: Floats, routed: Floats) -> Sample:
    """From rates (pairs, QPs)."""
    sums = rates.sum(axis=1)
    if not len(sums):
        return Sample(0.0, 0.0, 0.0)
    striped = rates.min(axis=1) * rates.shape[1]
    return Sample(
        mean=float(sums.mean()),
        worst=float(sums.min()),
        striped=float(striped.mean()),
        stranded=float(1 - routed.any(axis=1).mean()),
    )


@dataclass(frozen=True, slots=True)
class Effective:
    """Over ``trials``: means of what the trials gave; ``sd`` of their means (n − 1)."""

    qps: int
    hash: str
    mean: float
    sd: float
    worst_pair: float
    striped: float
    trials: int
    seed: int
    stranded: float = 0.0


def effective(
    ways: Ways,
    *,
    qps: int,
    word: str,
    seeds: Words,
    trials: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> Effective:
    """Mean effective bisection; the same seed gives the same digits.

    ``word``: what the hash is called. Patterns of one seed are the same for every hash and number
    of QPs, so that differences are not of the draw.
    """
    attached = ways.plant.attached
    samples = []
    for number in range(trials):
        pattern = np.random.default_rng((seed, number))
        one, other = random_halves(len(attached), pattern)
        drawn = np.random.default_rng((seed, number, qps))
        samples.append(trial(ways, seeds, qps, drawn, (attached[one], attached[other])))
        if progress:
            progress(number + 1, trials)
    means = np.array([s.mean for s in samples])
    return Effective(
        qps=qps,
        hash=word,
        mean=float(means.mean()),
        sd=float(means.std(ddof=1)) if trials > 1 else 0.0,
        worst_pair=float(np.mean([s.worst for s in samples])),
        striped=float(np.mean([s.striped for s in samples])),
        trials=trials,
        seed=seed,
        stranded=float(np.mean([s.stranded for s in samples])),
    )
