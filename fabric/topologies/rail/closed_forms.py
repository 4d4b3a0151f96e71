"""Bisection of rail fabrics in closed form; the definition is that of validation 2.1.

Every host has as many NICs on each rail, so the leaves of a rail group are filled alike: a
``Fill`` counts rail groups here, ``each`` and ``partial`` endpoints on one leaf.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.topologies._parts.closed_forms import Fill


def plane_bisection(fill: Fill, rails: int, uplink_gbps: int, nic_gbps: int) -> int:
    """Gb/s of one plane of ``rails`` rails; ``uplink_gbps``: all cables of one leaf upwards.

    With a of L leaves on one side every spine joins the larger part: min(a, L − a)·uplink;
    endpoints missing to an equal split cross on NIC links. The least over a is exact, because
    endpoints of any leaf can make up the difference. One group, R rails of H endpoints:
    min(R/2·uplink, R·H/2·nic), the leaf-spine formula with leaves = rails (validation 2.2).
    """
    full, part, empty = (n * rails for n in (fill.full, bool(fill.partial), fill.empty))
    leaves, total = full + part + empty, fill.endpoints * rails
    best: list[int] = []
    # min(a, L − a) is concave, so of the empty leaves all or none go along.
    for a, b, c in product(range(full + 1), range(part + 1), {0, empty}):
        crossing = min(a + b + c, leaves - a - b - c) * uplink_gbps
        best.append(crossing + _short(a * fill.each + b * fill.partial, total) * nic_gbps)
    return min(best)


def planes_bisection(
    fill: Fill, planes: int, rails: int, uplink_gbps: int, nic_gbps: int
) -> int | None:
    """Gb/s of ``planes`` equal planes that no cable joins, ``rails`` rails each.

    An even number halves without a cut. Of an odd number all but one go whole to either side and
    one is halved: parting two costs no less as long as all leaves with endpoints carry the same.
    ``None``: an odd number with a group that is partly filled, where that does not hold.
    """
    if planes > 1 and planes % 2 == 0:
        return 0
    if planes > 1 and fill.partial:
        return None
    return plane_bisection(fill, rails, uplink_gbps, nic_gbps)


@dataclass(frozen=True, slots=True)
class Tower:
    """Three tiers: ``spines`` in each rail group, ``cores`` above each spine number."""

    rails: int
    spines: int
    cores: int


def tower_bisection(fill: Fill, tower: Tower, link_gbps: int, nic_gbps: int) -> int:
    """Gb/s; ``link_gbps``: the parallel cables of two switches together.

    For given sides of the leaves the spine numbers do not touch each other and choose alike: a
    group's spine stands on one side and pays one link for every leaf of its group on the other,
    each core joins the larger part. So the cut is spines·link·(d + cores·min(q, G − q)) + nic·s
    with q groups on one side, d leaves apart from their group's spines and s endpoints that
    change sides; the least over groups, d and s is exact.
    """
    partly = bool(fill.partial)
    groups = fill.full + partly + fill.empty
    best: list[int] = []
    for full, part, empty in product(range(fill.full + 1), range(1 + partly), {0, fill.empty}):
        side = full + part + empty
        links = tower.cores * min(side, groups - side)
        for apart, short in _moves(fill, tower.rails, full, part):
            best.append(tower.spines * link_gbps * (links + apart) + nic_gbps * short)
    return min(best)


def _moves(fill: Fill, rails: int, full: int, part: int) -> Iterator[tuple[int, int]]:
    """(leaves that stand apart, endpoints still short) for ``full`` groups on one side.

    The cost is convex in the full groups' leaves, so none and the two next to the exact number
    suffice.
    """
    total = fill.endpoints * rails
    for moved in range(1 + rails * bool(fill.partial)):
        on_side = full * rails * fill.each
        on_side += (rails - moved if part else moved) * fill.partial
        sign = 1 if 2 * on_side < total else -1
        available = rails * (fill.full - full if sign > 0 else full)
        exact = abs(total // 2 - on_side) // fill.each if fill.each else 0
        for n in {min(available, n) for n in (0, exact, exact + 1)}:
            yield moved + n, _short(on_side + sign * n * fill.each, total)


def _short(endpoints: int, total: int) -> int:
    """Endpoints that must change sides until the halves are equal."""
    return min(abs(endpoints - total // 2), abs(endpoints - (total + 1) // 2))
