"""The costly figures of each single failure: θ by LP and of other traffic, effective rates."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.analysis.bandwidth.answer import answer
from fabric.analysis.bandwidth.failing_worst import worst_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.analysis.bandwidth.answer import Asked
    from fabric.model.bandwidth import FailureCost, FailureSweep, Theta
    from fabric.model.design import Design


def in_full(
    design: Design,
    asked: Asked,
    found: FailureSweep,
    *,
    progress: Callable[[int, int], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> FailureSweep:
    """The sweep with its ``parts`` (of ``theta``, ``effective``) of one failure of each kind.

    What ``asked`` has down stays down. Nothing failed comes first, then the kinds with the least
    even-split θ; after ``asked.time_limit_s`` nothing more is begun, and what is left out says so.

    Raises:
        ValueError: what :func:`answer` raises with nothing failed.
    """
    ends = clock() + asked.time_limit_s

    def deepened(row: FailureCost) -> FailureCost:
        for part in found.parts:
            left = ends - clock()
            if left <= 0:
                why = f"the {asked.time_limit_s:g} s of --time-limit were over before {part}"
                return replace(row, left_out=why)
            row = _with(design, replace(asked, only=part, time_limit_s=left), row)
        return row

    unfailed = deepened(found.unfailed)
    rows: dict[tuple[str, ...], FailureCost] = {}
    for number, row in enumerate(sorted(found.rows, key=lambda r: (r.ecmp, r.worst_ratio)), 1):
        rows[row.failed] = _tried(deepened, row)
        if progress:
            progress(number, len(found.rows))
    listed = tuple(rows[row.failed] for row in found.rows)
    whole = replace(found, unfailed=unfailed, rows=listed)
    return replace(whole, worst=worst_of(whole))


def _tried(deepened: Callable[[FailureCost], FailureCost], row: FailureCost) -> FailureCost:
    """What a state lacks (endpoints, groups) is said of that state alone."""
    try:
        return deepened(row)
    except ValueError as error:
        return replace(row, left_out=str(error))


def _with(design: Design, asked: Asked, row: FailureCost) -> FailureCost:
    """The row with one part more."""
    lost = {name for name in row.failed if design.topology.is_switch(name)}
    cables, switches = asked.cables.union(row.failed) - lost, asked.switches | lost
    told = answer(design, replace(asked, cables=cables, switches=switches))
    thetas = tuple(_as_swept(theta, row) for theta in told.thetas)
    return replace(row, thetas=thetas or row.thetas, effective=told.effective or row.effective)


def _as_swept(theta: Theta, row: FailureCost) -> Theta:
    """Even split of uniform traffic between the pairs that the sweep looks at."""
    return replace(theta, ecmp=row.ecmp) if theta.kind == "uniform" else theta
