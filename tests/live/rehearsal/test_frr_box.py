# ruff: noqa: S108 - paths on the fake
from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.live.rehearsal.box import Neighbour

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.rehearsal.box import Setup
    from fabric.live.rehearsal.control import Rehearsal
    from tests.live.rehearsal.client import Client

    Start = Callable[..., Rehearsal]
    Connect = Callable[[Rehearsal, str], Client]

_LEAF = """frr defaults datacenter
hostname leaf1
log syslog informational
service integrated-vtysh-config
!
interface lo
 ip address 10.255.0.1/32
exit
!
router bgp 65101
 bgp router-id 10.255.0.1
 neighbor FABRIC peer-group
 neighbor FABRIC remote-as external
 neighbor swp1 interface peer-group FABRIC
 !
 address-family ipv4 unicast
  redistribute connected route-map LO
  maximum-paths 64
 exit-address-family
exit
!
route-map LO permit 10
exit
"""
_SPINE = """frr defaults datacenter
hostname spine1
router bgp 65001
 neighbor swp1 interface remote-as 65101
"""
_RELOAD = "sudo /usr/lib/frr/frr-reload.py"


def _client(start: Start, connect: Connect, frr: Setup) -> tuple[Rehearsal, Client]:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    client.put("/tmp/new.conf", _LEAF)
    return rehearsal, client


def test_difference_apply_and_nothing_left(start: Start, connect: Connect, frr: Setup) -> None:
    _, client = _client(start, connect, frr)
    assert client.run("sudo vtysh -C -f /tmp/new.conf") == (0, "", "")
    shown = client.out(f"{_RELOAD} --test /tmp/new.conf")
    assert "Lines To Add\n============\n" in shown
    assert "router bgp 65101\n bgp router-id 10.255.0.1\nexit\n" in shown
    assert (
        "router bgp 65101\n address-family ipv4 unicast\n  maximum-paths 64\n exit\nexit\n" in shown
    )
    client.out(f"{_RELOAD} --reload /tmp/new.conf")
    assert client.out(f"{_RELOAD} --test /tmp/new.conf") == ""
    running = client.out("sudo vtysh -c 'show running-config'")
    assert running.startswith(
        "Building configuration...\n\nCurrent configuration:\n!\nfrr version 8.4.4\n"
    )
    assert running.endswith("route-map LO permit 10\nexit\n!\nend\n")
    assert " address-family ipv4 unicast\n  redistribute connected route-map LO\n" in running


def test_reload_of_another_file_saves(start: Start, connect: Connect, frr: Setup) -> None:
    """tools/frr-reload.py: ``write`` unless the file is frr.conf itself."""
    rehearsal, client = _client(start, connect, frr)
    client.out(f"{_RELOAD} --reload /tmp/new.conf")
    assert "router bgp 65101" in rehearsal.state("leaf1")["file frr.conf"]
    assert "router bgp" not in client.out("sudo cat /etc/frr/frr.conf.sav")  # codespell:ignore


def test_reload_of_frr_conf_does_not_save(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal, client = _client(start, connect, frr)
    client.out("sudo install -m 640 /tmp/new.conf /etc/frr/frr.conf && sudo systemctl reload frr")
    assert rehearsal.state("leaf1")["file frr.conf"] == _LEAF
    assert "router bgp 65101" in rehearsal.state("leaf1")["frr"]


def test_removing_lines_and_whole_contexts(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal, client = _client(start, connect, frr)
    client.out(f"{_RELOAD} --reload /tmp/new.conf")
    client.put(
        "/tmp/less.conf",
        _LEAF.replace("  maximum-paths 64\n", "")
        .replace("route-map LO permit 10\nexit\n", "")
        .replace(" route-map LO", ""),
    )
    shown = client.out(f"{_RELOAD} --test /tmp/less.conf")
    assert "  no maximum-paths 64\n" in shown
    assert "\nno route-map LO permit 10\n" in shown
    client.out(f"{_RELOAD} --reload /tmp/less.conf")
    left = rehearsal.state("leaf1")["frr"]
    assert "maximum-paths" not in left
    assert "route-map" not in left


def test_a_bad_line_is_a_trap_for_test_and_harmless_for_reload(
    start: Start, connect: Connect, frr: Setup
) -> None:
    rehearsal, client = _client(start, connect, frr)
    client.out(f"{_RELOAD} --reload /tmp/new.conf")
    before = rehearsal.state("leaf1")["frr"]
    client.put("/tmp/bad.conf", _LEAF.replace("maximum-paths", "maximum-pathz"))
    status, out, err = client.run("sudo vtysh -C -f /tmp/bad.conf")
    assert (status, out) == (2, "")
    assert err.startswith("line 18: % Unknown command[")
    status, out, err = client.run(f"{_RELOAD} --test /tmp/bad.conf")
    assert status == 1
    assert "no router bgp 65101" in out
    assert "vtysh failed to process new configuration" in err
    assert client.run(f"{_RELOAD} --reload /tmp/bad.conf")[0] == 1
    assert rehearsal.state("leaf1")["frr"] == before


def test_files_that_are_no_configuration(start: Start, connect: Connect, frr: Setup) -> None:
    _, client = _client(start, connect, frr)
    assert client.run(f"{_RELOAD} --reload /none") == (1, "Filename /none does not exist\n", "")
    client.out("touch /tmp/empty")
    assert client.run(f"{_RELOAD} --test /tmp/empty")[0] == 1


def test_with_daemons_down_all_is_to_add(start: Start, connect: Connect, frr: Setup) -> None:
    _, client = _client(start, connect, frr)
    client.out(f"{_RELOAD} --reload /tmp/new.conf && sudo systemctl stop frr")
    assert client.run("systemctl is-active frr") == (3, "inactive\n", "")
    status, out, _ = client.run(f"{_RELOAD} --test /tmp/new.conf")
    assert status == 0
    assert "router bgp 65101" in out
    assert client.run("sudo vtysh -c 'show version'")[0] == 1
    client.out("sudo systemctl restart frr && sudo vtysh -c 'show version'")


def test_a_neighbour_goes_with_its_remote_as(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal, client = _client(start, connect, frr)
    client.out(
        "sudo vtysh -c 'configure' -c 'router bgp 1' -c 'neighbor 10.0.0.1 remote-as 2' "
        "-c 'neighbor 10.0.0.1 description x' -c 'no neighbor 10.0.0.1 remote-as 2'"
    )
    assert "10.0.0.1" not in rehearsal.state("leaf1")["frr"]


def _states(client: Client) -> list[str]:
    found = json.loads(client.out("sudo vtysh -c 'show bgp summary json'"))
    return [peer["state"] for peer in found["ipv4Unicast"]["peers"].values()]


def test_sessions_need_both_ends(start: Start, connect: Connect, frr: Setup) -> None:
    spine = replace(frr, device="spine1", neighbours=(Neighbour("swp1", "leaf1", "swp1"),))
    rehearsal = start(frr, spine)
    leaf, other = connect(rehearsal, "leaf1"), connect(rehearsal, "spine1")
    leaf.put("/tmp/new.conf", _LEAF)
    leaf.out(f"{_RELOAD} --reload /tmp/new.conf")
    assert _states(leaf) == ["Active"]
    other.put("/tmp/new.conf", _SPINE.replace("65101", "64999"))
    other.out(f"{_RELOAD} --reload /tmp/new.conf")
    assert _states(leaf) == _states(other) == ["Idle"]  # the wrong number
    other.put("/tmp/new.conf", _SPINE)
    other.out(f"{_RELOAD} --reload /tmp/new.conf")
    assert _states(leaf) == _states(other) == ["Established"]
    rehearsal.reboot("spine1")
    assert _states(leaf) == ["Active"]
    rehearsal.advance(100)
    assert _states(leaf) == ["Established"]


def test_kernel_settings_and_interfaces_are_loaded_not_just_written(
    start: Start, connect: Connect, frr: Setup
) -> None:
    rehearsal, client = _client(start, connect, frr)
    client.put("/tmp/s", "net.ipv4.ip_forward = 1\n")
    client.put("/tmp/i", "auto swp1\niface swp1\n    address 10.0.0.0/31\n")
    client.out(
        "sudo install -m 644 /tmp/s /etc/sysctl.d/99-fabric.conf && "
        "sudo install -m 644 /tmp/i /etc/network/interfaces.d/fabric"
    )
    assert "net.ipv4.ip_forward = 0" in rehearsal.state("leaf1")["sysctl"]
    assert client.out("sudo sysctl -p /etc/sysctl.d/99-fabric.conf") == "net.ipv4.ip_forward = 1\n"
    assert "10.0.0.0/31" not in rehearsal.state("leaf1")["interfaces"]
    client.out("sudo ifreload -a")
    assert "10.0.0.0/31" in rehearsal.state("leaf1")["interfaces"]
    assert client.run("sudo sysctl -w nosuch.key=1")[0] == 255


def test_what_an_operator_wrote_is_there(start: Start, connect: Connect, frr: Setup) -> None:
    client = connect(start(frr), "leaf1")
    assert "address 192.0.2.10/24" in client.out("cat /etc/network/interfaces")
    for path in ("/etc/ntpsec/ntp.conf", "/etc/snmp/snmpd.conf", "/etc/rsyslog.d/remote.conf"):
        assert client.out(f"cat {path}")


def test_neighbours_by_lldp(start: Start, connect: Connect, frr: Setup) -> None:
    client = connect(start(frr), "leaf1")
    found = json.loads(client.out("sudo lldpcli -f json0 show neighbors"))
    port = found["lldp"][0]["interface"][0]
    assert (port["name"], port["chassis"][0]["name"][0]["value"]) == ("swp1", "spine1")


def test_activate_is_shown_where_ipv4_is_not_the_default(
    start: Start, connect: Connect, frr: Setup
) -> None:
    _, client = _client(start, connect, frr)
    text = "frr defaults datacenter\nhostname leaf1\nbgp session-dscp 56\nrouter bgp 1\n"
    inner = " neighbor A peer-group\n address-family ipv4 unicast\n  neighbor A activate\n"
    client.put("/tmp/a.conf", text + " no bgp default ipv4-unicast\n" + inner)
    client.put("/tmp/b.conf", text + inner)
    client.out(f"{_RELOAD} --reload /tmp/a.conf")
    assert client.out(f"{_RELOAD} --test /tmp/a.conf") == ""
    client.out(f"{_RELOAD} --reload /tmp/b.conf")
    assert "neighbor A activate" not in client.out("sudo vtysh -c 'show running-config'")
