"""What is rendered says what the model says; what the system cannot say is refused or named."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.files.locate import templates_root
from fabric.model.finding import InputError, Severity
from fabric.plan.own_templates import template_faults
from fabric.platforms import dell_sonic
from fabric.text import TemplateFault, chains
from tests.platforms.dell_sonic.cases import (
    EVERY,
    FILE,
    SYSTEM,
    model,
    render,
    text,
    text_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain

SILENT = (None,) * 8


def read(config: str, device: str = "leaf-0") -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains(SYSTEM, {FILE: config}, device)}


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_every_port_does_what_the_model_says(case: str, device: str) -> None:
    """FC-69: host port, breakout child, uplink, unused port, SFP and member of a bond alike."""
    found = read(text(case, device), device)
    ports = model(case, device).interfaces
    assert found.keys() == {port.name for port in ports}
    for port in ports:
        chain, meant = found[port.name], port.chain
        assert chain.dscp_to_tc == meant.dscp_to_tc
        assert chain.tc_to_queue == meant.tc_to_queue
        assert chain.tc_to_dscp == meant.tc_to_dscp
        assert chain.pfc_priority_to_queue == meant.pfc_priority_to_queue
        assert chain.pfc_priorities == meant.pfc_priorities == chain.watchdog_priorities
        assert chain.watchdog == meant.watchdog
        assert chain.mtu_bytes == port.mtu_bytes
        for queue, own in zip(chain.queues, meant.queues, strict=True):
            assert (queue.scheduler, queue.weight, queue.ecn) == (
                own.scheduler,
                own.weight,
                own.ecn,
            )
    assert dell_sonic.problems({FILE: text(case, device)}) == ()


def test_lossless_classes_keep_their_group_and_lossy_ones_get_7() -> None:
    """Group 0 has no buffer of its own here; 7 is the one that `buffer init lossless` makes."""
    assert {c.tc_to_pg for c in read(text("numbered")).values()} == {(7, 7, 7, 3, 7, 7, 7, 7)}
    assert {c.tc_to_pg for c in read(text("two-lossless")).values()} == {(7, 7, 7, 3, 4, 7, 7, 7)}


def test_thresholds_are_cut_down_to_whole_kbytes() -> None:
    """Of 10G: 18,750 and 75,000 bytes in the design."""
    (port,) = [p for p in model("numbered").interfaces if p.speed_gbps == 10]
    marking = port.chain.queues[3]
    assert (marking.kmin_bytes, marking.kmax_bytes) == (18_750, 75_000)
    queue = read(text("numbered"))[port.name].queues[3]
    assert (queue.kmin_bytes, queue.kmax_bytes) == (18_000, 75_000)


def test_a_rate_is_typed_in_kbit() -> None:
    """CNP gets a tenth of 200G at most: 20 Gbit/s, 2.5 GB/s."""
    queue = read(text("numbered"))["Eth1/1/1"].queues[6]
    assert queue.max_rate_bytes_per_s == 2_500_000_000
    assert "  pir 20000000\n" in text("numbered")


def test_only_the_ports_of_global_cables_raise_the_class() -> None:
    device = model("rise-dragonfly", "router-0-1")
    found = read(text("rise-dragonfly", "router-0-1"))
    raising = {port.name for port in device.interfaces if port.chain.remarks}
    assert raising == {"Eth1/3"}
    assert {name for name, chain in found.items() if chain.remarks} == raising
    assert found["Eth1/3"].tc_to_queue[3] == 4
    assert found["Eth1/3"].tc_to_dscp[3] == 34
    assert found["Eth1/2"].tc_to_queue[3] == 3


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_only_prefixes_of_the_speaker_are_announced(case: str, device: str) -> None:
    speaker, config = model(case, device).speaker, text(case, device)
    by_family = sorted(speaker.announces, key=lambda prefix: ":" in prefix)
    assert re.findall(r"^  network (\S+)$", config, re.MULTILINE) == by_family
    listed = re.findall(r"^ip(?:v6)? prefix-list \S+ seq \d+ permit (\S+)$", config, re.MULTILINE)
    assert listed == by_family
    assert "redistribute" not in config
    discards = re.findall(r"^ip(?:v6)? route (\S+) blackhole$", config, re.MULTILINE)
    assert sorted(discards) == sorted(speaker.discards)


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_nothing_reboots_the_switch(case: str, device: str) -> None:
    """Both commands save and reboot at once: they are a step of their own, and the plan says so."""
    assert not re.search(r"^\s*(no )?(roce|buffer) ", text(case, device), re.MULTILINE)
    found = {f.keys[0]: f for f in render(model(case, device)).findings}
    assert found["day-0"].severity is Severity.WARNING
    assert "buffer init lossless" in found["day-0"].message


def test_what_is_left_out_is_named_and_nothing_else() -> None:
    found = [(f.rule, f.keys[0]) for f in render(model("numbered")).findings]
    assert found == [
        ("RCE391", "day-0"),
        ("RCE391", "naming"),
        ("RCE409", "headroom"),
        ("RCE391", "bgp-dscp"),
        ("RCE391", "as-path"),
        ("RCE391", "management"),
    ]
    assert "port-channel" in [f.keys[0] for f in render(model("bond-dual")).findings]


def test_the_header_warns() -> None:
    first, second = text("numbered").splitlines()[:2]
    assert first.startswith("! fabric ent · device leaf-0 · templates dell_sonic/1 · sha256 ")
    assert second == "! experimental: Dell Enterprise SONiC was never tried on a switch"


def _refused(device: DeviceModel) -> str:
    with pytest.raises(TemplateFault) as caught:
        text_of(device)
    return caught.value.message


def _with_queue(device: DeviceModel, **changes: int) -> DeviceModel:
    ports = tuple(
        replace(
            port,
            chain=replace(
                port.chain,
                queues=tuple(
                    replace(queue, **changes) if queue.ecn else queue  # type: ignore[arg-type]
                    for queue in port.chain.queues
                ),
            ),
        )
        for port in device.interfaces
    )
    return replace(device, interfaces=ports)


@pytest.mark.parametrize(
    "changes", [{"kmax_bytes": 12_481_000}, {"kmin_bytes": 999}, {"kmin_bytes": 90_000_000}]
)
def test_thresholds_beyond_the_range_are_refused(changes: dict[str, int]) -> None:
    message = _refused(_with_queue(model("numbered"), **changes))
    assert message.startswith("a wred-policy takes 1 to 12480 KBytes")


def test_a_cable_beyond_300_m_is_refused() -> None:
    device = model("numbered")
    port = device.interfaces[0]
    assert port.profile is not None
    far = replace(port, profile=replace(port.profile, configured_cable_m=301))
    message = _refused(replace(device, interfaces=(far, *device.interfaces[1:])))
    assert message == "cable-length takes 5m, 40m or 300m; Eth1/1/1 has 301 m"


def test_one_map_of_pfc_priorities_for_all_ports() -> None:
    device = model("numbered")
    port = device.interfaces[0]
    swapped = replace(port.chain, pfc_priority_to_queue=(0, 1, 2, 4, 3, 5, 6, 7))
    ports = (replace(port, chain=swapped), *device.interfaces[1:])
    assert "its ports want 2" in _refused(replace(device, interfaces=ports))


def test_a_seed_beyond_24_bits_is_refused() -> None:
    assert "16777215" in _refused(replace(model("numbered"), hash_seed=1 << 24))


def test_other_lossless_priorities_are_one_clear_finding(tmp_path: Path) -> None:
    """Headroom is in groups 3 and 4 alone after `buffer init lossless`."""
    path = tmp_path / "f.yaml"
    path.write_text(
        "fabric: f\ntopology: {kind: leaf-spine, leaves: 2, spines: 1}\nhosts: {speed: 100}\n"
        "platforms: {default: {platform: dell_sonic}}\nroce: {priority: 5}\n"
    )
    device = DeviceModels(flow.load(path)).of("leaf-0")
    with pytest.raises(InputError) as caught, template_faults((templates_root(),)):
        text_of(device)
    (finding,) = caught.value.findings
    assert "lossless are priorities 3 and 4 alone on Enterprise SONiC" in finding.message
