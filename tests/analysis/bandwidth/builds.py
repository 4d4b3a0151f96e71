"""The builds of validation 2.5 and 2.6, and what their trials gave."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth import patterns
from fabric.analysis.bandwidth.effective import Sample, trial
from fabric.analysis.network import Network, Node, numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.analysis.bandwidth.placing import Placer
    from fabric.analysis.bandwidth.plant import Plant


def pods(count: int, half: int, cores: int, endpoints: int) -> Network:
    """``count`` pods of ``half`` edges and ``half`` aggregations, ``cores`` on each plane."""
    each, places = range(count), range(half)
    nodes = [Node(f"e{p}.{n}", endpoints, 0, f"pod {p}") for p in each for n in places]
    nodes += [Node(f"a{p}.{n}", 0, 1, f"pod {p}") for p in each for n in places]
    nodes += [Node(f"c{j}.{n}", 0, 2) for j in places for n in range(cores)]
    pairs = [(f"e{p}.{i}", f"a{p}.{j}", "edge-agg") for p in each for i in places for j in places]
    pairs += [
        (f"a{p}.{j}", f"c{j}.{n}", "agg-core") for p in each for j in places for n in range(cores)
    ]
    return Network.of(nodes, numbered(pairs))


def dragonfly(p: int, a: int, h: int, g: int) -> Network:
    """The builds of 128 endpoints, ⌊a·h/(g − 1)⌋ cables from each group to each other.

    With one cable a pair global port n belongs to router ⌊n/h⌋, with several to router n mod a.
    """
    links = a * h // (g - 1)
    nodes = [Node(f"g{i}.{r}", p, 0, f"group {i}") for i in range(g) for r in range(a)]
    pairs = [
        (f"g{i}.{r}", f"g{i}.{s}", "local") for i in range(g) for r in range(a) for s in range(r)
    ]
    used = [0] * g
    for i, j in combinations(range(g), 2):
        for _ in range(links):
            one, two = (used[n] // h if links == 1 else used[n] % a for n in (i, j))
            pairs.append((f"g{i}.{one}", f"g{j}.{two}", "global"))
            used[i], used[j] = used[i] + 1, used[j] + 1
    return Network.of(nodes, numbered(pairs))


def samples(
    plant: Plant, placer: Placer, qps: int, trials: int, pattern: str = patterns.BISECTION
) -> list[Sample]:
    """What each trial gave."""
    found = []
    for number in range(trials):
        random = np.random.default_rng((20, number, qps))
        found.append(trial(plant, placer, qps, random, patterns.drawn(plant, pattern, random)))
    return found


def agrees(values: Sequence[float], truth: float) -> bool:
    """Within 4·sd/√trials + 0.01 (validation 3)."""
    sd = float(np.std(values, ddof=1))
    return abs(float(np.mean(values)) - truth) <= 4 * sd / math.sqrt(len(values)) + 0.01
