"""How many QPs a pair reach a target."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.analysis.bandwidth.answer import State, effectives

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.answer import Asked
    from fabric.model.design import Design

_MOST_QPS = 256


def qps_for(design: Design, asked: Asked, target: float) -> tuple[int, float] | None:
    """The fewest QPs a pair whose mean reaches ``target``, and that mean.

    ``None``: not even 256 do. The mean rises with the QPs but for the draw, so it is bracketed by
    doubling and then halved.
    """
    state = State(design, asked.cables, asked.switches)

    def mean(qps: int) -> float:
        (found,) = effectives(state, replace(asked, qps=(qps,)))
        return found.mean

    high, value = 1, mean(1)
    while value < target:
        if high >= _MOST_QPS:
            return None
        high *= 2
        value = mean(high)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        found = mean(middle)
        if found >= target:
            high, value = middle, found
        else:
            low = middle
    return high, value
