"""What is rendered says what the model says; what OS10 cannot say is refused or named."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.model.finding import InputError
from fabric.platforms import dell_os10
from fabric.text import TemplateFault, chains
from tests.platforms.dell_os10.cases import (
    CASES,
    DEVICES,
    FILE,
    POLICIES,
    model,
    render,
    text,
    text_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.device import DeviceModel, Interface
    from fabric.model.qos import QosChain

SILENT = (None,) * 8


def sayable(chain: QosChain) -> QosChain:
    """The chain without groups, headroom and bytes of thresholds, for which there is no word."""
    queues = tuple(
        replace(q, kmin_bytes=None, kmax_bytes=None, lossless_buffer=False) for q in chain.queues
    )
    return replace(
        chain,
        tc_to_pg=SILENT,
        pfc_priority_to_queue=SILENT,
        pfc_priority_to_pg=SILENT,
        lossless_pgs=(),
        xoff_bytes=SILENT,
        buffers=SILENT,
        queues=queues,
    )


def read(config: str, device: str = "leaf-0") -> tuple[QosChain, ...]:
    return chains("dell_os10", {FILE: config}, device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("case", CASES)
def test_every_port_does_what_the_model_says(case: str, device: str) -> None:
    wanted = [sayable(port.chain) for port in model(case, device).interfaces]
    found = read(text(case, device), device)
    assert list(found) == [replace(chain, device=device) for chain in wanted]
    assert dell_os10.problems({FILE: text(case, device)}) == ()
    for chain in found:  # host port, breakout child, uplink, unused port and SFP alike
        assert None not in chain.dscp_to_tc
        assert chain.pfc_priorities == ((3, 4) if case == "two-lossless" else (3,))
        assert chain.queues[3].ecn


def test_thresholds_are_kilobytes_rounded_down() -> None:
    """200G of the nvidia preset: 375,000 and 1,500,000 bytes."""
    line = " random-detect color green minimum-threshold 366 maximum-threshold 1464 "
    assert f"{line}drop-probability 5\n" in text("numbered")


def test_the_mtu_counts_32_bytes_more() -> None:
    assert set(re.findall(r"^ mtu (\d+)$", text("vlan"), re.MULTILINE)) == {"9216"}
    assert {chain.mtu_bytes for chain in read(text("vlan"))} == {9184}


@pytest.mark.parametrize(("case", "device"), [*((c, "leaf-0") for c in CASES), *POLICIES])
def test_only_prefixes_of_the_speaker_are_announced(case: str, device: str) -> None:
    speaker, config = model(case, device).speaker, text(case, device)
    by_family = sorted(speaker.announces, key=lambda prefix: ":" in prefix)
    assert re.findall(r"^  network (\S+)$", config, re.MULTILINE) == by_family
    listed = re.findall(r"^ip(?:v6)? prefix-list \S+ seq \d+ permit (\S+)$", config, re.MULTILINE)
    assert listed == by_family
    assert "redistribute" not in config
    routes = re.findall(r"^ip(?:v6)? route (\S+) interface", config, re.MULTILINE)
    assert routes == list(speaker.discards)


@pytest.mark.parametrize(("case", "device"), POLICIES)
def test_communities_by_kind_of_cable(case: str, device: str) -> None:
    config, policy = text(case, device), model(case, device).speaker.policy
    assert policy
    for denied in policy.denied:
        line = f"ip community-list standard {denied.name} permit {denied.value}\n"
        assert line in config
    neighbours = config.split("\n neighbor ")[1:]
    assert neighbours
    for neighbour in neighbours:
        assert "  send-community standard\n" in neighbour
        maps = re.findall(r"   route-map (\S+) (in|out)\n", neighbour)
        assert [way for _, way in maps] == ["in", "out"]
        assert all(f"\nroute-map {name} " in config for name, _ in maps)


def test_what_has_no_confirmed_word_is_named() -> None:
    found = [(f.rule, f.keys[0]) for f in render(model("numbered")).findings]
    assert found == [
        ("RCE391", "unproven"),
        ("RCE391", "watchdog"),
        ("RCE409", "headroom"),
        ("RCE391", "breakout"),
        ("RCE391", "fec"),
        ("RCE391", "hash-seed"),
        ("RCE391", "bgp-dscp"),
        ("RCE391", "management"),
    ]
    assert "arp" in [f.keys[0] for f in render(model("vlan")).findings]
    assert "breakout" not in [f.keys[0] for f in render(model("numbered", "spine-1")).findings]


def test_lines_without_a_source_say_so_and_are_asked_for(tmp_path: Path) -> None:
    config = text("numbered")
    assert "! in no public source: trust dscp-map" in config
    assert "never tried on a switch" in config.splitlines()[1]
    path = tmp_path / "f.yaml"
    path.write_text(
        "fabric: f\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\nhosts: {speed: 100}\n"
        "platforms: {default: {platform: dell_os10, model: generic}}\n"
    )
    with pytest.raises(InputError) as caught:
        flow.load(path)
    (finding,) = caught.value.findings
    assert finding.rule == "RCE009"
    assert "trust-dscp-map" in finding.fix


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
    assert message == "OS10 is told one DSCP map and one queue map; its ports want 2"


def test_a_priority_belongs_to_the_group_of_its_number() -> None:
    device = model("numbered")
    swapped = (0, 1, 2, 4, 3, 5, 6, 7)
    message = _refused(replace(device, interfaces=_ports(device, pfc_priority_to_queue=swapped)))
    assert message.endswith("not for queue 4")


@pytest.mark.parametrize(
    ("queue", "changes", "words"),
    [
        (3, {"kmax_bytes": 12_481 * 1024}, "1 to 12480 kilobytes, not 12481"),
        (3, {"kmin_bytes": 1023}, "1 to 12480 kilobytes, not 0"),
        (0, {"weight": 40}, "to be 100 together, not 90"),
    ],
)
def test_what_os10_takes_no_number_for(queue: int, changes: dict[str, int], words: str) -> None:
    device = model("numbered")
    queues = tuple(
        replace(q, **changes) if q.queue == queue else q  # type: ignore[arg-type]
        for q in device.interfaces[0].chain.queues
    )
    assert words in _refused(replace(device, interfaces=_ports(device, queues=queues)))
