"""Fabrics that no inventory of this version can order."""

from __future__ import annotations

from dataclasses import replace

from fabric.checks.facts import Facts
from fabric.checks.rules.cabling import disconnected
from fabric.checks.run import judge
from fabric.model.finding import Severity
from fabric.model.names import link_id
from fabric.model.topology import End, Host, HostPort, Link, Topology
from tests.checks.designs import design
from tests.samples import sample_topology


def rail_only() -> Topology:
    """Two leaves without a cable between them; each host has a NIC on either."""
    base = sample_topology(leaves=2, spines=0, per_leaf=2)
    hosts = tuple(
        Host(
            f"gpu-{n}",
            "hosts",
            n,
            tuple(HostPort(r, f"rdma{r}", f"mlx5_{r}", 100, r, None, None) for r in (0, 1)),
        )
        for n in (0, 1)
    )
    links = tuple(
        Link(
            link_id(f"gpu-{n}", f"leaf-{rail}", 1),
            End(f"gpu-{n}", f"rdma{rail}"),
            End(f"leaf-{rail}", f"Ethernet{4 * n}"),
            "host",
            100,
            5.0,
        )
        for n in (0, 1)
        for rail in (0, 1)
    )
    return replace(base, hosts=hosts, links=links)


def test_parts_joined_by_hosts_alone_are_a_warning() -> None:
    sound = design()
    (found,) = judge(disconnected, Facts(replace(sound, topology=rail_only())))
    assert found.severity is Severity.WARNING
    assert "leaf-0 alone; leaf-1 alone; only hosts join them" in found.message
    assert "NCCL_CROSS_NIC=0" in found.why


def test_parts_that_the_kind_means_are_information() -> None:
    topology = rail_only()
    meant = replace(topology, shape=replace(topology.shape, islands=2))
    (found,) = judge(disconnected, Facts(replace(design(), topology=meant)))
    assert found.severity is Severity.INFO
    assert "NCCL_CROSS_NIC=0" in found.why
    broken = replace(topology, shape=replace(topology.shape, islands=3))
    (found,) = judge(disconnected, Facts(replace(design(), topology=broken)))
    assert found.severity is Severity.WARNING


def test_parts_that_nothing_joins_are_an_error() -> None:
    apart = sample_topology(leaves=2, spines=0)
    (found,) = judge(disconnected, Facts(replace(design(), topology=apart)))
    assert found.severity is Severity.ERROR


def test_one_switch_is_a_fabric() -> None:
    alone = sample_topology(leaves=1, spines=0)
    assert judge(disconnected, Facts(replace(design(), topology=alone))) == ()
