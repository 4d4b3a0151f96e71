"""Bisection against all splits of small fabrics, and how sure it says it is."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import OptimizeResult

from fabric.analysis.bandwidth import demand
from fabric.analysis.bandwidth.bisection import (
    _ended,
    _from_theta,
    _program,
    _rounded_up,
    bisection,
)
from fabric.analysis.bandwidth.halves import Halves
from fabric.analysis.bandwidth.plant import Plant
from fabric.analysis.bandwidth.throughput import best_theta
from fabric.analysis.network import Network, Node, numbered
from tests.analysis.bandwidth.builds import dragonfly
from tests.analysis.bandwidth.cuts import least
from tests.analysis.bandwidth.plants import Nic, plant, topology
from tests.analysis.cure_fabrics import fat_tree, leaf_spine, ring

if TYPE_CHECKING:
    from collections.abc import Sequence


def theta_of(of: Plant) -> float:
    return best_theta(of, demand.uniform(of), time_limit_s=30)


def check(of: Plant) -> None:
    theta = theta_of(of)
    found = bisection(of, theta=theta)
    truth = least(of)
    assert _from_theta(theta, Halves(of)) <= truth + 1e-6
    assert found.kind == "exact"
    assert found.links == pytest.approx(truth, abs=1e-6)
    assert _program(Halves(of), 30)[:2] == pytest.approx((truth, truth), abs=1e-6)
    half = float(of.rate[of.attached].mean()) * (len(of.attached) // 2)
    assert found.ratio == pytest.approx(truth / half, abs=1e-6)


@pytest.mark.parametrize(
    "of",
    [
        plant(leaf_spine(2, 2, 4)),
        plant(leaf_spine(3, 1, 3)),
        plant(leaf_spine(3, 2, 3), ("l0:s0:1",)),
        plant(leaf_spine(3, 2, 3), ("l0:s0:1", "l0:s1:1")),
        plant(leaf_spine(4, 2, 2), switches=("s1",)),
        plant(leaf_spine(4, 2, 2), switches=("l1",)),
        plant(ring(5, 2), ("r0:r1:1",)),
        plant(ring(7)),
    ],
    ids=["2×2", "odd", "odd −1", "leaf alone", "spine dead", "leaf dead", "chain", "ring 7"],
)
def test_small_fabrics(of: Plant) -> None:
    check(of)


NICS = [
    [Nic(("l0",)), Nic(("l0",)), Nic(("l1",), 50), Nic(("l1",), 50), Nic(("l2",))],
    [Nic(("l0",), 50), Nic(("l0",)), Nic(("l0",)), Nic(("l0",), 25)],
    [Nic(("l0", "l1"), 50)] * 3 + [Nic(("l2",))] * 3,
    [Nic(("l0", "l1"), 50)] * 4 + [Nic(("l1", "l2"), 50)] * 3 + [Nic(("l2",))],
]


@pytest.mark.parametrize("nics", NICS, ids=["mixed", "mixed on one leaf", "bonds", "more bonds"])
@pytest.mark.parametrize("cut", [(), ("l0:s0:1",), ("l0:s0:1", "l0:s1:1"), ("h0.eth0",)])
def test_mixed_rates_and_bonds(nics: Sequence[Nic], cut: tuple[str, ...]) -> None:
    check(plant(leaf_spine(3, 2), cut, nics=nics))


@st.composite
def plants(draw: st.DrawFn) -> Plant:
    size = draw(st.integers(2, 5))
    count = draw(st.integers(2, 7))
    number = st.integers(0, size - 1)
    pairs = draw(st.lists(st.tuples(number, number), max_size=8))
    network = Network.of(
        [Node(f"n{n}", 1) for n in range(size)],
        numbered((f"n{a}", f"n{b}", "cable") for a, b in pairs if a != b),
    )
    ends = st.lists(number, min_size=1, max_size=2, unique=True)
    nics = [
        Nic(tuple(f"n{n}" for n in draw(ends)), draw(st.sampled_from([100, 100, 50])))
        for _ in range(count)
    ]
    slow = draw(st.sets(st.integers(0, 7)))
    ids = [cable.id for bundle in network.cables for cable in bundle]
    speed = {name: 25 if n in slow else 100 for n, name in enumerate(ids)}
    return Plant.of(topology(network, nics, speed.__getitem__))


@given(plants())
@settings(max_examples=25)
def test_any_small_fabric(of: Plant) -> None:
    check(of)


def test_a_time_limit_gives_an_interval() -> None:
    """Validation 2.2: df(2,4,4,16) has 40; without time to prove it that is not said."""
    of = plant(dragonfly(2, 4, 4, 16))
    found = bisection(of, theta=theta_of(of), time_limit_s=0.2)
    assert found.kind == "bounds"
    assert found.lower <= 40 <= found.upper == found.links
    assert 0 < found.lower < found.upper
    said = r"HiGHS after \d+\.\d s and \d+ nodes: Time limit reached\. .*, none below \d+"
    assert re.match(said, found.why)


def result(**values: object) -> OptimizeResult:
    found = OptimizeResult()
    found.update(values)
    return found


@pytest.mark.parametrize(
    ("x", "bound", "low", "high", "words"),
    [
        (np.zeros(3), 17.0, 17.0, 64.0, "its best cut 64, none below 17, gap 73.4 %"),
        (None, None, 0.0, np.inf, "no cut, none below 0"),
        (None, -np.inf, 0.0, np.inf, "no cut, none below 0"),
    ],
)
def test_the_solver_says_how_far_it_came(
    x: object, bound: float | None, low: float, high: float, words: str
) -> None:
    told = {"x": x, "status": 1, "fun": 64.0, "mip_dual_bound": bound, "mip_node_count": 1234}
    found = _ended(result(**told, message="Time is up."), 2.04)
    assert (found.low, found.high) == (low, high)
    assert found.why == f"HiGHS after 2.0 s and 1,234 nodes: Time is up.; {words}"


def test_an_ended_program_has_nothing_to_say() -> None:
    told = {"x": np.zeros(3), "status": 0, "fun": 8.0, "mip_dual_bound": 8.0, "message": "Optimal"}
    assert _ended(result(**told), 1.0) == (8.0, 8.0, "")


def test_many_switches_give_an_interval() -> None:
    found = bisection(plant(ring(152)), time_limit_s=1)
    assert (found.kind, found.lower, found.upper) == ("bounds", 0, 2)
    assert found.why == "152 switches; the integer program is solved up to 150"
    found = bisection(plant(ring(152)), known=(0.5, np.inf), theta=0.01)
    assert (found.kind, found.lower, found.upper) == ("bounds", 1, 2)


def test_a_cut_is_a_whole_number_of_cables() -> None:
    """More than one of two cables of a ring is both; of cables at half the rate, one and a half."""
    found = bisection(plant(ring(152)), known=(1.2, np.inf))
    assert (found.kind, found.lower, found.upper) == ("exact", 2, 2)
    slow = plant(ring(152))
    slow = replace(slow, capacity=slow.capacity / 2)
    found = bisection(slow, known=(0.3, np.inf))
    assert (found.kind, found.lower, found.upper) == ("bounds", 0.5, 1)


def test_without_time_there_is_no_integer_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fabric.analysis.bandwidth.bisection._program", None)
    of = plant(dragonfly(2, 4, 4, 16))
    found = bisection(of, known=(38.5, 41.0), time_limit_s=0)
    assert (found.kind, found.lower, found.upper) == ("bounds", 39, 41)


def test_what_failed_bounds_it_from_below() -> None:
    """A cut that loses all that failed is the least there can be; here the search finds it."""
    found = bisection(plant(fat_tree(12), ("a0.0:c0:1",)), known=(215.0, np.inf))
    assert (found.kind, found.lower, found.upper) == ("exact", 215, 215)


def test_nothing_failed_gives_the_closed_form() -> None:
    found = bisection(plant(fat_tree(4)), closed=8.0)
    assert (found.kind, found.links, found.lower, found.upper) == ("closed-form", 8, 8, 8)
    assert found.ratio == 1
    assert found.gbps == 800


def test_throughput_bounds_it_from_below() -> None:
    """Up to the slowest NIC: half the endpoints at a quarter of the rate send no more."""
    nics = [Nic(("l0",)), Nic(("l0",)), Nic(("l0",)), Nic(("l0",), 25), Nic(("l0",), 25)]
    of = plant(leaf_spine(2, 2), nics=[*nics, Nic(("l0",), 25)])
    found = bisection(of, theta=float("inf"))
    assert found.kind == "exact"
    assert found.links == pytest.approx(0.75)


THREE = [Nic(("l0",)), Nic(("l0",)), Nic(("l0",))]
HALF = [Nic(("l0",), 50), Nic(("l0",), 50)]


@pytest.mark.parametrize(
    ("nics", "theta", "lower"),
    [
        (THREE, None, 0),
        (THREE, 0.75, 0.75),
        (THREE, 3.0, 1),
        (THREE + HALF, 3.0, 0.75),
        ([Nic(("l0", "l1"), 50)] * 2, 3.0, 0),
        ([*[Nic(("l0", "l1"), 50)] * 2, Nic(("l0",), 25)], 3.0, 0),
    ],
)
def test_what_throughput_says_of_the_bisection(
    nics: list[Nic], theta: float | None, lower: float
) -> None:
    """θ · ⌊N/2⌋ · ⌈N/2⌉ / (N − 1), θ no more than the slowest NIC."""
    of = Halves(plant(leaf_spine(2, 2), nics=nics))
    assert _from_theta(theta, of) == pytest.approx(lower)


@pytest.mark.parametrize("count", [0, 1])
def test_nobody_to_send_to(count: int) -> None:
    of = plant(leaf_spine(2, 2), ("h1.eth0",), nics=[Nic(("l0",)), Nic(("l1",))])
    alone = of if count else plant(leaf_spine(2, 2), ("h0.eth0",), nics=[Nic(("l0",))])
    found = bisection(alone)
    assert (found.links, found.lower, found.upper, found.ratio) == (0, 0, 0, 0)


def test_the_dust_of_a_solver_lifts_no_bound() -> None:
    """5,000 cables, a part in 10⁸ too much: no cut of 5,000 may be ruled out by that."""
    halves = Halves(plant(leaf_spine(2, 2)))
    assert _rounded_up(5000 * (1 + 1e-8), halves) == 5000
    assert _rounded_up(5000.01, halves) == 5001
    assert _rounded_up(3.01, halves) == 4
