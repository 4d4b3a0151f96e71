from __future__ import annotations

import json

from fabric.live.rehearsal.box import PeerState
from tests.live.rehearsal.cli.driver import Bench, quiet, say, switch

CHANGE = ("interface Ethernet1/1", "no switchport", "mtu 9214", "ip address 10.0.0.1/31")


def test_a_session_changes_nothing_before_its_commit() -> None:
    box = switch("arista_eos", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    quiet(user, "enable", "configure session fabric-1", *CHANGE)
    assert "+   mtu 9214" in user.type("show session-config diffs")
    assert box.state()["running"] == before
    quiet(user, "commit")
    assert "   mtu 9214" in box.state()["running"]
    assert box.state()["startup"] == before


def test_the_prompt_names_six_letters_of_the_session_and_the_section() -> None:
    user = switch("arista_eos", Bench(), "leaf-0-of-a-long-row").login("admin")
    assert user.prompt() == "leaf-0-of-a-long-row>"
    quiet(user, "enable", "configure session fabric-1", "interface Ethernet1/1")
    assert user.prompt() == "leaf-0-of-a-long-row(config-s-fabric-if-Et1/1)#"


def test_a_timed_commit_is_undone_at_its_time() -> None:
    bench = Bench()
    box = switch("arista_eos", bench)
    before = box.state()["running"]
    user = box.login("admin")
    quiet(user, "enable", "configure session fabric-1", *CHANGE, "commit timer 00:05:00")
    assert box.state()["timer"] == "300"
    bench.now += 299
    box.tick()
    assert box.state()["running"] != before
    bench.now += 1
    box.tick()
    assert box.state()["running"] == before
    assert box.state()["timer"] == ""


def test_another_login_confirms_a_timed_commit_by_name() -> None:
    bench = Bench()
    box = switch("arista_eos", bench)
    user = box.login("admin")
    quiet(user, "enable", "configure session fabric-1", *CHANGE, "commit timer 00:05:00")
    changed = box.state()["running"]
    user.hang_up()
    other = box.login("admin")
    quiet(other, "enable", "configure session fabric-1 commit")
    bench.now += 600
    box.tick()
    assert box.state()["running"] == changed


def test_an_abort_undoes_a_timed_commit_now() -> None:
    box = switch("arista_eos", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    quiet(user, "enable", "configure session fabric-1", *CHANGE, "commit timer 00:05:00")
    quiet(user, "configure session fabric-1 abort")
    assert box.state()["running"] == before


def test_a_session_outlives_a_lost_login_and_can_be_aborted() -> None:
    box = switch("arista_eos", Bench())
    user = box.login("admin")
    quiet(user, "enable", "configure session fabric-1", *CHANGE)
    user.hang_up()
    other = box.login("admin")
    other.type("enable")
    told = json.loads(other.type("show configuration sessions | json"))
    assert told["sessions"]["fabric-1"]["state"] == "pending"
    quiet(other, "configure session fabric-1 abort")
    told = json.loads(other.type("show configuration sessions | json"))
    assert told["sessions"] == {}


def test_pending_timers_are_told_in_seconds_of_uptime_where_the_version_has_them() -> None:
    bench = Bench()
    box = switch("arista_eos", bench)
    user = box.login("admin")
    bench.now += 50
    quiet(user, "enable", "configure session fabric-1", *CHANGE, "commit timer 00:01:00")
    told = json.loads(user.type("show configuration sessions detail | json"))
    assert told["sessions"]["fabric-1"]["state"] == "pendingCommitTimer"
    assert told["sessions"]["fabric-1"]["commitBy"] == 110


def test_somebody_elses_session_is_listed() -> None:
    bench = Bench(armed={"lock": 1})
    user = switch("arista_eos", bench).login("admin")
    user.type("enable")
    told = json.loads(user.type("show configuration sessions | json"))
    assert [one["state"] for one in told["sessions"].values()] == ["pending"]


def test_clean_config_then_lines_replaces_all() -> None:
    box = switch("arista_eos", Bench())
    user = box.login("admin")
    quiet(user, "enable", "configure session fabric-1", "rollback clean-config", "hostname other")
    quiet(user, "commit")
    assert box.state()["running"] == "hostname other\nend\n"


def test_a_file_brings_the_old_configuration_back() -> None:
    box = switch("arista_eos", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "enable", "copy running-config flash:pre", "configure terminal")
    quiet(user, *CHANGE, "no ntp server vrf MGMT 192.0.2.61", "end")
    quiet(user, "configure replace flash:pre")
    assert box.state()["running"] == before
    assert box.disk["/mnt/flash/pre"].decode() == before


def test_default_empties_an_interface_and_a_rejected_line_changes_nothing() -> None:
    bench = Bench()
    box = switch("arista_eos", bench)
    before = box.state()["running"]
    user = box.login("admin")
    quiet(user, "enable", "configure terminal", *CHANGE, "default interface Ethernet1/1")
    assert box.state()["running"] == before
    bench.armed["reject"] = 1
    assert user.type("hostname other").startswith("% Invalid input (at token 0: 'hostname')")
    assert box.state()["running"] == before


def test_a_full_disk_saves_nothing() -> None:
    bench = Bench(armed={"disk-full": 1})
    box = switch("arista_eos", bench)
    user = box.login("admin")
    quiet(user, "enable", "configure terminal", "hostname other", "end")
    assert user.type("write memory").startswith("% Error")
    assert "hostname leaf-0\n" in box.state()["startup"]


def test_wrong_lines_are_told_by_their_word() -> None:
    user = switch("arista_eos", Bench()).login("admin")
    quiet(user, "enable", "configure terminal", "interface Ethernet1/1")
    assert user.type("bogus x") == "% Invalid input (at token 0: 'bogus')\n"
    assert user.type("mtu 99999") == "% Invalid input (at token 1: '99999')\n"
    assert user.type("ip address").startswith("% Incomplete command")


def test_bgp_tells_what_became_of_its_sessions() -> None:
    bench = Bench(state_told=PeerState("Active"))
    box = switch("arista_eos", bench)
    user = box.login("admin")
    quiet(user, "enable", "configure terminal", *CHANGE, "router bgp 65000")
    quiet(user, "neighbor 10.0.0.0 remote-as 65001", "end")
    (peering,) = box.peerings()
    assert (peering.port, peering.local, peering.remote) == ("Ethernet1/1", "10.0.0.1", "10.0.0.0")
    assert (peering.local_asn, peering.remote_asn, peering.up) == (65000, 65001, True)
    told = json.loads(user.type("show ip bgp summary vrf all | json"))
    assert told["vrfs"]["default"]["peers"]["10.0.0.0"]["peerState"] == "Active"
    assert "10.0.0.0" in user.type("show bgp summary")


def test_paging_is_on_until_it_is_turned_off() -> None:
    user = switch("arista_eos", Bench()).login("admin")
    assert user.page_length() == 24
    assert user.pager() == " --More-- "
    user.type("terminal length 0")
    assert user.page_length() == 0
