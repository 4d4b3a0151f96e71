"""``analyze bandwidth --permutation`` and ``--matrix``, there and back from a workload."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from fabric.analysis.bandwidth import throughput
from tests.cli.conftest import INVENTORIES

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

LAB = str(INVENTORIES / "leafspine-lab.yaml")  # h1, h2 on leaf-0 with two uplinks at NIC rate, …
NODES = str(INVENTORIES / "64node.yaml")
BOUND = ("analyze", "bandwidth", LAB, "--only", "theta")
THETA = {"lp", "ecmp", "volumetric", "nics", "why_null"}


def test_a_permutation(fabric: Shell) -> None:
    found = fabric(*BOUND, "--permutation", "7", "--json").json
    assert list(found["theta"]) == ["uniform", "shift", "adversarial", "permutation"]
    drawn = found["theta"]["permutation"]
    assert drawn.keys() == THETA | {"pairs", "left_out", "seed"}
    assert (drawn["pairs"], drawn["left_out"], drawn["seed"]) == (8, 0, 7)
    assert (drawn["lp"], drawn["ecmp"], drawn["nics"]) == (1, 1, 1)  # no leaf is oversubscribed
    text = fabric(*BOUND, "--permutation", "7").out
    assert "everybody to one other, drawn with seed 7" in text


def test_a_matrix_in_the_table_and_in_json(fabric: Shell) -> None:
    """Both hosts of leaf-0 to leaf-1, 75G in all of 200G."""
    fabric.write("m.csv", "from,to,gbps\nh1,h3,50\nh2/eth1,h4,25\n")
    found = fabric(*BOUND, "--matrix", "m.csv", "--json").json
    assert list(found["theta"]) == ["uniform", "shift", "adversarial"]
    (phase,) = found["matrix"].pop("phases")
    assert found["matrix"] == {"file": "m.csv", "unit": "gbps"}
    assert phase.keys() == THETA | {"phase", "pairs", "left_out"}
    assert (phase["phase"], phase["why_null"], phase["pairs"]) == (None, None, 2)
    assert (phase["lp"], phase["ecmp"], phase["nics"]) == pytest.approx((8 / 3, 8 / 3, 2))
    assert phase["volumetric"] == pytest.approx(16 / 1.5)  # 16 arcs over 0.75 × 2 hops
    text = fabric(*BOUND, "--matrix", "m.csv").out
    assert re.search(
        r"^ +matrix +2\.6667 +2\.6667 +10\.6667 +2\.0000 +2 pairs$", text, re.MULTILINE
    )
    assert "Matrix      m.csv; θ multiplies the Gb/s of the file" in text


def test_phases_and_what_is_down(fabric: Shell) -> None:
    rows = [("a", "h1", "h3"), ("a", "h5", "h3"), ("b", "h1", "h2")]
    listed = [{"phase": p, "from": s, "to": t, "rate": 1} for p, s, t in rows]
    fabric.write("m.json", json.dumps({"traffic": listed}))
    found = fabric(*BOUND, "--matrix", "m.json", "--fail", "h1/eth1", "--json").json["matrix"]
    told = [(p["phase"], p["lp"], p["nics"], p["pairs"], p["left_out"]) for p in found["phases"]]
    assert told == [("a", 2, 1, 2, 1), ("b", None, None, 1, 1)]
    text = fabric(*BOUND, "--matrix", "m.json", "--fail", "h1/eth1").out
    assert "2 pairs, 1 left out: an end is down" in text


def test_small_figures_keep_their_digits(fabric: Shell) -> None:
    fabric.write("m.csv", "from,to,gbps\nh1,h3,100000000000\n")  # in b/s, by mistake
    (phase,) = fabric(*BOUND, "--matrix", "m.csv", "--json").json["matrix"]["phases"]
    assert phase["lp"] == pytest.approx(2e-9)
    assert " 2e-09 " in fabric(*BOUND, "--matrix", "m.csv").out


def test_what_had_no_program_is_said_below_the_table(
    fabric: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throughput, "MOST_VARIABLES", 1)
    fabric.write("m.csv", "from,to,gbps\nh1,h3,50\n")
    text = " ".join(fabric(*BOUND, "--matrix", "m.csv").out.split())
    assert "matrix – 4.0000 16.0000 2.0000 1 pair " in text
    assert "No LP of matrix: the linear program has 17 variables, 1 at most; between the" in text
    assert "even split, 4, and the bound 16" in text


def test_a_workload_comes_back_as_it_was_written(fabric: Shell) -> None:
    """Even-split seconds are those of the busiest NIC over min(1, θ)."""
    fabric.write(
        "job.yaml",
        "workload: job\nranks: 64\nparallel: {pp: 64}\nplacement: shuffled\n"
        "model: {parameters: 64M, layers: 64, hidden: 1024, sequence: 1024}\n"
        "tests: {operations: [alltoall], sizes: [64M]}\n",
    )
    down = ("--fail", "edge-0-0:agg-0-0:*")
    words = ("analyze", "workload", NODES, "job.yaml", "--trials", "1", *down, "--json")
    job = fabric(*words, "--matrix", "job.csv")
    assert job.code == 0, job.err
    read = ("analyze", "bandwidth", NODES, "--only", "theta", "--matrix", "job.csv", *down)
    found = fabric(*read, "--json").json["matrix"]
    assert found["unit"] == "bytes"
    phases = {phase["phase"]: phase for phase in found["phases"]}
    assert phases.keys() == {phase["name"] for phase in job.json["phases"] if phase["pairs"]}
    for phase in job.json["phases"]:
        theta, seconds = phases[phase["name"]], phase["seconds"]
        slower = seconds["even"] / (seconds["ideal"] / max(1, 1 / theta["lp"]))
        assert slower == pytest.approx(max(1, 1 / theta["ecmp"]), rel=1e-6)
        assert theta["pairs"] == phase["pairs"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--permutation", "-1"), "--permutation"),
        (("--only", "effective", "--permutation", "1"), "--only effective leaves it out"),
        (("--only", "bisection", "--matrix", "m.csv"), "--only bisection leaves it out"),
        (("--failures", "1", "--matrix", "m.csv"), "--failures looks at many"),
        (("--matrix", "nowhere.csv"), "there is no file nowhere.csv"),
        (("--matrix", "."), "is a folder"),
        (("--matrix", "m.csv"), "row 2: there is no host 'h99'"),
    ],
    ids=str,
)
def test_bad_words(fabric: Shell, words: tuple[str, ...], said: str) -> None:
    fabric.write("m.csv", "from,to,gbps\nh99,h2,1\n")
    done = fabric("analyze", "bandwidth", LAB, *words)
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert done.out == ""
