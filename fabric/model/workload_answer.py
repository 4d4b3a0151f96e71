"""What a job costs on a fabric: bytes, times, busbw, what binds. Times are lower bounds.

GB are 10⁹ bytes, as nccl-tests has them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Binding:
    """What is full first: ``name`` of one, ``alike`` as full as it. ``times``: how much fuller.

    ``kind``: ``nic``, ``cable``, or ``""`` where nothing crosses the network. ``times``: its load
    over that of the busiest NIC, 1 for a NIC.
    """

    kind: str
    name: str = ""
    alike: int = 0
    times: float = 1.0


@dataclass(frozen=True, slots=True)
class Seconds:
    """Time for some bytes under three kinds of path choice; ``None``: something has no way.

    ``ideal``: any paths, any split; ``ideal_how``: how it is known. ``even``: every switch splits
    evenly over its next hops. ``hashed``: flows hashed as planned, max-min fair, done when the
    slowest flow is (a message striped over its QPs), mean of ``trials`` with ``hashed_sd``;
    ``round_robin``: whole messages go over QPs in turn, so a pair has the sum of its flows.
    ``flows``: in one trial; ``wanted``: that there are, more where not all could be drawn.
    """

    ideal: float | None
    ideal_how: str
    even: float | None
    hashed: float | None
    hashed_sd: float = 0.0
    round_robin: float | None = None
    trials: int = 0
    flows: int = 0
    wanted: int = 0
    binding: Binding = Binding("")
    hashed_binding: Binding = Binding("")
    why_null: str = ""


@dataclass(frozen=True, slots=True)
class Phase:
    """One kind of communication of a step.

    ``group``: whose ranks, ``size`` each, ``groups`` of them at once. ``message_bytes``: of one
    call as nccl-tests counts it, ``calls`` of them. ``bytes_per_rank``: sent in the step by a rank.
    ``crossing``: share of the groups' traffic between servers that leaves its leaf.
    """

    name: str
    collective: str
    group: str
    size: int
    groups: int
    message_bytes: float
    calls: int
    bytes_per_rank: float
    pairs: int
    network_bytes: float
    crossing: float
    seconds: Seconds
    shares: tuple[float | None, float | None, float | None] = (None, None, None)


@dataclass(frozen=True, slots=True)
class TestRow:
    """busbw of one test at one size, GB/s.

    ``bound``: of the servers' NICs alone; ``None``: servers have unequal numbers of ranks. ``why``:
    why the rest is ``None``.
    """

    operation: str
    size: int
    factor: float
    bound: float | None
    ideal: float | None
    even: float | None
    hashed: float | None
    hashed_s: float | None
    trials: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class PlacementRow:
    """One placement: time of all phases of a step, busbw of a large all_reduce and alltoall."""

    word: str
    step_even_s: float | None
    step_hashed_s: float | None
    all_reduce: tuple[float | None, float | None]  # even, hashed; GB/s
    alltoall: tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class WorkloadAnswer:
    """All of it. ``goodput_gbytes_per_s``: B, payload of one NIC. ``nics``: K, of a server."""

    name: str
    ranks: int
    hosts: int
    gpus_per_host: int | None
    nics: int
    nic_gbps: float
    family: str
    rdma_mtu_bytes: int
    efficiency: float
    goodput_gbytes_per_s: float
    algorithm: str
    qps: int
    load_balancing: str
    placement: str
    seed: int
    phases: tuple[Phase, ...]
    tests: tuple[TestRow, ...]
    placements: tuple[PlacementRow, ...]
    step: Seconds | None
    compute_s: float | None
    notes: tuple[str, ...] = ()
    endpoints_lost: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every pair that has to speak has a way."""
        return not self.endpoints_lost and all(p.seconds.even is not None for p in self.phases)
