"""The same job in other places: hosts and GPUs in order, or drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.analysis.bandwidth.workload import groups
from fabric.analysis.bandwidth.workload.bounds import NOTHING
from fabric.analysis.bandwidth.workload.expected import bus_rate
from fabric.analysis.bandwidth.workload.run import Run
from fabric.analysis.bandwidth.workload.totals import summed
from fabric.model.workload import ALL_REDUCE, ALLTOALL, PLACEMENTS
from fabric.model.workload_answer import PlacementRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.analysis.bandwidth.workload.phases import PhaseBytes


def placements(
    run: Run, parts: list[PhaseBytes], told: Callable[[str, int, int], None]
) -> Iterator[PlacementRow]:
    """The placement that is asked about, then the others, without linear programs."""
    asked = run.job.placement
    words = (asked.word, *(word for word in PLACEMENTS if word != asked.word))
    for number, word in enumerate(words):
        told("placements", number, len(words))
        there = run
        if word != asked.word:
            placement = replace(asked, word=word)
            effort = replace(run.effort, program=False)
            job = replace(run.job, ranks=len(run.layout), placement=placement)
            there = replace(Run.of(run.state, job, effort), memory=run.memory)
        yield _placement_row(there, word, parts)


def _placement_row(run: Run, word: str, parts: list[PhaseBytes]) -> PlacementRow:
    step = summed([run.phase(part).seconds for part in parts]) if parts else None
    rates = []
    for operation in (ALL_REDUCE, ALLTOALL):
        unit = NOTHING
        if operation in run.job.operations and run.layout.hosts > 1:
            unit = run.times(operation, groups.WORLD)
        rates.append((bus_rate(unit.even, 1.0), bus_rate(unit.hashed, 1.0)))
    return PlacementRow(
        word, step.even if step else None, step.hashed if step else None, rates[0], rates[1]
    )
