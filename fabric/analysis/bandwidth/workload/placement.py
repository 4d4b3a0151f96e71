"""Which GPU each rank runs on, and which NIC that GPU sends from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.model.workload import LISTED, RAIL_ALIGNED, SHUFFLED

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Floats, Plant
    from fabric.analysis.network import Ints
    from fabric.model.design import Design
    from fabric.model.topology import Host
    from fabric.model.workload import Placement

_PLACES, _GPUS = 7, 8  # streams of random numbers


class PlacementError(ValueError):
    """Ranks that have no GPU; ``fix`` is the next step."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


@dataclass(frozen=True, eq=False)
class Layout:
    """``host``, ``endpoint`` (n): host number and NIC of each rank, host by host.

    ``rail`` (N): of each endpoint of the fabric.
    """

    host: Ints
    endpoint: Ints
    rail: Ints

    def __len__(self) -> int:
        """Ranks."""
        return len(self.host)

    @cached_property
    def hosts(self) -> int:
        """Hosts that have ranks."""
        return len(np.unique(self.host))

    @cached_property
    def ranks_each(self) -> int | None:
        """Ranks of each host in use; ``None``: unequal."""
        counts = np.unique(np.unique(self.host, return_counts=True)[1])
        return int(counts[0]) if len(counts) == 1 else None

    @cached_property
    def nics(self) -> int:
        """NICs in use of the host with most of them."""
        used = np.unique(np.stack((self.host, self.endpoint)), axis=1)
        return int(np.bincount(used[0]).max())

    def kinds(self, nic_gbps: Floats) -> list[tuple[tuple[int, float], int]]:
        """NICs in use and Gb/s of each, of the hosts in use, and how many hosts are so.

        ``nic_gbps`` (N): of each endpoint of the fabric.
        """
        used = np.unique(np.stack((self.host, self.endpoint)), axis=1)
        found: Counter[tuple[int, float]] = Counter()
        for host in np.unique(used[0]):
            rates = nic_gbps[used[1][used[0] == host]]
            found[len(rates), float(rates.mean())] += 1
        return sorted(found.items())


def gpus_of(design: Design, host: Host) -> int:
    """GPUs of a host, as its group says."""
    return design.intent.group(host.group).gpus


def all_gpus(design: Design, placement: Placement) -> int:
    """How many ranks find a place."""
    return sum(_slots(design, host, placement) for host in _listed(design, placement))


def _slots(design: Design, host: Host, placement: Placement) -> int:
    gpus = gpus_of(design, host) if host.ports else 0
    return gpus if placement.gpus_per_host is None else min(gpus, placement.gpus_per_host)


def _listed(design: Design, placement: Placement) -> list[Host]:
    if placement.word == LISTED:
        return [design.topology.host(name) for name in placement.hosts]
    return list(design.topology.hosts)


def laid_out(design: Design, plant: Plant, ranks: int, placement: Placement, seed: int) -> Layout:
    """Ranks host by host, as many on each as it has GPUs (or is said).

    ``rail-aligned``: hosts in the inventory's order, GPU by GPU. ``shuffled-hosts``: hosts of the
    whole fabric in drawn order. ``shuffled``: the GPUs of each host in drawn order besides.

    Raises:
        PlacementError: more ranks than GPUs.
    """
    hosts = _listed(design, placement)
    if placement.word not in {LISTED, RAIL_ALIGNED}:
        order = np.random.default_rng((seed, _PLACES)).permutation(len(hosts))
        hosts = [hosts[n] for n in order]
    number = {host.name: n for n, host in enumerate(design.topology.hosts)}
    where = {name: n for n, name in enumerate(plant.names)}
    random = np.random.default_rng((seed, _GPUS))
    host_of: list[int] = []
    endpoint_of: list[int] = []
    for host in hosts:
        slots = _slots(design, host, placement)
        gpus = list(range(slots))
        if placement.word == SHUFFLED:
            gpus = random.permutation(gpus_of(design, host))[:slots].tolist()
        for gpu in gpus[: ranks - len(host_of)]:
            netdev = host.ports[nic_of(design, host, gpu)].netdev
            host_of.append(number[host.name])
            endpoint_of.append(where[f"{host.name} {netdev}"])
        if len(host_of) == ranks:
            break
    if len(host_of) < ranks:
        found = f"{len(host_of):,} GPUs on {len(hosts):,} hosts"
        msg = f"{ranks:,} ranks need as many GPUs, and there are {found}"
        raise PlacementError(msg, "fewer ranks, more hosts, or gpus_per_host as large as they have")
    return Layout(np.array(host_of, np.int64), np.array(endpoint_of, np.int64), plant.rail)


def nic_of(design: Design, host: Host, gpu: int) -> int:
    """The NIC beside a GPU as the inventory has it; else GPUs are dealt to NICs in turn blocks."""
    for nic, port in enumerate(host.ports):
        if port.gpu == gpu:
            return nic
    return gpu * len(host.ports) // max(1, gpus_of(design, host))
