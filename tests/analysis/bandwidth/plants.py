"""Fabrics to send through, made in memory from networks of switches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.demand import of_pairs
from fabric.analysis.bandwidth.paths import Ways
from fabric.analysis.bandwidth.plant import Plant
from fabric.analysis.network import Network, Node
from fabric.analysis.routing.shortest import spf
from fabric.model.topology import (
    End,
    Host,
    HostPort,
    Link,
    Port,
    Position,
    Shape,
    Switch,
    Topology,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fabric.analysis.bandwidth.demand import Demand, Matrix
    from fabric.analysis.bandwidth.plant import Pairs
    from fabric.analysis.forwarding import Forwarding


@dataclass(frozen=True)
class Nic:
    """A NIC on one leaf, or a bond on two; ``gbps`` of each of its cables."""

    leaves: tuple[str, ...]
    gbps: int = 100
    rail: int = 0


class _Cabling:
    """Ports and cables of a topology as they come."""

    def __init__(self) -> None:
        self.ports: dict[str, list[Port]] = defaultdict(list)
        self.links: list[Link] = []

    def port(self, switch: str, gbps: int) -> End:
        n = len(self.ports[switch])
        name = f"p{n}"
        self.ports[switch].append(Port(name, name, n, 0, 1, None, gbps, (), None))
        return End(switch, name)

    def host(self, name: str, nic: Nic) -> Host:
        members = tuple(f"eth{n}" for n in range(len(nic.leaves)))
        for netdev, leaf in zip(members, nic.leaves, strict=True):
            end = self.port(leaf, nic.gbps)
            self.links.append(
                Link(f"{name}.{netdev}", End(name, netdev), end, "host", nic.gbps, 3.0)
            )
        bond = len(members) > 1
        port = HostPort(
            0, "bond0" if bond else "eth0", None, nic.gbps, nic.rail, None, None, members * bond
        )
        return Host(name, "hosts", 0, (port,))


def topology(
    network: Network,
    nics: Sequence[Nic] | None = None,
    gbps: Callable[[str], int] = lambda _: 100,
) -> Topology:
    """A topology of these switches and cables. ``nics``: else one for each endpoint, at 100 Gb/s.

    ``gbps``: speed of a cable between switches by its id.
    """
    cabling = _Cabling()
    for bundle in network.cables:
        for c in bundle:
            speed = gbps(c.id)
            ends = (cabling.port(c.a, speed), cabling.port(c.b, speed))
            cabling.links.append(Link(c.id, *ends, c.kind, speed, 3.0))
    given = nics
    if given is None:
        given = [
            Nic((name,))
            for name, count in zip(network.names, network.endpoints.tolist(), strict=True)
            for _ in range(count)
        ]
    hosts = tuple(cabling.host(f"h{n}", nic) for n, nic in enumerate(given))
    switches = tuple(
        Switch(
            name,
            "switch",
            Position(int(network.tier[n]), None, n),
            tuple(cabling.ports[name]),
            group_name=None if network.group[n] < 0 else network.group_names[network.group[n]],
        )
        for n, name in enumerate(network.names)
    )
    shape = Shape("made for a test", len(given), None, "")
    return Topology("test", switches, hosts, tuple(cabling.links), shape)


def plant(
    network: Network, cut: Iterable[str] = (), switches: Iterable[str] = (), **more: object
) -> Plant:
    """Of a network, with cables (ids) and switches out of service."""
    return Plant.of(topology(network, **more), cut, switches)  # type: ignore[arg-type]


def ways(of: Plant, routing: Callable[[Network], Forwarding] = spf) -> Ways:
    """Next hops under a routing model."""
    return Ways(of, routing(of.bundled))


def with_endpoints(network: Network, count: int) -> Network:
    """The same with ``count`` endpoints on each leaf."""
    nodes = [
        Node(
            name,
            count * int(network.endpoints[n] > 0),
            int(network.tier[n]),
            None if network.group[n] < 0 else network.group_names[network.group[n]],
        )
        for n, name in enumerate(network.names)
    ]
    return Network.of(nodes, [cable for bundle in network.cables for cable in bundle])


def dense(links: Pairs, count: int) -> Matrix:
    """(F, links): 1 where a flow uses a link."""
    found = np.zeros((len(links), count))
    for flow, used in enumerate(links):
        found[flow, used[used >= 0]] = 1.0
    return found


def drawn(of: Plant, seed: int) -> Demand:
    """What some endpoints send to others."""
    random = np.random.default_rng(seed)
    ends = random.choice(of.attached, (2, 6))
    amount = random.choice([0.5, 1.0, 1.0, 2.0], 6)
    return of_pairs(of, ends[0], ends[1], amount, "drawn")
