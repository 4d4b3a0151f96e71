"""May this switch be taken out of service now? What is left, and what that hangs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.analysis.bandwidth.answer import State, somebody
from fabric.analysis.bandwidth.failing import connected, cost, cut_apart, swept
from fabric.model.bandwidth import Drain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.analysis.bandwidth.plant import Floats
    from fabric.model.bandwidth import FailureCost


def drained(
    state: State,
    switch: str,
    *,
    least: float = 0.5,
    progress: Callable[[int, int], None] | None = None,
) -> Drain:
    """Without ``switch``, beside what is down in ``state``.

    ``least``: part that must stay of the even-split θ of now, and of what each NIC sends. Refused
    are: endpoints cut off, pairs without a way, less than ``least``. What the next failure would do
    is told beside it.

    Raises:
        fabric.analysis.failure_sets.SweepTooLargeError: too many single failures.
        ValueError: fewer than two endpoints in service now.
    """
    somebody(state.plant)
    pairs = connected(state)
    before = cost(state, (), pairs, time_limit_s=10.0)
    without = State(state.design, state.cables, state.switches | {switch})
    after, rows = _after(without, pairs, progress)
    kept = _kept(state, without)
    apart = cut_apart(without, pairs)
    reasons = (*_reasons(before, after, apart, least), *_slow(kept, least))
    worst = min(rows, key=lambda row: (row.ecmp, row.worst_ratio), default=None)
    return Drain(switch, not reasons, reasons, before, after, worst, int((kept < 1).sum()))


def _after(
    without: State, pairs: frozenset[tuple[int, int]], progress: Callable[[int, int], None] | None
) -> tuple[FailureCost, tuple[FailureCost, ...]]:
    """The state without the switch, and with one failure more, where anybody is left to send."""
    if len(without.plant.attached) < 2:  # noqa: PLR2004 - somebody to send to
        return cost(without, (), pairs, time_limit_s=10.0), ()
    found = swept(without, pairs=pairs, progress=progress)
    return found.unfailed, found.rows


def _kept(state: State, without: State) -> Floats:
    """What each NIC that stays in service keeps of its rate."""
    then = without.plant.rate
    live = then > 0
    return then[live] / state.plant.rate[live]


def _slow(kept: Floats, least: float) -> Iterator[str]:
    count = int((kept < least).sum())
    if count:
        share = f"{100 * kept.min():.0f} % of their rate, less than {100 * least:.0f} %"
        yield f"NICs of {count:,} endpoint{'s' if count > 1 else ''} keep {share}"


def _reasons(before: FailureCost, after: FailureCost, apart: int, least: float) -> Iterator[str]:
    cut = after.detached - before.detached
    if cut:
        yield f"{cut:,} endpoint{'s lose their' if cut > 1 else ' loses its'} only leaf"
    if apart:
        yield f"{apart:,} pairs of leaves lose their way to each other"
    elif after.bisection and before.ecmp and after.ecmp < least * before.ecmp:
        share = 100 * after.ecmp / before.ecmp
        yield f"uniform traffic keeps {share:.0f} % of its rate, less than {100 * least:.0f} %"
