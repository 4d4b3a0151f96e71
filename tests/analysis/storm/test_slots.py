"""What holds in every slot: no packet is lost, made or moved twice, no buffer overflows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fabric.analysis import deadlock, priorities
from fabric.analysis.network import Network, Node, numbered
from fabric.analysis.routing.shortest import spf
from fabric.analysis.routing.up_down import up_down
from fabric.analysis.storm import traffic
from fabric.analysis.storm.layout import layout
from fabric.analysis.storm.paths import paths
from fabric.analysis.storm.question import across
from fabric.analysis.storm.slots import Offers, Runs, Slots
from fabric.analysis.storm.study import StudyError, Trial, study
from fabric.model.storm import ARBITRATIONS, StormModel
from tests.analysis.storm.fabrics import clockwise, ground, leaf_spine, ring

if TYPE_CHECKING:
    from fabric.analysis.storm.ground import Ground


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Connected, with parallel cables, tiers that mean nothing and up to seven switches."""
    size = draw(st.integers(2, 7))
    nodes = [
        Node(f"n{n}", draw(st.integers(int(n < 2), 2)), draw(st.integers(0, 2)))
        for n in range(size)
    ]
    pairs = [(draw(st.integers(0, n - 1)), n) for n in range(1, size)]
    more = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    pairs += [(a, b) for a, b in draw(st.lists(more, max_size=5)) if a != b]
    return Network.of(nodes, numbered([(f"n{a}", f"n{b}", "cable") for a, b in pairs]))


@st.composite
def models(draw: st.DrawFn) -> StormModel:
    xoff = draw(st.integers(1, 8))
    return StormModel(
        slots=draw(st.integers(40, 160)),
        xoff_packets=xoff,
        xon_packets=draw(st.integers(0, xoff - 1)),
        delay_slots=draw(st.integers(0, 4)),
        storm_slots=draw(st.integers(1, 60)),
        arbitration=draw(st.sampled_from(ARBITRATIONS)),
    )


def slots_of(over: Ground, model: StormModel, load: float, seed: int) -> Slots:
    demand = traffic.uniform(over.nics)
    plan = layout(over, [paths(over, demand, np.random.default_rng(seed))])
    nics = np.arange(len(over.nics))
    runs = Runs(
        load=np.array([load, load]),
        seed=np.array([0, 0]),
        seed_number=np.array([seed, seed]),
        storm=np.array([False, True]),
        up=over.to_leaf(nics) * plan.levels,
        held=over.from_leaf(nics[:1]) * plan.levels + np.arange(plan.levels),
    )
    return Slots(plan, runs, model)


@settings(max_examples=40, deadline=None)
@given(networks(), models(), st.sampled_from((0.3, 1.0)), st.integers(0, 9), st.booleans())
def test_every_slot_is_lossless(
    network: Network, model: StormModel, load: float, seed: int, rises: bool
) -> None:
    rising = priorities.bounce(network, levels=2) if rises else priorities.none(network)
    over = ground(spf(network), rising)
    slots = slots_of(over, model, load, seed)
    plan, draw = slots.plan, np.random.default_rng(seed)
    leaves = plan.delivers | plan.demotes
    ports = plan.queue_to // plan.levels
    for _ in range(model.slots):
        before = slots.by_run(slots.served).copy()
        slots.offer(Offers.of(plan, slots.runs, draw.random((1, 2, 1, len(over.nics)))))
        moved = slots.by_run(slots.served) - before
        assert moved.max() <= 1
        held = slots.by_run(slots.packets)
        for run in range(2):
            assert np.bincount(ports, weights=moved[run]).max() <= 1
            lengths = slots.by_run(slots.length)[run]
            in_buffers = np.bincount(plan.queue_from, weights=lengths, minlength=plan.buffers)
            assert (held[run] == in_buffers).all()
        gone = slots.by_run(slots.served)[:, leaves].sum(axis=1)
        sent = slots.by_run(slots.sent).sum(axis=1)
        assert (sent == gone + held.sum(axis=1)).all()
        assert (slots.sent <= slots.offered).all()
        assert held.max() <= model.xoff_packets + model.delay_slots


@settings(max_examples=40, deadline=None)
@given(networks(), models(), st.sampled_from(("spf", "updown")), st.integers(0, 9), st.booleans())
def test_no_deadlock_without_a_cbd_and_every_packet_is_accounted_for(
    network: Network, model: StormModel, routing: str, seed: int, rises: bool
) -> None:
    forwarding = spf(network) if routing == "spf" else up_down(network)
    rising = priorities.bounce(network) if rises else priorities.none(network)
    over = ground(forwarding, rising)
    trial = Trial((0.5, 1.0), (seed,), model, paused=0)
    try:
        found = study(over, lambda rng: traffic.permutation(over.nics, rng), trial)
    except StudyError:  # up/down from roots of no meaning may part every pair
        assume(len(forwarding.unreachable) == 0)
        raise
    cbd = deadlock.prove(forwarding, rising).cbd
    for run in found.runs:
        assert run.offered == run.delivered + run.waiting + run.demoted + run.stuck
        assert run.peak_packets <= model.xoff_packets + model.delay_slots
        assert run.deadlocked == bool(run.cycle) == (run.frozen_at is not None)
        assert cbd or not run.deadlocked
        assert not (routing == "updown" and run.deadlocked)


@pytest.mark.parametrize("network", [leaf_spine(2, 1, 2), leaf_spine(3, 2, 2), leaf_spine(4, 3)])
def test_leaf_spines_never_deadlock(network: Network) -> None:
    over = ground(spf(network))
    model = StormModel(slots=2_000, storm_slots=1_000, xoff_packets=4, xon_packets=2)
    trial = Trial((0.5, 1.0), (1, 2), model, 0)
    everybody = study(over, lambda _: traffic.uniform(over.nics), trial).runs
    next_leaf = study(over, lambda _: traffic.shift(over.nics, network.leaves, 1), trial).runs
    for runs in (everybody, next_leaf):
        assert not any(run.deadlocked for run in runs)
        assert all(run.delivered + run.waiting == run.offered for run in runs)


@pytest.mark.parametrize("arbitration", ARBITRATIONS)
def test_a_run_does_not_depend_on_those_beside_it(arbitration: str) -> None:
    over = ground(spf(ring(4, 2)))
    model = StormModel(slots=600, storm_slots=100, arbitration=arbitration)

    def runs(loads: tuple[float, ...], seeds: tuple[int, ...], paused: int | None) -> set[object]:
        trial = Trial(loads, seeds, model, paused)
        return set(study(over, lambda rng: traffic.permutation(over.nics, rng), trial).runs)

    together = runs((0.3, 0.9), (1, 2, 3), 0)
    apart = runs((0.3,), (2,), None) | runs((0.9,), (3,), 0) | runs((0.3, 0.9), (1,), None)
    assert apart < together


def test_what_rises_above_the_lossless_levels_is_let_go() -> None:
    network = ring(4)
    over = ground(clockwise(network), across(network, [("r3", "r0")], levels=1))
    demand = traffic.shift(over.nics, network.leaves, 2)
    (run,) = study(over, lambda _: demand, Trial((1.0,), (1,), StormModel(slots=2_000))).runs
    assert not run.deadlocked
    # Two of the four flows cross from r3 to r0.
    assert run.demoted > 500
    assert run.offered == run.delivered + run.waiting + run.demoted
