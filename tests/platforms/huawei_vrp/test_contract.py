"""What is rendered says what the model says; what VRP cannot say is refused or named."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric.platforms import huawei_vrp
from fabric.text import chains, read_back
from tests.platforms.huawei_vrp.cases import EVERY, FILE, model, render, text, text_of

if TYPE_CHECKING:
    from fabric.model.qos import QosChain

SILENT = (None,) * 8


def sayable(chain: QosChain, device: str) -> QosChain:
    """The chain without what has no word: priority groups, buffers, a polling interval."""
    assert chain.watchdog is not None
    return replace(
        chain,
        device=device,
        tc_to_pg=SILENT,
        pfc_priority_to_pg=SILENT,
        lossless_pgs=(),
        xoff_bytes=SILENT,
        buffers=SILENT,
        queues=tuple(replace(queue, lossless_buffer=False) for queue in chain.queues),
        watchdog=replace(chain.watchdog, poll_ms=0),
    )


def read(config: str, device: str = "leaf-0") -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains("huawei_vrp", {FILE: config}, device)}


# Unused ports of a generic box run at any speed: what a percent of them is, is not known.
@pytest.mark.parametrize(("case", "device"), [c for c in EVERY if c[0] != "generic"])
def test_every_port_does_what_the_model_says(case: str, device: str) -> None:
    found = read(text(case, device), device)
    wanted = {p.name: sayable(p.chain, device) for p in model(case, device).interfaces}
    assert found == wanted


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_every_kind_of_port_is_lossless(case: str, device: str) -> None:
    """Host port, breakout child, uplink, unused port and SFP alike."""
    found = read(text(case, device), device)
    assert found.keys() == {port.name for port in model(case, device).interfaces}
    for chain in found.values():
        assert None not in chain.dscp_to_tc
        assert 3 in chain.pfc_priorities
        assert chain.mtu_bytes in {9214, 9216}
        for priority in chain.pfc_priorities:
            queue = chain.queues[priority]
            assert (queue.scheduler, queue.ecn) == ("dwrr", True)
            assert queue.kmin_bytes
    assert huawei_vrp.problems({FILE: text(case, device)}) == ()
    assert read_back(model(case, device), render(model(case, device))).findings == ()


def test_ports_are_named_by_the_run_of_their_cages() -> None:
    names = [port.name for port in model("numbered").interfaces]
    assert names == [
        "400GE1/0/1:1", "400GE1/0/1:2", "400GE1/0/2", "400GE1/0/3", "400GE1/0/4", "25GE1/0/1",
    ]  # fmt: skip


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_only_prefixes_of_the_speaker_are_announced(case: str, device: str) -> None:
    speaker, config = model(case, device).speaker, text(case, device)
    listed = re.findall(
        r"^ip ip(?:v6)?-prefix ANNOUNCE-V[46] .* permit (.+)$", config, re.MULTILINE
    )
    by_family = sorted(speaker.announces, key=lambda prefix: ":" in prefix)
    assert listed == [prefix.replace("/", " ") for prefix in by_family]
    assert len(re.findall(r"^  network ", config, re.MULTILINE)) == len(by_family)
    assert "import-route" not in config
    assert config.count(" NULL0\n") == len(speaker.discards)


def test_every_session_has_the_policies_of_its_cable_and_family() -> None:
    config = text("dual")
    assert "  peer 10.254.0.3 route-policy FABRIC-OUT-V4 export\n" in config
    v6 = config.partition(" ipv6-family unicast\n")[2]
    assert re.findall(r"^  peer (\S+) route-policy FABRIC-OUT-V6 export$", v6, re.MULTILINE) == [
        "fd00:254::7",
        "fd00:254::5",
    ]
    assert "10.254" not in v6


def test_the_families_have_their_own_words_and_no_other() -> None:
    own = {
        "numbered": ("underlay seed", "headroom-pool", "dscp-mapping", "deadlock-detect interval"),
        "family-b": ("qos ecn enable", " ecmp seed", "deadlock-detect timer"),
    }
    for case, words in own.items():
        (other,) = own.keys() - {case}
        assert all(word in text(case) for word in words)
        assert not any(word in text(other) for word in words)
    assert "hdrm" not in text("family-b")


def test_the_pool_is_the_headroom_of_all_ports_in_use() -> None:
    """Two hosts and two uplinks with 256 kbytes each; two classes on two hosts and two uplinks."""
    assert "headroom-pool size 1024 kbytes" in text("numbered")
    assert "headroom-pool size 2048 kbytes" in text("two-lossless")


def test_headroom_of_a_known_chip_is_asked_for_in_full() -> None:
    """81,233 bytes are 82 kbytes of 1000, and fewer of 1024."""
    device = model("numbered")
    ports = []
    for port in device.interfaces:
        assert port.profile is not None
        xoff = replace(port.profile.xoff_bytes, value=81_233, basis="inventory")
        ports.append(replace(port, profile=replace(port.profile, xoff_bytes=xoff)))
    config = text_of(replace(device, interfaces=tuple(ports)))
    assert set(re.findall(r"hdrm (\d+) kbytes", config)) == {"82"}
    assert "headroom-pool size 328 kbytes" in config


def test_what_has_no_confirmed_word_is_named() -> None:
    found = [(f.rule, f.keys[0]) for f in render(model("numbered")).findings]
    assert found == [
        ("RCE409", "headroom"),
        ("RCE391", "watchdog-poll"),
        ("RCE391", "bgp-dscp"),
        ("RCE391", "gateway"),
    ]
    assert "port-names" in [f.keys[0] for f in render(model("generic")).findings]


def test_an_address_on_no_management_interface_is_left_out() -> None:
    device = replace(model("numbered"), management_interface="eth0")
    assert "192.0.2.1" not in text_of(device)
    assert "management" in [f.keys[0] for f in render(device).findings]


def test_vlans_ten_at_a_time() -> None:
    device = model("vlan")
    svis = tuple(replace(device.svis[0], vlan=100 + 2 * n) for n in range(12))
    config = text_of(replace(device, svis=svis))
    assert "vlan batch 100 102 104 106 108 110 112 114 116 118\nvlan batch 120 122\n" in config
