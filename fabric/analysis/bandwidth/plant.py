"""A fabric as something to send through: endpoints, cables with capacity, next hops.

An *endpoint* is a NIC. Endpoints are numbered leaf by leaf, as validation 2.5 does. A bond to two
leaves is one endpoint that hangs on both.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.network import of_topology

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.analysis.network import Ints, Network
    from fabric.model.topology import HostPort, Topology

    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
    Pairs = np.ndarray[tuple[int, int], np.dtype[np.int64]]

NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Plant:
    """Endpoints 0 … N−1 on a network whose every arc is one cable in one direction.

    ``network``: cables apart; ``bundled``: the same with parallel cables together, ``bundle`` (A)
    the arc there of each arc here. ``capacity`` (A), ``rate`` (N): in NIC rates; 0 for what is out
    of service. ``leaf`` (N, 2): switches of each endpoint, the second of a bond to two leaves or
    ``NOWHERE``; a leaf out of service is ``NOWHERE``. ``legs`` (N): its live cables, of which a
    flow uses one. ``names``: host and NIC of each.
    """

    network: Network
    bundled: Network
    bundle: Ints
    capacity: Floats
    nic_gbps: float
    leaf: Pairs
    rate: Floats
    host: Ints
    rail: Ints
    legs: Ints
    names: tuple[str, ...]

    @classmethod
    def of(
        cls, topology: Topology, cables: Iterable[str] = (), switches: Iterable[str] = ()
    ) -> Plant:
        """The plant of a topology; ``cables`` (ids), ``switches``: what is out of service.

        An endpoint without a live cable is out of service; a bond has the rate of its live ones.

        Raises:
            KeyError: an id or a name that the topology does not have.
            ValueError: no endpoint is cabled.
        """
        gone = frozenset(cables)
        bundled = of_topology(topology).without(gone, switches)
        network, bundle = bundled.apart()
        nic_gbps = _unit(topology)
        speeds = {link.id: link.speed_gbps for link in topology.fabric_links}
        each = np.array([speeds[c.id] for part in network.cables for c in part], dtype=np.float64)
        live = np.repeat(each, 2) * (network.count > 0)
        ends = _ends(topology, network, gone)
        order = sorted(range(len(ends)), key=lambda n: (ends[n].sort, n))
        ordered = [ends[n] for n in order]
        return cls(
            network=network,
            bundled=bundled,
            bundle=bundle,
            capacity=live / nic_gbps,
            nic_gbps=nic_gbps,
            leaf=np.array([end.leaves for end in ordered], dtype=np.int64).reshape(-1, 2),
            rate=np.array([end.gbps for end in ordered], dtype=np.float64) / nic_gbps,
            host=np.array([end.host for end in ordered], dtype=np.int64),
            rail=np.array([end.rail for end in ordered], dtype=np.int64),
            legs=np.array([end.legs for end in ordered], dtype=np.int64),
            names=tuple(end.name for end in ordered),
        )

    def __len__(self) -> int:
        """Endpoints, in service or not."""
        return len(self.names)

    @cached_property
    def attached(self) -> Ints:
        """Endpoints with a cable to a leaf in service."""
        return np.flatnonzero(self.leaf[:, 0] != NOWHERE)

    @cached_property
    def paired(self) -> bool:
        """Whether some endpoint hangs on two leaves."""
        return bool((self.leaf[:, 1] != NOWHERE).any())

    @cached_property
    def leaves(self) -> Ints:
        """Switches with endpoints in service, rising."""
        found: Ints = np.unique(self.leaf[self.attached])
        return np.delete(found, np.flatnonzero(found == NOWHERE))

    @cached_property
    def leaf_rate(self) -> Floats:
        """V: NIC rates that hang on each switch; a bond to two leaves counts half on each."""
        total = np.zeros(len(self.network.names))
        both = self.leaf[:, 1] != NOWHERE
        share = np.where(both, self.rate / 2, self.rate)
        for column in (0, 1):
            here = self.leaf[:, column] != NOWHERE
            np.add.at(total, self.leaf[here, column], share[here])
        return total


@dataclass(frozen=True, slots=True)
class _End:
    """A NIC with what is left of it."""

    name: str
    host: int
    rail: int
    gbps: float
    leaves: tuple[int, int]
    legs: int
    sort: int  # its first leaf as planned


def _unit(topology: Topology) -> float:
    """The most frequent rate of a NIC; the fastest of those as frequent."""
    rates = Counter(_gbps(port) for host in topology.hosts for port in host.ports)
    if not rates:
        msg = "no endpoint is cabled"
        raise ValueError(msg)
    return float(max(rates, key=lambda rate: (rates[rate], rate)))


def _gbps(port: HostPort) -> int:
    """A bond has the rate of all its members."""
    return port.speed_gbps * len(port.cabled)


def _ends(topology: Topology, network: Network, gone: frozenset[str]) -> list[_End]:
    at = {(link.a.device, link.a.port): link for link in topology.host_links}
    number = network.number
    found = []
    for h, host in enumerate(topology.hosts):
        for port in host.ports:
            links = [at[host.name, netdev] for netdev in port.cabled if (host.name, netdev) in at]
            if not links:
                continue
            live = [x for x in links if x.id not in gone and network.alive[number[x.b.device]]]
            leaves = tuple(dict.fromkeys(number[link.b.device] for link in live))
            found.append(
                _End(
                    name=f"{host.name} {port.netdev}",
                    host=h,
                    rail=port.rail,
                    gbps=float(port.speed_gbps * len(live)),
                    leaves=_two(leaves),
                    legs=len(live),
                    sort=number[links[0].b.device],
                )
            )
    return found


def _two(leaves: tuple[int, ...]) -> tuple[int, int]:
    first, second, *_ = (*leaves, NOWHERE, NOWHERE)
    return first, second
