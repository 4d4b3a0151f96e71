"""What is rendered says what the model says; what EOS cannot say is refused or named."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric.model.qos import QosChain, QueueSettings
from fabric.model.underlay import BgpSession
from fabric.platforms import arista_eos
from fabric.text import TemplateFault, chains
from tests.platforms.arista_eos.cases import (
    CASES,
    DEVICES,
    FILE,
    KNOWN,
    model,
    render,
    text,
    text_of,
)

if TYPE_CHECKING:
    from fabric.model.device import DeviceModel, Interface

SILENT = (None,) * 8


def sayable(chain: QosChain, *, queues: bool = True) -> QosChain:
    """The chain without what has no word: groups, headroom, settings of the switch's own queue.

    Of which nothing is said is strict: `show running-config all`.
    """
    settings = tuple(
        replace(q, lossless_buffer=False, scheduler=q.scheduler or "strict")
        if q.queue < 7 and queues
        else QueueSettings(q.queue, "strict")
        for q in chain.queues
    )
    return replace(
        chain,
        tc_to_pg=SILENT,
        pfc_priority_to_queue=SILENT,
        pfc_priority_to_pg=SILENT,
        lossless_pgs=(),
        xoff_bytes=SILENT,
        buffers=SILENT,
        queues=settings,
    )


def read(config: str, device: str = "leaf-0") -> tuple[QosChain, ...]:
    return chains("arista_eos", {FILE: config}, device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("case", CASES)
def test_every_port_does_what_the_model_says(case: str, device: str) -> None:
    known = case in KNOWN
    wanted = [sayable(p.chain, queues=known) for p in model(case, device).interfaces]
    assert list(read(text(case, device), device)) == [replace(c, device=device) for c in wanted]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("case", KNOWN)
def test_every_kind_of_port_is_bound(case: str, device: str) -> None:
    """FC-69: host port, breakout child, uplink, unused port and SFP alike."""
    ports = model(case, device).interfaces
    found = {chain.port: chain for chain in read(text(case, device), device)}
    assert found.keys() == {port.name for port in ports}
    assert {port.use for port in ports} >= {"fabric", "unused"}
    for chain in found.values():
        assert None not in chain.dscp_to_tc
        assert chain.pfc_priorities
        assert chain.watchdog_priorities == chain.pfc_priorities
        for priority in chain.pfc_priorities:
            queue = chain.queues[priority]
            assert (queue.scheduler, queue.ecn) == ("dwrr", True)
            assert queue.kmin_bytes
    assert arista_eos.problems({FILE: text(case, device)}) == ()


def test_ports_are_named_after_their_first_lane() -> None:
    """A cage of eight lanes split in two has ports 1 and 5; an SFP has no lanes to name."""
    names = [port.name for port in model("numbered").interfaces]
    assert names[:3] == ["Ethernet1/1", "Ethernet1/5", "Ethernet2/1"]
    assert names[-1] == "Ethernet5"


def test_without_a_written_mtu_the_system_has_the_last_word() -> None:
    assert {chain.mtu_bytes for chain in read(text("numbered"))} == {9214}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("case", CASES)
def test_only_prefixes_of_the_speaker_are_announced(case: str, device: str) -> None:
    speaker, config = model(case, device).speaker, text(case, device)
    by_family = sorted(speaker.announces, key=lambda prefix: ":" in prefix)
    assert re.findall(r"^      network (\S+)$", config, re.MULTILINE) == by_family
    listed = re.findall(r"^   seq \d+ permit (\S+)$", config, re.MULTILINE)
    assert listed == by_family
    assert "redistribute" not in config
    discards = re.findall(r"^(?:ip|ipv6) route (\S+) Null0$", config, re.MULTILINE)
    assert discards == list(speaker.discards)


def dual_stack() -> DeviceModel:
    base = model("numbered")
    v6 = [
        BgpSession(s.device, s.port, s.link, s.peer, s.peer_port, s.local_asn, s.peer_asn,
                   f"fd00::{n}:0", f"fd00::{n}:1", "ipv6")
        for n, s in enumerate(base.sessions)
    ]  # fmt: skip
    speaker = replace(
        base.speaker,
        announces=(*base.speaker.announces, "fd00:255::1/128", "fd00:1::/64"),
        discards=(*base.speaker.discards, "fd00:1::/64"),
        allowas_in=1,
    )
    return replace(
        base, speaker=speaker, sessions=(*base.sessions, *v6), loopback_v6="fd00:255::1/128"
    )


def test_each_family_has_its_own_sessions_and_prefixes() -> None:
    lines = text_of(dual_stack()).splitlines()
    start = lines.index("   address-family ipv6")
    assert lines[start + 1 : start + 6] == [
        "      neighbor FABRIC-V6 activate",
        "      neighbor FABRIC-V6 route-map FABRIC-IN in",
        "      neighbor FABRIC-V6 route-map FABRIC-OUT out",
        "      network fd00:255::1/128",
        "      network fd00:1::/64",
    ]
    assert "ipv6 route fd00:1::/64 Null0" in lines
    assert "ipv6 unicast-routing" in lines
    assert "   match ipv6 address prefix-list ANNOUNCE-V6" in lines
    assert "   neighbor fd00::0:1 peer group FABRIC-V6" in lines
    assert "   neighbor FABRIC-V6 allowas-in 1" in lines


@pytest.mark.parametrize(
    ("asic", "word"),
    [("tomahawk5", "uc-tx-queue"), ("trident4", "uc-tx-queue"), ("jericho2", "tx-queue")],
)
def test_the_chip_decides_the_word(asic: str, word: str) -> None:
    config = text_of(replace(model("numbered"), asic=asic))
    assert set(re.findall(r"^   (\S+tx-queue|tx-queue) \d$", config, re.MULTILINE)) == {word}
    wanted = [sayable(port.chain) for port in model("numbered").interfaces]
    assert list(read(config, "")) == wanted


def test_an_unknown_chip_gets_no_queues_and_says_so() -> None:
    assert "tx-queue 3\n      " not in text("unknown")
    found = {f.keys[0]: f for f in render(model("unknown")).findings}
    assert found["queues"].message.endswith("chip generic has uc-tx-queue or tx-queue is not known")
    assert found["speed"].message.endswith("lanes of 4 of 4 ports (Ethernet1/1 …) are not known")


def test_what_has_no_confirmed_word_is_named() -> None:
    """And nothing else is: the queues of a known chip and the speeds of known lanes are there."""
    found = [(f.rule, f.keys[0]) for f in render(model("numbered")).findings]
    assert found == [
        ("RCE409", "headroom"),
        ("RCE391", "bgp-dscp"),
        ("RCE391", "hash-seed"),
        ("RCE391", "gateway"),
    ]


def test_an_address_on_no_management_interface_is_left_out() -> None:
    device = replace(model("numbered"), management_interface="eth0")
    assert "192.0.2.1/24" not in text_of(device)
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
    """The class rise of a dragonfly needs a map per port."""
    device = model("numbered")
    rising = replace(device.interfaces[0].chain, dscp_to_tc=(4,) * 64)
    ports = (replace(device.interfaces[0], chain=rising), *device.interfaces[1:])
    message = _refused(replace(device, interfaces=ports))
    assert message == "EOS has one DSCP map and one queue map per switch; its ports want 2"


def test_a_priority_stops_the_queue_of_its_number() -> None:
    device = model("numbered")
    swapped = (0, 1, 2, 4, 3, 5, 6, 7)
    message = _refused(replace(device, interfaces=_ports(device, pfc_priority_to_queue=swapped)))
    assert message.endswith("not queue 4 for priority 3")


@pytest.mark.parametrize("queues", [(0, 1, 2, 3, 4, 5, 7, 7), (0, 1, 2, 3, 4, 5, 6, 6)])
def test_queue_7_is_left_to_class_7(queues: tuple[int, ...]) -> None:
    device = model("numbered")
    message = _refused(replace(device, interfaces=_ports(device, tc_to_queue=queues)))
    assert message.startswith("traffic class 7 alone leads to queue 7")


def test_queue_7_takes_no_settings() -> None:
    device = model("numbered")
    queues = (*device.interfaces[0].chain.queues[:7], QueueSettings(7, "dwrr", 10))
    message = _refused(replace(device, interfaces=_ports(device, queues=queues)))
    assert message.startswith("queue 7 is the switch's own")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"action": "forward"}, "no command of EOS is known for the watchdog action forward"),
        ({"detect_ms": 205}, "steps of 10 ms"),
        ({"restore_ms": 401}, "steps of 10 ms"),
    ],
)
def test_a_watchdog_that_eos_cannot_be_told(changes: dict[str, object], words: str) -> None:
    device = model("numbered")
    timers = replace(device.watchdog, **changes)  # type: ignore[arg-type]
    assert words in _refused(replace(device, watchdog=timers))
