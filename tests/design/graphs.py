"""Fabrics from a few words, with ports of any number: addresses do not depend on ports."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fabric.model.names import link_id
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
from tests.samples import sample_intent

if TYPE_CHECKING:
    from fabric.model.intent import Intent


@dataclass(frozen=True)
class Node:
    """A switch as a test names it."""

    name: str
    role: str
    tier: int
    group: int | str | None = None
    asn: int | None = None


@dataclass
class Graph:
    """Switches, (lower, upper, count) cables and (host, leaves of its NICs)."""

    switches: list[Node] = field(default_factory=list)
    cables: list[tuple[str, str, int]] = field(default_factory=list)
    hosts: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    kind: str = "explicit"

    def topology(self) -> Topology:
        ports: dict[str, list[Port]] = {node.name: [] for node in self.switches}
        links: list[Link] = []
        ordinal: Counter[tuple[str, str]] = Counter()

        def join(a: End, b: End, kind: str) -> None:
            pair = (a.device, b.device)
            ordinal[pair] += 1
            name = link_id(a.device, b.device, ordinal[pair])
            links.append(Link(name, a, b, kind, 400, 5.0))

        for a, b, count in self.cables:
            for _ in range(count):
                join(_plug(ports, a), _plug(ports, b), "cable")
        hosts = []
        for number, (host, leaves) in enumerate(self.hosts):
            nics = tuple(
                HostPort(n, f"rdma{n}", None, 400, n, None, None) for n in range(len(leaves))
            )
            hosts.append(Host(host, "hosts", number, nics))
            for n, leaf in enumerate(leaves):
                join(End(host, f"rdma{n}"), _plug(ports, leaf), "host")
        switches = tuple(
            Switch(
                node.name,
                node.role,
                Position(node.tier, node.group if isinstance(node.group, int) else None, index),
                tuple(ports[node.name]),
                node.asn,
                None if node.group is None else str(node.group),
            )
            for index, node in enumerate(self.switches)
        )
        shape = Shape("test", len(self.hosts), None, "test")
        return Topology(self.kind, switches, tuple(hosts), tuple(links), shape)


def _plug(ports: dict[str, list[Port]], device: str) -> End:
    name = f"p{len(ports[device])}"
    ports[device].append(Port(name, name, len(ports[device]) + 1, 0, 1, None, 400, (), None))
    return End(device, name)


def leaf_spine(leaves: int, spines: int, per_leaf: int = 1, links: int = 1) -> Graph:
    graph = Graph(kind="leaf-spine")
    graph.switches += [Node(f"leaf-{n}", "leaf", 0) for n in range(leaves)]
    graph.switches += [Node(f"spine-{n}", "spine", 1) for n in range(spines)]
    graph.cables += [
        (f"leaf-{leaf}", f"spine-{s}", links) for leaf in range(leaves) for s in range(spines)
    ]
    graph.hosts += [
        (f"gpu-{leaf * per_leaf + n}", (f"leaf-{leaf}",))
        for leaf in range(leaves)
        for n in range(per_leaf)
    ]
    return graph


def fat_tree(k: int, pods: int | None = None) -> Graph:
    """Names as the kind gives them; agg-p-i joins cores i·k/2 … i·k/2 + k/2 − 1."""
    half = k // 2
    graph = Graph(kind="fat-tree")
    for pod in range(k if pods is None else pods):
        for i in range(half):
            graph.switches.append(Node(f"edge-{pod}-{i}", "edge", 0, pod))
            graph.switches.append(Node(f"agg-{pod}-{i}", "agg", 1, pod))
            graph.cables += [(f"edge-{pod}-{i}", f"agg-{pod}-{j}", 1) for j in range(half)]
            graph.cables += [(f"agg-{pod}-{i}", f"core-{i * half + j}", 1) for j in range(half)]
            graph.hosts += [
                (f"gpu-{(pod * half + i) * half + n}", (f"edge-{pod}-{i}",)) for n in range(half)
            ]
    graph.switches += [Node(f"core-{n}", "core", 2) for n in range(half * half)]
    return graph


def intent(**policy: object) -> Intent:
    """The sample intent with fields of its addressing policy replaced."""
    sample = sample_intent()
    return replace(sample, addressing=replace(sample.addressing, **policy))  # type: ignore[arg-type]
