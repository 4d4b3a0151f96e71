"""What is rendered says what the model says; what Comware cannot say is refused or named."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.model.finding import InputError
from fabric.platforms import hp_comware
from fabric.text import TemplateFault, chains
from tests.platforms.hp_comware.cases import (
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
    """The chain without groups and headroom, for which no words are rendered."""
    return replace(
        chain,
        tc_to_pg=SILENT,
        pfc_priority_to_queue=SILENT,
        pfc_priority_to_pg=SILENT,
        lossless_pgs=(),
        xoff_bytes=SILENT,
        buffers=SILENT,
        queues=tuple(replace(queue, lossless_buffer=False) for queue in chain.queues),
    )


def read(config: str, device: str = "leaf-0") -> tuple[QosChain, ...]:
    return chains("hp_comware", {FILE: config}, device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("case", CASES)
def test_every_port_does_what_the_model_says(case: str, device: str) -> None:
    wanted = [sayable(port.chain) for port in model(case, device).interfaces]
    found = {chain.port: chain for chain in read(text(case, device), device)}
    assert [found[chain.port] for chain in wanted] == [replace(c, device=device) for c in wanted]
    assert hp_comware.problems({FILE: text(case, device)}) == ()
    for chain in found.values():
        assert None not in chain.dscp_to_tc
        assert chain.pfc_priorities == ((3, 4) if case == "two-lossless" else (3,))
        assert (chain.queues[3].scheduler, chain.queues[3].ecn) == ("dwrr", False)
        assert chain.watchdog is None


def test_dscp_26_reaches_queue_3_by_the_tables_of_the_family() -> None:
    over, direct = text("numbered"), text("direct-map")
    assert "qos map-table dscp-dot1p\n import 0 export 0\n" in over
    assert " import 26 export 3\n" in over
    assert "qos map-table dot1p-lp\n import 0 export 0\n import 1 export 1\n" in over
    assert "qos map-table dscp-lp\n" in direct
    assert "dot1p-lp" not in direct
    assert over.count("\n import ") == 64 + 8
    assert direct.count("\n import ") == 64


def test_link_mode_comes_first_and_pfc_stands_at_the_port_alone() -> None:
    for section in text("numbered").split("\ninterface ")[1:-1]:
        assert section.split("\n")[1] == " port link-mode route"
        assert section.count(" priority-flow-control ") == 2
    before, _, _ = text("numbered").partition("\ninterface ")
    assert "priority-flow-control" not in before


@pytest.mark.parametrize(("case", "device"), [*((c, "leaf-0") for c in CASES), *POLICIES])
def test_only_prefixes_of_the_speaker_are_announced(case: str, device: str) -> None:
    speaker, config = model(case, device).speaker, text(case, device)
    by_family = [
        prefix.replace("/", " ") for prefix in sorted(speaker.announces, key=lambda p: ":" in p)
    ]
    listed = re.findall(
        r"^ ip(?:v6)? prefix-list \S+ index \d+ permit (\S+ \d+)$", config, re.MULTILINE
    )
    assert listed == by_family
    assert len(re.findall(r"^  network ", config, re.MULTILINE)) == len(by_family)
    assert "import-route" not in config
    routes = re.findall(r"^ ip(?:v6)? route-static (\S+ \d+) NULL0$", config, re.MULTILINE)
    assert routes == [prefix.replace("/", " ") for prefix in speaker.discards]


@pytest.mark.parametrize(("case", "device"), POLICIES)
def test_communities_by_kind_of_cable(case: str, device: str) -> None:
    config, policy = text(case, device), model(case, device).speaker.policy
    assert policy
    for denied in policy.denied:
        assert f" ip community-list basic {denied.name} permit {denied.value}\n" in config
    for session in model(case, device).sessions:
        peer = f"  peer {session.peer_address}"
        assert f"{peer} advertise-community\n" in config
        maps = re.findall(rf"^{re.escape(peer)} route-policy (\S+) (\w+)$", config, re.MULTILINE)
        assert [way for _, way in maps] == ["import", "export"]
        assert all(f"\nroute-policy {name} " in config for name, _ in maps)


def test_what_has_no_confirmed_word_is_named() -> None:
    found = [(f.rule, f.keys[0]) for f in render(model("numbered")).findings]
    assert found == [
        ("RCE391", "ecn"),
        ("RCE391", "watchdog"),
        ("RCE409", "headroom"),
        ("RCE391", "shares"),
        ("RCE391", "fec"),
        ("RCE391", "hash-seed"),
        ("RCE391", "bgp-dscp"),
        ("RCE391", "management"),
    ]
    ports = replace(model("direct-map").interfaces[0], speed_gbps=400)
    generic = replace(model("direct-map"), interfaces=(ports,))
    assert "port-names" in [f.keys[0] for f in render(generic).findings]


def test_a_box_of_unknown_family_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(
        "fabric: f\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\nhosts: {speed: 100}\n"
        "platforms: {default: {platform: hp_comware, model: generic}}\n"
    )
    with pytest.raises(InputError) as caught:
        flow.load(path)
    (finding,) = caught.value.findings
    assert finding.rule == "RCE009"
    assert "dscp-lp" in finding.fix
    assert "dscp-dot1p" in finding.fix


def _ports(device: DeviceModel, **changes: object) -> tuple[Interface, ...]:
    return tuple(
        replace(p, chain=replace(p.chain, **changes))  # type: ignore[arg-type]
        for p in device.interfaces
    )


def _refused(device: DeviceModel) -> str:
    with pytest.raises(TemplateFault) as caught:
        text_of(device)
    return caught.value.message


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pfc_priority_to_queue": (0, 1, 2, 4, 3, 5, 6, 7)}, "not queue 4 for priority 3"),
        ({"tc_to_queue": (0, 1, 2, 3, 4, 5, 7, 6)}, "queue of its number on Comware, not queue 7"),
    ],
)
def test_queues_have_the_number_of_their_priority(changes: dict[str, object], words: str) -> None:
    device = model("numbered")
    assert words in _refused(replace(device, interfaces=_ports(device, **changes)))


def test_one_map_for_all_ports() -> None:
    device = model("numbered")
    rising = replace(device.interfaces[0].chain, dscp_to_tc=(4,) * 64)
    ports = (replace(device.interfaces[0], chain=rising), *device.interfaces[1:])
    assert "its ports want 2" in _refused(replace(device, interfaces=ports))


def test_a_split_port_has_no_known_name() -> None:
    device = model("numbered")
    ports = (replace(device.interfaces[0], children=2), *device.interfaces[1:])
    assert "use cages unsplit" in _refused(replace(device, interfaces=ports))
