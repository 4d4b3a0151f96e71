"""`fabric analyze storm`: the model's answer beside the proof's, and what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import INVENTORIES

if TYPE_CHECKING:
    from tests.cli.conftest import Done, Shell

FOUR_LEAVES = """\
fabric: four
topology: {kind: leaf-spine, leaves: 4, spines: 2}
platforms: {default: {platform: sonic, model: nvidia-sn3700}}
hosts: {count: 4, nic: connectx-6, speed: 100, per_leaf: 1}
"""
QUICK = ("--slots", "3000", "--load", "0.2,0.6", "--seeds", "2")


def storm(fabric: Shell, *arguments: str) -> Done:
    ring = (INVENTORIES / "ring4.yaml").read_text(encoding="utf-8")
    return fabric("analyze", "storm", str(fabric.write("ring4.yaml", ring)), *arguments)


def cases(done: Done) -> list[tuple[float, bool, int]]:
    return [(case["load"], case["storm"], case["deadlocked"]) for case in done.json["cases"]]


def test_the_ring_freezes_under_overload_and_after_a_storm(fabric: Shell) -> None:
    done = storm(fabric, *QUICK, "--json")
    assert done.code == 1
    assert cases(done) == [(0.2, False, 0), (0.2, True, 2), (0.6, False, 2), (0.6, True, 2)]
    answer = done.json
    assert answer["cbd"] is True
    assert answer["schema"] == 1
    assert answer["routing"] == "as-planned"
    assert answer["model"]["what"].startswith("slotted event model of PFC")
    assert answer["model"]["storm_end"] == 375 + answer["model"]["storm_slots"] == 2_250
    frozen = next(run for run in answer["runs"] if run["deadlocked"])
    assert frozen["storm"]
    assert frozen["frozen_at"] >= 2_250
    assert len(frozen["cycle"]) == 4
    assert {step["priority"] for step in frozen["cycle"]} == {3}
    assert {step["link"] for step in frozen["cycle"]} == {
        "r0:r1:1",
        "r1:r2:1",
        "r2:r3:1",
        "r0:r3:1",
    }
    assert all(step["sender_port"].startswith("Ethernet") for step in frozen["cycle"])


@pytest.mark.parametrize(
    "cure",
    [
        ("--routing", "updown"),
        ("--priority-rise", "dateline"),
        ("--priority-rise", "dateline:r0:r3"),
    ],
)
def test_a_cure_takes_the_deadlock_away(fabric: Shell, cure: tuple[str, str]) -> None:
    done = storm(fabric, *QUICK, "--json", *cure)
    assert done.code == 0
    assert done.json["cbd"] is False
    assert done.json["pattern"] == "the 4 pairs of leaves that a shortest cycle names"
    assert [count for _, _, count in cases(done)] == [0, 0, 0, 0]
    assert done.json["cases"][0]["throughput"] > 0.95


def test_the_text_says_what_froze_and_that_it_is_a_model(fabric: Shell) -> None:
    done = storm(fabric, *QUICK, "--pause", "r2-h0:1500")
    assert done.code == 1
    assert done.out.startswith("ring4\nDeadlock in 6 of 8 runs of the model\n")
    text = " ".join(done.out.split())
    for part in (
        "storm: r2-h0/rdma0 pauses its leaf in slots 375 to 1,874",
        "0.2 0.80 no 0 of 2 100 %",
        "0.2 0.80 1,500 slots 2 of 2 0 %",
        "Load alone freezes it at 0.6. At 0.2 load alone did not.",
        "There one NIC that pauses for 1,500 slots is enough, and the deadlock stays after it has",
        "4 buffers wait for each other",
        "`fabric analyze deadlock` lists the ways out that were checked",
        "A model: one packet size, cables of one speed",
        "seeds 1 to 2",
    ):
        assert part in text


def test_no_storm_and_another_pattern(fabric: Shell) -> None:
    done = storm(
        fabric,
        "--slots",
        "1000",
        "--pause",
        "none",
        "--pattern",
        "shift:1",
        "--seed",
        "7",
        "--json",
    )
    assert done.code == 0
    assert done.json["paused"] is None
    assert [(run["load"], run["seed"]) for run in done.json["runs"][:3]] == [
        (0.2, 7),
        (0.2, 8),
        (0.2, 9),
    ]
    assert not any(storm for _, storm, _ in cases(done))


def test_a_leaf_spine_freezes_after_two_cuts_and_a_bounce_rise_cures_it(fabric: Shell) -> None:
    """Validation 1.5: ls 4×2, l0–s1 and l1–s0 cut: a CBD by shortest paths, none as planned."""
    path = str(fabric.write("four.yaml", FOUR_LEAVES))
    cut = ("--fail", "leaf-0:spine-1", "--fail", "leaf-1:spine-0", *QUICK, "--load", "0.3,1.0")

    def run(*arguments: str) -> Done:
        return fabric("analyze", "storm", path, *cut, "--json", *arguments)

    frozen = run("--routing", "spf")
    assert frozen.code == 1
    assert frozen.json["failed"] == ["leaf-0:spine-1:1", "leaf-1:spine-0:1"]
    assert cases(frozen) == [(0.3, False, 0), (0.3, True, 2), (1.0, False, 2), (1.0, True, 2)]
    raised = run("--routing", "spf", "--priority-rise", "bounce")
    planned = run()
    assert raised.code == planned.code == 0
    assert raised.json["cbd"] is planned.json["cbd"] is False
    assert "4 flows have no way and are left out" not in raised.json["notes"]
    assert planned.json["notes"] == ["2 flows have no way and are left out"]


def test_whole_leaf_spine_has_no_cycle_to_name_flows(fabric: Shell) -> None:
    path = str(fabric.write("four.yaml", FOUR_LEAVES))
    done = fabric("analyze", "storm", path, "--slots", "1000")
    assert done.code == 0
    assert "No deadlock in 18 runs of the model, and no CBD" in done.out
    assert "for no cycle names a worst one" in " ".join(done.out.split())
    assert "the storm passes" in done.out


@pytest.mark.parametrize(
    ("arguments", "message", "fix"),
    [
        (("--load", "0.2,x"), "--load 0.2,x: a load lies above 0 and is 1 at most", "0.2,0.6,1.0"),
        (("--load", "1.5"), "--load 1.5: a load lies above 0", "with commas"),
        (("--load", "nan"), "--load nan: a load lies above 0", "with commas"),
        (("--pause", "r2-h7"), "--pause r2-h7: ring4 has no such host", "did you mean r2-h"),
        (
            ("--pause", "r2-h0:5000", "--slots", "2000"),
            "in 2,000 slots a storm lasts from 1 to 1,250 slots",
            "--slots",
        ),
        (("--pause", "r2-h0:0"), "a storm lasts from 1 to", "--slots"),
        (("--pattern", "unifrom"), "--pattern unifrom", "did you mean uniform?"),
        (("--pattern", "shift:0"), "--pattern shift:0: shift:N sends", "--pattern shift:2"),
        (("--arbitration", "lifo"), "--arbitration lifo", "did you mean fifo?"),
        (("--routing", "ospf"), "--routing ospf", "did you mean spf?"),
        (("--routing", "l2-flood"), "flooding copies packets", "fabric analyze deadlock"),
        (("--priority-rise", "bounces"), "--priority-rise bounces", "did you mean bounce?"),
        (
            ("--priority-rise", "dateline:r0:r2"),
            "dateline r0:r2: a dateline lies where a cable joins two switches",
            "dateline:leaf-0:leaf-1",
        ),
        (
            ("--priority-rise", "dateline:r0"),
            "a dateline lies where a cable joins two switches",
            "dateline",
        ),
        (("--seeds", "0"), "--seeds", ""),
        (("--slots", "10"), "--slots", ""),
    ],
)
def test_what_is_refused(fabric: Shell, arguments: tuple[str, ...], message: str, fix: str) -> None:
    done = storm(fabric, *arguments)
    assert done.code == 2
    assert message in done.err
    assert fix in done.err
    assert done.out == ""


def test_a_large_fabric_is_refused_with_the_limit(fabric: Shell) -> None:
    text = "fabric: big\ntopology: {kind: fat-tree, k: 8}\n"
    text += "platforms: {default: {platform: sonic, model: nvidia-sn3700}}\n"
    text += "hosts: {count: 128, nic: connectx-6, speed: 100}\n"
    done = fabric("analyze", "storm", str(fabric.write("big.yaml", text)))
    assert done.code == 2
    assert "the event model takes 64 switches and 512 NICs at most, here are 80 and 128" in done.err
