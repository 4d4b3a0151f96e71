"""Proof that every shortest path of a graph goes up and then down, without a valley."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def up_down(tiers: Mapping[str, int], cables: Iterable[tuple[str, str]]) -> bool:
    """Whether it is proven; ``False`` may also mean that this proof does not apply.

    Sufficient: cables join adjacent tiers only, every switch has a switch of tier 0 below it,
    and h(u, v), the lowest tier of a switch above both u and v, is an ultrametric on tier 0
    (pods of pods) that is defined for every pair. A path over a valley at tier t between peaks
    p and q then has 2·(p + q − t) hops, and u and v meet at tier max(p, q) or below: less.
    """
    parents: dict[str, set[str]] = {name: set() for name in tiers}
    for a, b in cables:
        low, high = (a, b) if tiers[a] < tiers[b] else (b, a)
        if tiers[high] - tiers[low] != 1:
            return False
        parents[low].add(high)
    leaves = [name for name, tier in tiers.items() if tier == 0]
    below = _below(tiers, parents, leaves)
    return bool(leaves) and all(below.values()) and _nested(leaves, tiers, parents, below)


def _below(
    tiers: Mapping[str, int], parents: Mapping[str, set[str]], leaves: list[str]
) -> dict[str, int]:
    """Bit set of the tier-0 switches below each switch, itself included."""
    below = dict.fromkeys(tiers, 0)
    below |= {leaf: 1 << number for number, leaf in enumerate(leaves)}
    for name in sorted(tiers, key=lambda n: tiers[n]):
        for parent in parents[name]:
            below[parent] |= below[name]
    return below


def _nested(
    leaves: list[str],
    tiers: Mapping[str, int],
    parents: Mapping[str, set[str]],
    below: Mapping[str, int],
) -> bool:
    """Whether "meets at this tier or below" parts tier 0 into classes, on the top tier into one."""
    above = {leaf: {leaf} for leaf in leaves}
    reach = {leaf: below[leaf] for leaf in leaves}
    for _ in range(max(tiers.values())):
        for leaf in leaves:
            above[leaf] = set().union(*(parents[name] for name in above[leaf]))
            for name in above[leaf]:
                reach[leaf] |= below[name]
        if sum(mask.bit_count() for mask in set(reach.values())) != len(leaves):
            return False
    return len(set(reach.values())) == 1
