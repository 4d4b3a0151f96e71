"""Of each figure the single failure that leaves least of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.model.bandwidth import WorstFailure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.bandwidth import Bisection, FailureCost, FailureSweep

BISECTION, NICS = "bisection ratio", "θ uniform, NICs"
BOUNDS = "bounds"
_DUST = 1e-9


def worst_of(found: FailureSweep) -> tuple[WorstFailure, ...]:
    """One for each figure that was worked out; where several leave as little, the first of them.

    Of a bisection that is an interval its lower end counts. NICs are there where some failure
    leaves a bond a part of its cables.
    """
    rows = [(row, dict(_figures(row))) for row in found.rows]
    states = (found.unfailed, *found.rows)
    bounds = {row.failed for row in states if row.bisection and row.bisection.kind == BOUNDS}
    worst = (
        _worst(figure, unfailed, [(row, values.get(figure)) for row, values in rows])
        for figure, unfailed in _figures(found.unfailed)
    )
    return tuple(
        _marked(one, bounds) if one.figure == BISECTION else one
        for one in worst
        if one.failed or one.figure != NICS
    )


def _marked(one: WorstFailure, bounds: set[tuple[str, ...]]) -> WorstFailure:
    return replace(one, is_bound=one.failed in bounds, unfailed_is_bound=() in bounds)


def _worst(
    figure: str, unfailed: float, rows: list[tuple[FailureCost, float | None]]
) -> WorstFailure:
    lower = [(row, v) for row, v in rows if v is not None and v < unfailed - _DUST]
    unknown = sum(value is None for _, value in rows)
    if not lower:
        return WorstFailure(figure, unfailed, unfailed, (), 0, 0, unknown)
    row, value = min(lower, key=lambda one: one[1])
    return WorstFailure(figure, unfailed, value, row.failed, row.stands_for, row.parallel, unknown)


def _figures(row: FailureCost) -> Iterator[tuple[str, float]]:
    """What the figure is called in JSON and text, and its value."""
    yield BISECTION, _least(row.bisection)
    yield "worst leaf's uplink ratio", row.worst_ratio
    yield "θ uniform, even split", row.ecmp
    yield NICS, row.nics
    for theta in row.thetas:
        if theta.lp is not None:
            yield f"θ {theta.kind}, LP", theta.lp
        if theta.ecmp is not None and theta.kind != "uniform":
            yield f"θ {theta.kind}, even split", theta.ecmp
    for one in row.effective:
        flows = f"{one.qps} QP{'s' if one.qps > 1 else ''}"
        yield f"effective, {flows}, mean", one.mean
        yield f"effective, {flows}, worst pair", one.worst_pair
        yield f"effective, {flows}, striped", one.striped


def _least(cut: Bisection | None) -> float:
    """Lower end of the ratio; 0 where nobody is left to send to."""
    if cut is None or not cut.links:
        return 0.0
    return cut.ratio * cut.lower / cut.links
