"""The measure by which a lab's hash is compared with the models tells these models apart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from tests.live.lab import inventories
from tests.live.lab.hash_models import Spread, agrees, drawn, spread_of

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design

FLOWS = 1024


@pytest.fixture
def design(tmp_path: Path) -> Design:
    path = tmp_path / "hashing.yaml"
    path.write_text(inventories.TWO_PODS)
    return flow.load(path)


@pytest.mark.parametrize(
    ("word", "same", "other"),
    [
        ("ecmp", "planned", "ecmp-polarised"),
        ("planned", "ecmp", "ecmp-polarised"),
        ("ecmp-polarised", "ecmp-polarised", "ecmp"),
    ],
)
def test_draws_of_one_model_agree_with_it_alone(
    design: Design, word: str, same: str, other: str
) -> None:
    draws = drawn(design, word, FLOWS, trials=20)
    like, unlike = (drawn(design, name, FLOWS, trials=50) for name in (same, other))
    assert all(agrees(one, like) for one in draws)
    assert not any(agrees(one, unlike) for one in draws)


def test_the_models_are_those_of_independent_and_of_repeated_choices(design: Design) -> None:
    """A quarter of the flows into each of four cores; a half into each of two."""
    sd = math.sqrt(FLOWS * 3) / 4 / FLOWS
    for one in drawn(design, "ecmp", FLOWS, trials=20):
        assert one.cores == 4
        assert 0.25 <= one.second <= 0.25 + 5 * sd
    for one in drawn(design, "ecmp-polarised", FLOWS, trials=20):
        assert (one.cores, one.second) == (2, one.first)


@pytest.mark.parametrize(
    "one", [Spread(0.6, 0.27, 4), Spread(0.51, 0.35, 4), Spread(0.51, 0.27, 3)]
)
def test_each_figure_can_refuse(design: Design, one: Spread) -> None:
    model = drawn(design, "ecmp", FLOWS, trials=50)
    assert agrees(Spread(0.51, 0.27, 4), model)
    assert not agrees(one, model)


def test_a_spread_of_counts() -> None:
    counts = {"edge": {"a": 60, "b": 40}, "a": {"c0": 50, "c1": 10}, "b": {"c2": 40, "c3": 0}}
    assert spread_of(counts, "edge") == Spread(0.6, 0.5, 3)
