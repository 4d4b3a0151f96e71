"""Validation 1.6: a CBD becomes a deadlock under overload or after a pause storm."""

from __future__ import annotations

from collections import Counter

import pytest

from fabric.model.storm import FIFO, RANDOM, ROUND_ROBIN, StormModel, StormRun
from tests.analysis.storm.fabrics import ring_runs

LOADS = (0.2, 0.3, 0.45, 0.6, 1.0)
MODEL = StormModel(slots=10_000, storm_slots=5_000)


def deadlocked(runs: tuple[StormRun, ...], *, storm: bool) -> dict[float, int]:
    counts = Counter({run.load: 0 for run in runs})
    counts.update(run.load for run in runs if run.deadlocked and run.storm == storm)
    return dict(counts)


@pytest.fixture(scope="module")
def four() -> tuple[StormRun, ...]:
    return ring_runs(4, 2, LOADS, MODEL, paused=0)


@pytest.fixture(scope="module")
def cured() -> tuple[StormRun, ...]:
    return ring_runs(4, 2, LOADS, MODEL, paused=0, dateline=True)


def test_load_below_one_passes_and_overload_freezes(four: tuple[StormRun, ...]) -> None:
    assert deadlocked(four, storm=False) == {0.2: 0, 0.3: 0, 0.45: 0, 0.6: 3, 1.0: 3}
    for run in four:
        if not run.storm:
            assert run.throughput == pytest.approx(0.0 if run.load > 0.5 else 1.0, abs=0.02)
            assert run.busiest == pytest.approx(2 * run.load)


def test_a_storm_freezes_it_for_good_at_any_load(four: tuple[StormRun, ...]) -> None:
    assert deadlocked(four, storm=True) == dict.fromkeys(LOADS, 3)
    at_low_load = [run for run in four if run.storm and run.load == 0.2]
    for run in at_low_load:
        assert run.throughput == 0
        assert run.frozen_at is not None
        assert run.frozen_at >= MODEL.storm_end


def test_with_a_dateline_nothing_freezes(cured: tuple[StormRun, ...]) -> None:
    assert not any(run.deadlocked for run in cured)
    calm = [run for run in cured if not run.storm]
    assert len(calm) == 15
    for run in calm:
        if run.load < 0.5:
            assert run.throughput == pytest.approx(1.0, abs=0.02)
        else:  # the cables are full, or nearly: two hops of load at one packet a slot
            assert 0.8 * 0.5 / run.load < run.throughput <= 0.5 / run.load + 0.02


def test_the_cycle_that_stands_still_is_the_ring(four: tuple[StormRun, ...]) -> None:
    frozen = [run for run in four if run.deadlocked]
    for run in frozen:
        names = [(step.sender, step.receiver, step.link) for step in run.cycle]
        start = names.index(("r0", "r1", "r0:r1:1"))
        assert names[start:] + names[:start] == [
            ("r0", "r1", "r0:r1:1"),
            ("r1", "r2", "r1:r2:1"),
            ("r2", "r3", "r2:r3:1"),
            ("r3", "r0", "r0:r3:1"),
        ]
        for step in run.cycle:
            assert MODEL.xon_packets < step.packets <= MODEL.xoff_packets + MODEL.delay_slots


def test_three_hops_freeze_a_ring_of_four_at_less_load() -> None:
    runs = ring_runs(4, 3, (0.45,), StormModel(slots=3_000))
    assert deadlocked(runs, storm=False) == {0.45: 3}


def test_bursts_alone_can_freeze_a_ring_of_six_below_saturation() -> None:
    """Seeds that show it early; of the first 21, 8 freeze within 40,000 slots."""
    runs = ring_runs(6, 3, (0.3,), StormModel(slots=5_000), seeds=(10, 11, 12))
    assert [run.deadlocked for run in runs] == [False, True, False]
    assert all(run.busiest == pytest.approx(0.9) for run in runs)


@pytest.mark.parametrize(("arbitration", "frozen"), [(FIFO, 3), (RANDOM, 3), (ROUND_ROBIN, 0)])
def test_who_goes_first_decides_whether_overload_freezes_two_hops(
    arbitration: str, frozen: int
) -> None:
    """Strict turns give transit and hosts half each, which is just what two hops need."""
    model = StormModel(slots=4_000, arbitration=arbitration)
    runs = ring_runs(4, 2, (1.0,), model)
    assert sum(run.deadlocked for run in runs) == frozen
    three_hops = ring_runs(4, 3, (1.0,), model)
    assert all(run.deadlocked for run in three_hops)


def test_a_storm_between_two_switches_ends_without_a_trace() -> None:
    runs = ring_runs(3, 1, (0.9,), StormModel(slots=4_000, storm_slots=1_000), paused=1)
    assert not any(run.deadlocked for run in runs)
    assert all(run.throughput > 0.95 for run in runs if not run.storm)
