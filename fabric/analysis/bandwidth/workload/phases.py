"""What a step sends, phase by phase: bytes as validation 6 has them.

``volume``: bus bytes of a rank in the step, size of a call × calls × factor. Where a phase is a
pipeline's, what crosses one boundary in one direction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabric.analysis.bandwidth.workload import groups
from fabric.analysis.bandwidth.workload.collectives import bus_factor
from fabric.model.workload import (
    ALL_GATHER,
    ALL_REDUCE,
    ALLTOALL,
    DTYPE_BYTES,
    EACH_MICRO_BATCH,
    FULL,
    REDUCE_SCATTER,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.workload import ModelShape, Workload

SEND = "send"
_BOTH_WAYS = 4  # two collectives forward, two backward
# Full checkpointing runs the forward pass again, and its collectives with it: our own assumption.
# Selective checkpointing recomputes what lies between collectives (Korthikanti et al., "Reducing
# Activation Recomputation in Large Transformer Models", 2022), so it repeats none.
_AND_AGAIN = 6


class PhaseBytes(NamedTuple):
    """``group``: word of ``groups``, ``size`` ranks each. ``message``: of one call, in bytes."""

    name: str
    collective: str
    group: str
    size: int
    message: float
    calls: int
    volume: float
    sent: float  # by a rank in a step: of a pipeline by one that has both neighbours


def phases(job: Workload) -> list[PhaseBytes]:
    """Those of a step, in order; none without a model. Groups of one rank say nothing."""
    if job.model is None:
        return []
    found = [
        *_data(job, job.model),
        *_tensor(job, job.model),
        *_pipeline(job, job.model),
        *_experts(job, job.model),
    ]
    return [phase for phase in found if phase.size > 1 and phase.message]


class _Ranks(NamedTuple):
    """Word of a kind of group, ranks of each."""

    group: str
    size: int


def _phase(name: str, operation: str, among: _Ranks, message: float, calls: int) -> PhaseBytes:
    volume = bus_factor(operation, among.size) * message * calls
    return PhaseBytes(name, operation, *among, message, calls, volume, volume)


def _data(job: Workload, model: ModelShape) -> Iterator[PhaseBytes]:
    """Parameters and gradients: of the dense part and of the experts, each over its own ranks."""
    d = job.degrees
    own = d.tp * d.pp
    dense = (model.parameters - model.expert_parameters) / own
    yield from _shards(job, "", dense, _Ranks(groups.SHARD, d.fsdp))
    yield from _replicas(job, "", dense / d.fsdp, _Ranks(groups.REPLICA, d.dp))
    if model.expert_parameters:
        experts = model.expert_parameters / own / d.ep
        shards = _Ranks(groups.EXPERT_SHARD, d.fsdp // d.ep if d.fsdp > 1 else 1)
        replicas = _Ranks(groups.EXPERT_REPLICA, d.dp if d.fsdp > 1 else d.dp // d.ep)
        yield from _shards(job, " of experts", experts, shards)
        yield from _replicas(job, " of experts", experts / shards.size, replicas)


def _shards(job: Workload, what: str, parameters: float, among: _Ranks) -> Iterator[PhaseBytes]:
    """FSDP: gathered forward and backward, gradients scattered: 3 (n−1)/n · P · b."""
    calls = job.micro_batches if job.fsdp_sync == EACH_MICRO_BATCH else 1
    weights = parameters * DTYPE_BYTES[job.precision.parameters]
    gradients = parameters * DTYPE_BYTES[job.precision.gradients]
    for way in ("forward", "backward"):
        yield _phase(f"FSDP gather {way}{what}", ALL_GATHER, among, weights, calls)
    yield _phase(f"FSDP scatter{what}", REDUCE_SCATTER, among, gradients, calls)


def _replicas(job: Workload, what: str, parameters: float, among: _Ranks) -> Iterator[PhaseBytes]:
    """DDP: 2 (n−1)/n · P · b, once a step."""
    gradients = parameters * DTYPE_BYTES[job.precision.gradients]
    yield _phase(f"DP gradients{what}", ALL_REDUCE, among, gradients, 1)


def activation_bytes(job: Workload, model: ModelShape) -> float:
    """Batch · sequence · hidden · b of one micro-batch."""
    tokens = job.sequences * model.sequence
    return tokens * model.hidden * DTYPE_BYTES[job.precision.activations]


def _repeats(job: Workload) -> int:
    return _AND_AGAIN if job.checkpointing == FULL else _BOTH_WAYS


def _stage_layers(layers: int, stages: int) -> int:
    """Layers of the fullest stage."""
    return -(-layers // stages)


def _tensor(job: Workload, model: ModelShape) -> Iterator[PhaseBytes]:
    """Megatron: 4 all-reduces a layer and micro-batch (or as many gathers with scatters)."""
    layers = _stage_layers(model.layers, job.degrees.pp)
    calls = _repeats(job) * layers * job.micro_batches
    message = activation_bytes(job, model)
    among = _Ranks(groups.TENSOR, job.degrees.tp)
    yield _phase("TP activations", ALL_REDUCE, among, message, calls)


def _split(job: Workload) -> int:
    """Ranks that share the tokens of a micro-batch."""
    return job.degrees.tp if job.sequence_parallel else 1


def _pipeline(job: Workload, model: ModelShape) -> Iterator[PhaseBytes]:
    """Activations on, their gradients back, over each boundary."""
    stages = job.degrees.pp
    message = activation_bytes(job, model) / _split(job)
    volume = message * job.micro_batches
    sent = volume * min(2, stages - 1)
    calls = job.micro_batches
    yield PhaseBytes("PP boundary", SEND, groups.STAGE, stages, message, calls, volume, sent)


def _experts(job: Workload, model: ModelShape) -> Iterator[PhaseBytes]:
    """Dispatch and combine, forward and backward: each tokens · top-k · hidden · b · (e−1)/e."""
    layers = _stage_layers(model.moe_layers, job.degrees.pp)
    message = activation_bytes(job, model) / _split(job) * model.top_k
    calls = _repeats(job) * layers * job.micro_batches
    yield _phase("MoE alltoall", ALLTOALL, _Ranks(groups.EXPERT, job.degrees.ep), message, calls)
