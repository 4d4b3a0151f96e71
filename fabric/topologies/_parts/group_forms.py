"""What kinds made of groups with cables between every two of them state about bisection."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from fabric.model.units import count_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.topologies._parts.closed_forms import Fill, Load
    from fabric.topologies._parts.global_links import GlobalLinks

_THROUGH_GROUPS = (
    "no closed form: the least cut may run through groups and depends on the arrangement"
)


def full_mesh_bisection(fill: Fill, pair_gbps: int, nic_gbps: int) -> int:
    """Gb/s of switches cabled each to each; ``pair_gbps``: all cables of two switches.

    With m of n switches on one side m·(n − m) pairs are cut, and endpoints missing to an equal
    split cross on NIC links; the least over m is exact, because switches with as many endpoints
    are interchangeable.
    """
    switches = fill.full + bool(fill.partial) + fill.empty
    best: list[int] = []
    # m·(n − m) is concave, so of the empty switches all or none go along.
    for full, part, empty in product(
        range(fill.full + 1), range(1 + bool(fill.partial)), {0, fill.empty}
    ):
        side = full + part + empty
        endpoints = full * fill.each + part * fill.partial
        short = min(abs(endpoints - fill.endpoints // 2), abs(endpoints - -(-fill.endpoints // 2)))
        best.append(side * (switches - side) * pair_gbps + short * nic_gbps)
    return min(best)


def halves_note(links: GlobalLinks, groups: Sequence[Sequence[str]], speed: int, load: Load) -> str:
    """Why there is no closed form, and the cut between halves of the groups where it is a bound.

    ``groups``: the switches of each group. That cut is links·(g/2)² cables (validation 2.2: an
    upper bound; p2 a4 h4 g16 has 64 of them and a least cut of 40). It halves the endpoints if
    every group has as many.
    """
    counts = {sum(load.ports(name) for name in group) for group in groups}
    if links.g % 2 or len(counts) > 1 or counts == {0}:
        return _THROUGH_GROUPS
    cut = count_text(links.links * (links.g // 2) ** 2 * speed)
    return f"{_THROUGH_GROUPS}; halving the groups cuts {cut} Gb/s, an upper bound"


def alike(
    links: GlobalLinks, groups: Sequence[Sequence[str]], load: Load, *, ordered: bool
) -> list[object]:
    """By group a value: groups of one value may change places, unit n with unit n.

    ``ordered``: a group's switches with hosts may not change places among themselves.
    """
    mixes = [tuple(load.mix(name) for name in group) for group in groups]
    if not ordered:
        mixes = [tuple(sorted(mix)) for mix in mixes]
    if links.units == 1 or (links.turns and len(set(mixes)) == 1):
        return list(mixes)
    return list(range(len(groups)))
