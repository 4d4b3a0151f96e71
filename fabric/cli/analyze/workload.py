"""What a training job sends and how long this fabric needs: bytes, times, busbw, what binds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import FINDINGS, OK, UsageError
from fabric.cli._show import AsJson, derived, style, write_json, write_lines
from fabric.cli.analyze._asking import FailOption, MoreArgument, asked, down
from fabric.cli.plan import InventoryArgument, Progress

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.answer import State
    from fabric.analysis.bandwidth.workload.bounds import Effort
    from fabric.analysis.failures import Failures
    from fabric.model.design import Design
    from fabric.model.workload import Workload
    from fabric.model.workload_answer import WorkloadAnswer

WorkloadArgument = Annotated[
    Path, typer.Argument(help="The job, a YAML file.", metavar="WORKLOAD.yaml")
]
QpsOption = Annotated[
    int | None,
    typer.Option("--qps", min=1, max=128, help="QPs per connection instead of the job's."),
]
TrialsOption = Annotated[
    int, typer.Option("--trials", min=1, max=1_000, help="Draws of what the hashes see.")
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Of hashes and of placements.")]
LimitOption = Annotated[
    float, typer.Option("--time-limit", min=0.1, help="Seconds for each linear program.")
]
MatrixOption = Annotated[
    Path | None,
    typer.Option("--matrix", metavar="FILE", help="Write bytes by phase and pair of NICs, CSV."),
]


def command(
    inventory: InventoryArgument,
    workload: WorkloadArgument,
    more: MoreArgument = None,
    *,
    qps: QpsOption = None,
    trials: TrialsOption = 20,
    seed: SeedOption = 1,
    fail: FailOption = None,
    time_limit: LimitOption = 60.0,
    matrix: MatrixOption = None,
    as_json: AsJson = False,
) -> int:
    """What a training job sends and how long this fabric needs: bytes, times, busbw, what binds."""
    from fabric.analysis.bandwidth.workload.bounds import Effort  # noqa: PLC0415 — late

    design = derived(inventory).design
    job = _job(design, workload)
    failed = down(design, fail, more)
    effort = Effort(qps or job.nccl.qps or _planned_qps(design), trials, seed, time_limit)
    asking = _Asking(design, job, failed, effort)
    found = asked(design, asking.answer)
    if matrix is not None:
        asking.write_matrix(matrix)
    _print(design, failed, found, as_json=as_json)
    return OK if found.complete else FINDINGS


def _job(design: Design, path: Path) -> Workload:
    from fabric.inventory.workload import read_workload  # noqa: PLC0415 — needs pydantic

    gpus = {group.name: group.gpus for group in design.intent.host_groups}
    hosts = {host.name: gpus[host.group] for host in design.topology.hosts if host.ports}
    return read_workload(path, hosts)


def _planned_qps(design: Design) -> int:
    """Of the group with fewest: a connection has as many as both its ends."""
    return min(group.qps_per_connection for group in design.intent.host_groups)


@dataclass(frozen=True)
class _Asking:
    """What is asked of which state."""

    design: Design
    job: Workload
    failed: Failures
    effort: Effort

    @cached_property
    def state(self) -> State:
        from fabric.analysis.bandwidth.answer import State  # noqa: PLC0415

        return State(self.design, *self.failed)

    def answer(self) -> WorkloadAnswer:
        """All of it.

        Raises:
            UsageError: more than this fabric or this program can take.
        """
        from fabric.analysis.bandwidth.placing import TooManyFlowsError  # noqa: PLC0415
        from fabric.analysis.bandwidth.workload.answering import answer  # noqa: PLC0415
        from fabric.analysis.bandwidth.workload.matrices import TooManyPairsError  # noqa: PLC0415
        from fabric.analysis.bandwidth.workload.placement import PlacementError  # noqa: PLC0415

        progress = Progress()
        try:
            return answer(self.state, self.job, self.effort, progress)
        except PlacementError as error:
            raise UsageError(str(error), error.fix) from None
        except TooManyPairsError as error:
            fix = "take smaller expert groups"
            raise UsageError(str(error), fix) from None
        except TooManyFlowsError as error:
            raise UsageError(str(error), "fewer --qps, or a smaller job") from None
        finally:
            progress.clear()

    def write_matrix(self, path: Path) -> None:
        """The traffic of a step.

        Raises:
            UsageError: the file cannot be written.
        """
        from fabric.analysis.bandwidth.workload.answering import matrix  # noqa: PLC0415
        from fabric.report.workload_data import matrix_csv  # noqa: PLC0415

        rows = matrix(self.state, self.job, self.effort)
        try:
            path.write_text(matrix_csv(rows), encoding="utf-8")
        except OSError as error:
            msg = f"--matrix {path}: {error.strerror}"
            raise UsageError(msg, "name a file in a folder that can be written") from None


def _print(design: Design, failed: Failures, found: WorkloadAnswer, *, as_json: bool) -> None:
    from fabric.report.workload import workload_lines  # noqa: PLC0415
    from fabric.report.workload_data import SCHEMA, workload_json  # noqa: PLC0415

    names = sorted((*failed.cables, *failed.switches))
    if as_json:
        head = {"schema": SCHEMA, "fabric": design.intent.name, "failed": names}
        write_json({**head, **workload_json(found)})
        return
    state = f" · down: {', '.join(names)}" if names else ""
    write_lines([f"{design.intent.name}{state}", *workload_lines(found, style())])
