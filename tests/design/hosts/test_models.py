"""Models of hosts from hand-made designs."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_interface

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.design.hosts import HostModels, disagreements, host_model
from fabric.design.hosts.ranges import name_ranges
from fabric.model.addressing import HostSubnet, InterfaceAddress
from fabric.model.qos import ClassMap
from tests.design.hosts.made import Wanted, made_design, one_leaf

RAILS = Wanted((("leaf-0", "leaf-1"),) * 4)


def test_one_nic() -> None:
    model = host_model(made_design(Wanted()), "gpu-2")
    assert (model.fabric, model.name, model.group) == ("sample", "gpu-2", "hosts")
    (nic,) = model.nics
    assert (nic.netdev, nic.rdma_device, nic.leaf, nic.leaf_port) == (
        "rdma0",
        "mlx5_0",
        "leaf-1",
        "p0",
    )
    assert nic.addresses == ("10.0.0.5/31",)
    assert nic.gateways == ("10.0.0.4",)
    assert nic.table == 1000
    assert nic.cable_m == 4.5
    assert model.aggregates == ("10.0.0.0/25",)
    assert model.gid_range == "10.0.0.0/25"
    assert model.mtu_bytes == 9000


def test_no_such_host() -> None:
    with pytest.raises(KeyError):
        host_model(made_design(Wanted()), "gpu-99")


@pytest.mark.parametrize("wanted", [one_leaf(8), RAILS, Wanted(v6=True), Wanted(v4=False, v6=True)])
def test_the_gateway_is_the_leafs_address_in_the_same_subnet(wanted: Wanted) -> None:
    design = made_design(wanted)
    models = HostModels(design)
    for host in design.topology.hosts:
        for nic in models.of(host.name).nics:
            leaf = design.addressing.at(nic.leaf, nic.leaf_port)
            assert leaf is not None
            expected = [a.partition("/")[0] for a in (leaf.v4, leaf.v6) if a]
            assert list(nic.gateways) == expected
            for address, gateway in zip(nic.addresses, nic.gateways, strict=True):
                network = ip_interface(address).network
                assert ip_interface(gateway).ip in network
                assert ip_interface(address).ip != ip_interface(gateway).ip


def test_each_nic_has_a_table_that_no_distribution_uses() -> None:
    tables = [nic.table for nic in host_model(made_design(one_leaf(8)), "gpu-0").nics]
    assert tables == list(range(1000, 1008))


def test_a_nic_without_a_cable_is_left_out() -> None:
    design = made_design(one_leaf(2))
    gone = replace(
        design.topology,
        links=tuple(
            x for x in design.topology.links if (x.a.device, x.a.port) != ("gpu-0", "rdma1")
        ),
    )
    assert len(host_model(replace(design, topology=gone), "gpu-0").nics) == 1


def test_in_a_vlan_the_gateway_is_that_of_the_subnet() -> None:
    design = made_design(Wanted())
    interfaces = tuple(
        InterfaceAddress(x.device, x.port, f"10.0.1.{n + 2}/26", None)
        for n, x in enumerate(design.addressing.interfaces)
        if x.device.startswith("gpu")
    )
    subnets = (
        HostSubnet("leaf-0", "10.0.1.0/26", None, 10, "10.0.1.1/26"),
        HostSubnet("leaf-1", "10.0.2.0/26", None, 10, "10.0.2.1/26"),
    )
    addressing = replace(design.addressing, interfaces=interfaces, host_subnets=subnets)
    (nic,) = host_model(replace(design, addressing=addressing), "gpu-0").nics
    assert nic.gateways == ("10.0.1.1",)
    assert nic.on_link == ("10.0.1.0/26",)


@pytest.mark.parametrize(
    ("wanted", "value", "word"),
    [
        (Wanted(), 2, "one NIC per host"),
        (one_leaf(8), 2, "on one leaf"),
        (RAILS, 0, "a leaf of its own"),
        (replace(RAILS, spines=0), 0, "not connected"),
        (
            Wanted((("leaf-0", "leaf-1", "leaf-2"),) * 4, group=(("rails", (0, 0, 1)),)),
            2,
            "several",
        ),
        (replace(RAILS, group=(("cross_nic", 1),)), 1, "inventory"),
    ],
)
def test_cross_nic_and_its_reason(wanted: Wanted, value: int, word: str) -> None:
    model = host_model(made_design(wanted), "gpu-0")
    assert model.cross_nic == value
    assert word in model.cross_nic_reason
    assert "=" not in model.cross_nic_reason


@pytest.mark.parametrize(
    ("aggregates", "family", "expected"),
    [
        (("10.0.0.0/25",), "ipv4", "10.0.0.0/25"),
        (("10.0.0.0/25", "10.0.1.0/25"), "ipv4", "10.0.0.0/23"),
        (("10.1.0.0/16", "10.4.0.0/16"), "ipv4", "10.0.0.0/13"),
        (("10.0.0.0/24", "fd00::/64"), "dual", "10.0.0.0/24"),
        (("10.0.0.0/24", "fd00::/64"), "ipv6", "fd00::/64"),
        (("fd00::/64",), "ipv4", None),
        ((), "ipv4", None),
    ],
)
def test_gid_range(aggregates: tuple[str, ...], family: str, expected: str | None) -> None:
    design = made_design(Wanted())
    addressing = replace(design.addressing, host_aggregates=aggregates)
    policy = replace(design.intent.addressing, family=family)
    intent = replace(design.intent, addressing=policy)
    model = host_model(replace(design, addressing=addressing, intent=intent), "gpu-0")
    assert model.gid_range == expected


def test_ranks_go_leaf_by_leaf() -> None:
    scattered = Wanted((("leaf-1",), ("leaf-0",), ("leaf-1",), ("leaf-0",)))
    model = host_model(made_design(scattered), "gpu-0")
    assert [names.text for names in model.test_hosts] == ["gpu-1", "gpu-3", "gpu-0", "gpu-2"]


def test_models_share_what_all_hosts_have() -> None:
    models = HostModels(made_design(Wanted()))
    first, second = models.of("gpu-0"), models.of("gpu-3")
    assert first.test_hosts is second.test_hosts
    assert [names.text for names in first.test_hosts] == ["gpu-[0-3]"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("gpu-1", "gpu-2", "gpu-3"), ["gpu-[1-3]"]),
        (("gpu-9", "gpu-10"), ["gpu-[9-10]"]),
        (("n08", "n09", "n10"), ["n[08-10]"]),
        (("n08", "n9"), ["n08", "n9"]),
        (("n9", "n010"), ["n9", "n010"]),
        (("a", "b"), ["a", "b"]),
        (("a", "a1"), ["a", "a1"]),
        (("r1-h1", "r1-h2", "r2-h1"), ["r1-h[1-2]", "r2-h1"]),
        (("n0.dc", "n1.dc"), ["n0.dc", "n1.dc"]),
        (("7", "8"), ["[7-8]"]),
    ],
)
def test_names_in_short(names: tuple[str, ...], expected: list[str]) -> None:
    assert [found.text for found in name_ranges(names)] == expected


@given(st.lists(st.from_regex(r"[a-c]{0,2}-?[0-9]{0,3}", fullmatch=True).filter(bool)))
def test_ranges_name_the_same_hosts_in_the_same_order(names: list[str]) -> None:
    found = [r.name(index) for r in name_ranges(names) for index in range(r.count)]
    assert found == names


def test_hosts_and_switches_agree() -> None:
    assert disagreements(host_model(made_design(Wanted()), "gpu-0")) == ()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"dscp": 27}, ["priority of RoCE (DSCP 27)", "class of DSCP 27"]),
        ({"priority": 4}, ["priority of RoCE (DSCP 26)", "RoCE priority among the PFC priorities"]),
        ({"cnp_priority": 7}, ["priority of CNP (DSCP 48)"]),
        ({"cnp_dscp": 26}, ["priority of CNP (DSCP 26)", "class of DSCP 26"]),
        ({"trust": "pcp"}, ["what decides the class"]),
    ],
)
def test_a_disagreement_is_named(change: dict[str, object], what: list[str]) -> None:
    model = host_model(made_design(Wanted()), "gpu-0")
    model = replace(model, roce=replace(model.roce, **change))  # type: ignore[arg-type]
    assert [found.what for found in disagreements(model)] == what


def test_a_class_map_without_a_lossless_class() -> None:
    model = host_model(made_design(Wanted()), "gpu-0")
    lossy = ClassMap(tuple(replace(c, lossless=False) for c in model.class_map.classes))
    found = disagreements(replace(model, class_map=lossy))
    assert [(d.host, d.switch) for d in found] == [("lossless", "lossy"), ("3", "none")]
