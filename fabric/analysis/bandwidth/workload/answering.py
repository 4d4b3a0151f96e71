"""What a job costs on a design in one state: phases, tests, placements."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.plant import Plant
from fabric.analysis.bandwidth.workload import groups
from fabric.analysis.bandwidth.workload.collectives import bus_factor
from fabric.analysis.bandwidth.workload.comparing import placements
from fabric.analysis.bandwidth.workload.expected import expected
from fabric.analysis.bandwidth.workload.phases import phases
from fabric.analysis.bandwidth.workload.run import GIGA, Run, efficiency
from fabric.analysis.bandwidth.workload.totals import summed
from fabric.model.workload import FULL
from fabric.model.workload_answer import WorkloadAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.analysis.bandwidth.answer import State
    from fabric.analysis.bandwidth.workload.bounds import Effort
    from fabric.model.workload import Workload
    from fabric.model.workload_answer import Phase, Seconds

    Progress = Callable[[str, int, int], None]


def matrix(state: State, job: Workload, effort: Effort) -> Iterator[tuple[str, str, str, float]]:
    """Phase, sending NIC, receiving NIC, bytes of a step; without phases the tests, S = 1 GB.

    Raises:
        PlacementError, TooManyPairsError: as :func:`answer`.
    """
    run = Run.of(state, job, effort)
    ranks = len(run.layout)
    parts = [(p.name, p.collective, p.group, p.volume) for p in phases(job)] or [
        (word, word, groups.WORLD, bus_factor(word, ranks) * GIGA) for word in job.operations
    ]
    names = state.plant.names
    for name, collective, group, volume in parts:
        traffic = run.traffic(collective, group)
        columns = (traffic.source.tolist(), traffic.target.tolist(), traffic.amount.tolist())
        for source, target, amount in zip(*columns, strict=True):
            yield name, names[source], names[target], amount * volume


def answer(
    state: State, job: Workload, effort: Effort, progress: Progress | None = None
) -> WorkloadAnswer:
    """All of it.

    Raises:
        PlacementError: more ranks than GPUs.
        TooManyPairsError: an alltoall of more NICs than are looked at.
        TooManyFlowsError: least-loaded placing of more flows than are placed one by one.
    """
    told = progress or (lambda _what, _done, _of: None)
    run = Run.of(state, job, effort)
    ranks = len(run.layout)
    parts = phases(job)
    found = []
    for number, part in enumerate(parts):
        told("phases", number, len(parts))
        found.append(run.phase(part))
    step = summed([phase.seconds for phase in found]) if found else None
    tests = tuple(expected(run))
    lost = [state.plant.names[e] for e in np.unique(run.layout.endpoint) if not state.plant.rate[e]]
    intent = state.design.intent
    return WorkloadAnswer(
        name=job.name,
        ranks=ranks,
        hosts=run.layout.hosts,
        gpus_per_host=run.layout.ranks_each,
        nics=run.layout.nics,
        nic_gbps=state.plant.nic_gbps,
        family=intent.addressing.rdma_family,
        rdma_mtu_bytes=intent.roce.rdma_mtu_bytes,
        efficiency=efficiency(state.design),
        goodput_gbytes_per_s=run.bytes_per_s / GIGA,
        algorithm=job.nccl.algorithm,
        qps=effort.qps,
        load_balancing=intent.load_balancing,
        placement=job.placement.word,
        seed=effort.seed,
        phases=tuple(_with_shares(phase, step, job.compute_s) for phase in found),
        tests=tests,
        placements=tuple(placements(run, parts, told)),
        step=step,
        compute_s=job.compute_s,
        notes=tuple(_notes(run)),
        endpoints_lost=tuple(lost),
    )


def _with_shares(phase: Phase, step: Seconds | None, compute_s: float | None) -> Phase:
    """Share of a step in which nothing overlaps; without ``compute_s``: of its communication."""
    if step is None:
        return phase
    own, whole = phase.seconds, step
    shares = (
        _share(own.ideal, whole.ideal, compute_s),
        _share(own.even, whole.even, compute_s),
        _share(own.hashed, whole.hashed, compute_s),
    )
    return replace(phase, shares=shares)


def _share(own: float | None, whole: float | None, compute_s: float | None) -> float | None:
    if own is None or whole is None:
        return None
    total = whole + (compute_s or 0.0)
    return own / total if total else 0.0


def _notes(run: Run) -> Iterator[str]:
    yield from _assumed(run)
    if run.layout.ranks_each is None:
        yield "hosts have unequal numbers of ranks, so no bound of servers applies"
    if run.job.degrees.tp > (run.layout.ranks_each or 1) and run.job.model is not None:
        yield "tensor-parallel ranks reach over servers: their all-reduces cross the network"
    for (pattern, group), times in run.known():
        if times.flows < times.wanted:
            yield (
                f"of the {times.wanted:,} flows of {pattern} over {group} {times.flows:,} are "
                "drawn, as many of each pair: fewer flows spread less evenly, so hashed is on the "
                "slow side"
            )


def _assumed(run: Run) -> Iterator[str]:
    repeated = run.job.degrees.tp > 1 or run.job.degrees.ep > 1
    if run.job.model is not None and run.job.checkpointing == FULL and repeated:
        yield (
            "full checkpointing is taken to repeat every collective of the forward pass, 6 in "
            "place of 4 for TP and MoE; an assumption of our own"
        )
    whole = Plant.of(run.state.design.topology)
    kinds = run.layout.kinds(whole.rate * whole.nic_gbps)
    if len(kinds) > 1:
        told = ", ".join(f"{nics} × {gbps:g}G on {hosts:,}" for (nics, gbps), hosts in kinds)
        yield (
            f"hosts differ in the NICs that ranks use ({told}); above stand the most NICs of a "
            "host and the most frequent rate of the fabric, the times follow from each host's own"
        )
