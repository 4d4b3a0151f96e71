"""What further lossless priorities cost: Σ ports · priorities · xoff (validation 4.3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import flow
from fabric.analysis.budget import Budget, PortLimit, budget_of
from fabric.model.deadlock import HeadroomCost
from fabric.model.qos import BufferFit

INVENTORIES = Path(__file__).resolve().parent.parent.parent / "inventories"


def _fit(device: str, need: int, pool: int | None) -> BufferFit:
    return BufferFit(device, need, pool, None, None, "ok")


def test_the_switch_that_is_filled_most_counts() -> None:
    fits = (_fit("leaf", 900, 10_000), _fit("spine", 600, 3_000), _fit("odd", 9_000, None))
    cost = Budget(classes=1, limit=2, fits=fits).headroom(2)
    assert cost == HeadroomCost("spine", 600, 1_200, 0.2, 0.4)


def test_without_a_known_pool_bytes_are_told() -> None:
    cost = Budget(classes=2, fits=(_fit("a", 100, None), _fit("b", 300, None))).headroom(2)
    assert cost == HeadroomCost("b", 300, 450, None, None)


def test_private_headroom_takes_room_beside_the_pools() -> None:
    fit = BufferFit("a", 100, None, 5_000, 9_000, "ok", reserved_bytes=50, room_bytes=600)
    cost = Budget(classes=1, fits=(fit,)).headroom(3)
    assert cost == HeadroomCost("a", 100, 300, 0.25, 0.75)


def test_levels_that_the_plan_has_are_free() -> None:
    budget = Budget(classes=3, levels=2, fits=(_fit("a", 100, 1_000),))
    assert budget.total(2) == 3
    assert budget.headroom(2) is None
    assert budget.total(3) == 4


def test_a_chip_may_limit_the_headroom_of_a_port() -> None:
    budget = Budget(classes=1, ports=(PortLimit("chip", 60_000, 100_000),))
    assert budget.port_headroom(1) == ""
    told = "120,000 B of headroom on one port, chip gives a port 100,000 B"
    assert budget.port_headroom(2) == told


@pytest.mark.parametrize(
    ("name", "classes", "levels"), [("ring4", 1, 1), ("dragonfly128", 2, 2), ("64node", 1, 1)]
)
def test_of_a_design(name: str, classes: int, levels: int) -> None:
    budget = budget_of(flow.load(INVENTORIES / f"{name}.yaml"))
    assert (budget.classes, budget.levels) == (classes, levels)
    assert budget.limit == 2, "what most public tables carry"
    assert budget.fits


def test_switches_without_pfc_set_no_limit() -> None:
    budget = budget_of(flow.load(INVENTORIES / "leafspine-lab.yaml"))
    assert (budget.limit, budget.limit_by) == (5, "802.1p")
    assert budget.headroom(2) is None
