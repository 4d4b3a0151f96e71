"""Flows between two hosts of a fat-tree: what a model of the analysis spreads, what was measured.

One measurement is one draw of the model, so it agrees when each figure is within 4 sd + 0.01 of the
mean of the model's draws (validation 3, where it is the mean that is measured: 4 sd / √trials).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis.bandwidth.answer import State, placer
from fabric.analysis.bandwidth.plant import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabric.model.design import Design

SD, LEAST = 4, 0.01
TRIALS = 200


class Spread(NamedTuple):
    """Shares of the flows on the fullest uplink of the first switch, on the fullest into a core.

    ``cores``: cables into cores that any flow takes.
    """

    first: float
    second: float
    cores: int


def spread_of(counts: Mapping[str, Mapping[str, int]], edge: str) -> Spread:
    """Of flows by switch and next switch."""
    flows = sum(counts[edge].values())
    into = [n for name, ways in counts.items() if name != edge for n in ways.values()]
    return Spread(max(counts[edge].values()) / flows, max(into) / flows, sum(n > 0 for n in into))


def drawn(design: Design, word: str, flows: int, *, trials: int = TRIALS) -> list[Spread]:
    """Draws of a model (``planned``, ``ecmp``, ``ecmp-polarised``), first host to last."""
    state = State(design)
    network = state.plant.network
    names, leaf = network.names, state.plant.leaf[:, 0]
    model = placer(state, "ecmp" if word == "planned" else word, word)
    found = []
    for seed in range(trials):
        keys = np.random.default_rng(seed).integers(0, 2**63, flows, dtype=np.uint64)
        ends = (np.full(flows, leaf[0]), np.full(flows, leaf[-1]))
        cables = model.cables(*ends, keys)
        load = np.bincount(cables[cables != NOWHERE], minlength=len(network.tail))
        counts: dict[str, dict[str, int]] = {}
        for arc in np.flatnonzero(load):
            ends_at = names[network.head[arc]]
            if names[network.tail[arc]] == names[leaf[0]] or ends_at.startswith("core"):
                counts.setdefault(names[network.tail[arc]], {})[ends_at] = int(load[arc])
        found.append(spread_of(counts, names[leaf[0]]))
    return found


def agrees(measured: Spread, model: Sequence[Spread]) -> bool:
    """Whether each figure could be a draw of the model."""
    known = np.array(model, dtype=np.float64)
    room = SD * known.std(axis=0, ddof=1) + LEAST
    return bool((abs(np.array(measured) - known.mean(axis=0)) <= room).all())
