"""``fabric analyze drain``: may this switch be taken out, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import INVENTORIES

if TYPE_CHECKING:
    from pathlib import Path

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


def test_the_only_leaf_is_a_no_and_no_mistake(fabric: Shell, tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(
        "fabric: one\n"
        "topology: {kind: explicit, switches: [{name: sw, endpoints: 5}], cables: []}\n"
        'hosts: {names: "h[1-5]", speed: 100}\n'
    )
    done = fabric("analyze", "drain", str(path), "sw", "--json")
    assert (done.code, done.json["reasons"]) == (1, ["5 endpoints lose their only leaf"])
    assert done.json["after"]["detached"] == 5
    assert done.json["worst_next"] is None
    assert "No: 5 endpoints" in fabric("analyze", "drain", str(path), "sw").out


BONDS = """\
fabric: bonds
topology: {kind: leaf-spine, leaves: 4, spines: 3}
platforms: {default: {platform: frr, model: generic}}
hosts: {names: "h[1-6]", nic: connectx-7, speed: 100, attach: dual-tor, per_leaf: 3}
"""


def test_a_leaf_of_two_halves_its_hosts(fabric: Shell, tmp_path: Path) -> None:
    """Three bonds on leaf-0 and leaf-1; nobody is cut off, and the network alone has 50 % too."""
    path = tmp_path / "bonds.yaml"
    path.write_text(BONDS)
    done = fabric("analyze", "drain", str(path), "leaf-0", "--json")
    assert (done.code, done.json["may"], done.json["slower"]) == (0, True, 3)
    nics = [done.json[key]["theta_uniform_nics"] for key in ("before", "after")]
    assert nics == [1.0, 0.5]
    told = fabric("analyze", "drain", str(path), "leaf-0", "--least", "80")
    assert told.code == 1
    assert "NICs of 3 endpoints keep 50 % of their rate, less than 80 %" in told.out
    assert "3 endpoints are left on one leaf of two" in told.out
    spine = fabric("analyze", "drain", str(path), "spine-0", "--json")
    assert spine.json["slower"] == 0


def test_the_sweep_tells_what_a_lost_leaf_costs_the_nics(fabric: Shell, tmp_path: Path) -> None:
    path = tmp_path / "bonds.yaml"
    path.write_text(BONDS)
    found = fabric("analyze", "bandwidth", str(path), "--failures", "1", "--json").json
    worst = {one["figure"]: one for one in found["worst"]}["θ uniform, NICs"]
    assert (worst["unfailed"], worst["value"], worst["failed"]) == (1.0, 0.5, ["leaf-0"])
    lab = fabric("analyze", "bandwidth", LAB, "--failures", "1", "--json").json
    assert "θ uniform, NICs" not in {one["figure"] for one in lab["worst"]}


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
