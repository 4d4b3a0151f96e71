"""A job on a fabric as JSON, and its traffic as CSV."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from fabric.report.tables import csv_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.workload_answer import Phase, PlacementRow, WorkloadAnswer

SCHEMA = 1


def workload_json(found: WorkloadAnswer) -> dict[str, object]:
    """The answer as plain values (without ``schema``)."""
    plain = asdict(found)
    plain["endpoints_lost"] = list(found.endpoints_lost)
    plain["complete"] = found.complete
    plain["phases"] = [_phase_json(phase) for phase in found.phases]
    plain["placements"] = [_placement_json(row) for row in found.placements]
    return plain


def _phase_json(phase: Phase) -> dict[str, object]:
    ideal, even, hashed = phase.shares
    return {**asdict(phase), "shares": {"ideal": ideal, "even": even, "hashed": hashed}}


def _placement_json(row: PlacementRow) -> dict[str, object]:
    return {
        "placement": row.word,
        "step_even_s": row.step_even_s,
        "step_hashed_s": row.step_hashed_s,
        "all_reduce": dict(zip(("even", "hashed"), row.all_reduce, strict=True)),
        "alltoall": dict(zip(("even", "hashed"), row.alltoall, strict=True)),
    }


def matrix_csv(rows: Iterable[tuple[str, str, str, float]]) -> str:
    """Bytes of a step by phase and pair of NICs."""
    header = ("phase", "from", "to", "bytes")
    return csv_text(header, ((phase, a, b, round(count)) for phase, a, b, count in rows))
