"""``fabric analyze bandwidth --failures 1``: costly figures on demand, the worst case named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.conftest import INVENTORIES

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

LAB = str(INVENTORIES / "leafspine-lab.yaml")  # 4 leaves, 2 spines, 2 hosts a leaf
RING = str(INVENTORIES / "ring4.yaml")
SWEEP = ("analyze", "bandwidth", LAB, "--failures", "1")
DOUBLE = """\
fabric: double
topology: {kind: leaf-spine, leaves: 4, spines: 2, links: 2}
platforms: {default: {platform: sonic, model: generic}}
hosts: {count: 16, speed: 100}
"""


def worst(answer: Any) -> dict[str, Any]:
    return {one["figure"]: one for one in answer["worst"]}


def test_by_default_the_cheap_figures_and_how_to_have_the_others(fabric: Shell) -> None:
    found = fabric(*SWEEP, "--json").json
    cut = worst(found)["bisection ratio"]
    assert (cut["failed"], cut["stands_for"], cut["value"]) == (["spine-0"], 2, 0.5)
    assert "theta" not in found["kinds"][0]
    assert "effective" not in found["kinds"][0]
    text = " ".join(fabric(*SWEEP).out.split())
    assert "Left out: θ by linear program" in text
    assert "bisection ratio 1.0000 0.5000 spine-0 2" in text


def test_in_full_every_figure_of_every_kind(fabric: Shell) -> None:
    """ls 4×2 of validation 2.5 without a spine: half of θ 7/6."""
    found = fabric(*SWEEP, "--full", "--trials", "5", "--json").json
    spine = next(kind for kind in found["kinds"] if kind["failed"] == ["spine-0"])
    assert spine["theta"]["uniform"]["lp"] == pytest.approx(7 / 12)
    assert spine["theta"]["shift"] == {**spine["theta"]["shift"], "lp": 0.5, "ecmp": 0.5}
    assert [one["qps"] for one in spine["effective"]] == [1, 8]
    assert spine["left_out"] is None
    assert worst(found)["effective, 8 QPs, mean"]["failed"] == ["spine-0"]
    text = fabric(*SWEEP, "--full", "--trials", "5").out
    assert "Left out" not in text
    assert "others like it may differ" in " ".join(text.split())
    assert "5 trials, seed 1" in text


@pytest.mark.parametrize(
    "words",
    [
        ("--qps", "4"),
        ("--hash", "ecmp"),
        ("--pattern", "permutation"),
        ("--seed", "2"),
        ("--trials", "2"),
    ],
)
def test_who_says_how_flows_are_drawn_asks_for_effective_rates(
    fabric: Shell, words: tuple[str, ...]
) -> None:
    found = fabric(*SWEEP, *words, "--json").json
    assert all(kind["effective"] for kind in found["kinds"])
    assert "theta" not in found["kinds"][0]


def test_a_member_of_parallel_cables_is_named_as_one(fabric: Shell) -> None:
    fabric.write("double.yaml", DOUBLE)
    words = ("analyze", "bandwidth", "double.yaml", "--failures", "1")
    assert "leaf-0:spine-0:1 (1 of 2 parallel)" in fabric(*words).out
    found = fabric(*words, "--json").json
    assert sorted(kind["parallel"] or 0 for kind in found["kinds"]) == [0, 0, 2]


def test_what_the_fabric_does_not_have_is_said_first(fabric: Shell) -> None:
    done = fabric(*SWEEP, "--hash", "valiant")
    assert done.code == 2
    assert "there are not three" in done.err
    assert "another --pattern or --hash" in done.err


def test_in_full_without_failures_says_nothing_new(fabric: Shell) -> None:
    done = fabric("analyze", "bandwidth", LAB, "--full")
    assert done.code == 2
    assert "--failures 1 --full" in done.err


def test_planes_without_a_way_are_told(fabric: Shell) -> None:
    """Even split speaks of the pairs that have a way, the linear program of all."""
    fabric.write(
        "planes.yaml",
        "fabric: planes\n"
        "topology: {kind: rail, rails: 2, groups: 2, spines: 2, planes: rails}\n"
        "platforms: {default: {platform: frr, model: generic}}\n"
        "hosts: {count: 8, nics: 2, speed: 100}\nlinks: {speed: 100}\n",
    )
    words = ("--failures", "1", "--full", "--trials", "1")
    assert "Some pairs have no way" in fabric("analyze", "bandwidth", "planes.yaml", *words).out
    short = fabric("analyze", "bandwidth", "planes.yaml", "--failures", "1")
    assert "Some pairs have no way" in short.out
    told = fabric("analyze", "bandwidth", "planes.yaml", "--failures", "1", "--json").json
    assert (told["parted"], fabric(*SWEEP, "--json").json["parted"]) == (True, False)
    assert "Some pairs have no way" not in fabric(*SWEEP, "--full", "--trials", "1").out
