"""`fabric analyze workload`: the screen, JSON, the matrix, and what it refuses."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import INVENTORIES, SMALL

if TYPE_CHECKING:
    from tests.cli.conftest import Done, Shell

JOB = """\
workload: job
model: {parameters: 1B, layers: 8, hidden: 1024, sequence: 2048}
dtype: bf16
parallel: {tp: 8, dp: 4}
compute_s: 0.5
tests: {operations: [all_reduce, alltoall], sizes: [1G]}
"""


def workload(fabric: Shell, *arguments: str, job: str = JOB, inventory: str = SMALL) -> Done:
    paths = (fabric.write("small.yaml", inventory), fabric.write("job.yaml", job))
    return fabric("analyze", "workload", *map(str, paths), "--trials", "2", *arguments)


def test_the_screen_answers_first_and_says_what_the_figures_are(fabric: Shell) -> None:
    done = workload(fabric)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "small"
    # One of four ranks on each host's NIC: 2 · 3/4 · 2 GB / 8 = 375 MB each, eight of them.
    assert lines[1].startswith("job: the network takes 245 ms of a step at best, ")
    for text in (
        "DP gradients",
        "375 MB",
        "TP activations",
        "in host",
        "98.04 % payload",
        "rail-aligned",
        "shuffled-hosts",
        "With 500 ms of computing",
        "lower bounds",
    ):
        assert text in done.out
    assert max(map(len, lines)) <= 100


def test_json_has_the_same_facts(fabric: Shell) -> None:
    answer = workload(fabric, "--json", "--seed", "7", "--qps", "4").json
    assert (answer["schema"], answer["fabric"], answer["name"]) == (1, "small", "job")
    assert (answer["ranks"], answer["hosts"], answer["nics"]) == (32, 4, 1)
    assert (answer["qps"], answer["seed"], answer["failed"]) == (4, 7, [])
    phase = answer["phases"][0]
    assert phase["bytes_per_rank"] == pytest.approx(375e6)
    assert phase["seconds"]["ideal"] == pytest.approx(8 * 375e6 / (12.5e9 * 4096 / 4178))
    assert phase["shares"]["even"] == pytest.approx(
        phase["seconds"]["even"] / (0.5 + answer["step"]["even"])
    )
    assert {row["operation"] for row in answer["tests"]} == {"all_reduce", "alltoall"}
    assert [row["placement"] for row in answer["placements"]] == [
        "rail-aligned",
        "shuffled-hosts",
        "shuffled",
    ]


def test_the_same_seed_gives_the_same_digits(fabric: Shell) -> None:
    one, same = (workload(fabric, "--json").out for _ in range(2))
    assert one == same


def test_the_inventory_says_how_many_qps(fabric: Shell) -> None:
    assert workload(fabric, "--json").json["qps"] == 8
    assert workload(fabric, "--json", job=f"{JOB}nccl: {{qps: 2}}\n").json["qps"] == 2


def test_the_matrix_as_csv(fabric: Shell) -> None:
    path = fabric.folder / "matrix.csv"
    workload(fabric, "--matrix", str(path))
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 4  # a ring over four hosts
    assert rows[0] == {
        "phase": "DP gradients",
        "from": "host-0 rdma0",
        "to": "host-1 rdma0",
        "bytes": "3000000000",
    }


def test_a_dead_leaf_ends_with_one(fabric: Shell) -> None:
    done = workload(fabric, "--fail", "leaf-0")
    assert done.code == 1
    assert "job: does not run" in done.out
    assert "2 NICs of the job have no live cable, host-0 rdma0 among them" in done.out


def test_a_dead_uplink_is_a_slower_network(fabric: Shell) -> None:
    whole, cut = (
        workload(fabric, "--json", *more).json["placements"]
        for more in ((), ("--fail", "leaf-0:spine-0", "leaf-1:spine-0"))
    )
    rates = [row["alltoall"]["even"] for row in (whole[0], cut[0])]
    assert rates[1] < rates[0]


@pytest.mark.parametrize(
    ("job", "said"),
    [
        ("workload: j\nranks: 33\n", "33 ranks need as many GPUs; 4 hosts have 32"),
        ("workload: j\nplacement: {hosts: [host-9]}\n", "there is no host host-9"),
        ("workload: j\ndtype: fp61\n", "not one of fp32, bf16, fp16, fp8"),
        ("workload: j\nranks: 8\nparallel: {dp: 4}\nmodel: {parameters: 1B}\n", "ranks is 8, but"),
    ],
)
def test_what_cannot_be_honoured_ends_with_two_and_a_place(
    fabric: Shell, job: str, said: str
) -> None:
    done = workload(fabric, job=job)
    assert done.code == 2
    assert said in done.err
    assert "job.yaml:" in done.err
    assert done.out == ""


def test_a_missing_job_and_a_missing_folder(fabric: Shell) -> None:
    small = fabric.write("small.yaml", SMALL)
    done = fabric("analyze", "workload", str(small), "nothing.yaml")
    assert done.code == 2
    assert "inventories/workloads" in done.err
    assert workload(fabric, "--matrix", "no/such/file.csv").code == 2


def test_a_fabric_without_hosts_has_no_job(fabric: Shell) -> None:
    bare = "fabric: bare\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\nhosts: {count: 0}\n"
    assert workload(fabric, inventory=bare).code == 2


@pytest.mark.parametrize("name", ["llama-70b-fsdp", "allreduce-tests"])
def test_the_examples_run_on_the_rail_fabric(fabric: Shell, name: str) -> None:
    done = fabric(
        "analyze",
        "workload",
        str(INVENTORIES / "64node-rail.yaml"),
        str(INVENTORIES / "workloads" / f"{name}.yaml"),
        "--trials",
        "1",
    )
    assert done.code == 0
    assert "392.1" in done.out


def test_an_alltoall_that_is_too_large_is_left_out_and_told(
    fabric: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fabric.analysis.bandwidth.workload import matrices  # noqa: PLC0415

    monkeypatch.setattr(matrices, "MOST_PAIRS", 15)
    done = workload(fabric)
    assert done.code == 0
    assert "Note: alltoall: an alltoall of 4 NICs has 16 pairs, 15 at most." in done.out
    experts = JOB.replace("parallel: {tp: 8, dp: 4}", "parallel: {dp: 32, ep: 32}").replace(
        "sequence: 2048", "sequence: 2048, top_k: 2, expert_parameters: 900M"
    )
    refused = workload(fabric, job=experts)
    assert refused.code == 2
    assert "take smaller expert groups" in refused.err


def test_the_screen_in_the_documentation_is_what_is_printed(fabric: Shell) -> None:
    page = (INVENTORIES.parent / "docs" / "workload.md").read_text(encoding="utf-8")
    _, _, block = page.partition("```\n$ fabric analyze workload ")
    command, _, screen = block.partition("```")[0].partition("\n")
    done = fabric("analyze", "workload", *(str(INVENTORIES.parent / p) for p in command.split()))
    assert done.out == screen


@pytest.mark.parametrize("job", ["workload: j\nranks: 1\n", JOB.replace("tp: 8, dp: 4", "dp: 1")])
def test_one_rank_has_nobody_to_send_to(fabric: Shell, job: str) -> None:
    done = workload(fabric, job=job)
    assert (done.code, done.out) == (2, "")
    assert "the job has one rank: there is nobody to send to" in done.err
    assert "of two or more" in done.err


def test_ranks_on_one_host_send_nothing_over_the_network(fabric: Shell) -> None:
    out = workload(fabric, job="workload: j\nranks: 8\n").out
    assert "j: all ranks are on one host, nothing goes over the network" in out
    assert "8 ranks on 1 host × 8" in out


def test_hosts_of_different_nics_are_told_apart(fabric: Shell) -> None:
    groups = (
        '  - {names: "a[1-6]", nics: 1, speed: 100, gpus: 8}\n'
        '  - {names: "b[1-4]", nics: 2, speed: 400, gpus: 8, nic: connectx-7}\n'
    )
    inventory = (
        "fabric: mixed\ntopology: {kind: leaf-spine, leaves: 4, spines: 2}\n"
        "platforms: {default: {platform: sonic, model: generic}}\n"
        f"links: {{speed: 400}}\nhosts:\n{groups}"
    )
    job = "workload: j\ntests: {operations: [all_gather], sizes: [1G]}\n"
    out = " ".join(workload(fabric, job=job, inventory=inventory).out.split())
    assert "Note: hosts differ in the NICs that ranks use (1 × 100G on 6, 2 × 400G on 4)" in out
    assert "hosts differ" not in workload(fabric, job=job).out


@pytest.mark.parametrize(("word", "noted"), [("full", True), ("selective", False)])
def test_what_is_assumed_of_checkpointing_is_said(fabric: Shell, word: str, *, noted: bool) -> None:
    out = " ".join(workload(fabric, job=f"{JOB}gradient_checkpointing: {word}\n").out.split())
    assert ("6 in place of 4 for TP and MoE; an assumption of our own" in out) is noted
    assert "limits of our own" in out
