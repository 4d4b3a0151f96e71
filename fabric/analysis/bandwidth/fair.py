"""Max-min fair rates by progressive filling (validation 2.4).

Per round every link has a fair share: what is left of it over the flows on it that are not frozen.
A link whose share is the least for each of its flows is a bottleneck; its flows get that share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Floats, Pairs
    from fabric.analysis.network import Bools, Ints

_EQUAL = 1e-9  # shares that differ by less are one


def max_min(links: Pairs, capacity: Floats) -> Floats:
    """Rates of F flows. ``links`` (F, n): the links of each, filled up with −1.

    A flow without links has rate infinity: nothing limits it.
    """
    count = len(capacity)
    padded = np.where(links < 0, count, links)  # one link more, which limits nobody
    rates = np.full(len(links), np.inf)
    left = np.append(capacity.astype(np.float64), np.inf)
    open_flows = np.flatnonzero((padded < count).any(axis=1))
    while len(open_flows):
        lanes = padded[open_flows]
        load = np.bincount(lanes.reshape(-1), minlength=count + 1).astype(np.float64)
        load[count] = 0
        share = np.full(count + 1, np.inf)
        used = load > 0
        share[used] = left[used] / load[used]
        least = share[lanes].min(axis=1)
        bound = _bottlenecks(lanes, least, share)
        frozen = bound[lanes].any(axis=1)
        now = open_flows[frozen]
        rates[now] = least[frozen]
        gone = np.bincount(
            lanes[frozen].reshape(-1),
            weights=np.repeat(least[frozen], lanes.shape[1]),
            minlength=count + 1,
        )
        left = np.maximum(left - gone, 0.0)
        left[count] = np.inf
        open_flows = open_flows[~frozen]
    return rates


def _bottlenecks(lanes: Pairs, least: Floats, share: Floats) -> Bools:
    """Links whose share is the least of every flow on them."""
    lower = np.full(len(share), np.inf)
    np.minimum.at(lower, lanes.reshape(-1), np.repeat(least, lanes.shape[1]))
    found: Bools = (lower >= share * (1 - _EQUAL)) & np.isfinite(share)
    found[-1] = False
    return found


def flow_counts(links: Pairs, count: int) -> Ints:
    """Flows on each of ``count`` links."""
    return np.bincount(links[links >= 0], minlength=count)
