"""What stands below the tables of a job: notes, and what the figures are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.workload_answer import WorkloadAnswer


_LOOK, _WRONG = 0.9, 0.8  # our choice: no source gives limits


def notes(found: WorkloadAnswer) -> Iterator[str]:
    """Sentences without their full stop."""
    yield from found.notes
    yield from _lost(found)
    yield from _unknown(found)


def _lost(found: WorkloadAnswer) -> Iterator[str]:
    if found.endpoints_lost:
        count, first = len(found.endpoints_lost), found.endpoints_lost[0]
        yield f"{count:,} NICs of the job have no live cable, {first} among them"


def _unknown(found: WorkloadAnswer) -> Iterator[str]:
    """Why tests have no figures; each once."""
    if not found.endpoints_lost:
        yield from dict.fromkeys(f"{row.operation}: {row.why}" for row in found.tests if row.why)


def meaning(found: WorkloadAnswer) -> str:
    """What the figures are, and how to read a result beside them."""
    counts = [p.seconds.trials for p in found.phases] + [row.trials for row in found.tests]
    trials = sorted({count for count in counts if count})
    drawn = f", mean of {' to '.join(map(str, trials[:: max(1, len(trials) - 1)]))} draws"
    drawn = drawn if trials else ""
    return (
        "Times are lower bounds, latency left out unless the job states it. Ideal: any paths, any "
        "split. Even: every switch splits evenly over its next hops. Hashed: flows placed by the "
        f"plan's hash, max-min fair, done when the slowest flow is{drawn}. Judge nccl-tests by its "
        f"largest sizes: below {_LOOK} of hashed look for a cause, below {_WRONG} something is "
        "wrong (limits of our own). "
        "docs/workload.md has the formulas."
    )
