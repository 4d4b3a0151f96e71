"""What is typed at OS10: how lines are taken back, what is protected, every plan there and back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric.changing.remediation import remediation
from fabric.live.push.guard import told
from fabric.platforms.dell_os10.pushing import Preview
from fabric.platforms.dell_os10.words import TYPING
from tests.platforms.dell_os10.cases import EVERY, FILE, text
from tests.platforms.pushed import spec
from tests.platforms.typed_box import TypedBox

RUNNING = {FILE: (Path(__file__).parent / "running/leaf-0.cfg").read_text()}
SPEC = spec("dell_os10")
PREVIEW = Preview(SPEC.owned)
PORT = "interface ethernet1/1/99\n"
NEIGHBOUR = "router bgp 9\n neighbor 10.0.0.1\n  remote-as 8\n  address-family ipv4 unicast\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (f"{PORT} no switchport\n", PORT, "switchport mode access"),
        (f"{PORT} switchport mode trunk\n", PORT, "switchport mode access"),
        (f"{PORT} switchport mode trunk\n", f"{PORT} no switchport\n", "no switchport"),
        ("system qos\n ets mode on\n", "", "no ets mode on"),
        (f"{NEIGHBOUR}   no activate\n", NEIGHBOUR, "activate"),
        (NEIGHBOUR, f"{NEIGHBOUR}   no activate\n", "no activate"),
    ],
)
def test_how_a_line_is_taken_back(old: str, new: str, said: str) -> None:
    """`no` alone would make a switched port a routed one, or turn off what is on by default."""
    lines = remediation(f"! x\n{old}", f"! x\n{new}", TYPING)
    assert [line for line in lines if line != "exit"][-1] == said
    assert "no system qos" not in lines
    assert said != "switchport mode access" or "no switchport" not in lines


def test_ipv4_at_a_neighbour_is_on_whether_it_is_said_or_not() -> None:
    said, not_said = {FILE: f"{NEIGHBOUR}   activate\n"}, {FILE: NEIGHBOUR}
    assert PREVIEW.differences(said, not_said) == ()
    assert "no activate" not in PREVIEW.lines(said, not_said)


LETS_US_IN = (
    "interface mgmt1/1/1",
    "management route 0.0.0.0/0 192.0.2.1",
    "username admin password x role sysadmin",
    "no aaa authentication login default local",
    "ip ssh server enable",
    "ip route 0.0.0.0/0 192.0.2.1",
    "ip vrf management",
)


@pytest.mark.parametrize("line", LETS_US_IN)
def test_what_lets_us_in_is_protected(line: str) -> None:
    assert told((f"+{line}",), SPEC.protected)


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_every_plan_is_typed_classed_and_touches_nothing_protected(case: str, device: str) -> None:
    target = PREVIEW.target(RUNNING, {FILE: text(case, device)})
    lines = PREVIEW.lines(RUNNING, target)
    assert remediation(target[FILE], target[FILE], TYPING) == ()
    assert not any(re.search(one, line) for one in SPEC.protected for line in lines)
    changed = [line[1:] for line in PREVIEW.differences(RUNNING, target)]
    classed = [r.pattern for r in SPEC.risks]
    unknown = [c for c in changed if not any(re.search(one, c) for one in classed)]
    assert [line for line in unknown if not line.startswith("ntp server ")] == []


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_typed_at_a_device_the_lines_lead_there_and_back(case: str, device: str) -> None:
    target = PREVIEW.target(RUNNING, {FILE: text(case, device)})
    box = TypedBox(RUNNING[FILE], TYPING)
    box.type(PREVIEW.lines(RUNNING, target))
    assert PREVIEW.differences({FILE: box.text}, target) == ()
    box.type(PREVIEW.lines(target, RUNNING))
    assert PREVIEW.differences({FILE: box.text}, RUNNING) == ()
