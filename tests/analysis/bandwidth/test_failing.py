"""Single failures: bounds from what nothing failed has, costly figures, the worst of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from fabric import flow
from fabric.analysis.bandwidth import failing
from fabric.analysis.bandwidth.answer import Asked, State
from fabric.analysis.bandwidth.failing_in_full import in_full
from fabric.analysis.bandwidth.failing_worst import worst_of
from fabric.model.bandwidth import Bisection, FailureCost, FailureSweep, Theta
from fabric.report.failures import sweep_json, sweep_lines
from fabric.report.text import Style

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.bandwidth import WorstFailure
    from fabric.model.design import Design

FT4 = """\
fabric: ft4
topology: {kind: fat-tree, k: 4}
platforms: {default: {platform: sonic, model: generic}}
hosts: {count: 16, speed: 100}
"""
DOUBLE = """\
fabric: double
topology: {kind: leaf-spine, leaves: 4, spines: 2, links: 2}
platforms: {default: {platform: sonic, model: generic}}
hosts: {count: 16, speed: 100}
"""
FEW = Asked(qps=(1,), trials=3)


def design(folder: Path, text: str) -> Design:
    path = folder / "inventory.yaml"
    path.write_text(text)
    return flow.load(path)


def by_figure(found: FailureSweep) -> dict[str, WorstFailure]:
    return {one.figure: one for one in found.worst}


def test_theta_of_each_kind_is_that_of_the_reference(tmp_path: Path) -> None:
    """validation 2.5, ft 4: −1 edge–agg and −1 agg–core, by LP and evenly split."""
    made = design(tmp_path, FT4)
    found = failing.swept(State(made))
    found = in_full(made, FEW, replace(found, parts=("theta",)))
    kinds = {row.failed: {theta.kind: theta for theta in row.thetas} for row in found.rows}
    edge, core = kinds["agg-0-0:edge-0-0:1",], kinds["agg-0-0:core-0:1",]
    assert (edge["uniform"].lp, edge["uniform"].ecmp) == pytest.approx((0.5357, 0.5357), abs=5e-5)
    assert (core["uniform"].lp, core["uniform"].ecmp) == pytest.approx((0.9375, 0.625))
    assert (edge["shift"].lp, edge["shift"].ecmp) == pytest.approx((0.5, 0.5))
    assert (core["shift"].lp, core["shift"].ecmp) == pytest.approx((0.75, 0.5))
    worst = by_figure(found)
    assert worst["θ uniform, LP"].value == pytest.approx(0.5357, abs=5e-5)
    assert worst["θ shift, LP"].value == pytest.approx(0.5)
    assert worst["θ uniform, LP"].unfailed == pytest.approx(15 / 14)
    assert not any(row.effective for row in found.rows)


def test_a_member_of_parallel_cables_is_a_kind_of_its_own(tmp_path: Path) -> None:
    """Of four uplinks a leaf, two to a spine: 3/4 stay, and half of an even split's θ."""
    found = failing.swept(State(design(tmp_path, DOUBLE)))
    (member,) = [row for row in found.rows if row.parallel]
    assert (member.parallel, member.stands_for, member.failed) == (2, 16, ("leaf-0:spine-0:1",))
    assert member.worst_ratio == pytest.approx(0.75)
    assert member.ecmp == pytest.approx(
        0.625
    )  # of 1.25: half goes to the spine with one cable left
    assert by_figure(found)["θ uniform, even split"].parallel == 2


PAIRED = """\
fabric: paired
topology: {kind: leaf-spine, leaves: 4, spines: 3, links: 2}
platforms: {default: {platform: frr, model: generic}}
hosts:
  - {names: "h[1-4]", nic: connectx-7, speed: 100, attach: dual-tor, per_leaf: 2}
  - {names: "x[1-3]", speed: 100, on: leaf-0}
"""


def test_leaves_of_different_pairs_are_not_alike(tmp_path: Path) -> None:
    """leaf-1, 2 and 3 have two bonds each, but the other leaf of leaf-1's has more hosts.

    Whatever is said to be alike must give the same figures when it is worked out by itself.
    """
    made = design(tmp_path, PAIRED)
    states = [State(made, frozenset({link.id})) for link in made.topology.fabric_links]
    states += [State(made, frozenset(), frozenset({s.name})) for s in made.topology.switches]
    alone: Counter[tuple[float, ...]] = Counter()
    for state in states:
        alone[figures(failing.cost(state, (), failing.connected(state), time_limit_s=9))] += 1
    found: Counter[tuple[float, ...]] = Counter()
    for row in failing.swept(State(made)).rows:
        found[figures(row)] += row.stands_for
    assert found == alone


def figures(row: FailureCost) -> tuple[float, ...]:
    assert row.bisection is not None
    told = (row.detached, row.bisection.links, row.worst_ratio, row.ecmp)
    return tuple(round(value, 6) for value in told)


def test_effective_rates_name_their_worst_failure(tmp_path: Path) -> None:
    made = design(tmp_path, DOUBLE)
    found = in_full(made, FEW, replace(failing.swept(State(made)), parts=("effective",)))
    kinds = {row.failed: row.effective[0].mean for row in found.rows}
    worst = by_figure(found)["effective, 1 QP, mean"]
    assert worst.value == min(kinds.values()) == kinds[worst.failed]
    assert worst.value < worst.unfailed
    assert not any(row.thetas for row in found.rows)


def test_what_is_down_already_is_down_in_the_costly_figures_too(tmp_path: Path) -> None:
    """One of two spines down: losing the other leaves no way between leaves."""
    made = design(tmp_path, DOUBLE)
    asked = replace(FEW, switches=frozenset({"spine-0"}))
    found = failing.swept(State(made, switches=asked.switches))
    found = in_full(made, asked, replace(found, parts=("theta", "effective")))
    worst = by_figure(found)
    assert worst["θ uniform, LP"].unfailed == pytest.approx(0.625)
    assert (worst["θ uniform, LP"].failed, worst["θ uniform, LP"].value) == (("spine-1",), 0)


def test_when_the_time_is_up_the_rest_says_so(tmp_path: Path) -> None:
    made = design(tmp_path, FT4)
    ticks = iter(range(100))
    asked = replace(FEW, time_limit_s=3.0)
    found = replace(failing.swept(State(made)), parts=("effective",))
    found = in_full(made, asked, found, clock=lambda: float(next(ticks)))
    done = [row for row in (found.unfailed, *found.rows) if row.effective]
    left = [row for row in found.rows if not row.effective]
    assert found.unfailed in done
    assert (len(done), len(left)) == (2, len(found.rows) - 1)
    assert min(row.ecmp for row in found.rows) == done[1].ecmp  # the worst came first
    assert {row.left_out for row in left} == {"the 3 s of --time-limit were over before effective"}
    assert by_figure(found)["effective, 1 QP, mean"].unknown == len(left)


def test_a_state_without_a_figure_costs_that_state_alone(tmp_path: Path) -> None:
    """Without one of two leaves a single endpoint is left."""
    made = design(tmp_path, DOUBLE.replace("leaves: 4", "leaves: 2").replace("16", "2"))
    found = failing.swept(State(made))
    found = in_full(made, FEW, replace(found, parts=("theta", "effective")))
    leaf = next(
        row for row in found.rows if row.failed[0].startswith("leaf-0") and not row.parallel
    )
    assert "one endpoint is in service" in leaf.left_out
    assert found.unfailed.thetas


@pytest.mark.parametrize("text", [FT4, DOUBLE], ids=["fat-tree", "parallel cables"])
def test_bounds_of_what_is_left_hold(tmp_path: Path, text: str) -> None:
    """Those from nothing failed, against the bisection worked out without them."""
    made = design(tmp_path, text)
    whole = State(made)
    pairs = failing.connected(whole)
    unfailed = failing.cost(whole, (), pairs, time_limit_s=60)
    for row in failing.swept(whole).rows:
        lost = {name for name in row.failed if made.topology.is_switch(name)}
        state = State(made, frozenset(row.failed) - lost, frozenset(lost))
        alone = failing.cost(state, row.failed, pairs, time_limit_s=60).bisection
        assert alone is not None
        assert row.bisection == alone
        lower, upper = failing._known(whole, unfailed, state)
        assert lower <= alone.links <= upper
        assert np.isfinite(upper) == (not row.detached)


def cost(
    failed: str, links: float, *, lower: float | None = None, ecmp: float = 1.0
) -> FailureCost:
    low = links if lower is None else lower
    kind = "exact" if lower is None else "bounds"
    cut = Bisection(links, low, links / 8, kind, links, 100.0)
    return FailureCost((failed,) if failed else (), 3, 0, cut, 1.0, "leaf", ecmp)


def test_an_interval_counts_with_its_lower_end_and_is_called_a_bound() -> None:
    rows = (cost("a", 6), cost("b", 7, lower=5), cost("c", 8))
    cut, leaf, even = worst_of(FailureSweep(cost("", 8), rows, 9))
    assert (cut.failed, cut.value, cut.is_bound, cut.stands_for) == (("b",), 0.625, True, 3)
    assert (leaf.failed, leaf.value, even.failed) == ((), 1.0, ())
    assert not cut.unfailed_is_bound


def test_an_interval_with_nothing_down_is_called_a_bound_too() -> None:
    """What is below its lower end may still be above the truth of nothing failed: no claim."""
    found = FailureSweep(cost("", 8, lower=4), (cost("a", 6),), 1)
    found = replace(found, worst=worst_of(found))
    cut = found.worst[0]
    assert (cut.unfailed, cut.unfailed_is_bound, cut.failed) == (0.5, True, ())
    text = "\n".join(sweep_lines(found, Style()))
    assert "≥ 0.5000" in text
    assert "no single failure is below that bound" in text
    assert sweep_json(found)["worst"][0]["unfailed_is_bound"] is True  # type: ignore[index]


def test_what_was_not_worked_out_is_no_safe_failure() -> None:
    theta = Theta("shift", 1.0, 1.0, 1.0)
    found = FailureSweep(replace(cost("", 8), thetas=(theta,)), (cost("a", 6),), 1, ("theta",))
    lines = sweep_lines(replace(found, worst=worst_of(found)), Style())
    (shift,) = [line for line in lines if "θ shift, LP" in line]
    assert "none worked out lowers it; not known of 1 kind" in shift
