"""What a job costs on a design in one state: phases, tests, placements."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.workload import groups, matrices
from fabric.analysis.bandwidth.workload.bounds import NOTHING, Effort, seconds_of
from fabric.analysis.bandwidth.workload.collectives import (
    Servers,
    bus_factor,
    inside_share,
    network_steps,
    server_bound,
)
from fabric.analysis.bandwidth.workload.phases import SEND, PhaseBytes, phases
from fabric.analysis.bandwidth.workload.placement import all_gpus, laid_out
from fabric.analysis.bandwidth.workload.totals import at_least, crossing, shared, summed
from fabric.model.roce_packet import wire_efficiency
from fabric.model.units import bytes_per_second
from fabric.model.workload import ALL_REDUCE, ALLTOALL, PLACEMENTS, RING
from fabric.model.workload_answer import Phase, PlacementRow, Seconds, TestRow, WorkloadAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.analysis.bandwidth.answer import State
    from fabric.analysis.bandwidth.plant import Pairs
    from fabric.analysis.bandwidth.workload.matrices import Traffic
    from fabric.analysis.bandwidth.workload.placement import Layout
    from fabric.model.design import Design
    from fabric.model.workload import Workload

    Progress = Callable[[str, int, int], None]

_GIGA = 1e9


@dataclass(frozen=True, eq=False)
class Run:
    """A job placed on a fabric. ``memory``: times by traffic, which placements can have alike."""

    state: State
    job: Workload
    layout: Layout
    effort: Effort
    memory: dict[bytes, Seconds] = field(default_factory=dict)

    @cached_property
    def bytes_per_s(self) -> float:
        """B: payload of one NIC."""
        return bytes_per_second(self.state.plant.nic_gbps) * efficiency(self.state.design)

    @cached_property
    def _traffics(self) -> dict[tuple[str, str], Traffic]:
        return {}

    @cached_property
    def _times(self) -> dict[tuple[str, str], Seconds]:
        return {}

    def groups(self, word: str) -> Pairs:
        """Ranks by group; the degrees of a job without a model are one group."""
        if word == groups.WORLD:
            return np.arange(len(self.layout)).reshape(1, -1)
        return groups.groups(self.job.degrees, word)

    def _pattern(self, collective: str, group: str) -> tuple[str, str]:
        """What decides about who sends to whom: rings look alike, whatever goes round."""
        if collective in {ALLTOALL, SEND}:
            return collective, group
        return self.job.nccl.algorithm if collective == ALL_REDUCE else RING, group

    def traffic(self, collective: str, group: str) -> Traffic:
        """Traffic of one bus byte."""
        key = self._pattern(collective, group)
        if key not in self._traffics:
            members = self.groups(group)
            if collective == SEND:
                found = matrices.of_stages(self.layout, members)
            else:
                found = matrices.of_collective(collective, self.layout, members, self.job.nccl)
            self._traffics[key] = found
        return self._traffics[key]

    def times(self, collective: str, group: str) -> Seconds:
        """Of one bus byte."""
        key = self._pattern(collective, group)
        if key not in self._times:
            traffic = self.traffic(collective, group)
            mark = traffic.digest
            if mark not in self.memory:
                found = seconds_of(self.state, traffic, self.effort, self.bytes_per_s)
                self.memory[mark] = found
            self._times[key] = self.memory[mark]
        return self._times[key]

    def known(self) -> list[tuple[tuple[str, str], Seconds]]:
        """What has been timed: pattern and group."""
        return list(self._times.items())

    def phase(self, part: PhaseBytes) -> Phase:
        """One phase with its times."""
        traffic = self.traffic(part.collective, part.group)
        unit = self.times(part.collective, part.group)
        members = self.groups(part.group)
        return Phase(
            name=part.name,
            collective=part.collective,
            group=part.group,
            size=part.size,
            groups=members.size // part.size,
            message_bytes=part.message,
            calls=part.calls,
            bytes_per_rank=part.sent,
            pairs=len(traffic),
            network_bytes=float(traffic.amount.sum()) * part.volume,
            crossing=crossing(self.state.plant, traffic),
            seconds=at_least(shared(unit, part.volume), part.volume * self._inside(part)),
        )

    def _inside(self, part: PhaseBytes) -> float:
        """Seconds over NVLink of a bus byte; 0 where its rate is not stated."""
        nvlink = self.job.nvlink_gbytes_per_s
        if nvlink is None or part.collective == SEND:
            return 0.0
        hosts = self.layout.host[self.groups(part.group)]
        most = max(int(np.unique(row, return_counts=True)[1].max()) for row in hosts)
        share = inside_share(part.collective, self.job.nccl.algorithm, part.size, most)
        return share / (nvlink * _GIGA)


def efficiency(design: Design) -> float:
    """Payload over bytes on the wire, of the family that RDMA uses."""
    intent = design.intent
    return float(wire_efficiency(intent.roce.rdma_mtu_bytes, intent.addressing.rdma_family))


def matrix(
    design: Design, job: Workload, state: State, effort: Effort
) -> Iterator[tuple[str, str, str, float]]:
    """Phase, sending NIC, receiving NIC, bytes of a step; without phases the tests, S = 1 GB.

    Raises:
        PlacementError, TooManyPairsError: as :func:`answer`.
    """
    ranks = job.ranks or all_gpus(design, job.placement)
    run = _run(design, job, state, effort, ranks)
    parts = [(p.name, p.collective, p.group, p.volume) for p in phases(job)] or [
        (word, word, groups.WORLD, bus_factor(word, ranks) * _GIGA) for word in job.operations
    ]
    names = state.plant.names
    for name, collective, group, volume in parts:
        traffic = run.traffic(collective, group)
        columns = (traffic.source.tolist(), traffic.target.tolist(), traffic.amount.tolist())
        for source, target, amount in zip(*columns, strict=True):
            yield name, names[source], names[target], amount * volume


def answer(
    design: Design, job: Workload, state: State, effort: Effort, progress: Progress | None = None
) -> WorkloadAnswer:
    """All of it.

    Raises:
        PlacementError: more ranks than GPUs.
        TooManyPairsError: an alltoall of more NICs than are looked at.
        TooManyFlowsError: least-loaded placing of more flows than are placed one by one.
    """
    told = progress or (lambda _what, _done, _of: None)
    ranks = job.ranks or all_gpus(design, job.placement)
    run = _run(design, job, state, effort, ranks)
    parts = phases(job)
    found = []
    for number, part in enumerate(parts):
        told("phases", number, len(parts))
        found.append(run.phase(part))
    step = summed([phase.seconds for phase in found]) if found else None
    tests = tuple(_tests(run))
    lost = [state.plant.names[e] for e in np.unique(run.layout.endpoint) if not state.plant.rate[e]]
    intent = design.intent
    return WorkloadAnswer(
        name=job.name,
        ranks=ranks,
        hosts=run.layout.hosts,
        gpus_per_host=run.layout.ranks_each,
        nics=run.layout.nics,
        nic_gbps=state.plant.nic_gbps,
        family=intent.addressing.rdma_family,
        rdma_mtu_bytes=intent.roce.rdma_mtu_bytes,
        efficiency=efficiency(design),
        goodput_gbytes_per_s=run.bytes_per_s / _GIGA,
        algorithm=job.nccl.algorithm,
        qps=effort.qps,
        load_balancing=intent.load_balancing,
        placement=job.placement.word,
        seed=effort.seed,
        phases=tuple(_with_shares(phase, step, job.compute_s) for phase in found),
        tests=tests,
        placements=tuple(_placements(design, run, ranks, parts, told)),
        step=step,
        compute_s=job.compute_s,
        notes=tuple(_notes(run)),
        endpoints_lost=tuple(lost),
    )


def _run(design: Design, job: Workload, state: State, effort: Effort, ranks: int) -> Run:
    layout = laid_out(design, state.plant, ranks, job.placement, effort.seed)
    return Run(state, job, layout, effort)


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


def _tests(run: Run) -> Iterator[TestRow]:
    layout, job = run.layout, run.job
    for operation in job.operations:
        unit = run.times(operation, groups.WORLD)
        factor = bus_factor(operation, len(layout))
        for size in job.sizes:
            floor, delay = _inside(run, operation) * factor * size, _delay(run, operation)
            times = at_least(shared(unit, factor * size), floor, delay)
            yield TestRow(
                operation=operation,
                size=size,
                factor=factor,
                bound=_bound(run, operation),
                ideal=_bus(times.ideal, factor * size),
                even=_bus(times.even, factor * size),
                hashed=_bus(times.hashed, factor * size),
                hashed_s=times.hashed,
                trials=times.trials,
                why=unit.why_null,
            )


def _bound(run: Run, operation: str) -> float | None:
    """Of the servers' NICs, then of NVLink; ``None``: nothing stated limits it, unequal hosts."""
    layout, nccl = run.layout, run.job.nccl
    if layout.ranks_each is None:
        return None
    nics = layout.nics
    if operation != ALLTOALL and nccl.channels is not None:
        nics = min(nics, nccl.channels)
    where = Servers(len(layout), layout.hosts, nics)
    bound = server_bound(operation, nccl.algorithm, where, run.bytes_per_s / _GIGA)
    inside = _inside(run, operation) * _GIGA
    capped = 1 / inside if inside else None
    return min((b for b in (bound, capped) if b is not None), default=None)


def _inside(run: Run, operation: str) -> float:
    """Seconds over NVLink of a bus byte of all ranks; 0 where its rate is not stated."""
    nvlink, most = run.job.nvlink_gbytes_per_s, int(np.bincount(run.layout.host).max())
    if nvlink is None:
        return 0.0
    share = inside_share(operation, run.job.nccl.algorithm, len(run.layout), most)
    return share / (nvlink * _GIGA)


def _delay(run: Run, operation: str) -> float:
    steps = network_steps(operation, run.job.nccl.algorithm, run.layout.hosts)
    return steps * (run.job.step_latency_us or 0.0) * 1e-6


def _bus(seconds: float | None, volume: float) -> float | None:
    return volume / seconds / _GIGA if seconds else None


def _placements(
    design: Design, run: Run, ranks: int, parts: list[PhaseBytes], told: Progress
) -> Iterator[PlacementRow]:
    """The placement that is asked about, then the others, without linear programs."""
    asked = run.job.placement
    words = (asked.word, *(word for word in PLACEMENTS if word != asked.word))
    for number, word in enumerate(words):
        told("placements", number, len(words))
        there = run
        if word != asked.word:
            placement = replace(asked, word=word)
            effort = replace(run.effort, program=False)
            job = replace(run.job, placement=placement)
            there = replace(_run(design, job, run.state, effort, ranks), memory=run.memory)
        yield _placement_row(there, word, parts)


def _placement_row(run: Run, word: str, parts: list[PhaseBytes]) -> PlacementRow:
    step = summed([run.phase(part).seconds for part in parts]) if parts else None
    rates = []
    for operation in (ALL_REDUCE, ALLTOALL):
        unit = NOTHING
        if operation in run.job.operations and run.layout.hosts > 1:
            unit = run.times(operation, groups.WORLD)
        rates.append((_bus(unit.even, 1.0), _bus(unit.hashed, 1.0)))
    return PlacementRow(
        word, step.even if step else None, step.hashed if step else None, rates[0], rates[1]
    )


def _notes(run: Run) -> Iterator[str]:
    if run.layout.ranks_each is None:
        yield "hosts have unequal numbers of ranks, so the bound of validation 6 does not apply"
    if run.job.degrees.tp > (run.layout.ranks_each or 1) and run.job.model is not None:
        yield "tensor-parallel ranks reach over servers: their all-reduces cross the network"
    for (pattern, group), times in run.known():
        if times.flows < times.wanted:
            yield (
                f"of the {times.wanted:,} flows of {pattern} over {group} {times.flows:,} are "
                "drawn, as many of each pair: fewer flows spread less evenly, so hashed is on the "
                "slow side"
            )
