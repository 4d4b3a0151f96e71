"""Bonds: cables, port-channels, their numbers, and what stays under growth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.design.hosts import HostModels
from fabric.design.lock import lock_text
from fabric.design.port_channels import number_of, port_channels
from fabric.model.device import PortChannel
from fabric.model.finding import InputError, ProblemError
from fabric.model.intent import Hardware
from fabric.model.topology import Lag, Port

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design

BOND = "nic: connectx-6, speed: 100, attach: bond"
PAIR = (
    "{kind: explicit, switches: [{name: a, endpoints: 4}, {name: b, endpoints: 4}], "
    "cables: [{a: a, b: b}]}"
)
SMALL = "{kind: leaf-spine, leaves: 2, spines: 1}"


def load(folder: Path, hosts: str, topology: str = SMALL, *, more: str = "") -> Design:
    path = folder / "f.yaml"
    path.write_text(
        f"fabric: f\ntopology: {topology}\n"
        "platforms: {default: {platform: sonic, model: nvidia-sn3700}}\n"
        f"hosts: {{{hosts}}}\n{more}"
    )
    design = flow.load(path)
    (folder / "f.lock.json").write_text(lock_text(design.addressing.lock))
    return design


def test_a_bond_has_two_cables_and_one_address(tmp_path: Path) -> None:
    design = load(tmp_path, f"names: [h0, h1], per_leaf: 2, {BOND}")
    cables = [(x.id, x.a.port, x.b.port, x.speed_gbps) for x in design.topology.links_of("h1")]
    assert cables == [
        ("h1:leaf-0:1", "rdma0p0", "Ethernet8", 100),
        ("h1:leaf-0:2", "rdma0p1", "Ethernet12", 100),
    ]
    assert design.topology.lags == (
        Lag("leaf-0", "PortChannel10", 10, ("Ethernet0", "Ethernet4"), "h0", "rdma0"),
        Lag("leaf-0", "PortChannel30", 30, ("Ethernet8", "Ethernet12"), "h1", "rdma0"),
    )
    addressing = design.addressing
    assert addressing.at("leaf-0", "PortChannel30") is not None
    assert addressing.at("leaf-0", "PortChannel30").v4 == "10.0.0.2/31"  # type: ignore[union-attr]
    assert addressing.at("h1", "rdma0").v4 == "10.0.0.3/31"  # type: ignore[union-attr]
    assert addressing.at("leaf-0", "Ethernet8") is None
    assert addressing.at("h1", "rdma0p0") is None


def test_models_of_leaf_and_host(tmp_path: Path) -> None:
    design = load(tmp_path, f"names: [h0], {BOND}")
    leaf = DeviceModels(design).of("leaf-0")
    assert leaf.lags == (
        PortChannel(
            "PortChannel10", 10, "to h0 rdma0", ("Ethernet0", "Ethernet4"), ("10.0.0.0/31",),
            None, 9216, 1,
        ),
    )  # fmt: skip
    members = leaf.used_interfaces[:2]
    assert [(i.name, i.lag, i.addresses, i.description) for i in members] == [
        ("Ethernet0", 10, (), "to h0 rdma0p0"),
        ("Ethernet4", 10, (), "to h0 rdma0p1"),
    ]
    assert all(i.chain.pfc_priorities == (3,) and i.profile for i in members)
    (nic,) = HostModels(design).of("h0").nics
    assert (nic.netdev, nic.rdma_device) == ("rdma0", "mlx5_bond_0")
    assert (nic.members, nic.leaf, nic.leaf_port) == (
        ("rdma0p0", "rdma0p1"),
        "leaf-0",
        "PortChannel10",
    )
    assert (nic.addresses, nic.gateways) == (("10.0.0.1/31",), ("10.0.0.0",))


@pytest.mark.parametrize(
    ("nic", "expected"),
    [
        ("nic: connectx-7, speed: 200", 4),
        ("nic: connectx-7, speed: 50, members: 4", 8),
        ("nic: connectx-7, speed: 200, qps_per_connection: 2", 2),
    ],
)
def test_every_port_of_a_bond_gets_queue_pairs(tmp_path: Path, nic: str, expected: int) -> None:
    design = load(tmp_path, f"names: [h0], attach: bond, {nic}", more="links: {speed: 100}\n")
    assert design.intent.host_groups[0].qps_per_connection == expected


def test_in_a_vlan_the_port_channel_is_the_access_port(tmp_path: Path) -> None:
    design = load(tmp_path, f"names: [h0], nics: 2, port: vlan, {BOND}")
    leaf = DeviceModels(design).of("leaf-0")
    assert [(svi.name, svi.ports) for svi in leaf.svis] == [
        ("Vlan100", ("PortChannel10",)),
        ("Vlan101", ("PortChannel30",)),
    ]
    assert [lag.vlan for lag in leaf.lags] == [100, 101]
    assert [i.vlan for i in leaf.used_interfaces] == [None] * 5


def test_growth_renumbers_no_port_channel_and_no_address(tmp_path: Path) -> None:
    names = ["h1", "h3", "h5", "h7"]
    before = load(tmp_path, f"names: [{', '.join(names)}], {BOND}, per_leaf: 8")
    more = ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7"]
    after = load(tmp_path, f"names: [{', '.join(more)}], {BOND}, per_leaf: 8")
    assert {*before.topology.lags} < {*after.topology.lags}
    known = {(x.device, x.port): x.v4 for x in after.addressing.interfaces}
    assert all(known[x.device, x.port] == x.v4 for x in before.addressing.interfaces)
    assert len({lag.name for lag in after.topology.lags}) == 8


@pytest.mark.parametrize(
    ("topology", "count", "leaf_of"),
    [
        ("{kind: fat-tree, k: 4}", 16, ["edge-0-0", "edge-0-1"]),
        ("{kind: rail, rails: 2, groups: 2, spines: 2}", 2, ["leaf-0-0", "leaf-0-1"]),
        (
            PAIR,
            2,
            ["a", "a"],
        ),
    ],
)
def test_every_kind(tmp_path: Path, topology: str, count: int, leaf_of: list[str]) -> None:
    nics = 1 if "fat-tree" in topology else 2
    count = count // 2 if nics == 1 else count
    design = load(tmp_path, f"count: {count}, nics: {nics}, {BOND}", topology,
                  more="links: {speed: 100}\n")  # fmt: skip
    lags = design.topology.lags
    assert len(lags) == count * nics
    assert [lag.device for lag in lags[:2]] == leaf_of
    for lag in lags:
        ends = [x.b for x in design.topology.links_of(lag.host) if x.b.port in lag.ports]
        assert {end.device for end in ends} >= {lag.device}
    assert design.topology.shape.endpoints == 2 * len(lags)


def test_a_leaf_takes_half_as_many_hosts(tmp_path: Path) -> None:
    """Radix 4: two host ports on an edge switch, so one bond."""
    with pytest.raises(InputError) as caught:
        load(tmp_path, f"count: 16, {BOND}", "{kind: fat-tree, k: 4}")
    (finding,) = caught.value.findings
    assert "16 hosts of 2 cables, but the fabric takes 8: 8 edge switches × 1" in finding.message


@pytest.mark.parametrize(
    ("cage", "child", "children", "number"),
    [(1, 0, 1, 10), (1, 1, 2, 14), (1, 2, 4, 14), (12, 3, 4, 126), (128, 7, 8, 1287)],
)
def test_splitting_a_cage_further_keeps_the_number(
    cage: int, child: int, children: int, number: int
) -> None:
    port = Port("p", "p", cage, child, children, None, 100, (), None)
    assert number_of(port) == number


def test_a_system_without_port_channels_is_told_once(tmp_path: Path) -> None:
    design = load(tmp_path, f"names: [h0, h1], {BOND}")
    base = design.intent.hardware.default
    other = replace(base, platform=replace(base.platform, lag=None, title="Other OS"))
    intent, topology = replace(design.intent, hardware=Hardware(other)), design.topology
    with pytest.raises(ProblemError) as caught:
        port_channels(topology.switches, topology.hosts, topology.links, intent)
    (problem,) = caught.value.problems
    assert (problem.rule, problem.path) == ("RCE023", ("hosts", 0, "attach"))
    assert problem.message == "hosts: bonds of hosts are not rendered for Other OS"
