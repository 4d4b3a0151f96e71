"""What is rendered says what the model says; what NVUE cannot say is refused or named."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.model.finding import InputError
from fabric.model.underlay import Community, Denial, RoutePolicy, Tag
from fabric.platforms import cumulus_nvue
from fabric.text import TemplateFault, chains
from tests.platforms.cumulus_nvue.cases import (
    CASES,
    DEVICES,
    EVERY,
    FILE,
    INVENTORIES,
    files,
    files_of,
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


def sayable(chain: QosChain, device: str) -> QosChain:
    """The chain without what the switch works out itself: groups, headroom, when to restore."""
    timers = chain.watchdog
    return replace(
        chain,
        device=device,
        tc_to_pg=SILENT,
        pfc_priority_to_queue=SILENT,
        pfc_priority_to_pg=SILENT,
        lossless_pgs=(),
        xoff_bytes=SILENT,
        buffers=SILENT,
        queues=tuple(replace(queue, lossless_buffer=False) for queue in chain.queues),
        watchdog=replace(timers, restore_ms=timers.poll_ms) if timers else None,
    )


def read(config: str, device: str = "leaf-0") -> tuple[QosChain, ...]:
    return chains("cumulus_nvue", {FILE: config}, device)


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_every_port_does_what_the_model_says(case: str, device: str) -> None:
    wanted = [sayable(port.chain, device) for port in model(case, device).interfaces]
    assert list(chains("cumulus_nvue", files(case, device), device)) == wanted


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_every_kind_of_port_is_bound(case: str, device: str) -> None:
    """Host port, breakout child, uplink, unused port and SFP alike; nothing is left to complain."""
    found = {chain.port: chain for chain in read(text(case, device), device)}
    assert found.keys() == {port.name for port in model(case, device).interfaces}
    for chain in found.values():
        assert None not in chain.dscp_to_tc
        assert chain.pfc_priorities
        assert len(chain.pfc_priorities) < 8
        assert chain.watchdog_priorities == chain.pfc_priorities
        for priority in chain.pfc_priorities:
            queue = chain.queues[priority]
            assert (queue.scheduler, queue.ecn) == ("dwrr", True)
            assert queue.kmin_bytes
        assert not chain.queues[0].ecn
        assert chain.queues[6].scheduler == "strict"
    assert cumulus_nvue.problems(files(case, device)) == ()


def test_ports_are_named_by_cage_and_child() -> None:
    names = [port.name for port in model("numbered").interfaces]
    assert names == ["swp1s0", "swp1s1", "swp2", "swp3", "swp4", "swp5"]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("case", CASES)
def test_only_prefixes_of_the_speaker_are_announced(case: str, device: str) -> None:
    speaker, config = model(case, device).speaker, text(case, device)
    by_family = sorted(speaker.announces, key=lambda prefix: ":" in prefix)
    assert re.findall(r" network (\S+)$", config, re.MULTILINE) == by_family
    assert re.findall(r" prefix-list \S+ rule \d+ match (\S+)$", config, re.MULTILINE) == by_family
    assert "redistribute" not in config
    discards = re.findall(r" static (\S+) via blackhole$", config, re.MULTILINE)
    assert discards == list(speaker.discards)


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_what_neighbours_announce_passes_and_nothing_else(case: str, device: str) -> None:
    config, sessions = text(case, device), model(case, device).sessions
    paths = re.findall(
        r" as-path-list FABRIC-LEARNED rule \d+ aspath-exp (\S+)$", config, re.MULTILINE
    )
    assert paths == [f"^{asn}_" for asn in sorted({session.peer_asn for session in sessions})]
    for name in set(re.findall(r"route-map (FABRIC-OUT\S*) rule", config)):
        permits = re.findall(rf"route-map {name} rule (\d+) action permit$", config, re.MULTILINE)
        matched = re.findall(rf"route-map {name} rule (\d+) match \S+-list", config, re.MULTILINE)
        assert set(permits) <= set(matched), "a rule without a match would let everything out"


def test_cages_are_split_in_a_file_of_their_own() -> None:
    """Applied first: QoS of a child that is made in the same apply may fail."""
    assert [file.name for file in model("numbered").platform.files] == ["ports.nv", "fabric.nv"]
    assert " breakout " not in text("numbered")
    assert files("numbered")["ports.nv"].splitlines()[1:] == [
        "nv set interface swp1 type swp",
        "nv set interface swp1 link breakout 2x lanes-per-port 4",
    ]
    assert files("numbered", "spine-1").keys() == {"fabric.nv"}, "nothing is split there"


def test_a_bond_bears_what_its_members_want() -> None:
    config = text("bond")
    assert "nv set interface bond10 qos pfc profile fabric-pfc-3-5m\n" in config
    member = re.findall(r"^nv set interface swp1s0 qos (.*)$", config, re.MULTILINE)
    assert member == ["pfc-watchdog state enable"]


def test_members_that_differ_are_refused() -> None:
    device = model("bond")
    ports = _first(device, pfc_priorities=(4,))
    assert "members of bond10 want different" in _refused(replace(device, interfaces=ports))


def test_cable_lengths_are_rounded_up() -> None:
    lengths = {
        port.cable_m: port.name for port in model("tiers", "agg-1-1").interfaces if port.admin_up
    }
    config = text("tiers", "agg-1-1")
    assert f"interface {lengths[12.5]} qos pfc profile fabric-pfc-3-13m\n" in config
    assert "nv set qos pfc fabric-pfc-3-13m cable-length 13\n" in config


def test_tiers_hash_with_seeds_of_their_own() -> None:
    devices = ("edge-0-0", "agg-1-1", "core-3")
    seeds = [cumulus_nvue.settings({FILE: text("tiers", d)})["hash seed"] for d in devices]
    assert len(set(seeds)) == 3


def test_generic_boxes_get_no_lanes_and_say_so() -> None:
    device = model("numbered")
    ports = tuple(replace(port, lane_count=None) for port in device.interfaces)
    unknown = replace(device, interfaces=ports)
    assert "nv set interface swp1 link breakout 2x\n" in files_of(unknown)["ports.nv"]
    (found,) = (f for f in render(unknown).findings if f.keys == ("lanes",))
    assert found.message == "leaf-0: lanes-per-port of 2 split ports left out (swp1s0 …)"


def test_what_has_no_word_is_named() -> None:
    found = [(f.rule, f.severity.name, f.keys[0]) for f in render(model("numbered")).findings]
    assert found == [
        ("RCE409", "INFO", "headroom"),
        ("RCE391", "INFO", "restore"),
        ("RCE391", "WARNING", "bgp-dscp"),
    ]
    assert [f.keys[0] for f in render(model("bfd")).findings] == ["headroom", "bgp-dscp"]


def test_bgp_shares_the_class_that_the_finding_names() -> None:
    (found,) = (f for f in render(model("numbered")).findings if f.keys == ("bgp-dscp",))
    assert found.message == "leaf-0: BGP packets leave with DSCP 48, not 56: class cnp"


def test_an_address_on_no_management_port_is_left_out() -> None:
    device = replace(model("numbered"), management_interface="Management1")
    assert "192.0.2.1/24" not in text_of(device)
    assert "management" in [f.keys[0] for f in render(device).findings]


def _refused(device: DeviceModel) -> str:
    with pytest.raises(TemplateFault) as caught:
        text_of(device)
    return caught.value.message


def _first(device: DeviceModel, **changes: object) -> tuple[Interface, ...]:
    first = device.interfaces[0]
    chain = replace(first.chain, **changes)  # type: ignore[arg-type]
    return (replace(first, chain=chain), *device.interfaces[1:])


def test_one_map_for_all_ports() -> None:
    device = model("numbered")
    ports = _first(device, tc_to_queue=(0, 1, 2, 4, 3, 5, 6, 7))
    message = _refused(replace(device, interfaces=ports))
    assert message == "NVUE has one map of priorities to queues per switch; its ports want 2"


def test_a_pause_stops_the_queue_that_its_priority_leads_to() -> None:
    device = model("numbered")
    ports = _first(device, pfc_priority_to_queue=(0, 1, 2, 4, 3, 5, 6, 7))
    assert "not queue 4 for priority 3" in _refused(replace(device, interfaces=ports))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"action": "forward"}, "there is no action forward"),
        ({"detect_ms": 250}, "detect_ms must be 1 to 1000 times poll_ms"),
        ({"detect_ms": 100_100}, "detect_ms must be 1 to 1000 times poll_ms"),
    ],
)
def test_a_watchdog_that_cannot_be_told(changes: dict[str, object], words: str) -> None:
    device = model("numbered")
    timers = replace(device.watchdog, **changes)  # type: ignore[arg-type]
    assert words in _refused(replace(device, watchdog=timers))


def test_a_policy_that_needs_communities_kept_is_refused() -> None:
    """Whether `set community` adds or replaces is not confirmed."""
    device = model("policy-dragonfly-plus", "spine-0-1")
    local, over = Community("FABRIC-OVER-LOCAL", "64999:1"), Community("X", "64999:2")
    policy = RoutePolicy(
        tags=(Tag("global", over),), denials=(Denial("global", over), Denial("leaf-spine", local))
    )
    speaker = replace(device.speaker, policy=policy)
    assert "this route policy depends on it" in _refused(replace(device, speaker=speaker))


@pytest.mark.parametrize(
    ("lines", "rule"),
    [
        ("roce: {watchdog: {poll_ms: 50}}", "RCE022"),
        ("roce: {watchdog: {poll_ms: 100, detect_ms: 250}}", "RCE022"),
        ("roce: {watchdog: {action: forward}}", "RCE023"),
        ("roce: {mtu: {switch: 9300}}", "RCE021"),
        ("load_balancing: adaptive", "RCE023"),
    ],
)
def test_limits_are_told_at_plan_time(tmp_path: Path, lines: str, rule: str) -> None:
    assert rule in _told(tmp_path, lines)


def test_a_release_with_other_words_is_an_error(tmp_path: Path) -> None:
    assert "RCE009" in _told(tmp_path, "", "os_version: '5.15'")


def test_a_box_of_another_vendor_is_an_error(tmp_path: Path) -> None:
    assert "RCE009" in _told(tmp_path, "", "model: arista-7060dx5-64s")


def test_no_class_rises_here() -> None:
    with pytest.raises(InputError) as caught:
        flow.load(INVENTORIES / "policy-dragonfly.yaml")
    assert {finding.rule for finding in caught.value.findings} == {"RCE023"}


def _told(folder: Path, lines: str, box: str = "model: sn5600") -> set[str]:
    path = folder / "f.yaml"
    path.write_text(
        "fabric: f\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\nhosts: {speed: 200}\n"
        f"platforms: {{default: {{platform: cumulus_nvue, {box}}}}}\n{lines}\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError) as caught:
        flow.load(path)
    return {finding.rule for finding in caught.value.findings}
