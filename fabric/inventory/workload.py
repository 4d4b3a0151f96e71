"""A job from its YAML file: typed and checked against the hosts, or every problem at once."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from fabric.files.locate import inventories_root
from fabric.files.reading import read_input
from fabric.files.yaml import load
from fabric.inventory.places import Places, as_findings
from fabric.inventory.read import in_order
from fabric.inventory.schema.workload import WorkloadFile
from fabric.inventory.translate import problems_of
from fabric.inventory.workload_checks import check
from fabric.model.finding import InputError
from fabric.model.workload import (
    EACH_STEP,
    LISTED,
    RAIL_ALIGNED,
    Degrees,
    ModelShape,
    Nccl,
    Placement,
    Precision,
    Workload,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.inventory.schema.workload import ModelSection
    from fabric.model.finding import Problem

_NAME = "unnamed"  # of a job whose name is refused


@dataclass(frozen=True)
class _Checked:
    """``bad``: top keys with an error; they have defaults in ``file``."""

    file: WorkloadFile
    bad: frozenset[str]
    problems: tuple[Problem, ...]


def read_workload(path: str | Path, gpus: Mapping[str, int]) -> Workload:
    """The job of a file. ``gpus``: of each host of the fabric, by name.

    Raises:
        InputError: every problem, each with its place.
    """
    fix = f"docs/workload.md says what stands in it; examples: {inventories_root() / 'workloads'}"
    content = read_input(Path(path), str(path), fix=fix)
    loaded = load(content, str(path))
    findings = list(loaded.problems)
    if not isinstance(loaded.data, dict):
        if findings and findings[-1].rule == "RCE006":
            findings[-1] = replace(findings[-1], fix="begin with a line such as `workload: job1`")
        raise InputError(tuple(findings))
    data = {key: value for key, value in loaded.data.items() if value is not None}
    try:
        checked = _Checked(_file(data), frozenset(), ())
    except ValidationError as error:
        told = problems_of(error.errors(include_url=False), WorkloadFile, loaded)
        checked = _without_bad(data, tuple(_in_words(problem) for problem in told))
    hosts, more = check(checked.file, checked.bad, gpus)
    problems = (*checked.problems, *more)
    findings += as_findings(problems, Places(loaded))
    if findings:
        raise InputError(in_order(findings))
    return _job(checked.file, hosts)


def _file(data: dict[str, Any]) -> WorkloadFile:
    return WorkloadFile.model_validate_json(json.dumps(data))


def _in_words(problem: Problem) -> Problem:
    return replace(problem, message=problem.message.replace("the inventory", "the workload", 1))


def _without_bad(data: dict[str, Any], problems: tuple[Problem, ...]) -> _Checked:
    """The rest of the file, so that it is looked at too."""
    bad = frozenset(str(problem.path[0]) for problem in problems if problem.path)
    kept = {key: value for key, value in data.items() if key not in bad}
    return _Checked(_file({"workload": _NAME, **kept}), bad, problems)


def _job(file: WorkloadFile, hosts: tuple[str, ...]) -> Workload:
    degrees = Degrees(**file.parallel.model_dump()) if file.parallel else Degrees()
    ranks = file.ranks or (degrees.ranks if file.parallel else None)
    where = file.placement
    return Workload(
        name=file.workload,
        ranks=ranks,
        model=_model(file.model) if file.model else None,
        precision=Precision(**file.dtype.model_dump()),
        checkpointing=file.gradient_checkpointing,
        degrees=degrees,
        sequences=file.batch.sequences,
        micro_batches=file.batch.micro_batches,
        sequence_parallel=file.sequence_parallel,
        fsdp_sync=file.batch.fsdp_sync or EACH_STEP,
        nccl=Nccl(**file.nccl.model_dump()),
        placement=Placement(
            LISTED if where.hosts else where.order or RAIL_ALIGNED, hosts, where.gpus_per_host
        ),
        compute_s=file.compute_s,
        nvlink_gbytes_per_s=file.nvlink_gbytes_per_s,
        step_latency_us=file.step_latency_us,
        operations=tuple(dict.fromkeys(file.tests.operations)),
        sizes=tuple(dict.fromkeys(file.tests.sizes)),
    )


def _model(model: ModelSection) -> ModelShape:
    return ModelShape(
        parameters=model.parameters,
        expert_parameters=model.expert_parameters or 0,
        layers=model.layers or 0,
        moe_layers=model.moe_layers or model.layers or 0,
        hidden=model.hidden or 0,
        sequence=model.sequence or 0,
        top_k=model.top_k or 0,
    )
