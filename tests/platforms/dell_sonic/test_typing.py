"""What is typed at Enterprise SONiC: what is taken back, protected, and every plan."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric.live.push.guard import told
from fabric.platforms.dell_sonic.pushing import Preview
from fabric.platforms.dell_sonic.words import TYPING
from tests.platforms.dell_sonic.cases import EVERY, FILE, text
from tests.platforms.pushed import spec
from tests.platforms.typed_box import TypedBox

RUNNING = {FILE: (Path(__file__).parent / "running/leaf-0.cfg").read_text()}
SPEC = spec("dell_sonic")
PREVIEW = Preview(SPEC.owned)


def test_a_port_is_emptied_and_its_watchdog_turned_off() -> None:
    """spytest qos/pfc.py says `off`; a port cannot be taken away."""
    port = "interface Eth1/99\n mtu 9216\n priority-flow-control watchdog on detect-time 200\n!\n"
    assert PREVIEW.lines({FILE: RUNNING[FILE] + port}, RUNNING) == (
        "interface Eth1/99",
        "priority-flow-control watchdog off",
        "no mtu",
        "exit",
    )


LETS_US_IN = (
    "interface Management 0",
    "ip vrf mgmt",
    "username admin password x role admin",
    "no aaa authentication login default local",
    "ssh-server vrf mgmt",
    "ip route 0.0.0.0/0 192.0.2.1 vrf mgmt",
    "interface-naming standard",
    "buffer init lossless",
    "roce enable",
)


@pytest.mark.parametrize("line", LETS_US_IN)
def test_what_lets_us_in_or_reboots_is_protected(line: str) -> None:
    assert told((f"+{line}",), SPEC.protected)


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_every_plan_is_typed_classed_and_touches_nothing_protected(case: str, device: str) -> None:
    target = PREVIEW.target(RUNNING, {FILE: text(case, device)})
    lines = PREVIEW.lines(RUNNING, target)
    assert "exit" in lines
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
