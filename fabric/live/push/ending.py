"""How a push ended: every device's outcome, and the exit code of the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.push_change import Outcome, StepResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.live.push.standing import Standings
    from fabric.live.push.terms import Report
    from fabric.model.push_change import Change

OK, PARTIAL, NOT_RESTORED, INTERRUPTED = 0, 3, 4, 130  # design: exit codes of the command line


def results(change: Change, standings: Standings, why_skipped: str) -> Iterator[StepResult]:
    """Every device of the Change in its order, whatever became of it."""
    refused = {r.device: r for r in change.refused}
    waved = {name for wave in change.waves for name in wave.devices}
    for device in (d.device for d in change.devices):
        standing = standings[device]
        if standing.result is not None:
            yield standing.result
        elif standing.touched:
            text = f"{device}: open: {standing.phase} was cut off at {standing.step!r}"
            yield StepResult(device, Outcome.UNKNOWN, standing.step, text, "cut off")
        elif standing.restored:
            text = f"{device}: cut off when it had been restored; it is as before the push"
            yield StepResult(device, Outcome.RESTORED, standing.step, text, "cut off")
        elif device in refused:
            text = f"{device}: {refused[device].rule} {refused[device].message}"
            yield StepResult(device, Outcome.SKIPPED, "", text, refused[device].rule)
        elif device not in waved:
            text = f"{device}: it is as the plan wants it already"
            yield StepResult(device, Outcome.UNCHANGED, "", text)
        else:
            text = f"{device}: not begun{f': {why_skipped}' if why_skipped else ''}"
            yield StepResult(device, Outcome.SKIPPED, "", text)


def exit_code(report: Report) -> int:
    """4: a device is not as it should be; 130: stopped by the user; 3: some failed; 0: none did."""
    found = {r.outcome for r in report.results}
    if report.hard:
        return INTERRUPTED
    if found & {Outcome.NOT_RESTORED, Outcome.UNKNOWN}:
        return NOT_RESTORED
    if report.interrupted:
        return INTERRUPTED
    failures = {r.outcome for r in report.results if r.cause}
    return PARTIAL if failures - {Outcome.CHANGED, Outcome.UNCHANGED} else OK


def by_status(report: Report) -> dict[str, int]:
    """How many devices ended how; outcomes that none has are left out."""
    counts = dict.fromkeys(Outcome, 0)
    for result in report.results:
        counts[result.outcome] += 1
    return {outcome.value: count for outcome, count in counts.items() if count}
