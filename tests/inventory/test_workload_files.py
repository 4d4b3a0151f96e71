"""Jobs from files: pairs ``workload_bad/<name>.yaml`` and ``.txt``, and what good ones become."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from fabric.inventory.workload import read_workload
from fabric.model.finding import InputError
from fabric.model.workload import (
    LISTED,
    OPERATIONS,
    Degrees,
    ModelShape,
    Nccl,
    Placement,
    Precision,
    Workload,
)
from tests.inventory.rendering import rendered

BAD = Path(__file__).parent / "workload_bad"
EXAMPLES = Path(__file__).resolve().parents[2] / "inventories" / "workloads"
NAMES = sorted(file.stem for file in BAD.glob("*.yaml"))
LIBYAML_WORDS = {"tab"}  # the parser's own words stand in it
GPUS = {f"gpu-{n}": 8 for n in range(1, 65)}


@pytest.mark.parametrize("name", NAMES)
def test_findings_are_exactly_these(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in LIBYAML_WORDS and not yaml.__with_libyaml__:
        pytest.skip("PyYAML is installed without libyaml, whose messages differ")
    monkeypatch.chdir(BAD)
    with pytest.raises(InputError) as caught:
        read_workload(f"{name}.yaml", GPUS)
    assert rendered(caught.value.findings) == (BAD / f"{name}.txt").read_text(encoding="utf-8")


def test_every_file_has_its_text() -> None:
    assert sorted(file.stem for file in BAD.glob("*.txt")) == NAMES


def written(folder: Path, text: str) -> Workload:
    path = folder / "job.yaml"
    path.write_text(text, encoding="utf-8")
    return read_workload(path, GPUS)


def test_a_name_is_enough(tmp_path: Path) -> None:
    job = written(tmp_path, "workload: job\n")
    assert job == Workload("job", sizes=(2**26, 2**30, 2**33))
    assert job.operations == OPERATIONS


def test_a_whole_file(tmp_path: Path) -> None:
    job = written(
        tmp_path,
        """
workload: job
ranks: 64
model: {parameters: 1.5B, expert_parameters: 900M, layers: 24, hidden: 2048, sequence: 4096,
        experts: 8, top_k: 2}
dtype: {parameters: fp8, gradients: fp32}
gradient_checkpointing: full
parallel: {tp: 2, dp: 4, fsdp: 4, pp: 2, ep: 4}
batch: {sequences: 2, micro_batches: 8, fsdp_sync: step}
sequence_parallel: true
nccl: {algorithm: tree, channels: 16, qps: 4, pxn: false}
placement: {hosts: ["gpu-[1-16]"], gpus_per_host: 4}
compute_s: 2
nvlink_gbytes_per_s: 450.0
step_latency_us: 5
tests: {operations: [alltoall, alltoall], sizes: [64k, 8G, 4096]}
""",
    )
    assert job == Workload(
        name="job",
        ranks=64,
        model=ModelShape(1_500_000_000, 900_000_000, 24, 24, 2048, 4096, 2),
        precision=Precision("fp8", "fp32", "bf16"),
        checkpointing="full",
        degrees=Degrees(4, 4, 2, 2, 4),
        sequences=2,
        micro_batches=8,
        sequence_parallel=True,
        fsdp_sync="step",
        nccl=Nccl("tree", 16, 4, pxn=False),
        placement=Placement(LISTED, tuple(f"gpu-{n}" for n in range(1, 17)), 4),
        compute_s=2.0,
        nvlink_gbytes_per_s=450.0,
        step_latency_us=5.0,
        operations=("alltoall",),
        sizes=(65_536, 8 * 2**30, 4096),
    )


@pytest.mark.parametrize(
    ("text", "count"),
    [("70B", 70 * 10**9), ("1.5T", 1_500_000_000_000), ("300 M", 300_000_000), ("12", 12)],
)
def test_counts(tmp_path: Path, text: str, count: int) -> None:
    found = written(tmp_path, f"workload: j\nmodel: {{parameters: {text}}}\nparallel: {{dp: 2}}\n")
    assert found.model is not None
    assert found.model.parameters == count


def test_one_dtype_is_for_all(tmp_path: Path) -> None:
    assert written(tmp_path, "workload: j\ndtype: fp32\n").precision == Precision(*["fp32"] * 3)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_examples_are_good_and_named_after_their_files(path: Path) -> None:
    assert read_workload(path, GPUS).name == path.stem
