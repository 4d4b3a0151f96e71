"""Bisection by trying everything: no closed form, no shared code."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fabric.model.topology import Blueprint


def every_half(blueprint: Blueprint, nic_gbps: int) -> int:
    """Try every half of the endpoints with every side of every switch (a dozen devices)."""
    switches = [switch.name for switch in blueprint.switches]
    leaf_of = [switches.index(leaf) for host in blueprint.hosts for leaf in host.leaves]
    cables = [
        (switches.index(c.a), switches.index(c.b), c.count * c.speed_gbps) for c in blueprint.cables
    ]
    best: int | None = None
    for mask in range(1 << len(switches)):
        side = [mask >> n & 1 for n in range(len(switches))]
        between = sum(gbps for a, b, gbps in cables if side[a] != side[b])
        for half in combinations(range(len(leaf_of)), len(leaf_of) // 2):
            chosen = set(half)
            cut = between + nic_gbps * sum(
                (n in chosen) != bool(side[leaf]) for n, leaf in enumerate(leaf_of)
            )
            best = cut if best is None else min(best, cut)
    assert best is not None
    return best


def every_side(blueprint: Blueprint, nic_gbps: int) -> int:
    """Try every side of every switch at once (20 switches); NICs make up the difference."""
    switches = [switch.name for switch in blueprint.switches]
    endpoints = dict.fromkeys(switches, 0)
    for host in blueprint.hosts:
        for leaf in host.leaves:
            endpoints[leaf] += 1
    masks = np.arange(1 << (len(switches) - 1), dtype=np.int64)  # the last one stays on side 0
    sides = {name: masks >> n & 1 for n, name in enumerate(switches)}
    cut = np.zeros_like(masks)
    for cable in blueprint.cables:
        cut += (sides[cable.a] ^ sides[cable.b]) * (cable.count * cable.speed_gbps)
    on_one = np.zeros_like(masks)
    for name, count in endpoints.items():
        on_one += sides[name] * count
    total = sum(endpoints.values())
    short = np.minimum(abs(on_one - total // 2), abs(on_one - (total + 1) // 2))
    return int((cut + nic_gbps * short).min())
