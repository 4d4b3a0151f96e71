"""Bisection: the least cut between equal halves of the endpoints (validation 2.1), and how sure.

A closed form where the builder knows one and nothing failed; else exact, by integer program; else
an interval: what no cut can be below, and a cut that was found.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis.bandwidth.halves import Halves
from fabric.analysis.bandwidth.program import said
from fabric.model.bandwidth import Bisection

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult
    from scipy.sparse import csr_array

    from fabric.analysis.bandwidth.plant import Floats, Plant
    from fabric.analysis.network import Ints

MOST_SWITCHES = 150  # of the integer program
_CLOSE = 1e-6


def bisection(
    plant: Plant,
    *,
    closed: float | None = None,
    theta: float | None = None,
    known: tuple[float, float] = (0.0, np.inf),
    time_limit_s: float = 120.0,
) -> Bisection:
    """The bisection of a plant.

    ``closed``: closed form, where nothing failed, in NIC rates; ``theta``: that of uniform traffic,
    for a lower bound; ``known``: bounds from elsewhere. Without time there is no integer program.
    """
    halves = Halves(plant)
    count = int(halves.counts.sum())
    if count < 2:  # noqa: PLR2004 - two halves
        return Bisection(0.0, 0.0, 0.0, "closed-form", 0.0, plant.nic_gbps)
    whole = halves.size * halves.rate
    if closed is not None:
        return Bisection(closed, closed, closed / whole, "closed-form", closed, plant.nic_gbps)
    lower = max(known[0], _from_theta(theta, halves))
    lower, upper, why = _rounded_up(lower, halves), min(known[1], halves.searched()), ""
    switches = len(plant.network.names)
    if switches > MOST_SWITCHES:
        why = f"{switches:,} switches; the integer program is solved up to {MOST_SWITCHES}"
    elif time_limit_s <= 0:
        why = "no time was left for the integer program"
    elif lower < upper - _CLOSE:
        low, high, why = _program(halves, time_limit_s)
        lower, upper = max(lower, low), _rounded(min(upper, high), halves)
    lower = _rounded_up(lower, halves)
    if upper - lower <= _CLOSE * max(1.0, upper):
        return Bisection(upper, upper, upper / whole, "exact", upper, plant.nic_gbps)
    return Bisection(upper, lower, upper / whole, "bounds", upper, plant.nic_gbps, why)


def _rounded(cut: float, halves: Halves) -> float:
    """A cut that was found, without the solver's dust."""
    return float(np.round(cut * halves.scale)) / halves.scale


def _rounded_up(lower: float, halves: Halves) -> float:
    """The least value of a cut that is not below: cuts are sums of whole cables and NICs.

    A bound that is above a whole one by no more than a solver's dust is that one.
    """
    units = lower * halves.scale
    return float(np.ceil(units - _CLOSE * max(1.0, units))) / halves.scale


def _from_theta(theta: float | None, halves: Halves) -> float:
    """Uniform traffic at rate θ sends θ·⌊N/2⌋·⌈N/2⌉/(N−1) across every split.

    Up to what the slowest NIC allows. Of bonds to two leaves it says nothing: θ sets no limit to
    their cables.
    """
    rate = halves.plant.rate[halves.plant.attached]
    if theta is None or len(halves.legs.leaf) > len(halves.counts):
        return 0.0
    count = len(rate)
    return min(theta, float(rate.min())) * (count // 2) * (count - count // 2) / (count - 1)


class _Solved(NamedTuple):
    """Lower and upper bound, equal where the program ended; else ``why`` it did not."""

    low: float
    high: float
    why: str = ""


def _program(halves: Halves, time_limit_s: float) -> _Solved:
    """Bounds by integer program.

    A side for each node, a number of endpoints on the first side for each place, and what is cut
    of each cable and of each place's NICs.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415
    from scipy.sparse import csr_array  # noqa: PLC0415

    net, counts = halves.carriers, halves.counts
    once = np.flatnonzero(net.tail < net.head)
    nodes, cables, places = net.nodes, len(once), len(counts)
    # Columns: side of each node, endpoints of each place on side 1, cut of each cable, of NICs.
    side, ends, cut, nics = np.cumsum((0, nodes, places, cables))
    legs = halves.legs
    total = nics + len(legs.leaf)
    a, b, arc = net.tail[once], net.head[once], cut + np.arange(cables)
    of, at, leg = ends + legs.place, side + legs.leaf, nics + np.arange(len(legs.leaf))
    whole, place = counts[legs.place].astype(np.float64), np.arange(places)
    rows = [
        _rows((arc, 1.0), (side + a, -1.0), (side + b, 1.0)),
        _rows((arc, 1.0), (side + a, 1.0), (side + b, -1.0)),
        _rows((leg, 1.0), (of, -1.0), (at, whole)),
        _rows((leg, 1.0), (of, 1.0), (at, -whole)),
    ]
    matrix = _stacked(rows, total)
    constraints = [
        LinearConstraint(matrix, 0.0, np.inf),
        LinearConstraint(
            csr_array(
                (np.ones(places), (np.zeros(places, dtype=np.int64), ends + place)), (1, total)
            ),
            halves.size,
            halves.size,
        ),
    ]
    cost = np.zeros(total)
    cost[arc] = (net.capacity[once] + _back(halves, once)) / 2
    cost[leg] = legs.rate
    highest = np.concatenate((np.ones(nodes), counts, np.ones(cables), whole))
    if 2 * halves.size == counts.sum():
        highest[0] = 0.0  # the halves can be exchanged
    start_s = time.monotonic()
    found = milp(
        cost,
        integrality=np.concatenate((np.ones(nodes + places), np.zeros(total - cut))),
        bounds=Bounds(np.zeros(total), highest),
        constraints=constraints,
        options={"time_limit": time_limit_s, "mip_rel_gap": 0.0},
    )
    return _ended(found, time.monotonic() - start_s)


def _ended(found: OptimizeResult, took_s: float) -> _Solved:
    """What the solver found, with its own words where it did not end."""
    cut = None if found.x is None else float(found.fun)
    if found.status == 0 and cut is not None:
        return _Solved(cut, cut)
    bound = max(0.0, float(found.mip_dual_bound or 0.0))
    gap = f", gap {100 * (cut - bound) / cut:.1f} %" if cut else ""
    best = f"its best cut {cut:g}" if cut is not None else "no cut"
    words = said(str(found.message), took_s, f"{found.mip_node_count or 0:,} nodes")
    high = np.inf if cut is None else cut
    return _Solved(bound, high, f"{words}; {best}, none below {bound:g}{gap}")


def _back(halves: Halves, once: Ints) -> Floats:
    """Capacity of the same cables the other way."""
    net = halves.carriers
    there = {(t, h): c for t, h, c in zip(net.tail, net.head, net.capacity, strict=True)}
    return np.array([there[net.head[n], net.tail[n]] for n in once])


def _rows(*terms: tuple[Ints, Floats | float]) -> list[tuple[Ints, Floats]]:
    """One row for each index of the terms (column, value)."""
    return [(c, np.broadcast_to(np.asarray(v, dtype=np.float64), c.shape)) for c, v in terms]


def _stacked(
    blocks: list[list[tuple[Ints, Floats]]], columns: int
) -> csr_array[np.float64, tuple[int, int]]:
    from scipy.sparse import csr_array  # noqa: PLC0415

    at = 0
    row, column, value = [], [], []
    for block in blocks:
        size = len(block[0][0])
        for where, what in block:
            row.append(at + np.arange(size))
            column.append(where)
            value.append(what)
        at += size
    joined = (np.concatenate(row), np.concatenate(column))
    return csr_array((np.concatenate(value), joined), shape=(at, columns))
