"""Detours of dragonflies with something down: over what is left, and over nothing that is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from fabric.analysis.bandwidth import hashing, patterns
from fabric.analysis.bandwidth.demand import NoGroupsError
from fabric.analysis.bandwidth.effective import Load, effective
from fabric.analysis.bandwidth.placing import UgalLike, Valiant
from fabric.analysis.bandwidth.plant import NOWHERE
from fabric.analysis.routing.dragonfly import minimal
from tests.analysis.bandwidth.builds import dragonfly
from tests.analysis.bandwidth.plants import plant, ways

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Pairs, Plant

SMALL = dragonfly(2, 2, 2, 4)  # one cable from each group to each other


def between(groups: tuple[int, int]) -> str:
    """The only cable between two groups."""
    wanted = {f"g{n}" for n in groups}
    cables = [cable for bundle in SMALL.cables for cable in bundle]
    (found,) = [c.id for c in cables if {c.a.split(".")[0], c.b.split(".")[0]} == wanted]
    return found


def cables(of: Plant, placer: Valiant | UgalLike, ends: tuple[str, str], flows: int = 64) -> Pairs:
    number = of.network.number
    source, target = (np.full(flows, number[name]) for name in ends)
    return placer.cables(source, target, np.arange(flows, dtype=np.uint64))


def test_a_detour_is_joined_from_end_to_end() -> None:
    """Without the cable of groups 0 and 2 what goes from 0 to 1 can only go over 3."""
    of = plant(SMALL, (between((0, 2)),))
    placer = Valiant(ways(of, minimal), hashing.own_seeds(8))
    network = of.network
    for way in cables(of, placer, ("g0.0", "g1.1")):
        arcs = way[way != NOWHERE]
        at = network.number["g0.0"]
        for arc in arcs:
            assert network.tail[arc] == at
            at = network.head[arc]
        assert at == network.number["g1.1"]
        visited = {network.names[network.head[arc]].split(".")[0] for arc in arcs}
        assert "g2" not in visited
        assert "g3" in visited


def test_valiant_counts_what_the_only_detour_left_carries() -> None:
    """By hand: 3 to 1 and 1 to 3 carry two groups of four endpoints each, so 1/8."""
    of = plant(SMALL, (between((0, 2)),))
    placer = Valiant(ways(of, minimal), hashing.own_seeds(8))
    load = Load(8, patterns.ADVERSARIAL, trials=3)
    found = effective(of, placer, load, "valiant")
    assert found.mean == pytest.approx(0.125)
    assert found.stranded == 0


def test_the_least_loaded_way_is_one_that_there_is() -> None:
    """Groups 0 and 1 have no cable: no minimal way, but detours."""
    of = plant(SMALL, (between((0, 1)),))
    placer = UgalLike(ways(of, minimal), hashing.own_seeds(8))
    assert (cables(of, placer, ("g0.0", "g1.1")) != NOWHERE).any(axis=1).all()
    found = effective(of, placer, Load(8, patterns.ADVERSARIAL, trials=3), "ugal-like")
    assert found.stranded == 0


def test_without_any_detour_flows_go_minimally() -> None:
    of = plant(SMALL, (between((0, 2)), between((0, 3))))
    placer = Valiant(ways(of, minimal), hashing.own_seeds(8))
    found = cables(of, placer, ("g0.0", "g1.1"))
    names = {of.network.names[of.network.head[arc]][:2] for arc in found[found != NOWHERE]}
    assert (found != NOWHERE).any(axis=1).all()
    assert names <= {"g0", "g1"}


def test_groups_that_are_down_are_no_third_group() -> None:
    """Looking for a detour must not go on for ever."""
    of = plant(SMALL, (), ("g2.0", "g2.1", "g3.0", "g3.1"))
    with pytest.raises(NoGroupsError, match="third group"):
        Valiant(ways(of, minimal), hashing.own_seeds(8))
