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
