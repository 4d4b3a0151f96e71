"""A job placed on a fabric: its traffics and their times, each worked out once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.workload import groups, matrices
from fabric.analysis.bandwidth.workload.bounds import Effort, seconds_of
from fabric.analysis.bandwidth.workload.collectives import inside_share
from fabric.analysis.bandwidth.workload.matrices import TooManyPairsError
from fabric.analysis.bandwidth.workload.phases import SEND
from fabric.analysis.bandwidth.workload.placement import PlacementError, all_gpus, laid_out
from fabric.analysis.bandwidth.workload.totals import at_least, crossing, shared
from fabric.model.roce_packet import wire_efficiency
from fabric.model.units import bytes_per_second
from fabric.model.workload import ALL_REDUCE, ALLTOALL, RING
from fabric.model.workload_answer import Phase, Seconds

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.answer import State
    from fabric.analysis.bandwidth.plant import Pairs
    from fabric.analysis.bandwidth.workload.matrices import Traffic
    from fabric.analysis.bandwidth.workload.phases import PhaseBytes
    from fabric.analysis.bandwidth.workload.placement import Layout
    from fabric.model.design import Design
    from fabric.model.workload import Workload

GIGA = 1e9


@dataclass(frozen=True, eq=False)
class Run:
    """A job placed on a fabric. ``memory``: times by traffic, which placements can have alike."""

    state: State
    job: Workload
    layout: Layout
    effort: Effort
    memory: dict[bytes, Seconds] = field(default_factory=dict)

    @classmethod
    def of(cls, state: State, job: Workload, effort: Effort) -> Run:
        """The job where its placement puts it.

        Raises:
            PlacementError: more ranks than GPUs, or one alone.
        """
        ranks = job.ranks or all_gpus(state.design, job.placement)
        if ranks == 1:
            msg = "the job has one rank: there is nobody to send to"
            raise PlacementError(msg, "ranks, or degrees with a product, of two or more")
        layout = laid_out(state.design, state.plant, ranks, job.placement, effort.seed)
        return cls(state, job, layout, effort)

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
        """Of one bus byte; ``None`` in it with the reason where a traffic is too large."""
        key = self._pattern(collective, group)
        if key not in self._times:
            try:
                self._times[key] = self._timed(self.traffic(collective, group))
            except TooManyPairsError as error:
                self._times[key] = Seconds(None, "", None, None, why_null=str(error))
        return self._times[key]

    def _timed(self, traffic: Traffic) -> Seconds:
        mark = traffic.digest
        if mark not in self.memory:
            found = seconds_of(self.state, traffic, self.effort, self.bytes_per_s)
            self.memory[mark] = found
        return self.memory[mark]

    def known(self) -> list[tuple[tuple[str, str], Seconds]]:
        """What has been timed: pattern and group."""
        return list(self._times.items())

    def phase(self, part: PhaseBytes) -> Phase:
        """One phase with its times.

        Raises:
            TooManyPairsError: an alltoall of more NICs than are looked at.
        """
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
        return share / (nvlink * GIGA)


def efficiency(design: Design) -> float:
    """Payload over bytes on the wire, of the family that RDMA uses."""
    intent = design.intent
    return float(wire_efficiency(intent.roce.rdma_mtu_bytes, intent.addressing.rdma_family))
