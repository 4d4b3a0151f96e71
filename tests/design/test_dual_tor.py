"""Bonds that end on two leaves: which leaves, what both have in common, what they announce."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_network
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric import flow
from fabric.analysis.prefixes import bouncing
from fabric.design.devices import DeviceModels, pair_mac
from fabric.design.hosts import HostModels
from fabric.design.lock import lock_text
from fabric.design.port_channels import port_channels
from fabric.model.finding import InputError, ProblemError
from fabric.model.topology import Lag

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design

DUAL = "nic: connectx-6, speed: 100, attach: dual-tor"
SMALL = "{kind: leaf-spine, leaves: 4, spines: 2}"


def load(
    folder: Path, hosts: str, topology: str = SMALL, *, model: str = "cel-seastone", more: str = ""
) -> Design:
    path = folder / "f.yaml"
    path.write_text(
        f"fabric: f\ntopology: {topology}\n"
        f"platforms: {{default: {{platform: sonic, model: {model}}}}}\n"
        f"hosts: {hosts}\n{more}"
    )
    design = flow.load(path)
    (folder / "f.lock.json").write_text(lock_text(design.addressing.lock))
    return design


def test_a_member_on_each_leaf_and_one_network_on_both(tmp_path: Path) -> None:
    design = load(tmp_path, f"{{names: [h0, h1, h2, h3], {DUAL}}}")
    topology, addressing = design.topology, design.addressing
    assert [(x.id, x.a.port, x.b.port) for x in topology.links_of("h1")] == [
        ("h1:leaf-0:1", "rdma0p0", "Ethernet4"),
        ("h1:leaf-1:1", "rdma0p1", "Ethernet4"),
    ]
    pair = ("leaf-0", "leaf-1")
    assert topology.lags_of("h1", "rdma0") == (
        Lag("leaf-0", "PortChannel20", 20, ("Ethernet4",), "h1", "rdma0", pair, 20),
        Lag("leaf-1", "PortChannel20", 20, ("Ethernet4",), "h1", "rdma0", pair, 20),
    )
    assert topology.lag_of("h1", "rdma0") == topology.lags_of("h1", "rdma0")[0]
    assert [link.b.device for link in topology.links_of("h2")] == ["leaf-2", "leaf-3"]
    at = [addressing.at(leaf, "PortChannel20") for leaf in pair]
    assert [one.v4 if one else None for one in at] == ["10.0.0.2/31", "10.0.0.2/31"]
    own = addressing.at("h1", "rdma0")
    assert own is not None
    assert own.v4 == "10.0.0.3/31"
    rows = {row.key: row.members for row in addressing.lock.rows if row.pool == "host"}
    assert rows == {"leaf-0:leaf-1": ("h0", "h1"), "leaf-2:leaf-3": ("h2", "h3")}


def test_both_leaves_announce_each_host_by_itself_and_discard_nothing(tmp_path: Path) -> None:
    design = load(tmp_path, f"{{names: [h0, h1, h2], {DUAL}}}")
    for leaf in ("leaf-0", "leaf-1"):
        speaker = design.underlay.speaker(leaf)
        assert speaker.announces[1:] == ("10.0.0.0/31", "10.0.0.2/31")
        assert speaker.discards == ()
    assert design.underlay.speaker("leaf-2").announces[1:] == ("10.0.0.4/31",)


def test_a_wider_prefix_elsewhere_makes_nothing_bounce(tmp_path: Path) -> None:
    """Both addresses of a bond's /31 have an owner, and without the port it is not announced."""
    design = load(tmp_path, f"{{names: [h0], {DUAL}}}")
    *others, last = design.underlay.speakers
    wide = replace(last, announces=(*last.announces, "10.0.0.0/24"), discards=("10.0.0.0/24",))
    underlay = replace(design.underlay, speakers=(*others, wide))
    assert list(bouncing(underlay, design.addressing)) == []


def test_other_hosts_of_the_leaf_keep_their_block_whole(tmp_path: Path) -> None:
    groups = f"[{{names: [h0, h1], {DUAL}}}, {{names: [s0, s1], speed: 100, on: leaf-1}}]"
    design = load(tmp_path, groups)
    speaker = design.underlay.speaker("leaf-1")
    assert speaker.discards == ("10.0.0.0/30",)
    assert speaker.announces[1:] == ("10.0.0.0/30", "10.0.0.4/31")
    # leaf-0: h0 in cage 1; h1 stands on the second pair
    lags = DeviceModels(design).of("leaf-1").lags
    assert [(lag.name, lag.addresses) for lag in lags] == [("PortChannel10", ("10.0.0.4/31",))]


def test_models_of_both_leaves_and_of_the_host(tmp_path: Path) -> None:
    design = load(tmp_path, f"{{names: [h0], nics: 2, {DUAL}}}")
    first, second = (DeviceModels(design).of(leaf) for leaf in ("leaf-0", "leaf-1"))
    assert first.lags == second.lags
    assert [(x.mac, x.lacp_key, x.addresses) for x in first.lags] == [
        ("02:00:0a:ff:00:01", 10, ("10.0.0.0/31",)),
        ("02:00:0a:ff:00:01", 20, ("10.0.0.2/31",)),
    ]
    for leaf in (first, second):
        members = [port for port in leaf.used_interfaces if port.use == "host"]
        assert [(port.lag, port.addresses) for port in members] == [(10, ()), (20, ())]
        assert all(port.chain.pfc_priorities == (3,) and port.profile for port in members)
    nic = HostModels(design).of("h0").nics[1]
    assert (nic.leaf, nic.leaf_port) == ("leaf-0", "PortChannel20")
    assert (nic.second_leaf, nic.second_leaf_port) == ("leaf-1", "PortChannel20")
    assert (nic.addresses, nic.gateways) == (("10.0.0.3/31",), ("10.0.0.2",))


def test_the_key_is_the_first_leafs_number_where_the_ports_differ(tmp_path: Path) -> None:
    groups = f"[{{names: [s0], speed: 100, on: leaf-1}}, {{names: [h0], {DUAL}}}]"
    lags = load(tmp_path, groups).topology.lags
    assert [(lag.name, lag.lacp_key) for lag in lags] == [
        ("PortChannel10", 10),
        ("PortChannel20", 10),
    ]


@given(st.integers(0, 2**32 - 1))
def test_the_shared_mac_is_unicast_local_and_one_of_its_router_id(number: int) -> None:
    text = ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))
    octets = [int(part, 16) for part in pair_mac(text).split(":")]
    assert len(octets) == 6
    assert octets[0] & 0b11 == 0b10  # IEEE 802: local, not a group
    assert int.from_bytes(octets[2:], "big") == number


def test_growth_moves_nobody(tmp_path: Path) -> None:
    before = load(tmp_path, f"{{names: [h1, h3], {DUAL}, per_leaf: 8}}")
    after = load(
        tmp_path,
        f"{{names: [h0, h1, h2, h3, h4], {DUAL}, per_leaf: 8}}",
        "{kind: leaf-spine, leaves: 6, spines: 2}",
    )
    assert {*before.topology.lags} < {*after.topology.lags}
    known = {(x.device, x.port): x.v4 for x in after.addressing.interfaces}
    assert all(known[x.device, x.port] == x.v4 for x in before.addressing.interfaces)
    macs = [{lag.mac for lag in DeviceModels(d).of("leaf-1").lags} for d in (before, after)]
    assert macs[0] == macs[1] == {"02:00:0a:ff:00:01"}


@pytest.mark.parametrize(
    ("topology", "nics", "leaves"),
    [
        ("{kind: leaf-spine, leaves: 5, spines: 2}", 1, ["leaf-0", "leaf-1"]),
        ("{kind: fat-tree, k: 4}", 1, ["edge-0-0", "edge-0-1"]),
        (
            "{kind: rail, rails: 2, groups: 2, spines: 2}",
            2,
            ["leaf-0-0", "leaf-1-0", "leaf-0-1", "leaf-1-1"],
        ),
    ],
)
def test_every_kind_with_an_order_of_leaves(
    tmp_path: Path, topology: str, nics: int, leaves: list[str]
) -> None:
    design = load(tmp_path, f"{{count: 2, nics: {nics}, {DUAL}}}", topology)
    first = design.topology.hosts[0].name
    assert [link.b.device for link in design.topology.links_of(first)] == leaves
    assert design.topology.shape.endpoints == 2 * 2 * nics
    assert design.topology.shape.bisection_gbps is None
    assert "two leaves" in design.topology.shape.bisection_note


def test_pairs_stay_within_a_pod_and_an_odd_leaf_takes_none(tmp_path: Path) -> None:
    """k = 6: three edge switches a pod, so one pair in each of six pods."""
    design = load(tmp_path, f"{{count: 6, per_leaf: 1, {DUAL}}}", "{kind: fat-tree, k: 6}")
    pairs = {lag.pair for lag in design.topology.lags}
    assert pairs == {(f"edge-{pod}-0", f"edge-{pod}-1") for pod in range(6)}
    with pytest.raises(InputError) as caught:
        load(tmp_path, f"{{count: 19, {DUAL}}}", "{kind: fat-tree, k: 6}")
    (finding,) = caught.value.findings
    assert "19 hosts of 2 cables, but the fabric takes 18" in finding.message
    assert "6 pairs of edge switches × 3" in finding.message


def test_one_leaf_makes_no_pair(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, f"{{count: 2, {DUAL}}}", "{kind: leaf-spine, leaves: 1, spines: 1}")
    (finding,) = caught.value.findings
    assert finding.rule == "RCE016"
    assert "takes 0: no switch takes hosts" in finding.message


@pytest.mark.parametrize(
    ("platform", "model", "words"),
    [
        ("sonic", "nvidia-sn3700", "on mellanox chips: both leaves need one router MAC"),
        ("sonic", "generic", "on generic chips: both leaves need one router MAC"),
        ("arista_eos", "generic", "Arista EOS: no source shows a routed port-channel"),
    ],
)
def test_what_is_not_confirmed_is_refused(
    tmp_path: Path, platform: str, model: str, words: str
) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(
        f"fabric: f\ntopology: {SMALL}\n"
        f"platforms: {{default: {{platform: {platform}, model: {model}}}}}\n"
        f"hosts: {{count: 2, {DUAL}}}\n"
    )
    with pytest.raises(InputError) as caught:
        flow.load(path)
    (finding,) = caught.value.findings
    assert finding.rule == "RCE023"
    assert words in finding.message


def test_leaves_that_take_none_are_told_with_their_system(tmp_path: Path) -> None:
    """One leaf of the pair is enough; the spine's system does not matter."""
    path = tmp_path / "f.yaml"
    platforms = (
        "{default: {platform: sonic, model: cel-seastone}, "
        "spine: {platform: arista_eos, model: generic}, "
        "leaf-3: {platform: arista_eos, model: generic}}"
    )
    text = f"fabric: f\ntopology: {SMALL}\nplatforms: {platforms}\nhosts: {{count: %d, {DUAL}}}\n"
    path.write_text(text % 1)
    assert flow.load(path).topology.lags[0].pair == ("leaf-0", "leaf-1")
    path.write_text(text % 2)
    with pytest.raises(InputError) as caught:
        flow.load(path)
    (finding,) = caught.value.findings
    assert "attach: dual-tor is not rendered for Arista EOS" in finding.message


def test_a_system_without_port_channels(tmp_path: Path) -> None:
    design = load(tmp_path, f"{{names: [h0], {DUAL}}}")
    base = design.intent.hardware.default
    other = replace(base, platform=replace(base.platform, lag=None, title="Other OS"))
    intent = replace(design.intent, hardware=replace(design.intent.hardware, default=other))
    topology = design.topology
    with pytest.raises(ProblemError) as caught:
        port_channels(topology.switches, topology.hosts, topology.links, intent)
    (problem,) = caught.value.problems
    assert problem.message == "hosts: bonds of hosts are not rendered for Other OS"


@given(hosts=st.integers(1, 12), leaves=st.integers(2, 9), per_leaf=st.integers(1, 6))
def test_no_address_is_given_twice_but_to_the_two_leaves_of_a_bond(
    tmp_path_factory: pytest.TempPathFactory, hosts: int, leaves: int, per_leaf: int
) -> None:
    hosts = min(hosts, leaves // 2 * per_leaf)
    topology = f"{{kind: leaf-spine, leaves: {leaves}, spines: 2}}"
    folder = tmp_path_factory.mktemp("f")
    design = load(folder, f"{{count: {hosts}, per_leaf: {per_leaf}, {DUAL}}}", topology)
    where: dict[str, list[str]] = {}
    for item in design.addressing.interfaces:
        if item.v4 is not None:
            where.setdefault(item.v4, []).append(item.device)
    pairs = sorted(tuple(devices) for devices in where.values() if len(devices) > 1)
    lags = design.topology.lags
    assert pairs == sorted(lag.pair for lag in lags if lag.device == lag.pair[0])
    announced = [s.prefix for s in design.addressing.host_subnets]
    assert len(announced) == 2 * hosts == 2 * len(set(announced))
    assert all(ip_network(prefix).prefixlen == 31 for prefix in announced)
