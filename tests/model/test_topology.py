from __future__ import annotations

from dataclasses import replace

import networkx as nx
import pytest

from fabric.model.topology import End, Link, Topology, TopologyError
from tests.samples import sample_topology


def broken(links: tuple[Link, ...]) -> tuple[str, ...]:
    topology = sample_topology()
    with pytest.raises(TopologyError) as caught:
        Topology(topology.kind, topology.switches, topology.hosts, links, topology.shape)
    return caught.value.problems


def test_graph_has_documented_attributes() -> None:
    topology = sample_topology(leaves=3, spines=2, per_leaf=2)
    graph = topology.graph
    assert graph.number_of_nodes() == 3 + 2 + 6
    assert graph.number_of_edges() == 3 * 2 + 6
    assert nx.is_connected(graph)
    assert graph.nodes["leaf-1"] == {
        "kind": "switch",
        "role": "leaf",
        "tier": 0,
        "group": None,
        "index": 1,
    }
    assert graph.nodes["gpu-0"]["kind"] == "host"
    assert graph.edges["leaf-0", "spine-1", "leaf-0:spine-1:1"] == {
        "ports": {"leaf-0": "Ethernet12", "spine-1": "Ethernet0"},
        "speed_gbps": 100,
        "length_m": 40.0,
        "kind": "leaf-spine",
    }
    assert nx.is_frozen(graph)


def test_every_problem_is_reported() -> None:
    topology = sample_topology()
    first, second, *rest = topology.links
    problems = broken(
        (
            replace(first, b=second.b),
            second,
            replace(rest[0], b=End("leaf-1", "Ethernet999")),
            replace(rest[1], speed_gbps=400),
            replace(rest[2], id=second.id),
            *rest[3:],
        )
    )
    text = "\n".join(problems)
    assert f"link id {second.id} is used 2 times" in text
    assert "leaf-0 Ethernet4 is used by" in text
    assert "leaf-1 has no port Ethernet999" in text
    assert "runs at 100G, the cable at 400G" in text


def test_two_devices_of_one_name() -> None:
    topology = sample_topology()
    twice = (*topology.switches, topology.switches[0])
    with pytest.raises(TopologyError, match="leaf-0 is the name of 2 devices"):
        Topology(topology.kind, twice, topology.hosts, topology.links, topology.shape)


def test_ends_of_a_link() -> None:
    topology = sample_topology()
    link = topology.fabric_links[0]
    assert link.other("leaf-0").device == "spine-0"
    assert link.end("leaf-0").port == "Ethernet8"
    assert topology.link_at("spine-0", "Ethernet0") == link
    assert topology.link_at("spine-0", "Ethernet124") is None
    assert len(topology.host_links) == 4
    with pytest.raises(KeyError):
        topology.host("leaf-0")
    with pytest.raises(KeyError):
        topology.switch("gpu-0")
