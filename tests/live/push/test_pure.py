"""What is decided without a device: classes, guard, waves, names, secrets, digests."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.live.push.approval import ApprovalError, digest_named
from fabric.live.push.change import ChangeError, change_pieces, read_change, sealed
from fabric.live.push.classes import changed_paths, classify
from fabric.live.push.guard import line_paths, lost_words, told, touched
from fabric.live.push.identity import Expected, mismatches, version_fits
from fabric.live.push.masking import masked
from fabric.live.push.means import RealClock
from fabric.live.push.restore import timer_left
from fabric.live.push.survey import _quoted
from fabric.live.push.waves import Stop, in_waves
from fabric.model.push import Identity, TimerClass
from fabric.model.push_change import (
    Change,
    DeviceTarget,
    Refused,
    RiskClass,
    StepText,
    Wave,
)
from fabric.model.push_spec import Risk

if TYPE_CHECKING:
    from pathlib import Path

RISKS = (
    Risk("^interface .* > description", "safe", "a description"),
    Risk("^interface .* > mtu", "window", "the port restarts"),
    Risk("^(interface|qos)", "traffic", "queues"),
)


def test_changed_lines_with_their_headers() -> None:
    diff = (
        " interface Ethernet1",
        "-  mtu 1500",
        "+  mtu 9216",
        "+qos > map 26",
        " router bgp 1",
        "   address-family ipv4",
        "+    network 10.0.0.0/8",
    )
    assert list(changed_paths(diff)) == [
        ("-", "interface Ethernet1 > mtu 1500"),
        ("+", "interface Ethernet1 > mtu 9216"),
        ("+", "qos > map 26"),
        ("+", "router bgp 1 > address-family ipv4 > network 10.0.0.0/8"),
    ]


@pytest.mark.parametrize(
    ("diff", "risk"),
    [
        ((), RiskClass.SAFE),
        ((" mtu 9216",), RiskClass.SAFE),  # context is no change
        (("+interface E1 > description x",), RiskClass.SAFE),
        (("+interface E1 > description x", "-qos > map"), RiskClass.TRAFFIC),
        (("-qos > map", "+interface E1 > mtu 9216"), RiskClass.WINDOW),
        (("+interface E1 > mtu 9216", "+unheard of"), RiskClass.UNCLASSIFIED),
    ],
)
def test_the_worst_line_counts(diff: tuple[str, ...], risk: RiskClass) -> None:
    assert classify(diff, RISKS)[0] is risk


def test_reasons_have_an_example_and_a_count() -> None:
    _, why = classify(("+qos > a", "+qos > b", "-interface E1 > mtu 1"), RISKS)
    assert why == (
        (RiskClass.WINDOW, "the port restarts (interface E1 > mtu 1)"),
        (RiskClass.TRAFFIC, "queues (qos > a, and 1 more line)"),
    )


PROTECTED = ("^interface Management", "^username ", "^MGMT_INTERFACE", "^ip route 0")
BEFORE = """\
interface Management1
   ip address 192.0.2.1/24
interface Ethernet1
   mtu 1500
username admin secret x
ip route 0.0.0.0/0 192.0.2.254
"""


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("mtu 1500", "mtu 9216", ()),
        (
            "192.0.2.1/24",
            "192.0.2.2/24",
            (
                "-interface Management1 > ip address 192.0.2.1/24",
                "+interface Management1 > ip address 192.0.2.2/24",
            ),
        ),
        ("username admin secret x\n", "", ("-username admin secret x",)),
        (
            "   ip address 192.0.2.1/24",
            "   ip address 192.0.2.1/24\n   shutdown",
            ("+interface Management1 > shutdown",),
        ),
        ("ip route 0.0.0.0/0 192.0.2.254\n", "", ("-ip route 0.0.0.0/0 192.0.2.254",)),
    ],
)
def test_protected_lines(old: str, new: str, found: tuple[str, ...]) -> None:
    after = BEFORE.replace(old, new)
    assert touched({"c": BEFORE}, {"c": after}, PROTECTED) == found


def test_protected_lines_of_json() -> None:
    before = '{"MGMT_INTERFACE": {"eth0|192.0.2.1/24": {"gwaddr": "192.0.2.254"}}, "PORT": {}}'
    after = before.replace("192.0.2.254", "192.0.2.253")
    assert touched({"c": before}, {"c": before}, PROTECTED) == ()
    assert touched({"c": before}, {"c": after}, PROTECTED) == (
        "-MGMT_INTERFACE > eth0|192.0.2.1/24 > gwaddr > 192.0.2.254",
        "+MGMT_INTERFACE > eth0|192.0.2.1/24 > gwaddr > 192.0.2.253",
    )


def test_protected_lines_in_braces() -> None:
    text = "system {\n    services {\n        ssh;\n    }\n}\n"
    assert list(line_paths(text)) == ["system", "system > services", "system > services > ssh;"]


def test_a_file_that_goes_takes_its_protected_lines() -> None:
    assert touched({"a": "username x\n", "b": ""}, {"b": ""}, PROTECTED) == ("-username x",)


def test_words_that_must_stay() -> None:
    before = {"c": "ip address 192.0.2.1/24\nusername admin\n"}
    assert lost_words(before, {"c": "ip address 192.0.2.10/24\n"}, ("192.0.2.1", "admin")) == (
        "192.0.2.1",
        "admin",
    )
    assert lost_words(before, before, ("192.0.2.1", "admin", "192.0.2.9")) == ()
    gone = {"c": "", "startup": before["c"]}
    assert lost_words({**before, "startup": before["c"]}, gone, ("192.0.2.1",)) == ("192.0.2.1",)


def test_a_file_that_is_saved_from_another_has_its_words() -> None:
    """What SONiC boots from is no part of a target: it is saved from what is in force."""
    before = dict.fromkeys(("c", "startup"), "ip address 192.0.2.1/24\n")
    assert lost_words(before, {"c": before["c"]}, ("192.0.2.1",)) == ()
    assert lost_words(before, {"c": ""}, ("192.0.2.1",)) == ("192.0.2.1",)


def stops(*tiers: int, alone: tuple[int, ...] = ()) -> list[Stop]:
    roles = ("leaf", "spine", "core")
    return [Stop(f"s{n}", roles[tier], tier, n in alone, ("+x",)) for n, tier in enumerate(tiers)]


def test_one_canary_then_tier_by_tier() -> None:
    waves = in_waves(stops(1, 0, 0, 0, 1, 0, 2), 2)
    assert [(w.number, w.name, w.devices) for w in waves] == [
        (1, "canary", ("s1",)),
        (2, "leaf, 1 of 2", ("s2", "s3")),
        (3, "leaf, 2 of 2", ("s5",)),
        (4, "spine, 1 of 2", ("s0",)),
        (5, "spine, 2 of 2", ("s4",)),
        (6, "core", ("s6",)),
    ]
    assert waves[0].why == (
        "s1; of the tiers that change, leaf is the nearest to the hosts; "
        "6 other devices have the same change"
    )


def test_the_canary_has_the_change_that_most_share() -> None:
    odd = Stop("a0", "leaf", 0, alone=False, diff=("+other",))
    assert in_waves([odd, *stops(0, 0)], 5)[0].devices == ("s0",)


def test_systems_without_a_timer_go_alone() -> None:
    waves = in_waves(stops(0, 0, 0, 0, alone=(1, 3)), 5)
    assert [w.devices for w in waves] == [("s0",), ("s2",), ("s1",), ("s3",)]


def test_nothing_to_do() -> None:
    assert in_waves([], 5) == ()
    with pytest.raises(ValueError, match="not 0"):
        in_waves([], 0)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.integers(0, 3)), max_size=40),
    st.integers(1, 6),
)
def test_every_device_is_in_one_wave(drawn: list[tuple[int, bool, int]], size: int) -> None:
    given_ = [Stop(f"d{n}", f"r{t}", t, a, (f"+{d}",)) for n, (t, a, d) in enumerate(drawn)]
    waves = in_waves(given_, size)
    flat = [name for wave in waves for name in wave.devices]
    assert sorted(flat) == sorted(stop.device for stop in given_)
    assert [wave.number for wave in waves] == list(range(1, len(waves) + 1))
    alone = {stop.device for stop in given_ if stop.alone}
    tier = {stop.device: stop.tier for stop in given_}
    assert all(len(w.devices) <= size for w in waves)
    assert all(len(w.devices) == 1 for w in waves if alone & set(w.devices))
    roles = Counter(stop.role for stop in given_)
    role = {stop.device: stop.role for stop in given_}
    assert all(len(w.devices) <= -(-roles[role[w.devices[0]]] // 2) for w in waves)
    tiers = [tier[name] for wave in waves[1:] for name in wave.devices]
    assert tiers == sorted(tiers)
    if waves:
        assert len(waves[0].devices) == 1
        assert tier[waves[0].devices[0]] == min(tier.values())


MODELS = ("nvidia-sn3700", "nvidia-sn3700c", "arista-7060x6-64pe", "arista-7060x6-64pe-b")


@pytest.mark.parametrize(
    ("found", "planned", "same"),
    [
        ("MSN3700-CS2FO", "nvidia-sn3700", True),
        ("x86_64-mlnx_msn3700-r0", "nvidia-sn3700", True),
        ("MSN3700C-CS2FO", "nvidia-sn3700", False),
        ("DCS-7060X6-64PE-B-F", "arista-7060x6-64pe-b", True),
        ("DCS-7060X6-64PE-B-F", "arista-7060x6-64pe", False),
        ("N9K-C9332D-GX2B", "cisco-n9k-9332d-gx2b", True),
        ("7220 IXR-H3", "nokia-7220-ixr-h3", True),
        ("7220 IXR-H4", "nokia-7220-ixr-h3", False),
        ("Celestica-DX010-C32", "cel-seastone", True),  # a SKU of the model's file
        (None, "nvidia-sn3700", True),
    ],
)
def test_models(found: str | None, planned: str, *, same: bool) -> None:
    skus = ("Celestica-DX010-C32",) if "seastone" in planned else ()
    expected = Expected("a", planned, skus, False, "X", ("1",), {"a"}, MODELS)  # noqa: FBT003
    assert (mismatches(Identity("a", found, "1"), expected) == ()) is same


@pytest.mark.parametrize(
    ("found", "known", "fits"),
    [
        ("4.36.1F", "4.36", True),
        ("4.3.6F", "4.36", False),
        ("14.36", "4.36", False),
        ("10.45(1)", "10.4", False),
        ("10.4(5)", "10.4", True),
        ("SONiC.202505.0-abc", "202505", True),
        ("24.4R1.9-EVO", "24.4R1-EVO", True),
        ("24.4R10-EVO", "24.4R1-EVO", False),
        ("24.4R1.9", "24.4R1-EVO", False),
        ("V300R023C00SPC500", "V300R023C00", True),
        ("7.1.070", "7", True),
        ("9.1.7", "7", False),
    ],
)
def test_versions(found: str, known: str, *, fits: bool) -> None:
    assert version_fits(found, known) is fits


CANARY = "c4n4ry-s3cr3t"


@pytest.mark.parametrize(
    "line",
    [
        f"+router bgp 1 > neighbor 10.0.0.1 password 7 {CANARY}",
        f"-username admin secret sha512 {CANARY}",
        f'+neighbor x "password": "{CANARY}"',
        f"+snmp-server community {CANARY} ro",
        f"+set system root-authentication encrypted-password {CANARY}",
        f"+peer 10.0.0.1 password cipher {CANARY}",
        f"+radius-server host 192.0.2.9 key 7 {CANARY}",
        f"+aaa group server radius R > server-private 192.0.2.9 key {CANARY}",
        f"+radius-server shared-key cipher {CANARY}",
        f"+hwtacacs-server shared-key simple {CANARY}",
        f"+RADIUS|global passkey {CANARY}",
        f"+snmp-server user u g v3 auth sha {CANARY} priv aes {CANARY}",
        f"+snmp-server host 192.0.2.9 traps version 2c {CANARY}",
        f"+snmp-server host 192.0.2.9 {CANARY}",
        f"+system/snmp/access-group x/security-level y/community-entry c/community {CANARY}",
        f"+SNMP_COMMUNITY|{CANARY} TYPE RO",
        f"+SNMP_COMMUNITY > {CANARY} > TYPE > RO",
        f"+key chain K > key 1 > key-string 7 {CANARY}",
        f"+set security ike pre-shared-key ascii-text {CANARY}",
        f"+interface Vlan1 > ip ospf message-digest-key 1 md5 7 {CANARY}",
        f"+private-key {CANARY}",
        f"+username admin sshkey ssh-rsa {CANARY}",
        f"+api token {CANARY}",
    ],
)
def test_no_secret_in_what_is_shown(line: str) -> None:
    (shown,) = masked([line])
    assert CANARY not in shown
    assert "<hidden>" in shown
    assert CANARY not in _quoted(line[1:])


@pytest.mark.parametrize(
    "line",
    [
        "+qos > dscp 26",
        "+ip community-list FABRIC permit 65000:1",
        "+ip community-list standard snmp permit 1:2",
        "+password-less login",
        "+key",
        "+key chain K",
        "+hash-key layer-3-source-address",
        "+interface Ethernet1 > snmp trap link-change",
    ],
)
def test_the_rest_is_shown_as_it_is(line: str) -> None:
    assert masked([line]) == (line,)


def test_a_line_of_many_devices_is_kept_once() -> None:
    lines = ["+interface Ethernet1 > mtu 9214", "+enable password 0 word"]
    there, here = (masked("".join(line) for line in map(list, lines)) for _ in range(2))
    assert all(one is other for one, other in zip(there, here, strict=True))


def test_a_long_line_is_searched_once() -> None:
    line = "+certificate " + "x" * 1_000_000  # quadratic work would never end here
    assert masked([line]) == (line,)


CHANGE = sealed(
    Change(
        schema=1,
        fabric="toy",
        plan_sha256="ab" * 32,
        offline=False,
        timer_s=600,
        waves=(Wave(1, "canary", ("leaf-0",), "why"),),
        devices=(
            DeviceTarget(
                "leaf-0",
                "toy_os",
                "m",
                "1.2",
                "192.0.2.1",
                "aa",
                "bb",
                RiskClass.TRAFFIC,
                ("traffic: é",),
                ("+x",),
                (StepText("save", ("save",)),),
                "itself",
            ),
        ),
        refused=(Refused(None, "RCE916", "m", "f"),),
        sha256="",
    )
)


def test_a_change_read_back_is_the_same() -> None:
    assert read_change("".join(change_pieces(CHANGE))) == CHANGE
    assert len(CHANGE.sha256) == 64


def test_a_change_is_written_device_by_device() -> None:
    """A thousand devices' whole text would take many times the memory of the Change."""
    many = sealed(replace(CHANGE, devices=CHANGE.devices * 50))
    pieces = list(change_pieces(many))
    assert read_change("".join(pieces)) == many
    assert max(map(len, pieces)) < 500


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"+x"', '"+y"', "was edited"),
        ('"schema":1', '"schema":2', "has schema 2; this version reads 1"),
        ('"waves"', '"weaves"', "is no Change"),
        ("{", "", "is no Change"),
    ],
)
def test_a_damaged_change(old: str, new: str, words: str) -> None:
    with pytest.raises(ChangeError, match=words):
        read_change("".join(change_pieces(CHANGE)).replace(old, new, 1))


def test_every_field_is_in_the_digest() -> None:
    others = [
        replace(CHANGE, fabric="other"),
        replace(CHANGE, timer_s=1),
        replace(CHANGE, refused=()),
        replace(CHANGE, devices=(replace(CHANGE.devices[0], before_sha256="cc"),)),
        replace(CHANGE, devices=(replace(CHANGE.devices[0], target_sha256="cc"),)),
        replace(CHANGE, waves=(replace(CHANGE.waves[0], number=2),)),
    ]
    digests = {sealed(change).sha256 for change in (CHANGE, *others)}
    assert len(digests) == 1 + len(others)


SHA = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    "text", [f'{{"schema": 1, "change": "{SHA}"}}', f'{{"sha256": "{SHA}"}}', f"{SHA}\n"]
)
def test_an_approval_in_a_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "a").write_text(text)
    assert digest_named(str(tmp_path / "a")) == SHA
    assert digest_named(SHA) == SHA


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no digest"),
        (SHA[:-1], "holds no digest"),
        (f"{SHA} {SHA}", "holds no digest"),
        ('{"change": ""}', "holds no digest"),
        ('{"change": "', "Unterminated"),
        (f'{{"change": "{SHA}", "offline": true}}', "made offline"),
    ],
)
def test_a_file_that_approves_nothing(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "a").write_text(text)
    with pytest.raises(ApprovalError, match=says):
        digest_named(str(tmp_path / "a"))
    with pytest.raises(ApprovalError):
        digest_named(str(tmp_path))


def test_a_pattern_sees_a_line_with_and_without_its_sign() -> None:
    risks = (Risk(r"^- NTP\|", "window", "time goes"), Risk(r"^NTP\|", "safe", "time comes"))
    assert classify(("- NTP|a",), risks)[0] is RiskClass.WINDOW
    assert classify(("+ NTP|a",), risks)[0] is RiskClass.SAFE


def test_protected_rows_of_a_table_are_told() -> None:
    diff = ("- MGMT_INTERFACE|eth0|a", "+ PORT|Ethernet0 mtu 9100", "+ NTP_SERVER|a")
    protected = (r"^(?:[-+] )?MGMT_INTERFACE\|", r"^- NTP_SERVER\|")
    assert told(diff, protected) == ("-MGMT_INTERFACE|eth0|a",)
    assert told(("- NTP_SERVER|a",), protected) == ("-NTP_SERVER|a",)


def test_a_clock_that_is_set_while_a_push_runs_moves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, real = RealClock(), time.time
    began = clock.now()
    assert abs(began - real()) < 60
    for jump_s in (7_200, -7_200):
        monkeypatch.setattr(time, "time", lambda jump_s=jump_s: real() + jump_s)
        assert 0 <= clock.now() - began < 600


@pytest.mark.parametrize(("since_s", "left_s"), [(100.0, 500.0), (0.0, 600.0), (-7_200.0, 600.0)])
def test_no_timer_has_more_left_than_its_whole(since_s: float, left_s: float) -> None:
    """The clock was set back between two processes."""
    unit: Any = SimpleNamespace(
        standing=SimpleNamespace(armed_at=10_000.0),
        system=SimpleNamespace(commit=SimpleNamespace(timer=TimerClass.CANDIDATE)),
        job=SimpleNamespace(timer_s=600),
        factor=1.0,
        means=SimpleNamespace(clock=SimpleNamespace(now=lambda: 10_000.0 + since_s)),
    )
    assert timer_left(unit) == left_s
