"""Every row of validation 2.5, the closed forms of 2.2 and θ of 2.6; values typed from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from fabric.analysis.bandwidth import demand
from fabric.analysis.bandwidth.bisection import bisection
from fabric.analysis.bandwidth.throughput import best_theta, even_theta, volumetric_bound
from fabric.analysis.bandwidth.worst import worst_leaf
from fabric.analysis.routing.dragonfly import minimal
from fabric.analysis.routing.shortest import spf
from tests.analysis.bandwidth.builds import dragonfly as dealt
from tests.analysis.bandwidth.plants import plant, ways
from tests.analysis.cure_fabrics import dragonfly, fat_tree, grid, leaf_spine, ring

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.demand import Demand
    from fabric.analysis.bandwidth.plant import Plant
    from fabric.analysis.network import Network

Thetas = tuple[float, float] | None  # LP, even split


@dataclass(frozen=True)
class Row:
    """One line of the table; ``None``: it does not say."""

    case: str
    network: Network
    endpoints: int
    bisection: float | None = None
    ratio: float | None = None
    shift: Thetas = None
    uniform: Thetas = None
    adversarial: Thetas = None
    cut: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()

    def plant(self) -> Plant:
        return plant(self.network, self.cut, self.dead)


def both(theta: float) -> tuple[float, float]:
    return theta, theta


FT4 = fat_tree(4)
TABLE = [
    Row("ft 4", FT4, 16, 8, 1, both(1), both(15 / 14)),
    Row("ft 4 −1 agg–core", FT4, 16, 7, 0.875, (0.75, 0.5), (0.9375, 0.625), cut=("a0.0:c0:1",)),
    Row("ft 4 −1 edge–agg", FT4, 16, 7, 0.875, both(0.5), both(0.5357), cut=("a0.0:e0.0:1",)),
    Row("ft 4, an agg without cores", FT4, 16, 6, 0.75, cut=("a0.0:c0:1", "a0.0:c1:1")),
    Row("ft 4, one core dead", FT4, 16, 6, 0.75, dead=("c0",)),
    Row("ls 4×2 H=2", leaf_spine(4, 2, 2), 8, 4, 1, both(1), both(1.1667)),
    Row("ls 4×2 H=4", leaf_spine(4, 2, 4), 16, 4, 0.5, both(0.5), both(0.625)),
    Row("ls 4×2 H=6", leaf_spine(4, 2, 6), 24, 4, 0.3333),
    Row(
        "ls 4×4 H=4 −1 uplink",
        leaf_spine(4, 4, 4),
        16,
        7,
        0.875,
        both(0.75),
        both(0.9375),
        cut=("l0:s0:1",),
    ),
    Row("ls 4×4 H=8", leaf_spine(4, 4, 8), 32, 8, 0.5, both(0.5), both(0.6458)),
    Row("ls 8×8 H=8", leaf_spine(8, 8, 8), 64, 32, 1),
    Row("ls 5×2 H=2", leaf_spine(5, 2, 2), 10, 5, 1),
    Row("ls 3×2 H=4", leaf_spine(3, 2, 4), 12, 4, 0.6667),
    Row("ring 6 H=2", ring(6, 2), 12, 2, 0.3333),
    Row("ring 8", ring(8), 8, 2, 0.5, uniform=both(0.875)),
    Row("ring 4", ring(4), 4, uniform=both(1.5)),
    Row("ring 5", ring(5), 5, uniform=both(1.3333)),
    Row("ring 6", ring(6), 6, uniform=both(1.1111)),
    Row("torus 4×4", grid(4, torus=True), 16, 8, 1, uniform=both(1.875)),
    Row("mesh 4×4", grid(4, torus=False), 16, 4, 0.5),
    Row("df 1,2,1,3", dragonfly(1, 2, 1, 3), 6, 2, 0.6667, None, (1.1111, 1.0), (0.75, 0.5)),
    Row("df 2,3,1,4", dragonfly(2, 3, 1, 4), 24, 4, 0.3333, None, both(0.6389), (0.3333, 0.1667)),
    Row("df 1,4,1,5", dragonfly(1, 4, 1, 5), 20, None, None, None, both(1.1875), (0.625, 0.25)),
    Row(
        "df 2,4,2,9", dragonfly(2, 4, 2, 9), 72, 20, 0.5556, None, (1.0689, 1.0441), (0.5625, 0.125)
    ),
]


def cases(*names: str) -> pytest.MarkDecorator:
    """Rows that say all of these."""
    said = [row for row in TABLE if all(getattr(row, name) is not None for name in names)]
    return pytest.mark.parametrize("row", said, ids=lambda row: row.case)


def is_theta(of: Plant, matrix: Demand, truth: tuple[float, float], *, df: bool) -> bool:
    best = best_theta(of, matrix, time_limit_s=60)
    even = even_theta(ways(of, minimal if df else spf), matrix)
    assert even <= best * (1 + 1e-6)
    assert best <= volumetric_bound(of, matrix) * (1 + 1e-6)
    return (best, even) == pytest.approx(truth, abs=5e-5)


@cases("bisection")
def test_bisection_is_exact(row: Row) -> None:
    found = bisection(row.plant())
    assert found.kind == "exact"
    assert found.links == found.lower == found.upper == pytest.approx(row.bisection)
    assert found.ratio == pytest.approx(row.ratio, abs=5e-5)


@cases("shift")
def test_shift(row: Row) -> None:
    of = row.plant()
    assert row.shift
    assert is_theta(of, demand.shift(of), row.shift, df=False)


@cases("uniform")
def test_uniform(row: Row) -> None:
    of = row.plant()
    assert len(of) == row.endpoints
    assert row.uniform
    assert is_theta(of, demand.uniform(of), row.uniform, df=row.case.startswith("df"))


@cases("adversarial")
def test_adversarial(row: Row) -> None:
    of = row.plant()
    assert row.adversarial
    assert is_theta(of, demand.adversarial(of), row.adversarial, df=True)


@pytest.mark.parametrize(
    ("cut", "ratio", "leaf"),
    [((), 1.0, "e0.0"), (("a1.1:e1.0:1",), 0.5, "e1.0"), (("a0.0:c0:1",), 1.0, "e0.0")],
)
def test_the_worst_leaf_keeps_what_its_uplinks_carry(
    cut: tuple[str, ...], ratio: float, leaf: str
) -> None:
    assert worst_leaf(plant(FT4, cut)) == (ratio, leaf)


# Validation 2.6: p, a, h, g; bisection ratio; uniform df-min / LP, at most 1; adversarial the same.
BUILDS = [
    ((2, 4, 4, 16), None, (0.962, 1.0), (0.125, 1.0)),
    ((4, 8, 4, 4), None, (1.0, 1.0), (0.261, 0.625)),
    ((4, 8, 3, 4), None, (0.992, 0.992), (0.25, 0.5)),
    ((2, 8, 4, 8), None, (1.0, 1.0), (0.25, 1.0)),
    ((4, 4, 2, 8), 0.25, (0.467, 0.496), (0.0625, 0.25)),
    ((8, 4, 4, 4), 0.3125, (0.496, 0.549), (0.130, 0.3125)),
]


@pytest.mark.parametrize(("sizes", "ratio", "uniform", "adversarial"), BUILDS)
def test_dragonflies_of_128(
    sizes: tuple[int, int, int, int],
    ratio: float | None,
    uniform: tuple[float, float],
    adversarial: tuple[float, float],
) -> None:
    of = plant(dealt(*sizes))
    routes = ways(of, minimal)
    assert len(of) == 128
    for matrix, (even, best) in (
        (demand.uniform(of), uniform),
        (demand.adversarial(of), adversarial),
    ):
        assert min(1.0, even_theta(routes, matrix)) == pytest.approx(even, abs=5e-4)
        found = best_theta(of, matrix, time_limit_s=60)
        assert min(1.0, found) == pytest.approx(best, abs=5e-4)
    if ratio is not None:
        assert bisection(of).ratio == pytest.approx(ratio)


def test_locally_bound_dragonfly() -> None:
    """p4 a4 h4 g8: .4811 where global cables alone would allow a half."""
    of = plant(dealt(4, 4, 4, 8))
    found = best_theta(of, demand.adversarial(of), time_limit_s=60)
    assert found == pytest.approx(0.4811, abs=5e-5)


@pytest.mark.parametrize(("p", "a", "h", "g"), [(2, 4, 2, 9), (1, 4, 1, 5)])
def test_uniform_loads_of_a_balanced_dragonfly(p: int, a: int, h: int, g: int) -> None:
    """Local cables carry p²(2ah + 1)/(N − 1), global ones (ap)²/(N − 1)."""
    of = plant(dragonfly(p, a, h, g))
    found = even_theta(ways(of, minimal), demand.uniform(of))
    n = p * a * g
    load = max(p * p * (2 * a * h + 1), (a * p) ** 2) / (n - 1)
    assert found == pytest.approx(1 / load)


@pytest.mark.parametrize(
    ("leaves", "spines", "parallel", "hosts"), [(2, 2, 1, 4), (4, 2, 2, 4), (6, 3, 1, 4)]
)
def test_even_leaf_spine(leaves: int, spines: int, parallel: int, hosts: int) -> None:
    """(L/2)·S·m of L·H/2."""
    network = leaf_spine(leaves, spines, hosts)
    again = [(c.a, c.b) for bundle in network.cables for c in bundle] * (parallel - 1)
    found = bisection(plant(leaf_spine(leaves, spines, hosts, beside=tuple(again))))
    cut = leaves / 2 * spines * parallel
    assert found.links == pytest.approx(min(cut, leaves * hosts / 2))
    assert found.kind == "exact"
