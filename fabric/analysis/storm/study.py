"""Runs of every load and seed, with and without a storm: side by side, until nothing moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.storm import standstill
from fabric.analysis.storm.layout import layout
from fabric.analysis.storm.paths import paths
from fabric.analysis.storm.slots import Offers, Runs, Slots
from fabric.model.storm import StormRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.analysis.network import Table
    from fabric.analysis.storm.ground import Ground, Reals
    from fabric.analysis.storm.layout import Layout
    from fabric.analysis.storm.traffic import Demand
    from fabric.model.storm import StormModel


MOST_SWITCHES, MOST_NICS = 64, 512
MOST_PACKETS = 20_000_000  # 0.5 GB
_PATTERN, _PATHS, _PACKETS = range(3)  # streams of random numbers of a seed
_BLOCK = 256  # slots that are drawn at once


class StudyError(ValueError):
    """A study that cannot be made; ``fix``: what could be asked instead."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


@dataclass(frozen=True, slots=True)
class Trial:
    """What is run. ``paused``: number of the NIC that pauses its leaf in runs with a storm.

    With ``None`` there are none. ``priority_of``: 802.1p number of a level.
    """

    loads: tuple[float, ...]
    seeds: tuple[int, ...]
    model: StormModel
    paused: int | None = None
    priority_of: Callable[[int], int] = int


@dataclass(frozen=True, slots=True)
class Outcome:
    """``runs``: by load, without and with a storm, by seed.

    ``flows``: that run, ``lost``: that have no way; both of the first seed.
    """

    runs: tuple[StormRun, ...]
    flows: int
    lost: int


def study(
    ground: Ground,
    demand_of: Callable[[np.random.Generator], Demand],
    trial: Trial,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _of: None,
) -> Outcome:
    """All runs. A run depends on its load, storm and seed alone, not on those beside it.

    Raises:
        StudyError: the fabric is too large, or nobody has anybody to send to.
        fabric.analysis.storm.paths.PathError: packets cannot be followed.
    """
    refuse_large(len(ground.network.names), len(ground.nics))
    found = [
        paths(ground, demand_of(_random(seed, _PATTERN)), _random(seed, _PATHS))
        for seed in trial.seeds
    ]
    if not all(len(p.source) for p in found):
        msg = "no NIC has another one that it can send to"
        raise StudyError(msg, "another --pattern, or hosts on more leaves")
    plan = layout(ground, found)
    runs = _runs(ground, plan, trial)
    _refuse_many(len(runs.load), len(plan.queue_from), trial.model)
    slots = Slots(plan, runs, trial.model)
    share = _driven(slots, trial, progress)
    _drained(slots)
    if slots.peak.max() > trial.model.xoff_packets + trial.model.delay_slots:
        msg = "a buffer held more than XOFF and headroom"
        raise AssertionError(msg)
    results = tuple(_results(ground, slots, trial, share))
    return Outcome(results, len(found[0].source), found[0].lost)


def refuse_large(switches: int, nics: int) -> None:
    """Raise StudyError where the model would take too long."""
    if switches > MOST_SWITCHES or nics > MOST_NICS:
        msg = (
            f"the event model takes {MOST_SWITCHES} switches and {MOST_NICS} NICs at most, "
            f"here are {switches:,} and {nics:,}"
        )
        raise StudyError(msg, "`fabric analyze deadlock` proves any fabric; build a part of it")


def _refuse_many(runs: int, queues: int, model: StormModel) -> None:
    packets = runs * queues * (model.xoff_packets + model.delay_slots)
    if packets > MOST_PACKETS:
        msg = (
            f"{runs} runs with {queues:,} queues each would hold {packets:,} packets, "
            f"the event model takes {MOST_PACKETS:,}"
        )
        raise StudyError(msg, "fewer loads or seeds, or --pattern permutation")


def _random(seed: int, stream: int) -> np.random.Generator:
    return np.random.default_rng([seed, stream])


def _runs(ground: Ground, plan: Layout, trial: Trial) -> Runs:
    storms = (False,) if trial.paused is None else (False, True)
    grid = [
        (load, seed, storm)
        for load in trial.loads
        for storm in storms
        for seed in range(len(trial.seeds))
    ]
    nics = np.arange(len(ground.nics))
    paused = nics[:0] if trial.paused is None else nics[[trial.paused]]
    first = ground.from_leaf(paused) * plan.levels
    return Runs(
        load=np.array([load for load, _, _ in grid]),
        seed=np.array([seed for _, seed, _ in grid]),
        seed_number=np.array([trial.seeds[seed] for _, seed, _ in grid]),
        storm=np.array([storm for _, _, storm in grid]),
        up=ground.to_leaf(nics) * plan.levels,
        held=(first[:, None] + np.arange(plan.levels)).reshape(-1),
    )


def _driven(slots: Slots, trial: Trial, progress: Callable[[str, int, int], None]) -> Reals:
    """Offer packets in every slot; the share that arrives in the last ones, by run."""
    model, nics = trial.model, len(slots.runs.up)
    streams = [_random(seed, _PACKETS) for seed in trial.seeds]
    begin = model.slots - model.window_slots
    before = np.zeros((2, len(slots.runs.load)), dtype=np.int64)
    for start in range(0, model.slots, _BLOCK):
        progress("slots", start, model.slots)
        draws = np.stack([stream.random((_BLOCK, 2, nics)) for stream in streams], axis=2)
        draws = draws[: model.slots - start]
        split = min(max(0, begin - start), len(draws))
        slots.offer(Offers.of(slots.plan, slots.runs, draws[:split]))
        if start <= begin < start + _BLOCK:
            before = _counts(slots)
        slots.offer(Offers.of(slots.plan, slots.runs, draws[split:]))
    progress("slots", model.slots, model.slots)
    delivered, offered = _counts(slots) - before
    return np.asarray(np.minimum(1.0, delivered / np.maximum(1, offered)))


def _counts(slots: Slots) -> Table:
    """(2, R): packets delivered and offered so far."""
    return np.stack((slots.delivered, slots.by_run(slots.offered).sum(axis=1)))


def _drained(slots: Slots) -> None:
    """Let the hosts stop, until the storm is over and every run empty or still for good."""
    quiet = np.zeros(len(slots.runs.load), dtype=np.int64)
    while True:
        left = slots.by_run(slots.length).any(axis=1)
        if not (left & (quiet < slots.model.delay_slots + 2)).any():
            return
        before = slots.by_run(slots.served).sum(axis=1)
        slots.drain()
        moved = slots.by_run(slots.served).sum(axis=1) > before
        waits = slots.runs.storm & (slots.slot <= slots.model.storm_end)
        quiet = np.where(moved | waits, 0, quiet + 1)


def _results(ground: Ground, slots: Slots, trial: Trial, share: Reals) -> Iterator[StormRun]:
    runs, plan = slots.runs, slots.plan
    length, served, last_served, packets, peak, offered, sent = (
        slots.by_run(values)
        for values in (
            slots.length,
            slots.served,
            slots.last_served,
            slots.packets,
            slots.peak,
            slots.offered,
            slots.sent,
        )
    )
    for run, (load, seed) in enumerate(zip(runs.load.tolist(), runs.seed.tolist(), strict=True)):
        ring = standstill.cycle(plan, length[run])
        yield StormRun(
            load=load,
            storm=bool(runs.storm[run]),
            seed=trial.seeds[seed],
            offered=int(offered[run].sum()),
            delivered=int(served[run, plan.delivers].sum()),
            waiting=int((offered[run] - sent[run]).sum()),
            demoted=int(served[run, plan.demotes].sum()),
            stuck=int(length[run].sum()),
            throughput=float(share[run]),
            busiest=load * float(plan.offered[seed].max()),
            peak_packets=int(peak[run].max()),
            frozen_at=standstill.frozen_at(plan, last_served[run], ring) if ring else None,
            cycle=standstill.named(ground, plan, ring, packets[run], trial.priority_of),
        )
