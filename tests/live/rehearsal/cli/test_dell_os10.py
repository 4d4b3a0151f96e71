from __future__ import annotations

from tests.live.rehearsal.cli.driver import Bench, quiet, say, switch

CHANGE = ("interface ethernet1/1/1", "no shutdown", "no switchport", "mtu 9216")


def test_a_transaction_changes_nothing_before_its_commit() -> None:
    box = switch("dell_os10", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    quiet(user, "start transaction", "configure terminal", *CHANGE, "end")
    told = user.type("show diff candidate-configuration running-configuration")
    assert " mtu 9216\n" in told
    assert "+" not in told
    assert box.state()["running"] == before
    quiet(user, "commit")
    assert " mtu 9216\n" in box.state()["running"]
    assert box.state()["startup"] == before


def test_a_transaction_is_discarded() -> None:
    box = switch("dell_os10", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    quiet(user, "start transaction", "configure terminal", *CHANGE, "end", "discard")
    assert box.state()["running"] == before
    assert box.candidates == {}


def test_without_a_transaction_lines_go_live() -> None:
    box = switch("dell_os10", Bench())
    user = box.login("admin")
    quiet(user, "configure terminal", *CHANGE)
    assert user.prompt() == "leaf-0(conf-if-eth1/1/1)# "
    assert " no shutdown\n" in box.state()["running"]


def test_a_transaction_of_somebody_else_is_told() -> None:
    box = switch("dell_os10", Bench())
    quiet(box.login("carol"), "start transaction")
    assert "locked by user carol" in box.login("admin").type("start transaction")


def test_a_lost_login_leaves_its_transaction_open() -> None:
    box = switch("dell_os10", Bench())
    user = box.login("admin")
    quiet(user, "start transaction", "configure terminal", *CHANGE)
    user.hang_up()
    other = box.login("admin")
    quiet(other, "start transaction")
    assert "mtu 9216" in other.type("show candidate-configuration")


def test_a_copied_file_is_merged_and_a_save_is_what_boots() -> None:
    box = switch("dell_os10", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "copy running-configuration home://pre.cfg", "configure terminal", *CHANGE, "end")
    say(user, "copy home://pre.cfg running-configuration")
    assert " mtu 9216\n" in box.state()["running"], "a merge takes nothing away"
    say(user, "copy home://pre.cfg startup-configuration")
    box.reboot()
    assert box.state()["running"] == before


def test_there_is_no_timer() -> None:
    user = switch("dell_os10", Bench()).login("admin")
    quiet(user, "start transaction")
    assert "% Error" in user.type("commit confirmed 5")


def test_refusals() -> None:
    user = switch("dell_os10", Bench()).login("admin")
    quiet(user, "configure terminal", "interface ethernet1/1/1")
    assert "% Error: Unrecognized command." in user.type("bogus")
    assert "% Error: Illegal parameter." in user.type("mtu 99999")


def test_what_a_lost_login_left_is_dropped_or_committed_by_the_next() -> None:
    box = switch("dell_os10", Bench())
    before = box.state()["running"]
    for word, changed in (("discard", False), ("commit", True)):
        user = box.login("admin")
        quiet(user, "start transaction", "configure terminal", *CHANGE)
        user.hang_up()
        other = box.login("admin")
        waits = other.type("show diff candidate-configuration running-configuration")
        assert waits.startswith("!\ninterface ethernet1/1/1\n")
        quiet(other, word, "show diff candidate-configuration running-configuration")
        assert (box.state()["running"] != before) is changed
        assert box.candidates == {}


def test_after_a_commit_lines_are_live_again() -> None:
    box = switch("dell_os10", Bench())
    user = box.login("admin")
    quiet(user, "start transaction", "configure terminal", "end", "commit")
    quiet(user, "configure terminal", "hostname other", "end")
    assert "hostname other\n" in box.state()["running"]
    quiet(user, "show diff candidate-configuration running-configuration")


def test_a_lock_keeps_others_from_changing_until_its_login_ends() -> None:
    box = switch("dell_os10", Bench())
    user, other = box.login("carol"), box.login("admin")
    quiet(user, "lock")
    assert "locked" in other.type("lock")
    quiet(other, "configure terminal")
    assert "locked" in other.type("hostname other")
    user.hang_up()
    quiet(other, "hostname other", "end", "lock", "unlock")


def test_the_startup_file_is_copied_aside_and_back() -> None:
    box = switch("dell_os10", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "copy config://startup.xml config://kept.xml", "configure terminal", *CHANGE, "end")
    say(user, "copy running-configuration startup-configuration")
    assert box.state()["startup"] != before
    assert user.type("copy config://kept.xml config://startup.xml") == "Copy completed\n"
    assert box.state()["startup"] == before
    quiet(user, "delete config://kept.xml")
    assert "% Error" in user.type("copy config://kept.xml config://startup.xml")


def test_a_port_is_routed_or_switched() -> None:
    box = switch("dell_os10", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    quiet(user, "configure terminal", "interface ethernet1/1/1", "no switchport")
    assert "ethernet1/1/1\n no shutdown\n no switchport\n!" in box.state()["running"]
    quiet(user, "switchport mode access", "switchport access vlan 1")
    assert box.state()["running"] == before
    quiet(user, "switchport mode trunk", "switchport trunk allowed vlan 7", "no switchport")
    assert "trunk" not in box.state()["running"]


def test_what_is_only_a_mode_is_not_shown_while_it_is_empty() -> None:
    box = switch("dell_os10", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    quiet(user, "configure terminal", "system qos", "ets mode on")
    assert "system qos\n ets mode on\n" in box.state()["running"]
    quiet(user, "no ets mode on", "exit")
    assert box.state()["running"] == before


def test_at_a_neighbour_ipv4_is_on_and_not_shown() -> None:
    box = switch("dell_os10", Bench())
    user = box.login("admin")
    quiet(user, "configure terminal", "router bgp 65000", "neighbor 10.0.0.1")
    quiet(user, "address-family ipv4 unicast", "activate", "exit")
    assert "activate" not in box.state()["running"]
    quiet(user, "address-family ipv4 unicast", "no activate", "exit")
    assert "ipv4 unicast\n   no activate\n" in box.state()["running"]
    quiet(user, "address-family ipv6 unicast", "activate")
    assert "ipv6 unicast\n   activate\n" in box.state()["running"]
