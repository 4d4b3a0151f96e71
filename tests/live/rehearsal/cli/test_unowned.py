"""What an operator has on a switch stays byte for byte when a rendered file is put on top of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.live.rehearsal.cli.driver import Bench, say, switch

if TYPE_CHECKING:
    from fabric.live.rehearsal.cli.device import CliBox

IN = {  # how a user comes to where lines are typed, and a few lines
    "arista_eos": ("enable", "configure terminal", "interface Ethernet1/1", "mtu 9214",
                   "router bgp 65000", "router-id 10.0.0.1"),
    "cisco_nxos": ("configure terminal", "feature bgp", "interface Ethernet1/1", "mtu 9216",
                   "router bgp 65000", "router-id 10.0.0.1"),
    "huawei_vrp": ("system-view", "interface 400GE1/0/1", "mtu 9216", "quit", "bgp 65000",
                   "router-id 10.0.0.1", "commit"),
    "hp_comware": ("system-view", "interface FourHundredGigE1/0/1", "mtu 9008", "quit",
                   "bgp 65000", "router-id 10.0.0.1"),
    "dell_os10": ("configure terminal", "interface ethernet1/1/1", "mtu 9216",
                  "router bgp 65000", "router-id 10.0.0.1"),
    "dell_sonic": ("sonic-cli", "configure terminal", "interface Eth1/1", "min-links 2", "exit",
                   "router bgp 65000", "router-id 10.0.0.1"),
    "juniper_junos": ("configure", "set interfaces et-0/0/0 mtu 9216",
                      "set routing-options router-id 10.0.0.1", "commit"),
    "nokia_srl": ("enter candidate private name f", "set / interface ethernet-1/1 mtu 9216",
                  "commit now"),
}  # fmt: skip


def flat(box: CliBox) -> list[str]:
    return box.form.flat(box.running)


@pytest.mark.parametrize("name", sorted(IN))
def test_lines_typed_leave_all_others_as_they_were(name: str) -> None:
    box = switch(name, Bench())
    before = flat(box)
    say(box.login("admin"), *IN[name])
    after = flat(box)
    assert len(after) > len(before)
    assert set(before) <= set(after)
    assert [line for line in after if line in before] == before or name == "nokia_srl"


@pytest.mark.parametrize("name", sorted(IN))
def test_an_armed_rejection_refuses_one_line_and_changes_nothing(name: str) -> None:
    bench = Bench()
    box = switch(name, bench)
    *way, line = [one for one in IN[name] if not one.startswith("commit")]
    user = box.login("admin")
    say(user, *way)
    held = box.text(user.candidate.config if user.candidate else box.running)
    bench.armed["reject"] = 1
    assert user.type(line).strip() != ""
    assert bench.armed["reject"] == 0
    assert box.text(user.candidate.config if user.candidate else box.running) == held
    assert user.type(line).strip() == ""
