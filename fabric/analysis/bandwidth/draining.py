"""May this switch be taken out of service now? What is left, and what that hangs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.analysis.bandwidth.answer import State
from fabric.analysis.bandwidth.failing import connected, cost, cut_apart, swept
from fabric.model.bandwidth import Drain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.model.bandwidth import FailureCost


def drained(
    state: State,
    switch: str,
    *,
    least: float = 0.5,
    progress: Callable[[int, int], None] | None = None,
) -> Drain:
    """Without ``switch``, beside what is down in ``state``.

    ``least``: part of the even-split θ of now that must stay. Refused are: endpoints cut off, pairs
    without a way, less than ``least``. What the next failure would do is told beside it.

    Raises:
        fabric.analysis.failure_sets.SweepTooLargeError: too many single failures.
    """
    pairs = connected(state)
    before = cost(state, (), pairs, time_limit_s=10.0)
    without = State(state.design, state.cables, state.switches | {switch})
    found = swept(without, pairs=pairs, progress=progress)
    after = found.unfailed
    reasons = tuple(_reasons(before, after, cut_apart(without, pairs), least))
    worst = min(found.rows, key=lambda row: (row.ecmp, row.worst_ratio), default=None)
    return Drain(switch, not reasons, reasons, before, after, worst)


def _reasons(before: FailureCost, after: FailureCost, apart: int, least: float) -> Iterator[str]:
    cut = after.detached - before.detached
    if cut:
        yield f"{cut:,} endpoint{'s lose their' if cut > 1 else ' loses its'} only leaf"
    if apart:
        yield f"{apart:,} pairs of leaves lose their way to each other"
    elif before.ecmp and after.ecmp < least * before.ecmp:
        share = 100 * after.ecmp / before.ecmp
        yield f"uniform traffic keeps {share:.0f} % of its rate, less than {100 * least:.0f} %"
