"""What is rendered says what the model says; what NX-OS cannot say is refused or named."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.model.finding import InputError
from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import cisco_nxos
from fabric.text import TemplateFault, chains
from tests.platforms.cisco_nxos.cases import EVERY, FILE, model, render, text, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.device import DeviceModel, Interface

SILENT = (None,) * 8


def read(config: str, device: str = "leaf-0") -> tuple[QosChain, ...]:
    return chains("cisco_nxos", {FILE: config}, device)


def sayable(chain: QosChain, device: str) -> QosChain:
    """The chain without what has no word: groups, headroom, the times of the watchdog."""
    stops = {priority: priority for priority in chain.pfc_priorities}
    return replace(
        chain,
        device=device,
        tc_to_pg=SILENT,
        pfc_priority_to_queue=tuple(stops.get(n) for n in range(8)),
        pfc_priority_to_pg=SILENT,
        lossless_pgs=(),
        xoff_bytes=SILENT,
        buffers=SILENT,
        watchdog=None,
        queues=tuple(replace(q, lossless_buffer=False) for q in chain.queues),
    )


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_every_port_does_what_the_model_says(case: str, device: str) -> None:
    ports = model(case, device).interfaces
    assert list(read(text(case, device), device)) == [sayable(p.chain, device) for p in ports]


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_every_kind_of_port_is_bound(case: str, device: str) -> None:
    """Host port, breakout child, member of a port-channel, uplink, unused port and SFP alike."""
    ports = model(case, device).interfaces
    found = {chain.port: chain for chain in read(text(case, device), device)}
    assert found.keys() == {port.name for port in ports}
    for chain in found.values():
        assert None not in chain.dscp_to_tc
        assert chain.pfc_priorities in {(3,), (3, 4)}
        assert chain.watchdog_priorities == chain.pfc_priorities
        assert chain.mtu_bytes == 9216
        for priority in chain.pfc_priorities:
            queue = chain.queues[priority]
            assert (queue.scheduler, queue.ecn) == ("dwrr", True)
            assert queue.kmin_bytes
    assert cisco_nxos.problems({FILE: text(case, device)}) == ()


def test_ports_are_named_after_cage_and_child() -> None:
    names = [port.name for port in model("numbered").interfaces]
    assert names[:3] == ["Ethernet1/1/1", "Ethernet1/1/2", "Ethernet1/2"]
    assert names[-1] == "Ethernet1/7"


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_the_network_policy_has_the_mtu_of_the_ports(case: str, device: str) -> None:
    found = cisco_nxos.settings({FILE: text(case, device)})
    assert found == {
        "ECMP hash seed": str(model(case, device).hash_seed),
        "network-qos MTU": "9216",
    }


def test_tiers_hash_with_different_seeds() -> None:
    devices = ("edge-0-0", "agg-0-1", "core-2")
    assert len({model("tiers-fat-tree", d).hash_seed for d in devices}) == 3


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_only_prefixes_of_the_speaker_are_announced(case: str, device: str) -> None:
    speaker, config = model(case, device).speaker, text(case, device)
    by_family = sorted(speaker.announces, key=lambda prefix: ":" in prefix)
    assert re.findall(r"^    network (\S+)$", config, re.MULTILINE) == by_family
    listed = re.findall(r"prefix-list \S+ seq \d+ permit (\S+)$", config, re.MULTILINE)
    assert listed == by_family
    assert "redistribute" not in config
    assert re.findall(r"^ip(?:v6)? route (\S+) Null0$", config, re.MULTILINE) == list(
        speaker.discards
    )


def test_peers_that_may_see_their_own_number_are_sent_it() -> None:
    """By default NX-OS does not send a peer a path that holds the peer's ASN."""
    device = model("numbered")
    config = text_of(replace(device, speaker=replace(device.speaker, allowas_in=2)))
    assert "      allowas-in 2\n      disable-peer-as-check\n" in config


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_every_name_that_is_used_exists(case: str, device: str) -> None:
    config = text(case, device)
    for used, made in (
        (r"service-policy type queuing output (\S+)", r"policy-map type queuing (\S+)"),
        (r"service-policy type qos input (\S+)", r"policy-map type qos (\S+)"),
        (r"service-policy type network-qos (\S+)", r"policy-map type network-qos (\S+)"),
        (r"^  class (ROCE\S+)", r"class-map type qos match-any (\S+)"),
        (r"inherit peer (\S+)", r"template peer (\S+)"),
        (r"^ +route-map (\S+) (?:in|out)", r"^route-map (\S+) "),
        (r"match as-path (\S+)", r"as-path access-list (\S+)"),
        (r"match community (\S+)", r"community-list standard (\S+)"),
        (r"channel-group (\d+)", r"^interface port-channel(\d+)"),
    ):
        wanted, there = (set(re.findall(p, config, re.MULTILINE)) for p in (used, made))
        assert wanted == there, used


def test_a_member_is_of_the_layer_of_its_port_channel() -> None:
    section = text("bond-vlan").partition("interface Ethernet1/1/1\n")[2].partition("!")[0]
    assert "  switchport access vlan 100\n" in section
    assert "no switchport" not in section
    assert "service-policy" not in section


def test_what_has_no_confirmed_word_is_named() -> None:
    found = {f.keys[0]: (f.rule, f.severity.name) for f in render(model("numbered")).findings}
    assert found == {
        "headroom": ("RCE409", "INFO"),
        "watchdog-times": ("RCE391", "WARNING"),
        "bgp-dscp": ("RCE391", "INFO"),
        "fec": ("RCE391", "INFO"),
    }
    assert "tcam" in {f.keys[0] for f in render(model("ipv6")).findings}
    assert "port-channel" in {f.keys[0] for f in render(model("bond")).findings}


def test_a_watchdog_that_is_off_is_neither_written_nor_told() -> None:
    device = model("numbered")
    ports = _ports(device, watchdog_priorities=())
    off = replace(device, interfaces=ports, watchdog=replace(device.watchdog, enabled=False))
    assert "watch-dog" not in text_of(off)
    assert "watchdog-times" not in {f.keys[0] for f in render(off).findings}


def test_an_address_on_no_management_interface_is_left_out() -> None:
    device = replace(model("numbered"), management_interface="eth0")
    assert "192.0.2.1/24" not in text_of(device)
    assert "vrf" not in text_of(device)
    assert "management" in [f.keys[0] for f in render(device).findings]


def _ports(device: DeviceModel, **changes: object) -> tuple[Interface, ...]:
    return tuple(
        replace(p, chain=replace(p.chain, **changes))  # type: ignore[arg-type]
        for p in device.interfaces
    )


def _refused(device: DeviceModel) -> str:
    with pytest.raises(TemplateFault) as caught:
        text_of(device)
    return caught.value.message


def test_one_map_for_all_ports() -> None:
    device = model("numbered")
    rising = replace(device.interfaces[0].chain, dscp_to_tc=(4,) * 64)
    ports = (replace(device.interfaces[0], chain=rising), *device.interfaces[1:])
    message = _refused(replace(device, interfaces=ports))
    assert message == "NX-OS has one network-qos policy per switch; its ports want 2"


def test_one_mtu_for_all_ports() -> None:
    device = model("numbered")
    ports = (replace(device.interfaces[0], mtu_bytes=4200), *device.interfaces[1:])
    assert _refused(replace(device, interfaces=ports)).endswith("its ports want 2")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pfc_priority_to_queue": (0, 1, 2, 4, 3, 5, 6, 7)}, "pfc-cos 3 would stop queue 4"),
        ({"pfc_priorities": (0, 3)}, "qos-group 0 is the class of all the rest"),
        ({"tc_to_queue": (0, 1, 2, 3, 4, 5, 7, 6)}, "the model has class 6 in queue 7"),
        ({"tc_to_dscp": (0,) * 8}, "no per-port rewrite of DSCP"),
    ],
)
def test_a_chain_that_nxos_cannot_have(changes: dict[str, object], words: str) -> None:
    device = model("numbered")
    assert words in _refused(replace(device, interfaces=_ports(device, **changes)))


def test_a_strict_queue_below_another_is_refused() -> None:
    device = model("numbered")
    queues = list(device.interfaces[0].chain.queues)
    queues[2] = QueueSettings(2, "strict")
    message = _refused(replace(device, interfaces=_ports(device, queues=tuple(queues))))
    assert message.startswith("strict queues of NX-OS are those from 7 down")


def test_a_split_without_a_known_word_is_refused() -> None:
    device = model("numbered")
    ports = (replace(device.interfaces[0], children=8, speed_gbps=50), *device.interfaces[1:])
    assert "split into 8 ports of 50G" in _refused(replace(device, interfaces=ports))


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("roce: {watchdog: {poll_ms: 200}}", "RCE022"),
        ("roce: {watchdog: {action: alert}}", "RCE023"),
        ("roce: {mtu: {switch: 9300}}", "RCE021"),
        ("addressing: {links: unnumbered}", "RCE023"),
        ("load_balancing: dlb", "RCE023"),
        ("roce: {classes: [{name: v, dscp: 46, priority: 2, scheduler: strict}]}", "RCE023"),
    ],
)
def test_what_the_system_cannot_do_is_told_at_plan_time(
    tmp_path: Path, line: str, rule: str
) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(
        "fabric: f\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\nhosts: {speed: 100}\n"
        f"platforms: {{default: {{platform: cisco_nxos, model: generic, syntax: 8q}}}}\n{line}\n"
    )
    with pytest.raises(InputError) as caught:
        flow.plan(path, out=tmp_path / "build", today=date(2026, 1, 1))
    assert {finding.rule for finding in caught.value.findings} == {rule}
