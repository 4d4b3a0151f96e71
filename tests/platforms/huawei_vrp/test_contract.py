"""What is rendered says what the model says; what VRP cannot say is refused or named."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.model.finding import InputError
from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import huawei_vrp
from fabric.text import TemplateFault, chains, read_back
from tests.platforms.huawei_vrp.cases import EVERY, FILE, model, render, text, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.device import DeviceModel, Interface

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


def _ports(device: DeviceModel, **changes: object) -> tuple[Interface, ...]:
    return tuple(
        replace(p, chain=replace(p.chain, **changes))  # type: ignore[arg-type]
        for p in device.interfaces
    )


def _refused(device: DeviceModel) -> str:
    with pytest.raises(TemplateFault) as caught:
        text_of(device)
    return caught.value.message


SWAPPED = (0, 1, 2, 4, 3, 5, 6, 7)
MARKS_LITTLE = QueueSettings(
    3, "dwrr", 50, ecn=True, kmin_bytes=100, kmax_bytes=17_000_000, pmax_percent=5
)
MARKS_CNP = replace(MARKS_LITTLE, queue=6, kmin_bytes=1000, kmax_bytes=2000)


@pytest.mark.parametrize(
    ("case", "changes", "words"),
    [
        ("numbered", {"pfc_priority_to_queue": SWAPPED}, "a pause of priority 3 stops the queue"),
        ("numbered", {"tc_to_queue": SWAPPED}, "class 3 cannot be in queue 4"),
        ("numbered", {"pfc_priorities": (4,)}, "must have priority 3"),
        ("numbered", {"watchdog_priorities": ()}, "cannot be switched off on VRP"),
        ("family-b", {"pfc_priorities": (3, 6)}, "takes PFC priorities 0 to 5, not 6"),
        ("numbered", {"queues": (MARKS_LITTLE,)}, "this box takes 320 to 34078720"),
        ("family-b", {"queues": (MARKS_LITTLE,)}, "this box takes 128 to 16000000"),
        ("family-b", {"queues": (MARKS_CNP,)}, "marks in queues 0 to 5, not in queue 6"),
    ],
)
def test_chains_that_vrp_cannot_be_told(case: str, changes: dict[str, object], words: str) -> None:
    device = model(case)
    assert words in _refused(replace(device, interfaces=_ports(device, **changes)))


def test_one_map_and_one_profile_for_all_ports() -> None:
    device = model("numbered")
    first, *others = device.interfaces
    rising = replace(first, chain=replace(first.chain, dscp_to_tc=(4,) * 64))
    message = _refused(replace(device, interfaces=(rising, *others)))
    assert message == "the ports of VRP share one DSCP map here; these want 2"
    more = replace(first, chain=replace(first.chain, pfc_priorities=(3, 4)))
    message = _refused(replace(device, interfaces=(more, *others)))
    assert message == "all ports share the PFC profile of VRP; these want 2 lists of priorities"


@pytest.mark.parametrize(
    ("detect_ms", "restore_ms", "step", "steps"),
    [(200, 400, 100, (2, 4)), (150, 310, 10, (15, 31)), (1500, 15500, 500, (3, 31))],
)
def test_times_in_steps(detect_ms: int, restore_ms: int, step: int, steps: tuple[int, int]) -> None:
    device = model("numbered")
    timers = replace(device.watchdog, detect_ms=detect_ms, restore_ms=restore_ms)
    config = text_of(replace(device, watchdog=timers))
    assert f"deadlock-detect interval {step}\n" in config
    assert f" priority 3 deadlock-detect time {steps[0]}\n" in config
    assert f" priority 3 deadlock-recovery time {steps[1]}\n" in config


def test_times_that_are_no_steps() -> None:
    device = model("numbered")
    timers = replace(device.watchdog, detect_ms=160, restore_ms=320)
    assert _refused(replace(device, watchdog=timers)).startswith("no precision of VRP")


def test_a_pool_that_is_too_large() -> None:
    device = model("numbered")
    ports = device.interfaces * 31
    assert "31744 kbytes, and VRP takes a pool of 30720" in _refused(
        replace(device, interfaces=ports)
    )


def test_a_port_faster_than_its_name() -> None:
    device = model("numbered")
    port = replace(device.interfaces[2], name="100GE1/0/33", speed_gbps=200, use="fabric")
    message = _refused(replace(device, interfaces=(port,)))
    assert message.startswith("100GE1/0/33 at 200G: no source says what it is called")


@pytest.mark.parametrize(
    ("platforms", "rule", "words"),
    [
        ("{model: generic}", "RCE009", "which commands of Huawei VRP generic takes is not known"),
        ("{model: generic, syntax: c}", "RCE009", "Huawei VRP has no syntax family c"),
        (
            "{model: huawei-ce6866-48s8cq-p, syntax: a}",
            "RCE009",
            "huawei-ce6866-48s8cq-p is of syntax family b of Huawei VRP, not a",
        ),
        ("{model: huawei-ce8850-64cq-ei}", "RCE009", "which commands of Huawei VRP huawei-ce8850"),
        ("{model: huawei-ce8850-64cq-ei, syntax: a}", "RCE009", "nobody says what huawei_vrp"),
        ("{model: nvidia-sn3700, syntax: a}", "RCE009", "runs on switches of Huawei alone"),
    ],
)
def test_hardware_that_is_not_known(tmp_path: Path, platforms: str, rule: str, words: str) -> None:
    path = tmp_path / "f.yaml"
    given = platforms.replace("{", "{platform: huawei_vrp, ")
    path.write_text(
        "fabric: f\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\n"
        f"hosts: {{count: 4, speed: 100}}\nplatforms: {{default: {given}}}\n"
    )
    with pytest.raises(InputError) as caught:
        flow.load(path)
    found = caught.value.findings
    assert {finding.rule for finding in found} == {rule}
    assert any(words in finding.message for finding in found)


@pytest.mark.parametrize(
    "name", ["huawei-ce6863e-48s8cq", "huawei-ce6866-48s8cq-p", "huawei-ce8855-32cq4bq"]
)
def test_real_models_render(tmp_path: Path, name: str) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(
        "fabric: f\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\n"
        f"hosts: {{count: 4, speed: 100}}\n"
        f"platforms: {{default: {{platform: huawei_vrp, model: {name}}}}}\n"
    )
    from fabric.design.devices import DeviceModels  # noqa: PLC0415

    device = DeviceModels(flow.load(path)).of("leaf-1")
    rendered = render(device)
    assert read_back(device, rendered).findings == ()
    assert "interface 100GE1/0/8\n" in rendered.files[0].text
