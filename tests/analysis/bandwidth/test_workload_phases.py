"""Bytes of a step: validation 6, typed by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.analysis.bandwidth.workload import groups
from fabric.analysis.bandwidth.workload.phases import PhaseBytes, phases
from fabric.model.workload import Degrees, ModelShape, Precision, Workload

SEVENTY = ModelShape(parameters=70_000_000_000)


def sent(job: Workload) -> dict[str, float]:
    return {phase.name: phase.sent for phase in phases(job)}


ALONE = Degrees()


def job(model: ModelShape = SEVENTY, degrees: Degrees = ALONE, **more: Any) -> Workload:
    return Workload("job", model=model, degrees=degrees, **more)


def test_ddp_of_70b_in_bf16_over_64_ranks() -> None:
    assert sent(job(degrees=Degrees(dp=64))) == {"DP gradients": pytest.approx(275.625e9)}


@pytest.mark.parametrize(
    ("precision", "total"),
    [
        (Precision(), 413.4375e9),
        (Precision(gradients="fp32"), 551.25e9),
        (Precision("fp8", "fp8"), 206.71875e9),
        (Precision("fp16", "fp16"), 413.4375e9),
        (Precision("fp32", "fp32"), 826.875e9),
    ],
)
def test_fsdp_of_70b_over_64_ranks(precision: Precision, total: float) -> None:
    found = sent(job(degrees=Degrees(fsdp=64), precision=precision))
    assert list(found) == ["FSDP gather forward", "FSDP gather backward", "FSDP scatter"]
    assert sum(found.values()) == pytest.approx(total)


def test_fsdp_in_each_micro_batch_sends_as_often() -> None:
    once = sum(sent(job(degrees=Degrees(fsdp=64), micro_batches=4)).values())
    each = job(degrees=Degrees(fsdp=64), micro_batches=4, fsdp_sync="micro-batch")
    assert sum(sent(each).values()) == pytest.approx(4 * once)


def test_sharded_replicas_reduce_their_shards() -> None:
    found = sent(job(degrees=Degrees(dp=4, fsdp=16)))
    assert found["FSDP scatter"] == pytest.approx(15 / 16 * 140e9)
    assert found["DP gradients"] == pytest.approx(2 * 3 / 4 * 140e9 / 16)


BLOCK = ModelShape(8_000_000_000, layers=32, hidden=4096, sequence=2048)
MESSAGE = 2 * 2048 * 4096 * 2  # sequences · sequence · hidden · bf16


@pytest.mark.parametrize(("checkpointing", "repeats"), [("none", 4), ("selective", 4), ("full", 6)])
def test_tensor_parallel_ranks_reduce_activations(checkpointing: str, repeats: int) -> None:
    degrees = Degrees(tp=8)
    asked = job(BLOCK, degrees, sequences=2, micro_batches=3, checkpointing=checkpointing)
    (phase,) = phases(asked)
    assert (phase.message, phase.calls) == (MESSAGE, repeats * 32 * 3)
    assert phase.sent == pytest.approx(repeats * 32 * 3 * 2 * 7 / 8 * MESSAGE)


def test_a_pipeline_sends_activations_on_and_gradients_back() -> None:
    (four,) = (p for p in phases(job(BLOCK, Degrees(pp=4), sequences=2, micro_batches=8)))
    assert (four.message, four.volume, four.sent) == (MESSAGE, 8 * MESSAGE, 2 * 8 * MESSAGE)
    (two,) = (p for p in phases(job(BLOCK, Degrees(pp=2), sequences=2, micro_batches=8)))
    assert two.sent == 8 * MESSAGE  # the first stage sends on, the last one back


def test_sequence_parallel_ranks_share_the_tokens_of_a_boundary() -> None:
    whole, shared = (
        next(p for p in phases(one) if p.name == "PP boundary")
        for one in (
            job(BLOCK, Degrees(tp=4, pp=2), sequence_parallel=False),
            job(BLOCK, Degrees(tp=4, pp=2), sequence_parallel=True),
        )
    )
    assert shared.sent * 4 == whole.sent


MIXTURE = ModelShape(100_000_000_000, 80_000_000_000, 16, 12, 4096, 2048, top_k=2)


@pytest.mark.parametrize(("checkpointing", "repeats"), [("none", 4), ("full", 6)])
def test_experts_get_and_return_their_tokens(checkpointing: str, repeats: int) -> None:
    asked = job(MIXTURE, Degrees(dp=64, ep=8), sequences=2, checkpointing=checkpointing)
    moe = next(p for p in phases(asked) if p.name == "MoE alltoall")
    each = 2 * 2048 * 2 * 4096 * 2 * 7 / 8  # tokens · top-k · hidden · b · (e−1)/e
    assert moe.sent == pytest.approx(repeats * 12 * each)


def test_experts_are_reduced_over_the_ranks_that_hold_the_same() -> None:
    found = sent(job(MIXTURE, Degrees(dp=64, ep=8)))
    assert found["DP gradients"] == pytest.approx(2 * 63 / 64 * 20e9 * 2)
    assert found["DP gradients of experts"] == pytest.approx(2 * 7 / 8 * 80e9 / 8 * 2)
    sharded = sent(job(MIXTURE, Degrees(fsdp=64, ep=8)))
    assert sharded["FSDP scatter of experts"] == pytest.approx(7 / 8 * 80e9 / 8 * 2)
    assert "DP gradients of experts" not in sharded
    both = sent(job(MIXTURE, Degrees(dp=2, fsdp=32, ep=8)))
    assert both["FSDP scatter of experts"] == pytest.approx(3 / 4 * 80e9 / 8 * 2)
    assert both["DP gradients of experts"] == pytest.approx(2 * 1 / 2 * 80e9 / 8 / 4 * 2)


def test_without_a_model_there_are_no_phases_and_a_single_rank_says_nothing() -> None:
    assert phases(Workload("tests")) == []
    assert phases(job()) == []


SMALL = st.sampled_from([1, 2, 3, 4])


@given(dp=SMALL, fsdp=SMALL, tp=SMALL, pp=SMALL, ep=SMALL)
def test_every_rank_is_in_one_group_of_each_kind(
    dp: int, fsdp: int, tp: int, pp: int, ep: int
) -> None:
    wide = Degrees(dp * ep, 1, tp, pp, ep) if fsdp == 1 else Degrees(dp, fsdp * ep, tp, pp, ep)
    sizes = {
        groups.TENSOR: wide.tp,
        groups.SHARD: wide.fsdp,
        groups.REPLICA: wide.dp,
        groups.EXPERT: wide.ep,
        groups.EXPERT_SHARD: wide.fsdp // ep if wide.fsdp > 1 else None,
        groups.EXPERT_REPLICA: wide.dp if wide.fsdp > 1 else wide.dp // ep,
    }
    for word, size in sizes.items():
        if size is not None:
            found = groups.groups(wide, word)
            assert found.shape == (wide.ranks // size, size)
            assert sorted(found.reshape(-1).tolist()) == list(range(wide.ranks))


def test_groups_as_megatron_lays_them_on_sixteen_gpus() -> None:
    d = Degrees(dp=2, tp=2, pp=4)
    assert groups.groups(d, groups.TENSOR).tolist() == [[n, n + 1] for n in range(0, 16, 2)]
    assert groups.groups(d, groups.REPLICA)[:4].tolist() == [[0, 2], [1, 3], [4, 6], [5, 7]]
    assert groups.groups(d, groups.STAGE).T[0].tolist() == [0, 4, 8, 12]


def test_shards_skip_over_tensor_parallel_ranks_and_replicas_over_shards() -> None:
    d = Degrees(dp=2, fsdp=2, tp=2)
    assert groups.groups(d, groups.SHARD).tolist() == [[0, 2], [1, 3], [4, 6], [5, 7]]
    assert groups.groups(d, groups.REPLICA).tolist() == [[0, 4], [1, 5], [2, 6], [3, 7]]


def test_expert_groups_are_neighbours_and_their_copies_lie_apart() -> None:
    d = Degrees(dp=8, ep=4)
    assert groups.groups(d, groups.EXPERT).tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert groups.groups(d, groups.EXPERT_REPLICA).tolist() == [[0, 4], [1, 5], [2, 6], [3, 7]]
    both = Degrees(dp=2, fsdp=4, ep=2)
    assert groups.groups(both, groups.EXPERT_SHARD).tolist() == [[0, 2], [1, 3], [4, 6], [5, 7]]
    assert groups.groups(both, groups.EXPERT_REPLICA).tolist() == [[0, 4], [1, 5], [2, 6], [3, 7]]


def test_volumes_are_bus_bytes() -> None:
    for phase in phases(job(MIXTURE, Degrees(dp=2, fsdp=8, tp=2, pp=2, ep=2))):
        assert isinstance(phase, PhaseBytes)
        assert phase.volume > 0
        assert np.isfinite(phase.sent)
