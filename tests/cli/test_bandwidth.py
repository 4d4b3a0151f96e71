"""``fabric analyze bandwidth``: the JSON contract, the words, exit codes, bad input."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from fabric.analysis.bandwidth import answer
from tests.cli.conftest import INVENTORIES

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

LAB = str(INVENTORIES / "leafspine-lab.yaml")  # 4 leaves, 2 spines, 2 hosts a leaf
RING = str(INVENTORIES / "ring4.yaml")  # 4 switches, 2 hosts each
FT4 = """\
fabric: ft4
topology: {kind: fat-tree, k: 4}
platforms: {default: {platform: sonic, model: generic}}
hosts: {count: 16, speed: 100}
"""
FEW = ("--trials", "5", "--qps", "1,4")
BISECTION = {"links", "gbps", "ratio", "kind", "lower", "upper"}
EFFECTIVE = {"qps", "hash", "mean", "sd", "worst_pair", "striped", "trials", "seed"}
PARTS = {"bisection", "theta", "effective"}


def test_json_has_the_keys_of_the_contract(fabric: Shell) -> None:
    done = fabric("analyze", "bandwidth", LAB, "--json")
    assert done.code == 0, done.err
    found = done.json
    assert (found["schema"], found["endpoints"]) == (1, 8)
    assert found.keys() >= {*PARTS, "worst_tor_uplink_ratio"}
    assert found["bisection"].keys() == BISECTION
    assert found["theta"].keys() == {"uniform", "shift", "adversarial"}
    for theta in found["theta"].values():
        assert theta.keys() >= {"lp", "ecmp", "why_null"}
    assert [one["qps"] for one in found["effective"]] == [1, 8]
    for one in found["effective"]:
        assert one.keys() >= EFFECTIVE
        assert (one["trials"], one["seed"], one["hash"]) == (50, 1, "ecmp")
        assert one["hypothetical"] is False


def test_the_figures_are_those_of_the_reference(fabric: Shell) -> None:
    """validation 2.5, ls 4×2 with two hosts a leaf: 4 of 4, θ 7/6; links and Gb/s both."""
    found = fabric("analyze", "bandwidth", LAB, "--json", *FEW).json
    assert found["bisection"] == {
        "links": 4,
        "gbps": 400,
        "ratio": 1,
        "kind": "closed-form",
        "lower": 4,
        "upper": 4,
    }
    assert found["theta"]["uniform"]["lp"] == pytest.approx(7 / 6)
    assert found["theta"]["uniform"]["ecmp"] == pytest.approx(7 / 6)
    assert found["theta"]["shift"]["lp"] == pytest.approx(1)
    assert found["theta"]["uniform"]["why_null"] is None
    assert found["worst_tor_uplink_ratio"] == pytest.approx(1)


def test_without_groups_the_adversarial_theta_is_null_and_says_why(fabric: Shell) -> None:
    theta = fabric("analyze", "bandwidth", LAB, "--only", "theta", "--json").json["theta"]
    assert (theta["adversarial"]["lp"], theta["adversarial"]["ecmp"]) == (None, None)
    assert "group" in theta["adversarial"]["why_null"]


# validation 2.5, ft 4: B, θ_uni LP and even
@pytest.mark.parametrize(
    ("fail", "links", "thetas"),
    [
        ((), 8, (15 / 14, 15 / 14)),
        (("agg-0-0:core-0",), 7, (0.9375, 0.625)),
        (("edge-0-0:agg-0-0",), 7, (15 / 28, 15 / 28)),
        (("core-0",), 6, None),
        (("agg-0-0:core-0", "agg-0-0:core-1"), 6, None),
    ],
)
def test_failures_change_every_figure(
    fabric: Shell, fail: tuple[str, ...], links: float, thetas: tuple[float, float] | None
) -> None:
    fabric.write("ft4.yaml", FT4)
    down = [word for name in fail for word in ("--fail", name)]
    found = fabric("analyze", "bandwidth", "ft4.yaml", *down, "--json", *FEW).json
    cut, kind = found["bisection"], "exact" if fail else "closed-form"
    assert (cut["kind"], cut["links"], cut["lower"], cut["upper"]) == (kind, links, links, links)
    assert cut["gbps"] == 100 * links
    if thetas is not None:
        uniform = found["theta"]["uniform"]
        assert (uniform["lp"], uniform["ecmp"]) == pytest.approx(thetas)


def test_a_lost_uplink_halves_the_worst_leaf_though_the_bisection_keeps_seven_eighths(
    fabric: Shell,
) -> None:
    fabric.write("ft4.yaml", FT4)
    cut = ("--fail", "edge-0-0:agg-0-0")
    found = fabric("analyze", "bandwidth", "ft4.yaml", *cut, "--json", *FEW).json
    assert found["failed"] == ["agg-0-0:edge-0-0:1"]
    assert (found["worst_tor"], found["worst_tor_uplink_ratio"]) == ("edge-0-0", 0.5)
    assert found["bisection"]["ratio"] == 0.875


@pytest.mark.parametrize("part", sorted(PARTS))
def test_only_leaves_the_other_keys_out(fabric: Shell, part: str) -> None:
    found = fabric("analyze", "bandwidth", LAB, "--only", part, "--json", *FEW).json
    assert found.keys() & PARTS == {part}
    assert ("worst_tor_uplink_ratio" in found) is (part == "theta")
    assert ("notes" in found) is (part == "effective")


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(fabric: Shell) -> None:
    words = ("analyze", "bandwidth", LAB, "--only", "effective", "--json", *FEW)
    once = fabric(*words, "--seed", "7").out
    assert fabric(*words, "--seed", "7").out == once
    assert fabric(*words, "--seed", "8").out != once


@pytest.mark.parametrize("word", ["ecmp", "ecmp-polarised", "dlb", "spray"])
def test_another_hash_is_hypothetical(fabric: Shell, word: str) -> None:
    words = ("analyze", "bandwidth", LAB, "--only", "effective", "--hash", word, *FEW)
    found = fabric(*words, "--json").json["effective"]
    assert {one["hash"] for one in found} == {word}
    assert {one["hypothetical"] for one in found} == {True}  # ecmp too: a seed for each switch
    assert f"{word} (hypothetical)" in fabric(*words).out


def test_the_text_has_the_facts_of_the_json(fabric: Shell) -> None:
    words = ("analyze", "bandwidth", LAB, *FEW)
    found, text = fabric(*words, "--json").json, fabric(*words).out
    assert "8 endpoints of 100G" in text
    assert "Bisection   4 NIC rates" in text
    assert "100.0 %, 400 Gb/s one way (closed form, nothing failed)" in text
    for kind, theta in found["theta"].items():
        shown = "–" if theta["lp"] is None else f"{theta['lp']:.4f}"
        assert re.search(rf"^ +{kind} +{shown} ", text, re.MULTILINE)
    for one in found["effective"]:
        row = [100 * one[key] for key in ("mean", "sd", "worst_pair", "striped")]
        shown = r" +".join(f"{value:.1f}( %)?" for value in row)
        assert re.search(rf"^ +{one['qps']} +{shown}$", text, re.MULTILINE)
    assert "ecmp, as planned; 5 trials, seed 1" in text


EOS = FT4.replace("sonic", "arista_eos")


def test_as_planned_says_where_no_seed_is_rendered(fabric: Shell) -> None:
    fabric.write("eos.yaml", EOS)
    fabric.write("sonic.yaml", FT4)
    words = ("--only", "effective", *FEW)
    (note,) = fabric("analyze", "bandwidth", "eos.yaml", *words, "--json").json["notes"]
    assert "left out on Arista EOS" in note
    assert "--hash ecmp-polarised" in note
    text = " ".join(fabric("analyze", "bandwidth", "eos.yaml", *words).out.split())
    assert f"Note {note}" in text
    assert fabric("analyze", "bandwidth", "sonic.yaml", *words, "--json").json["notes"] == []
    other = fabric("analyze", "bandwidth", "eos.yaml", *words, "--hash", "ecmp", "--json").json
    assert (other["notes"], other["effective"][0]["hypothetical"]) == ([], True)


def test_as_planned_says_where_neighbours_share_a_seed(fabric: Shell) -> None:
    """All routers of a dragonfly are of one role and one tier."""
    fabric.write(
        "df.yaml",
        "fabric: df\ntopology: {kind: dragonfly, p: 1, a: 2, h: 1, g: 3}\n"
        "platforms: {default: {platform: sonic, model: generic}}\n",
    )
    words = ("--only", "effective", "--json", *FEW)
    (note,) = fabric("analyze", "bandwidth", "df.yaml", *words).json["notes"]
    assert "hash with one seed (so do the ends of 6 cables in all)" in note


def test_single_failures(fabric: Shell) -> None:
    """ls 4×2: any cable leaves a leaf half its uplinks, any spine leaves all half."""
    found = fabric("analyze", "bandwidth", LAB, "--failures", "1", "--json").json
    assert found["failures"] == 8 + 6
    assert sum(kind["stands_for"] for kind in found["kinds"]) == 14
    assert found["unfailed"]["worst_tor_uplink_ratio"] == 1
    worst = {kind["failed"][0][:5]: kind for kind in found["kinds"]}
    assert worst["spine"]["worst_tor_uplink_ratio"] == 0.5
    assert worst["spine"]["bisection"]["links"] == 2
    cable = next(kind for kind in found["kinds"] if ":" in kind["failed"][0])
    assert (cable["stands_for"], cable["worst_tor_uplink_ratio"]) == (8, 0.5)
    text = fabric("analyze", "bandwidth", LAB, "--failures", "1").out
    assert "all 14 single failures, 3 kinds worked out" in text


@pytest.mark.parametrize(
    ("target", "reached"), [("30", True), ("99.9", False)], ids=["reached", "not reached"]
)
def test_a_target_says_how_many_qps(fabric: Shell, target: str, *, reached: bool) -> None:
    words = ("analyze", "bandwidth", RING, "--only", "effective", "--target", target, *FEW)
    told = fabric(*words, "--json").json["target"]
    assert told["percent"] == float(target)
    if reached:
        assert told["reached"]["qps"] == 1
        assert told["reached"]["mean"] >= 0.3
        assert "is reached with 1 QP a pair" in fabric(*words).out
    else:
        assert told["reached"] is None
        assert "99.9 % is not reached with 256 QPs a pair" in fabric(*words).out


def test_the_curve_is_drawn(fabric: Shell) -> None:
    words = ("analyze", "bandwidth", LAB, "--only", "effective", *FEW)
    assert fabric(*words, "--svg", "curve.svg").code == 0
    once = (fabric.folder / "curve.svg").read_bytes()
    assert once.startswith(b"<svg ")
    assert fabric(*words, "--svg", "curve.svg").code == 0
    assert (fabric.folder / "curve.svg").read_bytes() == once


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--hash", "ecmp-polarized"), "did you mean ecmp-polarised"),
        (("--pattern", "permutations"), "did you mean permutation"),
        (("--only", "thetas"), "did you mean theta"),
        (("--qps", "0"), "numbers of flows a pair, 1 to 1024"),
        (("--qps", "8,"), "--qps 1,2,4,8,16,32"),
        (("--qps", "²"), "numbers of flows"),
        (("--fail", "spine-7"), "did you mean spine-1"),
        (("spine-0",), "what has failed follows --fail"),
        (("--failures", "2"), "single failures are worked out"),
        (("--failures", "1", "--svg", "x.svg"), "leave one out"),
        (("--failures", "1", "--target", "90"), "leave one out"),
        (("--failures", "1", "--only", "theta"), "leave one out"),
        (("--only", "theta", "--svg", "x.svg"), "--only theta leaves it out"),
        (("--only", "bisection", "--target", "90"), "--only bisection leaves it out"),
        (("--target", "101"), "less than or equal to 100"),
        (("--trials", "0"), "--trials"),
        (("--pattern", "adversarial"), "not in several groups"),
        (("--hash", "valiant"), "there are not three help: take another --pattern or --hash"),
    ],
    ids=str,
)
def test_bad_words(fabric: Shell, arguments: tuple[str, ...], said: str) -> None:
    done = fabric("analyze", "bandwidth", LAB, *arguments)
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert done.out == ""
    assert list(fabric.folder.iterdir()) == []


def test_a_file_that_cannot_be_written_is_refused_before_the_long_work(
    fabric: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "answer", None)  # calling it would be an internal error
    done = fabric("analyze", "bandwidth", LAB, "--svg", "nowhere/curve.svg")
    assert done.code == 2
    assert "cannot write nowhere/curve.svg: No such file" in done.err
    assert done.out == ""


def _leaf_spine(hosts: int) -> str:
    return (
        "fabric: odd\ntopology: {kind: leaf-spine, leaves: 3, spines: 2}\n"
        f"hosts: {{count: {hosts}, speed: 100}}\n"
    )


def test_an_odd_count_is_halved_into_the_floor_and_the_ceiling(fabric: Shell) -> None:
    """Seven hosts on 3×2: the leaf of three against the other two, over its two uplinks."""
    fabric.write("odd.yaml", _leaf_spine(7))
    found = fabric("analyze", "bandwidth", "odd.yaml", "--json", *FEW).json
    assert found["endpoints"] == 7
    assert found["bisection"]["links"] == 2
    assert found["bisection"]["ratio"] == pytest.approx(2 / 3)  # of three NIC rates
    assert found["theta"]["shift"]["lp"] is not None


def test_one_endpoint_has_nobody_to_send_to(fabric: Shell) -> None:
    fabric.write("one.yaml", _leaf_spine(1))
    done = fabric("analyze", "bandwidth", "one.yaml")
    assert done.code == 2
    assert "one endpoint is in service: there is nobody to send to" in done.err


def test_no_endpoint_at_all(fabric: Shell) -> None:
    fabric.write(
        "empty.yaml",
        "fabric: e\ntopology:\n  kind: explicit\n"
        "  switches: [{name: a, tier: 1}, {name: b, tier: 1}]\n  cables: [{a: a, b: b}]\n"
        "platforms: {default: {platform: frr, model: generic}}\n",
    )
    done = fabric("analyze", "bandwidth", "empty.yaml")
    assert done.code == 2
    assert "no endpoint is cabled" in done.err


def test_a_disconnected_fabric_has_no_bisection_and_says_who_is_stranded(fabric: Shell) -> None:
    words = ("analyze", "bandwidth", LAB, "--fail", "spine-0", "spine-1", *FEW)
    done = fabric(*words, "--json")
    assert done.code == 0, done.err
    assert done.json["bisection"]["links"] == 0
    assert done.json["theta"]["uniform"]["lp"] == 0
    assert done.json["effective"][0]["stranded"] > 0
    assert "of the pairs have no way; they count as 0" in fabric(*words).out


def test_a_leaf_out_of_service_detaches_its_endpoints(fabric: Shell) -> None:
    words = ("analyze", "bandwidth", LAB, "--fail", "leaf-0", *FEW)
    found = fabric(*words, "--json").json
    assert (found["endpoints"], found["detached"]) == (8, 2)
    assert "2 of them have no live cable" in fabric(*words).out
