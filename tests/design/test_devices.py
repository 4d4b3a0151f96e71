"""One switch's model from a small design made by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fabric import flow
from fabric.catalog import switch_model
from fabric.design.addressing import allocate
from fabric.design.devices import DeviceModels, device_model, fec_of
from fabric.design.lossless import derive
from fabric.design.underlay import derive as derive_underlay
from fabric.model.addressing import Addressing, InterfaceAddress, Lock
from fabric.model.design import Design
from fabric.model.device import Svi
from fabric.model.intent import DeviceFacts, DeviceHardware, Hardware, Intent
from fabric.model.platform import VlanWords
from fabric.model.underlay import BgpSession, Speaker, Underlay
from tests.samples import sample_intent, sample_spec, sample_topology

SWITCHES = ("leaf-0", "leaf-1", "spine-0", "spine-1")


def addressing() -> Addressing:
    return Addressing(
        loopbacks=tuple((name, f"10.255.0.{n}/32", None) for n, name in enumerate(SWITCHES)),
        interfaces=(
            InterfaceAddress("leaf-0", "Ethernet0", "10.0.0.0/31", "fd00::/127"),
            InterfaceAddress("leaf-0", "Ethernet8", None, None, unnumbered=True),
        ),
        host_subnets=(),
        host_aggregates=("10.0.0.0/12",),
        asns=tuple((name, 65_000 + n) for n, name in enumerate(SWITCHES)),
        asn_scheme="unique",
        asn_reason="sample",
        pools=(),
        lock=Lock("sample"),
    )


def underlay() -> Underlay:
    session = BgpSession(
        "leaf-0", "Ethernet8", "leaf-0:spine-0:1", "spine-0", "Ethernet0", 65_000, 65_002,
        None, None, "ipv6",
    )  # fmt: skip
    return Underlay(
        speakers=tuple(
            Speaker(name, 65_000 + n, f"10.255.0.{n}", ()) for n, name in enumerate(SWITCHES)
        ),
        sessions=(session,),
        keepalive_s=3,
        hold_s=9,
        bfd=False,
        bgp_dscp=56,
        numbering="unnumbered",
    )


def design(intent: Intent | None = None) -> Design:
    intent = intent or sample_intent()
    topology = sample_topology()
    return Design(intent, topology, addressing(), underlay(), derive(topology, intent))


def test_a_leaf() -> None:
    leaf = device_model(design(), "leaf-0")
    assert (leaf.fabric, leaf.name, leaf.role) == ("sample", "leaf-0", "leaf")
    assert (leaf.model_name, leaf.asic, leaf.sku) == ("nvidia-sn3700", "spectrum-2", "ACS-MSN3700")
    assert (leaf.loopback_v4, leaf.loopback_v6) == ("10.255.0.0/32", None)
    assert (leaf.speaker.asn, leaf.sessions[0].peer) == (65_000, "spine-0")
    assert (leaf.bgp_keepalive_s, leaf.bgp_hold_s, leaf.bgp_dscp) == (3, 9, 56)
    assert leaf.hash_seed == 10
    assert (leaf.management_interface, leaf.management_address) == ("eth0", None)
    assert len(leaf.interfaces) == 32
    assert [i.use for i in leaf.used_interfaces] == ["host", "host", "fabric", "fabric"]
    assert [p.name for p in leaf.profiles] == ["leaf-100G-5m", "leaf-100G-40m"]


def test_a_host_port() -> None:
    port = device_model(design(), "leaf-0").interfaces[0]
    assert port.description == "to gpu-0 rdma0"
    assert (port.admin_up, port.mtu_bytes, port.fec) == (True, 9216, "rs")
    assert port.addresses == ("10.0.0.0/31", "fd00::/127")
    assert (port.lanes, port.number, port.cable_m) == ((0, 1, 2, 3), 0, 5.0)
    assert port.profile is not None
    assert port.profile.name == "leaf-100G-5m"
    assert port.chain.xoff_bytes[3] == 33_792
    assert (port.chain.device, port.chain.port) == ("", "Ethernet0")


def test_a_fabric_port() -> None:
    port = device_model(design(), "leaf-0").interfaces[2]
    assert port.description == "to spine-0 Ethernet0"
    assert (port.peer_device, port.peer_port, port.cable_m) == ("spine-0", "Ethernet0", 40.0)
    assert (port.unnumbered, port.addresses) == (True, ())
    assert port.chain.xoff_bytes[3] == 44_032


def test_an_unused_port_is_down_and_its_chain_complete() -> None:
    port = device_model(design(), "leaf-0").interfaces[31]
    assert (port.use, port.admin_up, port.description) == ("unused", False, "unused")
    assert (port.peer_device, port.addresses) == (None, ())
    assert port.chain.pfc_priorities == (3,)
    assert port.chain.xoff_bytes[3] == 33_792  # default cable of 5 m
    assert None not in port.chain.dscp_to_tc


def test_buffers_by_place() -> None:
    hardware = Hardware(DeviceHardware(sample_spec(), switch_model("nvidia-sn3700")))
    models = DeviceModels(design(replace(sample_intent(), hardware=hardware)))
    leaf, spine = models.of("leaf-1").buffers, models.of("spine-0").buffers
    assert leaf is not None
    assert spine is not None
    assert (leaf.table, leaf.pools[0].size_bytes) == ("ACS-MSN3700, t0", 14_542_848)
    assert (spine.table, spine.pools[0].size_bytes) == ("ACS-MSN3700, t1", 11_622_400)


def test_a_model_that_is_not_known_has_no_buffers() -> None:
    hardware = Hardware(DeviceHardware(sample_spec(), switch_model("generic")))
    got = device_model(design(replace(sample_intent(), hardware=hardware)), "leaf-0")
    assert got.buffers is None
    assert got.sku is None


def test_recorded_facts_are_passed_on() -> None:
    base = sample_intent().hardware.default
    facts = DeviceFacts(mac="02:00:00:00:00:01")
    hardware = Hardware(replace(base, facts=facts, extra="! mine"))
    got = device_model(design(replace(sample_intent(), hardware=hardware)), "leaf-0")
    assert (got.facts, got.extra) == (facts, "! mine")


def test_recorded_lanes_fill_what_the_catalogue_lacks() -> None:
    intent = sample_intent()
    facts = DeviceFacts(lanes=(("Ethernet0", (9, 10)), ("Ethernet4", (11,))))
    hardware = Hardware(replace(intent.hardware.default, facts=facts))
    made = design(replace(intent, hardware=hardware))
    leaf = made.topology.switch("leaf-0")
    bare = replace(leaf, ports=(replace(leaf.ports[0], lane_numbers=()), *leaf.ports[1:]))
    switches = tuple(bare if s.name == "leaf-0" else s for s in made.topology.switches)
    topology = replace(made.topology, switches=switches)
    got = device_model(replace(made, topology=topology), "leaf-0").interfaces
    assert [i.lanes for i in got[:2]] == [(9, 10), (4, 5, 6, 7)]


def test_a_system_without_pfc() -> None:
    base = sample_intent().hardware.default
    spec = sample_spec("frr", lossless=False)
    hardware = Hardware(replace(base, platform=spec))
    got = device_model(design(replace(sample_intent(), hardware=hardware)), "leaf-0")
    assert got.profiles == ()
    assert not got.watchdog.enabled
    assert all(i.profile is None and i.chain.pfc_priorities == () for i in got.interfaces)


def _allocated(intent: Intent) -> Design:
    topology = sample_topology()
    found = allocate(topology, intent)
    routing = derive_underlay(topology, found, intent)
    return Design(intent, topology, found, routing, derive(topology, intent))


def test_hosts_in_a_vlan() -> None:
    intent = sample_intent()
    group = replace(intent.host_groups[0], port_mode="vlan")
    spec = replace(intent.hardware.default.platform, vlan=VlanWords("Vlan{n}"))
    hardware = Hardware(replace(intent.hardware.default, platform=spec))
    made = _allocated(replace(intent, host_groups=(group,), hardware=hardware))
    models = DeviceModels(made)
    for number, leaf in enumerate((models.of("leaf-0"), models.of("leaf-1"))):
        gateway = f"10.0.{number}.1/24"
        assert leaf.svis == (Svi(100, (gateway,), ("Ethernet0", "Ethernet4"), "Vlan100", 9216),)
        assert [i.vlan for i in leaf.used_interfaces] == [100, 100, None, None]
        assert [i.addresses for i in leaf.used_interfaces[:2]] == [(), ()]
        assert leaf.speaker.discards == ()
        assert leaf.speaker.announces[1:] == (f"10.0.{number}.0/24",)
    routed = DeviceModels(_allocated(intent)).of("leaf-0")
    assert {i.vlan for i in routed.interfaces} == {None}


def test_a_role_without_a_seed_takes_its_tier() -> None:
    models = DeviceModels(design(replace(sample_intent(), hash_seeds=())))
    assert [models.of(name).hash_seed for name in ("leaf-0", "spine-0")] == [0, 1]


@pytest.mark.parametrize(
    ("speed", "fec"),
    [(10, "none"), (40, "none"), (25, "rs"), (50, "rs"), (100, "rs"), (400, "rs"), (800, "rs")],
)
def test_fec(speed: int, fec: str) -> None:
    assert fec_of(speed) == fec


@pytest.mark.parametrize(
    ("leaf", "spine", "speed"),
    [
        ("nvidia-sn2700", "nvidia-sn5400", 100),  # 4 lanes, 8 lanes
        ("nvidia-sn4410", "nvidia-sn4410", 100),  # cages of 8 and of 2 lanes
        ("dell-s5248f", "dell-s5248f", 25),  # QSFP28 and SFP28
    ],
)
def test_both_ends_of_a_cable_have_one_fec(
    leaf: str, spine: str, speed: int, tmp_path: Path
) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(
        "fabric: t\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\n"
        f"links: {{speed: {speed}}}\n"
        f"platforms:\n  default: {{platform: sonic, model: {leaf}}}\n  spine: {{model: {spine}}}\n"
        f"hosts: {{count: 4, nics: 1, speed: {speed}}}\n",
        encoding="utf-8",
    )
    made = flow.load(path)
    models = DeviceModels(made)
    fec = {
        (switch.name, port.name): port.fec
        for switch in made.topology.switches
        for port in models.of(switch.name).used_interfaces
    }
    for link in made.topology.fabric_links:
        ends = {fec[end.device, end.port] for end in (link.a, link.b)}
        assert ends == {"rs"}, link.id


@pytest.mark.parametrize("name", ["dragonfly128", "1024gpu-mixed"])
def test_chains_without_the_model_are_those_of_the_model(name: str) -> None:
    made = flow.load(Path(__file__).parents[2] / "inventories" / f"{name}.yaml")
    models = DeviceModels(made)
    for switch in made.topology.switches[::9]:
        whole = tuple(port.chain for port in models.of(switch.name).used_interfaces)
        assert tuple(models.chains_of(switch.name)) == whole


def test_a_host_is_not_a_switch() -> None:
    with pytest.raises(KeyError):
        device_model(design(), "gpu-0")
