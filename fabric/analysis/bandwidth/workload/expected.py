"""What nccl-tests should print: busbw of collectives of all ranks, by size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.workload import groups
from fabric.analysis.bandwidth.workload.collectives import (
    Servers,
    bus_factor,
    inside_share,
    network_steps,
    server_bound,
)
from fabric.analysis.bandwidth.workload.run import GIGA
from fabric.analysis.bandwidth.workload.totals import at_least, shared
from fabric.model.workload import ALL_REDUCE, ALLTOALL, RING
from fabric.model.workload_answer import TestRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.analysis.bandwidth.plant import Floats
    from fabric.analysis.bandwidth.workload.run import Run


def expected(run: Run) -> Iterator[TestRow]:
    """A row for each operation and size."""
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
                ideal=bus_rate(times.ideal, factor * size),
                even=bus_rate(times.even, factor * size),
                hashed=bus_rate(times.hashed, factor * size),
                hashed_s=times.hashed,
                trials=times.trials,
                why=unit.why_null,
            )


def _bound(run: Run, operation: str) -> float | None:
    """Of the servers' NICs, then of NVLink; ``None``: nothing stated limits it, unequal hosts."""
    layout, algorithm = run.layout, run.job.nccl.algorithm
    if layout.ranks_each is None:
        return None
    rates = _server_rates(run, operation)
    # A ring passes every server; trees may spare a slow one, the sum of all servers binds them.
    trees = operation == ALL_REDUCE and algorithm != RING
    nics = float(rates.mean() if trees else rates.min())
    if not nics:  # a host is cut off
        return None
    where = Servers(len(layout), layout.hosts, nics)
    bound = server_bound(operation, algorithm, where, run.bytes_per_s / GIGA)
    inside = _inside(run, operation) * GIGA
    capped = 1 / inside if inside else None
    return min((b for b in (bound, capped) if b is not None), default=None)


def _server_rates(run: Run, operation: str) -> Floats:
    """Rates of the NICs that each server uses, added up, in NIC rates."""
    most = None if operation == ALLTOALL else run.job.nccl.channels
    used = np.unique(np.stack((run.layout.host, run.layout.endpoint)), axis=1)
    rate = run.state.plant.rate[used[1]]
    by_host = (rate[used[0] == host] for host in np.unique(used[0]))
    return np.array([np.sort(part)[::-1][:most].sum() for part in by_host])


def _inside(run: Run, operation: str) -> float:
    """Seconds over NVLink of a bus byte of all ranks; 0 where its rate is not stated."""
    nvlink, most = run.job.nvlink_gbytes_per_s, int(np.bincount(run.layout.host).max())
    if nvlink is None:
        return 0.0
    share = inside_share(operation, run.job.nccl.algorithm, len(run.layout), most)
    return share / (nvlink * GIGA)


def _delay(run: Run, operation: str) -> float:
    steps = network_steps(operation, run.job.nccl.algorithm, run.layout.hosts)
    return steps * (run.job.step_latency_us or 0.0) * 1e-6


def bus_rate(seconds: float | None, volume: float) -> float | None:
    """GB/s of so many bus bytes."""
    return volume / seconds / GIGA if seconds else None
