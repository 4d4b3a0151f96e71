"""A training job as the user states it: model, degrees, precision, NCCL, placement."""

from __future__ import annotations

from dataclasses import dataclass

DTYPE_BYTES = {"fp32": 4, "bf16": 2, "fp16": 2, "fp8": 1}
RING, TREE, NVLS = "ring", "tree", "nvls"
ALGORITHMS = (RING, TREE, NVLS)
RAIL_ALIGNED, SHUFFLED_HOSTS, SHUFFLED = "rail-aligned", "shuffled-hosts", "shuffled"
PLACEMENTS = (RAIL_ALIGNED, SHUFFLED_HOSTS, SHUFFLED)
LISTED = "listed"
ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER = "all_reduce", "all_gather", "reduce_scatter"
ALLTOALL = "alltoall"
OPERATIONS = (ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALLTOALL)
NO_CHECKPOINTING, SELECTIVE, FULL = "none", "selective", "full"
CHECKPOINTING = (NO_CHECKPOINTING, SELECTIVE, FULL)
EACH_MICRO_BATCH, EACH_STEP = "micro-batch", "step"


@dataclass(frozen=True, slots=True)
class ModelShape:
    """What is trained. ``expert_parameters``: those of all experts together, part of the total.

    ``moe_layers``: layers with experts. Zero where the phases of this job need no such number.
    """

    parameters: int
    expert_parameters: int = 0
    layers: int = 0
    moe_layers: int = 0
    hidden: int = 0
    sequence: int = 0
    top_k: int = 0


@dataclass(frozen=True, slots=True)
class Precision:
    """Words of ``DTYPE_BYTES``: what parameters, gradients and activations travel as."""

    parameters: str = "bf16"
    gradients: str = "bf16"
    activations: str = "bf16"


@dataclass(frozen=True, slots=True)
class Degrees:
    """Ranks = tp · fsdp · dp · pp; ``ep`` splits the fsdp · dp ranks and adds none."""

    dp: int = 1
    fsdp: int = 1
    tp: int = 1
    pp: int = 1
    ep: int = 1

    @property
    def ranks(self) -> int:
        """All of them."""
        return self.dp * self.fsdp * self.tp * self.pp


@dataclass(frozen=True, slots=True)
class Nccl:
    """How NCCL sends. ``channels``: of a communicator, ``None``: one for each NIC of a server.

    ``qps``: per connection, ``None``: the inventory's. ``pxn``: an alltoall goes over NVLink to the
    GPU beside the NIC of the receiver's rail first.
    """

    algorithm: str = RING
    channels: int | None = None
    qps: int | None = None
    pxn: bool = True


@dataclass(frozen=True, slots=True)
class Placement:
    """``word``: of ``PLACEMENTS``, or ``LISTED`` with the hosts in ``hosts``.

    ``gpus_per_host``: ranks on each host; ``None``: one for each GPU.
    """

    word: str = RAIL_ALIGNED
    hosts: tuple[str, ...] = ()
    gpus_per_host: int | None = None


@dataclass(frozen=True, slots=True)
class Workload:
    """A job. ``ranks`` ``None``: every GPU of the fabric.

    ``model`` ``None``: only collectives are asked about. ``sequences``: in one micro-batch of one
    data-parallel rank. ``fsdp_sync``: gathers and scatters in each micro-batch, or once a step.
    ``compute_s``: a step's own work. ``nvlink_gbytes_per_s``: per GPU and direction, payload.
    ``step_latency_us``: of one network hop of a collective; ``None``: not counted.
    ``sizes``: bytes of the collectives that are tested.
    """

    name: str
    ranks: int | None = None
    model: ModelShape | None = None
    precision: Precision = Precision()
    checkpointing: str = NO_CHECKPOINTING
    degrees: Degrees = Degrees()
    sequences: int = 1
    micro_batches: int = 1
    sequence_parallel: bool = False
    fsdp_sync: str = EACH_STEP
    nccl: Nccl = Nccl()
    placement: Placement = Placement()
    compute_s: float | None = None
    nvlink_gbytes_per_s: float | None = None
    step_latency_us: float | None = None
    operations: tuple[str, ...] = OPERATIONS
    sizes: tuple[int, ...] = ()
