from __future__ import annotations

from tests.live.rehearsal.cli.driver import Bench, quiet, say, switch

CHANGE = ("interface Ethernet1/1", "no switchport", "mtu 9216", "ip address 10.0.0.1/31")


def test_lines_go_live_at_once() -> None:
    box = switch("cisco_nxos", Bench())
    user = box.login("admin")
    say(user, "configure terminal")
    quiet(user, *CHANGE, "no shutdown")
    assert user.prompt() == "leaf-0(config-if)# "
    assert "  mtu 9216\n" in box.state()["running"]
    assert "  no shutdown\n" in box.state()["running"]


def test_a_feature_comes_first_and_takes_its_lines_along() -> None:
    box = switch("cisco_nxos", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "configure terminal")
    assert "% Invalid command at '^' marker." in user.type("router bgp 65000")
    quiet(user, "feature bgp", "router bgp 65000", "no feature bgp")
    assert box.state()["running"] == before


def test_a_timed_dual_stage_commit_is_undone() -> None:
    bench = Bench()
    box = switch("cisco_nxos", bench)
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "configure dual-stage")
    quiet(user, *CHANGE)
    assert box.state()["running"] == before
    assert "Verification Succeeded." in user.type("commit confirmed 30")
    assert box.state()["running"] != before
    bench.now += 30
    box.tick()
    assert box.state()["running"] == before
    assert user.type("end").startswith("Confirm commit Timer expired")


def test_a_second_commit_confirms() -> None:
    bench = Bench()
    box = switch("cisco_nxos", bench)
    user = box.login("admin")
    say(user, "configure dual-stage", *CHANGE, "commit confirmed 30")
    changed = box.state()["running"]
    assert user.type("commit") == ""
    bench.now += 60
    box.tick()
    assert box.state()["running"] == changed


def test_a_dual_stage_candidate_goes_with_its_session() -> None:
    box = switch("cisco_nxos", Bench())
    user = box.login("admin")
    say(user, "configure dual-stage", *CHANGE)
    user.hang_up()
    assert box.candidates == {}
    other = box.login("admin")
    say(other, "configure dual-stage")
    assert "mtu" not in other.type("show configuration")


def test_a_time_out_of_range_is_refused() -> None:
    user = switch("cisco_nxos", Bench()).login("admin")
    say(user, "configure dual-stage", *CHANGE)
    assert "% Invalid number" in user.type("commit confirmed 29")


def test_a_file_replaces_all_for_a_time() -> None:
    bench = Bench()
    box = switch("cisco_nxos", bench)
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "copy running-config bootflash:pre.cfg", "configure terminal", *CHANGE, "end")
    changed = box.state()["running"]
    assert "`config t `" in user.type("configure replace bootflash:pre.cfg show-patch")
    assert box.state()["running"] == changed
    told = user.type("configure replace bootflash:pre.cfg commit-timeout 60")
    assert "Configure replace completed successfully" in told
    assert box.state()["running"] == before
    bench.now += 60
    box.tick()
    assert box.state()["running"] == changed


def test_configure_replace_commit_keeps_it() -> None:
    bench = Bench()
    box = switch("cisco_nxos", bench)
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "copy running-config bootflash:pre.cfg", "configure terminal", *CHANGE, "end")
    say(user, "configure replace bootflash:pre.cfg commit-timeout 60", "configure replace commit")
    bench.now += 120
    box.tick()
    assert box.state()["running"] == before


def test_a_file_with_a_wrong_line_changes_nothing() -> None:
    box = switch("cisco_nxos", Bench())
    before = box.state()["running"]
    box.disk["/bootflash/bad.cfg"] = b"hostname other\nbogus line\n"
    told = box.login("admin").type("configure replace bootflash:bad.cfg")
    assert "Syntax error while parsing 'bogus line'" in told
    assert box.state()["running"] == before


def test_checkpoints_come_back_and_missing_ones_fail() -> None:
    box = switch("cisco_nxos", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "checkpoint pre", "configure terminal", *CHANGE, "end")
    told = user.type("rollback running-config checkpoint pre")
    assert "Rollback completed successfully." in told
    assert box.state()["running"] == before
    assert user.type("rollback running-config checkpoint none") == "Rollback failed.\n"


def test_overwriting_a_file_asks_unless_told_not_to() -> None:
    user = switch("cisco_nxos", Bench()).login("admin")
    say(user, "copy running-config bootflash:a")
    quiet(user, "copy running-config bootflash:a")
    assert "overwrite" in user.prompt()
    quiet(user, "n")
    quiet(user, "terminal dont-ask")
    assert "Copy complete." in user.type("copy running-config bootflash:a")


def test_startup_changes_with_a_save_alone() -> None:
    box = switch("cisco_nxos", Bench())
    user = box.login("admin")
    say(user, "configure terminal", *CHANGE, "end")
    assert "mtu 9216" not in box.state()["startup"]
    say(user, "copy running-config startup-config")
    assert box.state()["startup"] == box.state()["running"]


def test_hidden_defaults_and_the_caret() -> None:
    box = switch("cisco_nxos", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "configure terminal")
    quiet(user, "interface Ethernet1/1", "mtu 1500", "switchport", "shutdown")
    assert box.state()["running"] == before
    caret, text = user.type("mtu 20000").splitlines()
    assert caret == " " * (len("leaf-0(config-if)# ") + 4) + "^"
    assert text == "% Invalid command at '^' marker."


def test_the_summary_has_the_state_of_each_neighbour() -> None:
    box = switch("cisco_nxos", Bench())
    user = box.login("admin")
    assert "not running" in user.type("show ip bgp summary")
    say(user, "configure terminal", "feature bgp", *CHANGE, "router bgp 65000",
        "neighbor 10.0.0.0", "remote-as 65001", "end")  # fmt: skip
    (peering,) = box.peerings()
    assert (peering.port, peering.remote_asn) == ("Ethernet1/1", 65001)
    assert user.type("show ip bgp summary").splitlines()[-1].split()[:3] == [
        "10.0.0.0", "4", "65001",
    ]  # fmt: skip
