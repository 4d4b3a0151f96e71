"""Times on real fabrics: closed forms, validation 2.5 and 6, failures, placements."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric import flow
from fabric.analysis.bandwidth import answer as bandwidth
from fabric.analysis.bandwidth.answer import State
from fabric.analysis.bandwidth.flows import link_capacity, placed
from fabric.analysis.bandwidth.throughput import TooLargeError
from fabric.analysis.bandwidth.workload import bounds
from fabric.analysis.bandwidth.workload.answering import answer, matrix
from fabric.analysis.bandwidth.workload.bounds import Effort
from fabric.analysis.bandwidth.workload.matrices import Traffic
from fabric.analysis.bandwidth.workload.placement import PlacementError, laid_out
from fabric.analysis.bandwidth.workload.run import efficiency
from fabric.analysis.failures import failures
from fabric.model.workload import (
    LISTED,
    RAIL_ALIGNED,
    SHUFFLED,
    SHUFFLED_HOSTS,
    Degrees,
    ModelShape,
    Nccl,
    Placement,
    Workload,
)

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.workload_answer import WorkloadAnswer

INVENTORIES = Path(__file__).resolve().parents[3] / "inventories"
EFFORT = Effort(qps=8, trials=3, seed=1)
GIB = 2**30


def load(folder: Path, topology: str, hosts: str, more: str = "") -> Design:
    path = folder / "f.yaml"
    path.write_text(
        f"fabric: f\ntopology: {topology}\n"
        "platforms: {default: {platform: sonic, model: cel-seastone}}\n"
        f"hosts: {hosts}\nlinks: {{speed: 100}}\n{more}"
    )
    return flow.load(path)


ONE = "nic: connectx-6, speed: 100, gpus: 1"


@pytest.fixture(scope="module")
def two_to_one(tmp_path_factory: pytest.TempPathFactory) -> Design:
    """Two leaves with four NICs and two uplinks each."""
    kind = "{kind: leaf-spine, leaves: 2, spines: 2}"
    return load(tmp_path_factory.mktemp("a"), kind, f'{{names: "h[0-7]", per_leaf: 4, {ONE}}}')


@cache
def _tree_of_four() -> Design:
    with tempfile.TemporaryDirectory() as folder:
        return load(Path(folder), "{kind: fat-tree, k: 4}", f"{{count: 16, {ONE}}}")


@pytest.fixture(scope="module")
def tree4() -> Design:
    return _tree_of_four()


@pytest.fixture(scope="module")
def rails() -> Design:
    return flow.load(INVENTORIES / "64node-rail.yaml")


def asked(design: Design, job: Workload, *down: str, effort: Effort = EFFORT) -> WorkloadAnswer:
    return answer(State(design, *failures(design.topology, down)), job, effort)


def measuring(operation: str, size: int = GIB, **more: Any) -> Workload:
    return Workload("tests", operations=(operation,), sizes=(size,), **more)


def test_eight_gib_over_512_ranks_take_437_ms(rails: Design) -> None:
    (row,) = asked(rails, measuring("all_reduce", 8 * GIB)).tests
    assert row.bound is not None
    assert row.hashed_s is not None
    assert round(row.bound, 1) == 392.1
    assert row.ideal == pytest.approx(row.bound)
    assert row.hashed == pytest.approx(row.bound)  # all but two edges of a ring stay in a leaf
    assert round(row.hashed_s * 1e3, 1) == 43.7


def test_seventy_billion_parameters_over_64_servers(rails: Design) -> None:
    model = ModelShape(70_000_000_000)
    found = asked(
        rails,
        Workload(
            "job",
            model=model,
            degrees=Degrees(dp=64),
            ranks=64,
            placement=Placement(gpus_per_host=1),
        ),
    )
    (phase,) = found.phases
    assert phase.bytes_per_rank == pytest.approx(275.625e9)
    assert phase.seconds.ideal == pytest.approx(275.625e9 / (400e9 / 8 * 4096 / 4178))
    assert phase.pairs == 64
    assert phase.network_bytes == pytest.approx(64 * 275.625e9)


def test_two_servers_may_exceed_their_nics_when_they_reduce_inside_first(rails: Design) -> None:
    for algorithm, factor in (("ring", 1.0), ("nvls", 1.875), ("tree", 1.875)):
        job = measuring("all_reduce", ranks=16, nccl=Nccl(algorithm))
        (row,) = asked(rails, job).tests
        assert row.ideal == pytest.approx(row.bound)
        assert row.bound == pytest.approx(factor * 8 * 50 * 4096 / 4178)


def test_nvlink_caps_what_the_nics_would_allow(rails: Design) -> None:
    job = measuring("all_reduce", ranks=16, nccl=Nccl("tree"), nvlink_gbytes_per_s=450.0)
    (row,) = asked(rails, job).tests
    assert row.bound == row.ideal == pytest.approx(450.0)


def test_latency_counts_where_it_is_stated(rails: Design) -> None:
    job = measuring("all_reduce", 2**20, step_latency_us=5.0)
    (row,) = asked(rails, job).tests
    bandwidth_s = 2 * 511 / 512 * 2**20 / (8 * 50e9 * 4096 / 4178)
    assert row.hashed_s == pytest.approx(bandwidth_s + 126 * 5e-6)


@pytest.mark.parametrize(("channels", "share"), [(1, 1 / 8), (4, 1 / 2), (8, 1), (16, 1)])
def test_fewer_channels_than_nics_leave_some_idle(
    rails: Design, channels: int, share: float
) -> None:
    (row,) = asked(rails, measuring("all_reduce", ranks=16, nccl=Nccl(channels=channels))).tests
    for rate in (row.even, row.bound):
        assert rate == pytest.approx(share * 8 * 50 * 4096 / 4178)


ACROSS = Placement(
    LISTED, tuple(f"h{n}" for pair in zip(range(4), range(4, 8), strict=True) for n in pair)
)


def test_a_ring_that_crosses_at_each_step_waits_for_the_uplinks(two_to_one: Design) -> None:
    near = asked(two_to_one, measuring("all_gather")).tests[0]
    far = asked(two_to_one, measuring("all_gather", placement=ACROSS)).tests[0]
    assert near.even == pytest.approx(near.bound)
    assert near.bound is not None
    assert far.even == far.ideal == pytest.approx(near.bound / 2)


def test_what_binds_is_named(two_to_one: Design) -> None:
    model = ModelShape(10_000_000)
    job = Workload("job", model=model, degrees=Degrees(dp=8), placement=ACROSS)
    (phase,) = asked(two_to_one, job).phases
    binding = phase.seconds.binding
    assert (binding.kind, binding.alike) == ("cable", 8)
    assert binding.times == pytest.approx(2.0)
    assert binding.name.startswith(("leaf-0 Ethernet", "spine-0 Ethernet"))
    assert phase.crossing == 1.0
    (near,) = asked(two_to_one, replace(job, placement=Placement())).phases
    assert (near.seconds.binding.kind, near.seconds.binding.alike) == ("nic", 8)
    assert near.crossing == 0.25


def test_alltoall_is_slowed_by_the_part_that_crosses(two_to_one: Design) -> None:
    (row,) = asked(two_to_one, measuring("alltoall")).tests
    assert row.bound is not None
    assert row.even == pytest.approx(row.bound / (4 * 4 / 7 / 2))


def test_a_dead_uplink_leaves_half(two_to_one: Design) -> None:
    job = measuring("all_gather", placement=ACROSS)
    (whole,), (cut,) = (asked(two_to_one, job, *down).tests for down in ((), ("leaf-0:spine-0",)))
    assert whole.even is not None
    assert cut.even == pytest.approx(whole.even / 2)


SHIFT = Workload(
    "shift", model=ModelShape(1, layers=2, hidden=1024, sequence=1024), degrees=Degrees(dp=8, pp=2)
)


@pytest.mark.parametrize(
    ("down", "ideal", "even"),
    [((), 1, 1), (("agg-0-0:core-0",), 4 / 3, 2), (("edge-0-0:agg-0-0",), 2, 2)],
)
def test_shift_on_a_fat_tree_of_four(
    tree4: Design, down: tuple[str, ...], ideal: float, even: float
) -> None:
    """θ of validation 2.5: 1 / 1, 0.75 / 0.50, 0.50 / 0.50."""
    (phase,) = (p for p in asked(tree4, SHIFT, *down).phases if p.collective == "send")
    alone = phase.message_bytes / (100e9 / 8 * 4096 / 4178)
    assert phase.seconds.ideal == pytest.approx(ideal * alone)
    assert phase.seconds.even == pytest.approx(even * alone)


def test_a_program_that_does_not_end_gives_a_bound_below(
    tree4: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(*_: object, **__: object) -> float:
        raise TooLargeError(1)

    monkeypatch.setattr(bounds, "best_theta", too_large)
    (phase,) = (p for p in asked(tree4, SHIFT, "agg-0-0:core-0").phases if p.collective == "send")
    assert phase.seconds.ideal_how.startswith(f"{bounds.VOLUME} (the linear program has 1")
    assert phase.seconds.ideal is not None
    assert phase.seconds.even is not None
    alone = phase.message_bytes / (100e9 / 8 * 4096 / 4178)
    assert alone - 1e-12 <= phase.seconds.ideal <= 4 / 3 * alone


def test_equal_flows_end_when_the_fullest_link_is_done(tree4: Design) -> None:
    """Max-min of flows with as many bytes each: bytes over capacity of the worst link."""
    state = State(tree4)
    plant = state.plant
    source = np.arange(16)
    traffic = Traffic(source, (source + 5) % 16, np.ones(16), np.ones(16, dtype=np.int64))
    counts = np.full(16, 4)
    drawn = bounds._trial(state, traffic, counts, (1, 0))
    random = np.random.default_rng((1, 0))
    pair = random.permutation(np.repeat(source, 4))
    keys = random.integers(0, 2**63, 64, dtype=np.uint64)
    bonds = random.random((2, 64))
    placer = bandwidth.placer(state, "ecmp", bandwidth.PLANNED)
    links = placed(plant, placer, (source[pair], traffic.target[pair]), keys, bonds).links
    capacity = link_capacity(plant)
    load = np.bincount(links[links >= 0], minlength=len(capacity)) / 4
    assert drawn.striped == pytest.approx((load[capacity > 0] / capacity[capacity > 0]).max())
    assert drawn.in_turn <= drawn.striped


def test_hashing_is_never_better_than_any_paths_and_the_seed_decides(tree4: Design) -> None:
    one, same, other = (
        asked(tree4, SHIFT, effort=replace(EFFORT, seed=seed)).phases[-1].seconds
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one.hashed != other.hashed
    assert one.hashed is not None
    assert one.ideal is not None
    assert one.hashed > one.ideal
    assert one.round_robin is not None
    assert one.round_robin <= one.hashed


def test_spraying_is_an_even_split(tree4: Design) -> None:
    sprayed = replace(tree4, intent=replace(tree4.intent, load_balancing="spray"))
    (phase,) = (p for p in asked(sprayed, SHIFT).phases if p.collective == "send")
    assert phase.seconds.hashed == phase.seconds.even


def test_losing_one_leaf_of_a_pair_halves_the_nics_of_its_hosts(tmp_path: Path) -> None:
    dual = load(
        tmp_path,
        "{kind: leaf-spine, leaves: 4, spines: 2}",
        "{names: [h0, h1, h2, h3], nic: connectx-6, speed: 100, attach: dual-tor, gpus: 1}",
    )
    job = measuring("all_gather")
    whole, cut = asked(dual, job), asked(dual, job, "leaf-0")
    assert cut.complete
    assert whole.tests[0].bound is not None
    assert cut.tests[0].bound == pytest.approx(whole.tests[0].bound / 2)  # a ring passes every host
    assert whole.tests[0].even is not None
    assert cut.tests[0].even == pytest.approx(whole.tests[0].even / 2)


def test_hosts_on_a_dead_leaf_stop_the_job(two_to_one: Design) -> None:
    job = Workload(
        "job",
        model=ModelShape(1_000_000),
        degrees=Degrees(dp=8),
        operations=("all_reduce",),
        sizes=(GIB,),
    )
    found = asked(two_to_one, job, "leaf-0")
    assert not found.complete
    assert found.endpoints_lost == ("h0 rdma0", "h1 rdma0", "h2 rdma0", "h3 rdma0")
    assert found.phases[0].seconds.ideal is None
    assert found.tests[0].hashed is None
    assert found.tests[0].why == "a NIC has no live cable"


def test_leaves_that_no_cable_joins_have_no_way(two_to_one: Design) -> None:
    found = asked(two_to_one, measuring("all_gather"), "spine-0", "spine-1")
    assert found.tests[0].why == "some pair has no way"


@pytest.mark.parametrize(("family", "share"), [("ipv4", 0.9804), ("ipv6", 0.9757)])
def test_ipv6_costs_twenty_bytes_a_packet(two_to_one: Design, family: str, share: float) -> None:
    policy = replace(two_to_one.intent.addressing, family=family)
    design = replace(two_to_one, intent=replace(two_to_one.intent, addressing=policy))
    assert round(efficiency(design), 4) == share


def test_shares_are_of_a_step_in_which_nothing_overlaps(two_to_one: Design) -> None:
    model = ModelShape(10_000_000_000)
    job = Workload("job", model=model, degrees=Degrees(fsdp=8), compute_s=10.0)
    found = asked(two_to_one, job)
    assert found.step is not None
    assert found.step.even is not None
    assert sum(p.shares[1] or 0 for p in found.phases) == pytest.approx(
        found.step.even / (found.step.even + 10)
    )


def test_placements_by_word(rails: Design) -> None:
    plant = State(rails).plant
    aligned, hosts, mixed = (
        laid_out(rails, plant, 512, Placement(word), 3)
        for word in (RAIL_ALIGNED, SHUFFLED_HOSTS, SHUFFLED)
    )
    assert aligned.host.tolist() == [n // 8 for n in range(512)]
    for layout in (aligned, hosts, mixed):
        assert sorted(layout.endpoint.tolist()) == list(range(512))
        assert (layout.host.reshape(64, 8) == layout.host[::8, None]).all()
        assert (layout.ranks_each, layout.nics, layout.hosts) == (8, 8, 64)
    for layout in (aligned, hosts):
        assert plant.rail[layout.endpoint].tolist() == list(range(8)) * 64
    assert hosts.host[::8].tolist() != aligned.host[::8].tolist()
    assert plant.rail[mixed.endpoint].tolist() != plant.rail[aligned.endpoint].tolist()
    again = laid_out(rails, plant, 512, Placement(SHUFFLED), 3)
    assert again.endpoint.tolist() == mixed.endpoint.tolist()


def test_crossing_rails_costs_what_staying_on_them_saves(rails: Design) -> None:
    found = asked(rails, measuring("all_reduce"))
    even = {row.word: row.all_reduce[0] for row in found.placements}
    hashed = {row.word: row.all_reduce[1] for row in found.placements}
    assert list(even) == [RAIL_ALIGNED, SHUFFLED_HOSTS, SHUFFLED]
    assert even[RAIL_ALIGNED] == pytest.approx(even[SHUFFLED])  # non-blocking
    best, worst = hashed[RAIL_ALIGNED], hashed[SHUFFLED]
    assert best is not None
    assert worst is not None
    assert worst < 0.8 * best


def test_more_ranks_than_gpus_are_refused(two_to_one: Design) -> None:
    with pytest.raises(PlacementError, match="9 ranks need as many GPUs, and there are 8 GPUs"):
        asked(two_to_one, measuring("all_gather", ranks=9))


def test_the_matrix_has_the_bytes_of_the_phases(two_to_one: Design) -> None:
    job = Workload("job", model=ModelShape(8_000_000), degrees=Degrees(dp=8))
    rows = list(matrix(State(two_to_one), job, EFFORT))
    assert rows[0][:3] == ("DP gradients", "h0 rdma0", "h1 rdma0")
    assert rows[0][3] == pytest.approx(2 * 7 / 8 * 16_000_000)
    assert len(rows) == 8
    (alone,) = asked(two_to_one, job).phases
    assert sum(row[3] for row in rows) == pytest.approx(alone.network_bytes)


BLOCK = ModelShape(1_000_000_000, layers=2, hidden=1024, sequence=1024)


def test_nvlink_holds_up_what_stays_in_a_server_where_its_rate_is_stated(rails: Design) -> None:
    job = Workload("job", model=BLOCK, degrees=Degrees(tp=8), operations=())
    message = 1024 * 1024 * 2
    for stated, seconds in ((None, 0.0), (450.0, 4 * 2 * 2 * 7 / 8 * message / 450e9)):
        (phase,) = asked(rails, replace(job, nvlink_gbytes_per_s=stated)).phases
        assert phase.pairs == 0
        assert phase.seconds.ideal == pytest.approx(seconds)


def test_tensor_parallel_ranks_over_servers_are_told(rails: Design) -> None:
    job = Workload("job", model=BLOCK, degrees=Degrees(tp=16), operations=())
    found = asked(rails, job)
    assert found.phases[0].seconds.ideal
    assert any("reach over servers" in note for note in found.notes)


def test_unequal_hosts_have_no_bound_and_a_note(rails: Design) -> None:
    found = asked(rails, measuring("all_reduce", ranks=12))
    assert found.gpus_per_host is None
    assert found.tests[0].bound is None
    assert found.tests[0].even
    assert any("unequal numbers of ranks" in note for note in found.notes)


def test_flows_that_are_too_many_are_thinned_out_and_told(
    tree4: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MOST_FLOWS", 500)
    monkeypatch.setattr(bounds, "MOST_DRAWN", 1000)
    found = asked(tree4, measuring("alltoall"))
    assert found.tests[0].trials == 2
    (note,) = found.notes
    assert note.startswith("of the 1,920 flows of alltoall over world 480 are drawn")


def test_least_loaded_next_hops_do_better_than_hashes(tree4: Design) -> None:
    dlb = replace(tree4, intent=replace(tree4.intent, load_balancing="dlb"))
    one, other = (asked(design, SHIFT).phases[-1].seconds for design in (tree4, dlb))
    assert one.hashed is not None
    assert other.hashed is not None
    assert other.ideal is not None
    assert other.ideal - 1e-12 <= other.hashed < one.hashed


PAIR = st.tuples(st.integers(0, 15), st.integers(0, 15), st.integers(1, 9)).filter(
    lambda pair: pair[0] != pair[1]
)


@settings(max_examples=25)
@given(st.lists(PAIR, min_size=1, max_size=12), st.integers(0, 3))
def test_no_way_of_choosing_paths_beats_the_ideal_and_failures_never_help(
    pairs: list[tuple[int, int, int]], down: int
) -> None:
    parts = np.array(pairs, dtype=np.int64)
    ones = np.ones(len(parts), dtype=np.int64)
    traffic = Traffic.of([(parts[:, 0], parts[:, 1], parts[:, 2].astype(np.float64), ones)], 16)
    design = _tree_of_four()
    cables = failures(design.topology, (f"agg-0-0:core-{down % 2}",)).cables
    whole, cut = (
        bounds.seconds_of(state, traffic, EFFORT, 1.0)
        for state in (State(design), State(design, cables))
    )
    for found in (whole, cut):
        assert found.ideal is not None
        assert found.even is not None
        assert found.hashed is not None
        assert found.ideal <= found.even * (1 + 1e-6)
        assert found.ideal <= found.hashed * (1 + 1e-6)
        least = max(
            np.bincount(traffic.source, traffic.amount).max(),
            np.bincount(traffic.target, traffic.amount).max(),
        )
        assert found.ideal >= least * (1 - 1e-6)
    assert whole.ideal is not None
    assert cut.ideal is not None
    assert cut.ideal >= whole.ideal * (1 - 1e-6)
