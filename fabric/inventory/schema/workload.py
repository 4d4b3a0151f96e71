"""A training job as a file holds it: model, degrees, precision, NCCL, placement, tests."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from fabric.inventory.schema.base import Name, Names, PositiveInt, Section

Dtype = Literal["fp32", "bf16", "fp16", "fp8"]
Order = Literal["rail-aligned", "shuffled-hosts", "shuffled"]
Operation = Literal["all_reduce", "all_gather", "reduce_scatter", "alltoall"]

_COUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([kKMBT]?)\Z")
_POWERS = {"": 0, "k": 3, "M": 6, "B": 9, "T": 12}
_SIZE = re.compile(r"([0-9]+) ?([kKmMgG]?)\Z")
_SHIFTS = {"": 0, "k": 10, "m": 20, "g": 30}
MOST = 10**16
_EVERY: tuple[Operation, ...] = ("all_reduce", "all_gather", "reduce_scatter", "alltoall")


def _count(value: Any) -> Any:
    """``70B`` → 70,000,000,000; other types are left to pydantic."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str):
        return value
    match = _COUNT.match(value)
    if match is None:
        msg = "is no count: write 70B, 1.5T, 300M or all digits"
        raise ValueError(msg)
    number, unit = match.groups()
    whole, _, fraction = number.partition(".")
    digits = _POWERS[unit.replace("K", "k")]
    if len(fraction) > digits:
        msg = "is no whole number"
        raise ValueError(msg)
    return int(whole + fraction) * 10 ** (digits - len(fraction))


def _size(value: Any) -> Any:
    """``8G`` → 8 · 2³⁰ bytes, as nccl-tests reads it."""
    if not isinstance(value, str):
        return value
    match = _SIZE.match(value)
    if match is None:
        msg = "is no size: write bytes, or 512K, 64M, 8G (of 1024, as nccl-tests has them)"
        raise ValueError(msg)
    number, unit = match.groups()
    return int(number) << _SHIFTS[unit.lower()]


def _all_alike(value: Any) -> Any:
    kinds = ("parameters", "gradients", "activations")
    return dict.fromkeys(kinds, value) if isinstance(value, str) else value


def _as_order(value: Any) -> Any:
    return {"order": value} if isinstance(value, str) else value


_TEXT_OR_NUMBER = WithJsonSchema({"type": ["string", "integer"]})
Count = Annotated[int, BeforeValidator(_count), Field(ge=1, le=MOST), _TEXT_OR_NUMBER]
Size = Annotated[int, BeforeValidator(_size), Field(ge=16, le=2**44), _TEXT_OR_NUMBER]
Degree = Annotated[int, Field(ge=1, le=1_000_000)]


class ModelSection(Section):
    """What is trained."""

    parameters: Count = Field(description="all of them, such as 70B")
    expert_parameters: Count | None = Field(
        default=None, description="those of all experts together, part of parameters"
    )
    layers: PositiveInt | None = Field(default=None, description="transformer layers")
    moe_layers: PositiveInt | None = Field(
        default=None, description="layers with experts; default: all layers"
    )
    hidden: PositiveInt | None = Field(default=None, description="width of an activation")
    sequence: PositiveInt | None = Field(default=None, description="tokens of a sequence")
    experts: PositiveInt | None = Field(default=None, description="experts of a layer")
    top_k: PositiveInt | None = Field(default=None, description="experts that a token goes to")


class PrecisionSection(Section):
    """Number formats on the wire; one word for all three is enough."""

    parameters: Dtype = Field(default="bf16", description="gathered by FSDP")
    gradients: Dtype = Field(default="bf16", description="reduced by DP and FSDP")
    activations: Dtype = Field(default="bf16", description="sent by TP, PP and MoE")


class ParallelSection(Section):
    """Degrees. Ranks = tp · fsdp · dp · pp; ep splits the fsdp (else the dp) ranks."""

    dp: Degree = 1
    fsdp: Degree = 1
    tp: Degree = 1
    pp: Degree = 1
    ep: Degree = 1


class BatchSection(Section):
    """What one data-parallel rank works on in a step."""

    sequences: PositiveInt = Field(default=1, description="in a micro-batch")
    micro_batches: PositiveInt = Field(default=1, description="in a step")
    fsdp_sync: Literal["micro-batch", "step"] | None = Field(
        default=None,
        description="whether FSDP gathers and scatters in each micro-batch or once a step; needed "
        "where both are more than one",
    )


class NcclSection(Section):
    """How NCCL sends."""

    algorithm: Literal["ring", "tree", "nvls"] = Field(default="ring", description="of all_reduce")
    channels: Annotated[int, Field(ge=1, le=64)] | None = Field(
        default=None, description="of a communicator; default: one for each NIC of a server"
    )
    qps: Annotated[int, Field(ge=1, le=128)] | None = Field(
        default=None, description="per connection; default: the inventory's"
    )
    pxn: bool = Field(default=True, description="alltoall goes to the receiver's rail by NVLink")


class PlacementSection(Section):
    """Where ranks run; a word alone is the order."""

    order: Order | None = Field(
        default=None, description="rail-aligned (the default), shuffled-hosts or shuffled"
    )
    hosts: Names | None = Field(
        default=None, description="these hosts in this order, ranges allowed, instead of order"
    )
    gpus_per_host: Annotated[int, Field(ge=1, le=64)] | None = Field(
        default=None, description="ranks on a host; default: one for each GPU"
    )


class TestsSection(Section):
    """Collectives of all ranks, as nccl-tests runs them."""

    operations: Annotated[list[Operation], Field(min_length=1)] = Field(
        default=list(_EVERY), description="default: all four"
    )
    sizes: Annotated[list[Size], Field(min_length=1, max_length=64)] = Field(
        default=[2**26, 2**30, 2**33],
        description="bytes, K, M, G of 1024; default: 64M, 1G, 8G",
    )


class WorkloadFile(Section):
    """A job. Without ``model`` only the tests are worked out."""

    workload: Name = Field(description="name of the job")
    ranks: Degree | None = Field(
        default=None, description="default: the product of the degrees, else every GPU"
    )
    model: ModelSection | None = None
    dtype: Annotated[
        PrecisionSection,
        BeforeValidator(_all_alike),
        Field(description="one of fp32, bf16, fp16, fp8, or one for each kind"),
    ] = PrecisionSection()
    gradient_checkpointing: Literal["none", "selective", "full"] = Field(
        default="none", description="full repeats the forward collectives in the backward pass"
    )
    parallel: ParallelSection | None = None
    batch: BatchSection = BatchSection()
    sequence_parallel: bool = Field(
        default=False, description="tensor-parallel ranks split the tokens between them"
    )
    nccl: NcclSection = NcclSection()
    placement: Annotated[
        PlacementSection,
        BeforeValidator(_as_order),
        Field(description="an order, or which hosts in which order"),
    ] = PlacementSection()
    compute_s: Annotated[float, Field(gt=0, le=1e6)] | None = Field(
        default=None, description="seconds of computing in a step, for the share"
    )
    nvlink_gbytes_per_s: Annotated[float, Field(gt=0, le=1e6)] | None = Field(
        default=None, description="payload per GPU and direction inside a server, GB/s"
    )
    step_latency_us: Annotated[float, Field(ge=0, le=1e6)] | None = Field(
        default=None, description="of one hop between servers in a collective; default: not counted"
    )
    tests: TestsSection = TestsSection()
