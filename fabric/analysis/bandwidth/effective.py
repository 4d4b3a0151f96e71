"""Effective bandwidth: drawn patterns, flows as switches place them, max-min fair rates.

Effective bisection is that of Hoefler, Schneider, Lumsdaine 2008, with max-min rates in place of
1 / (flows on the worst link): these are what fair congestion control converges to (validation 2.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth import patterns
from fabric.analysis.bandwidth.fair import max_min
from fabric.analysis.bandwidth.flows import link_capacity, placed
from fabric.model.bandwidth import Effective

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.analysis.bandwidth.demand import Matrix
    from fabric.analysis.bandwidth.placing import Placer
    from fabric.analysis.bandwidth.plant import Plant
    from fabric.analysis.network import Ints

    Flags = np.ndarray[tuple[int, int], np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class Load:
    """What is drawn: ``qps`` flows a pair, ``pattern``, ``trials`` with ``seed``."""

    qps: int
    pattern: str = patterns.BISECTION
    trials: int = 50
    seed: int = 1


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


def trial(
    plant: Plant, placer: Placer, qps: int, random: np.random.Generator, pairs: tuple[Ints, Ints]
) -> Sample:
    """One pattern: each source sends to its target over ``qps`` flows."""
    source, target = (np.repeat(ends, qps) for ends in pairs)
    keys = random.integers(0, 2**63, len(source), dtype=np.uint64)
    bonds = random.random((2, len(source)))
    order = random.permutation(len(source))  # flows do not come pair by pair
    flows = placed(plant, placer, (source[order], target[order]), keys, bonds)
    rates = np.empty(len(source))
    routed = np.empty(len(source), dtype=np.bool_)
    rates[order] = max_min(flows.links, link_capacity(plant))
    routed[order] = flows.routed
    rates[~routed] = 0.0
    return sample_of(rates.reshape(-1, qps), routed.reshape(-1, qps))


def sample_of(rates: Matrix, routed: Flags) -> Sample:
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


def effective(
    plant: Plant,
    placer: Placer,
    load: Load,
    word: str,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Effective:
    """Means over the trials; the same seed gives the same digits.

    ``word``: what the hash is called. Patterns of one seed are the same for every hash and number
    of QPs, so that differences are not of the draw.
    """
    samples = []
    for number in range(load.trials):
        pairs = patterns.drawn(plant, load.pattern, np.random.default_rng((load.seed, number)))
        random = np.random.default_rng((load.seed, number, load.qps))
        samples.append(trial(plant, placer, load.qps, random, pairs))
        if progress:
            progress(number + 1, load.trials)
    return summary(samples, load, word)


def summary(samples: list[Sample], load: Load, word: str) -> Effective:
    """Means over the trials."""
    means = np.array([s.mean for s in samples])
    return Effective(
        qps=load.qps,
        hash=word,
        mean=float(means.mean()),
        sd=float(means.std(ddof=1)) if len(samples) > 1 else 0.0,
        worst_pair=float(np.mean([s.worst for s in samples])),
        striped=float(np.mean([s.striped for s in samples])),
        trials=load.trials,
        seed=load.seed,
        pattern=load.pattern,
        stranded=float(np.mean([s.stranded for s in samples])),
    )
