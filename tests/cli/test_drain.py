"""``fabric analyze drain``: may this switch be taken out, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import INVENTORIES

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

LAB = str(INVENTORIES / "leafspine-lab.yaml")  # 4 leaves, 2 spines, 2 hosts a leaf
COST = {"failed", "detached", "bisection", "worst_tor_uplink_ratio", "theta_uniform_ecmp"}


def test_a_spine_of_two_may_go_and_half_stays(fabric: Shell) -> None:
    done = fabric("analyze", "drain", LAB, "spine-0", "--json")
    assert done.code == 0, done.err
    found = done.json
    assert (found["schema"], found["switch"], found["may"], found["reasons"]) == (
        1,
        "spine-0",
        True,
        [],
    )
    assert found["before"].keys() >= COST
    assert found["before"]["bisection"]["links"] == 4
    assert found["after"]["bisection"]["links"] == 2
    assert found["after"]["worst_tor_uplink_ratio"] == 0.5
    assert found["worst_next"]["theta_uniform_ecmp"] == 0  # the other spine, or a leaf's last cable


def test_the_text_gives_the_answer_first_and_the_same_figures(fabric: Shell) -> None:
    done = fabric("analyze", "drain", LAB, "spine-0")
    title, answer, *rest = done.out.splitlines()
    assert title == "leafspine-lab · may spine-0 be taken out?"
    assert answer.startswith("  Yes")
    text = "\n".join(rest)
    assert "without spine-0" in text
    assert "50.0 % leaf-0" in text
    assert "(the worst next)" in text


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("leaf-0",), "2 endpoints lose their only leaf"),
        (("spine-0", "--least", "51"), "uniform traffic keeps 50 % of its rate, less than 51 %"),
        (("spine-0", "--fail", "leaf-0:spine-1"), "6 pairs of leaves lose their way"),
        (("spine-0", "--fail", "spine-1"), "12 pairs of leaves lose their way"),
    ],
    ids=str,
)
def test_no_comes_with_its_reason_and_exit_code_one(
    fabric: Shell, arguments: tuple[str, ...], reason: str
) -> None:
    done = fabric("analyze", "drain", LAB, *arguments)
    assert done.code == 1, done.err
    assert f"No: {reason}" in done.out


def test_a_no_in_json(fabric: Shell) -> None:
    done = fabric("analyze", "drain", LAB, "leaf-0", "--json")
    assert (done.code, done.json["may"]) == (1, False)
    assert done.json["reasons"] == ["2 endpoints lose their only leaf"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((LAB, "spine-7"), "did you mean spine-1"),
        ((LAB, "spine-0", "--fail", "spine-0"), "spine-0 is down already"),
        ((LAB, "spine-0", "--fail", "leaf-9"), "leaf-9"),
        ((LAB, "spine-0", "spine-1"), "what has failed follows --fail"),
        ((LAB,), "switch"),
        (("nowhere.yaml", "spine-0"), "nowhere.yaml"),
        ((LAB, "spine-0", "--least", "101"), "less than or equal to 100"),
    ],
    ids=str,
)
def test_bad_words(fabric: Shell, arguments: tuple[str, ...], said: str) -> None:
    done = fabric("analyze", "drain", *arguments)
    assert done.code == 2
    assert said.casefold() in " ".join(done.err.split()).casefold()
    assert done.out == ""
