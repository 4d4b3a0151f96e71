"""``targets:`` in plan and check: what is judged, what is expected, the same bytes twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import SMALL

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

ALL = "targets: {oversubscription: 1.0, effective_percent: 80, qps: 8, worst_leaf_percent: 50}\n"


def test_without_a_target_the_summary_names_the_command(fabric: Shell) -> None:
    fabric.write("small.yaml", SMALL)
    done = fabric("plan", "small.yaml")
    assert "Bisection  2 × 100G of 2 = 1 of full (closed form" in done.out
    expect = "Expect     what hashing leaves of it: `fabric analyze bandwidth INVENTORY`"
    assert expect in done.out
    assert "RCE60" not in done.out


def test_with_a_target_it_says_what_to_expect(fabric: Shell) -> None:
    fabric.write("small.yaml", SMALL + ALL)
    words = ("analyze", "bandwidth", "small.yaml", "--only", "effective", "--qps", "8", "--json")
    mean = fabric(*words).json["effective"][0]["mean"]
    done = fabric("plan", "small.yaml")
    assert done.code == 0
    text = " ".join(done.out.split())
    assert f"Expect about {100 * mean:.0f} % of a NIC's rate over random bisections" in text
    assert "with 8 QPs a pair (ecmp as planned, 50 trials, seed 1)" in text


def test_two_plans_with_a_simulation_have_the_same_bytes(fabric: Shell) -> None:
    fabric.write("small.yaml", SMALL + ALL)
    fabric("plan", "small.yaml", "--out", "one")
    fabric("plan", "small.yaml", "--out", "two")
    one, two = (fabric.folder / out / "small" / "plan.json" for out in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("targets", "rules"),
    [
        ("{oversubscription: 0.5}", {"RCE601"}),
        ("{effective_percent: 99.9}", {"RCE602"}),
        ("{worst_leaf_percent: 51}", {"RCE603"}),
        ("{qps: 16}", {"RCE605"}),
        ("{oversubscription: 1.0, effective_percent: 80, worst_leaf_percent: 50}", set[str]()),
    ],
)
def test_each_target_has_its_rule(fabric: Shell, targets: str, rules: set[str]) -> None:
    fabric.write("small.yaml", f"{SMALL}targets: {targets}\n")
    found = fabric("check", "small.yaml", "--json").json["findings"]
    assert {one["rule"] for one in found if one["rule"].startswith("RCE6")} == rules
    for one in found:
        if one["rule"] in rules:
            assert one["location"]["line"] == (4 if one["rule"] == "RCE605" else 5)


def test_a_key_that_is_mistyped_is_refused(fabric: Shell) -> None:
    fabric.write("small.yaml", f"{SMALL}targets: {{effective: 90, worst_leaf: 50}}\n")
    done = fabric("check", "small.yaml")
    assert done.code == 2
    assert "did you mean effective_percent?" in done.err
    assert "did you mean worst_leaf_percent?" in done.err
