"""``fabric analyze compare``: the same load on several designs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

# 4×4 with four hosts a leaf, and the same with half the spines (validation 2.5: ratio 0.5, θ 0.625)
FULL = """\
fabric: full
topology: {kind: leaf-spine, leaves: 4, spines: 4}
platforms: {default: {platform: sonic, model: generic}}
hosts: {count: 16, speed: 100}
cables: {host: 2, leaf-spine: 20}
"""
HALF = FULL.replace("full", "half").replace("spines: 4", "spines: 2")
FEW = ("--trials", "5")


@pytest.fixture
def shell(fabric: Shell) -> Shell:
    fabric.write("full.yaml", FULL)
    fabric.write("half.yaml", HALF)
    return fabric


def test_json_has_a_design_for_each_inventory_in_order(shell: Shell) -> None:
    done = shell("analyze", "compare", "full.yaml", "half.yaml", "--json", *FEW)
    assert done.code == 0, done.err
    assert done.json["schema"] == 1
    full, half = done.json["designs"]
    assert [full["inventory"], half["inventory"]] == ["full.yaml", "half.yaml"]
    for design in (full, half):
        assert design.keys() >= {"bisection", "theta", "effective", "endpoints", "optics"}
        assert [one["qps"] for one in design["effective"]] == [1, 8]
    assert (full["bisection"]["ratio"], half["bisection"]["ratio"]) == (1, 0.5)
    assert half["theta"]["uniform"]["lp"] == pytest.approx(0.625)
    assert (sum(full["switches"].values()), sum(half["switches"].values())) == (8, 6)
    # 16 host cables of 2 m, and 16 or 8 of 20 m, each with a transceiver at both ends
    assert (full["cables"], half["cables"]) == (32, 24)
    assert (full["long_cables"], full["optics"], half["optics"]) == (16, 32, 16)
    assert full["cable_m"] == 16 * 2 + 16 * 20


def test_the_text_has_a_column_for_each(shell: Shell) -> None:
    words = ("analyze", "compare", "full.yaml", "half.yaml", *FEW)
    text, (full, half) = shell(*words).out, shell(*words, "--json").json["designs"]
    for start, one, other in (
        ("", "full", "half"),
        ("endpoints", "16", "16"),
        ("switches", "8", "6"),
        ("cables", "32", "24"),
        ("optics", "32", "16"),
        (
            "effective, 8 QPs",
            f"{100 * full['effective'][1]['mean']:.1f} %",
            f"{100 * half['effective'][1]['mean']:.1f} %",
        ),
    ):
        assert re.search(rf"^ *{start} +{one} +{other}$", text, re.MULTILINE), start
    assert "100.0 % (closed-form), 800 Gb/s" in text
    assert "50.0 % (closed-form), 400 Gb/s" in text


def test_the_same_seed_gives_the_same_bytes(shell: Shell) -> None:
    words = ("analyze", "compare", "full.yaml", "half.yaml", "--json", *FEW)
    assert shell(*words).out == shell(*words).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("full.yaml",), "nothing to be compared with"),
        (("full.yaml", "none.yaml"), "none.yaml"),
        (("full.yaml", "half.yaml", "--pattern", "bisections"), "did you mean bisection"),
        (("full.yaml", "half.yaml", "--qps", "x"), "numbers of flows a pair"),
        (("full.yaml", "half.yaml", "--pattern", "adversarial"), "not in several groups"),
        (("full.yaml", "one.yaml"), "nobody to send to"),
    ],
    ids=str,
)
def test_bad_words(shell: Shell, arguments: tuple[str, ...], said: str) -> None:
    shell.write("one.yaml", FULL.replace("count: 16", "count: 1"))
    done = shell("analyze", "compare", *arguments, *FEW)
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert done.out == ""


BOTH = ("analyze", "compare", "full.yaml", "half.yaml", *FEW)


def test_a_failure_is_one_of_every_design(shell: Shell) -> None:
    """A spine of four and one of two: 12 and 4 of the 16 cables are left across the halves."""
    words = (*BOTH, "--fail", "spine-1", "--fail", "leaf-0:spine-0")
    full, half = shell(*words, "--json").json["designs"]
    assert full["failed"] == half["failed"] == ["leaf-0:spine-0:1", "spine-1"]
    assert (full["worst_tor_uplink_ratio"], half["worst_tor_uplink_ratio"]) == (0.5, 0)
    alone = shell("analyze", "bandwidth", "full.yaml", *words[4:], "--json").json
    for key in ("bisection", "theta", "effective"):
        assert full[key] == alone[key]
    text = shell(*words).out
    down = "leaf-0:spine-0:1, spine-1"
    assert re.search(rf"^ +down +{down} +{down}$", text, re.MULTILINE)
    assert "of the pairs have no way, counted 0" in text


def test_a_failure_can_be_one_designs_own(shell: Shell) -> None:
    words = (*BOTH, "--fail", "full=spine-3", "--fail", "half.yaml=spine-1", "--json")
    full, half = shell(*words).json["designs"]
    assert (full["failed"], half["failed"]) == (["spine-3"], ["spine-1"])
    assert (full["worst_tor_uplink_ratio"], half["worst_tor_uplink_ratio"]) == (0.75, 0.25)


def test_endpoints_cut_off_are_told(shell: Shell) -> None:
    assert "full: 4 endpoints have no live cable" in shell(*BOTH, "--fail", "full=leaf-2").out


def test_another_hash_is_said(shell: Shell) -> None:
    planned = shell(*BOTH)
    assert "hash ecmp, as planned." in planned.out
    assert "hash dlb (hypothetical)." in shell(*BOTH, "--hash", "dlb").out
    eos = HALF.replace("{platform: sonic, model: generic}", "{platform: arista_eos, model: M}")
    eos = eos.replace("model: M", "model: arista-7060dx5-64s") + "load_balancing: dlb\n"
    shell.write("half.yaml", eos + "links: {speed: 100}\n")
    assert "hash of full ecmp, as planned; of half dlb, as planned." in shell(*BOTH).out
    found = shell(*BOTH, "--hash", "dlb", "--json").json["designs"]
    assert [one["effective"][0]["hypothetical"] for one in found] == [True, False]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--fail", "spine-3"), "half.yaml: --fail spine-3: there is no switch spine-3"),
        (("--fail", "spine-3"), "full has it: --fail full=spine-3 takes it down there alone"),
        (("--fail", "spine-9"), "full.yaml: --fail spine-9: there is no switch spine-9"),
        (("--fail", "spine-9"), "half.yaml: --fail spine-9"),
        (("--fail", "spine-9", "--fail", "leaf-9"), "--fail leaf-9"),
        (("--fail", "fool=spine-0"), "no design is called fool"),
        (("--fail", "half=spine-3"), "`fabric show devices` lists them"),
        (("--hash", "dbl"), "did you mean dlb"),
        (("--hash", "valiant"), "take another --pattern or --hash"),
        (tuple(w for n in range(4) for w in ("--fail", f"half=leaf-{n}")), "leave more in service"),
    ],
    ids=str,
)
def test_failures_and_hashes_that_are_not_there(
    shell: Shell, words: tuple[str, ...], said: str
) -> None:
    done = shell(*BOTH, *words)
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert done.out == ""


def test_two_designs_of_one_name_are_told_apart_by_file(shell: Shell) -> None:
    shell.write("again.yaml", FULL)
    words = ("analyze", "compare", "full.yaml", "again.yaml", *FEW)
    done = shell(*words, "--fail", "full=spine-0")
    assert done.code == 2
    assert "2 designs are called full" in done.err
    found = shell(*words, "--fail", "again.yaml=spine-0", "--json").json["designs"]
    assert [one["failed"] for one in found] == [[], ["spine-0"]]
