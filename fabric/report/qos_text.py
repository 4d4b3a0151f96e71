"""Markdown tables and number ranges of the QoS page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.model.qos import LosslessProfile


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return a Markdown table; a bar in a cell is escaped."""
    lines = [_row(header), _row(["---"] * len(header))]
    return [*lines, *(_row(row) for row in rows)]


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def cable_text(profile: LosslessProfile) -> str:
    """Return a cable's length, and as what it counts where rows have only longer ones."""
    length = f"{profile.cable_m:g} m"
    counted = f"{profile.configured_cable_m} m"
    return length if length == counted else f"{length}, counted as {counted}"


def dscp_ranges(dscps: Iterable[int]) -> str:
    """Return numbers in short: ``0-25, 27-47, 49``."""
    runs: list[list[int]] = []
    for dscp in sorted(dscps):
        if runs and dscp == runs[-1][1] + 1:
            runs[-1][1] = dscp
        else:
            runs.append([dscp, dscp])
    return ", ".join(f"{a}-{b}" if a != b else str(a) for a, b in runs) or "none"
