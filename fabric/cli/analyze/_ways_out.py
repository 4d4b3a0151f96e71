"""What follows a verdict: ways out of a CBD, what single cables cost, the picture."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.cli import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.analysis.verdict import Question
    from fabric.model.deadlock import Cure, DeadlockVerdict, SingleFailureCosts
    from fabric.model.design import Design
    from fabric.report.text import Style


@dataclass(frozen=True)
class WaysOut:
    """``cures``: empty without a CBD. ``single``: of a dragonfly as planned."""

    cures: tuple[Cure, ...] = ()
    single: SingleFailureCosts | None = None

    def lines(self, style: Style) -> list[str]:
        """For the end of the verdict."""
        from fabric.report import cures as report  # noqa: PLC0415

        lines = ["", *report.cures_lines(self.cures, style)] if self.cures else []
        if self.single is not None:
            lines += ["", *report.single_failure_lines(self.single, style)]
        return lines

    def json(self) -> dict[str, object]:
        """Keys of the verdict's JSON."""
        from fabric.report import cures as report  # noqa: PLC0415

        single = self.single
        return {
            "ways_out": [report.cure_json(cure) for cure in self.cures],
            "single_failures": None if single is None else report.single_failures_json(single),
        }


def ways_out(design: Design, question: Question, found: DeadlockVerdict) -> WaysOut:
    """Cures of a CBD; what single failures cost a dragonfly as planned, with nothing failed."""
    if found.cbd:
        from fabric.analysis.cures import cures, state_of  # noqa: PLC0415

        return WaysOut(cures(state_of(design, question)))
    as_planned = question.routing == "as-planned" and question.rise is None
    if found.edges is None or question.failed or not as_planned:
        return WaysOut()
    from fabric.analysis.single_failures import single_failure_costs  # noqa: PLC0415

    return WaysOut(single=single_failure_costs(design))


def draw(path: Path, design: Design, found: DeadlockVerdict) -> None:
    """Write the picture of the cycle; without one a note says so.

    Raises:
        UsageError: the file cannot be written.
    """
    from fabric.report.cycle_svg import cycle_svg  # noqa: PLC0415

    if not found.cycle:
        sys.stderr.write(f"no cycle to draw: {path} was not written\n")
        return
    tiers = {switch.name: switch.position.tier for switch in design.topology.switches}
    shown = tiers if len(set(tiers.values())) > 1 else None
    text = cycle_svg(found, name=design.intent.name, tiers=shown)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror}"
        raise UsageError(msg, "name another file with --svg") from None
