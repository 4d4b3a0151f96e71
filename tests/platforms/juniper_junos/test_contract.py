"""What is rendered says what the model says; what Junos cannot say is refused or named."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.model.finding import InputError
from fabric.platforms import juniper_junos
from fabric.text import TemplateFault, chains
from tests.platforms.juniper_junos.cases import DEVICES, FILE, model, render, text, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.device import DeviceModel, Interface
    from fabric.model.qos import QosChain

SILENT = (None,) * 8


def sayable(chain: QosChain, written: set[int]) -> QosChain:
    """The chain without what has no word: headroom, classes that no DSCP leads to."""
    return replace(
        chain,
        tc_to_queue=tuple(n if n in written else None for n in range(8)),
        tc_to_pg=tuple(
            (n if n in chain.pfc_priorities else 0) if n in written else None for n in range(8)
        ),
        pfc_priority_to_queue=tuple(n if n in chain.pfc_priorities else None for n in range(8)),
        pfc_priority_to_pg=SILENT,
        xoff_bytes=SILENT,
        buffers=SILENT,
    )


def read(config: str, device: str = "leaf-0") -> tuple[QosChain, ...]:
    return chains("juniper_junos", {FILE: config}, device)


@pytest.mark.parametrize(("case", "device"), DEVICES)
def test_every_port_does_what_the_model_says(case: str, device: str) -> None:
    written = {0, 3, 4, 6, 7} if case == "two-lossless" else {0, 3, 6, 7}
    wanted = [sayable(p.chain, written) for p in model(case, device).interfaces]
    assert list(read(text(case, device), device)) == [replace(c, device=device) for c in wanted]


@pytest.mark.parametrize(("case", "device"), DEVICES)
def test_every_kind_of_port_is_bound(case: str, device: str) -> None:
    """Host port, split port, uplink and unused port alike."""
    found = {chain.port: chain for chain in read(text(case, device), device)}
    assert found.keys() == {port.name for port in model(case, device).interfaces}
    for chain in found.values():
        assert None not in chain.dscp_to_tc
        assert chain.pfc_priorities
        for priority in chain.pfc_priorities:
            queue = chain.queues[priority]
            assert (queue.scheduler, queue.ecn, queue.kmin_bytes) == ("dwrr", True, None)
            assert queue.kmin_percent
    assert juniper_junos.problems({FILE: text(case, device)}) == ()


def test_thresholds_are_the_published_fill_levels() -> None:
    """Juniper/jvd: fill-level [ 55 90 ], drop-probability [ 0 100 ]; queue 3 is RoCE's."""
    queue = read(text("numbered"))[0].queues[3]
    assert (queue.kmin_percent, queue.kmax_percent, queue.pmax_percent) == (55, 90, 100)
    assert (queue.kmin_bytes, queue.kmax_bytes) == (None, None)


def test_thresholds_of_the_inventory_are_its_own() -> None:
    queue = read(text("unnumbered"))[0].queues[3]
    assert (queue.kmin_percent, queue.kmax_percent, queue.pmax_percent) == (20, 60, 50)


def test_a_split_cage_is_configured_at_its_parent() -> None:
    config = text("numbered")
    assert "        number-of-sub-ports 2;\n        speed 400g;\n" in config
    names = [chain.port for chain in read(config)]
    assert names[:3] == ["et-0/0/0:0", "et-0/0/0:1", "et-0/0/1"]


@pytest.mark.parametrize(("case", "device"), DEVICES)
def test_only_prefixes_of_the_speaker_are_announced(case: str, device: str) -> None:
    speaker, config = model(case, device).speaker, text(case, device)
    listed = re.findall(r"^        (\S+/\d+);$", config, re.MULTILINE)
    assert listed == sorted(speaker.announces, key=lambda prefix: ":" in prefix)
    discards = re.findall(r"^ +replace: route (\S+) discard;$", config, re.MULTILINE)
    assert sorted(discards) == sorted(speaker.discards)
    for statement in re.findall(r"policy-statement FABRIC-OUT.*?\n    }\n", config, re.DOTALL):
        assert statement.endswith(
            "        term learned {\n            from protocol bgp;\n            then accept;\n"
            "        }\n        term rest {\n            then reject;\n        }\n    }\n"
        )


def test_buffers_are_those_of_the_published_design_or_the_box() -> None:
    assert "buffer-partition lossless-headroom" in text("numbered")
    assert "buffer-partition" not in text("unnumbered")
    keys = [f.keys[0] for f in render(model("unnumbered")).findings if f.rule == "RCE409"]
    assert keys == ["buffers"]


def test_what_has_no_confirmed_word_is_named() -> None:
    found = [(f.rule, f.keys[0]) for f in render(model("numbered")).findings]
    assert found == [
        ("RCE409", "published"),
        ("RCE391", "bgp-dscp"),
        ("RCE391", "fec"),
        ("RCE391", "hash-seed"),
        ("RCE391", "gateway"),
    ]


def test_an_address_on_no_management_interface_is_left_out() -> None:
    device = replace(model("numbered"), management_interface="eth0")
    assert "192.0.2.1/24" not in text_of(device)
    assert "management" in [f.keys[0] for f in render(device).findings]


def test_a_split_cage_of_a_speed_without_a_word_is_named() -> None:
    assert "speed" in [f.keys[0] for f in render(model("two-lossless")).findings]


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
    """The class rise of a dragonfly needs a map per port."""
    device = model("numbered")
    rising = replace(device.interfaces[0].chain, dscp_to_tc=(4,) * 64)
    ports = (replace(device.interfaces[0], chain=rising), *device.interfaces[1:])
    assert _refused(replace(device, interfaces=ports)).endswith("its ports want 2")


def test_a_class_is_its_queue() -> None:
    device = model("numbered")
    classes = tuple(replace(c, queue=5) if c.name == "cnp" else c for c in device.class_map.classes)
    moved = replace(device, class_map=replace(device.class_map, classes=classes))
    assert (
        _refused(moved)
        == "class cnp: a forwarding class of Junos is its queue, here 6 is in queue 5"
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"action": "alert"}, "no command of Junos is known for the watchdog action alert"),
        ({"detect_ms": 250}, "250 ms are no multiple of 100"),
    ],
)
def test_a_watchdog_that_junos_cannot_be_told(changes: dict[str, object], words: str) -> None:
    device = model("numbered")
    timers = replace(device.watchdog, **changes)  # type: ignore[arg-type]
    assert words in _refused(replace(device, watchdog=timers))


def test_its_own_as_number_in_a_path_is_refused() -> None:
    device = model("numbered")
    assert "loops" in _refused(replace(device, speaker=replace(device.speaker, allowas_in=1)))


def test_detection_is_a_number_of_polls(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(
        "fabric: f\ntopology: {kind: leaf-spine, leaves: 2, spines: 1}\n"
        "hosts: {count: 2, speed: 100}\nroce: {watchdog: {poll_ms: 100, detect_ms: 250}}\n"
        "platforms: {default: {platform: juniper_junos, model: generic}}\n"
    )
    with pytest.raises(InputError) as caught:
        flow.load(path)
    (finding,) = caught.value.findings
    assert (finding.rule, finding.fix) == ("RCE022", "use 300")
