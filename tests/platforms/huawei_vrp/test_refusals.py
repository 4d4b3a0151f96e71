"""What VRP cannot be told, and hardware that is not known: one clear message each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.model.finding import InputError
from fabric.model.qos import QueueSettings
from fabric.text import TemplateFault, read_back
from tests.platforms.huawei_vrp.cases import model, render, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.device import DeviceModel, Interface


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
        (
            "{model: generic}",
            "RCE009",
            "generic: which of the commands of Huawei VRP it takes is not known",
        ),
        ("{model: generic, syntax: c}", "RCE009", "Huawei VRP has no syntax family c"),
        (
            "{model: huawei-ce6866-48s8cq-p, syntax: a}",
            "RCE009",
            "huawei-ce6866-48s8cq-p is of syntax family b of Huawei VRP, not a",
        ),
        (
            "{model: huawei-ce8850-64cq-ei}",
            "RCE009",
            "huawei-ce8850-64cq-ei: which of the commands of Huawei VRP",
        ),
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
    device = DeviceModels(flow.load(path)).of("leaf-1")
    rendered = render(device)
    assert read_back(device, rendered).findings == ()
    assert "interface 100GE1/0/8\n" in rendered.files[0].text
