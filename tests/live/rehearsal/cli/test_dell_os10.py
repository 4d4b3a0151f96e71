from __future__ import annotations

from tests.live.rehearsal.cli.driver import Bench, quiet, say, switch

CHANGE = ("interface ethernet1/1/1", "no shutdown", "no switchport", "mtu 9216")


def test_a_transaction_changes_nothing_before_its_commit() -> None:
    box = switch("dell_os10", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    quiet(user, "start transaction", "configure terminal", *CHANGE, "end")
    told = user.type("show diff candidate-configuration running-configuration")
    assert " mtu 9216\n" in told and "+" not in told
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
