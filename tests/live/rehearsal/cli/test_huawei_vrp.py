from __future__ import annotations

from tests.live.rehearsal.cli.driver import Bench, quiet, say, switch

CHANGE = ("interface 400GE1/0/1", "undo portswitch", "mtu 9216",
          "ip address 10.0.0.1 255.255.255.254", "quit")  # fmt: skip


def test_the_prompt_says_whether_changes_wait() -> None:
    user = switch("huawei_vrp", Bench()).login("admin")
    assert user.prompt() == "<leaf-0>"
    say(user, "system-view")
    assert user.prompt() == "[~leaf-0]"
    quiet(user, "interface 400GE1/0/1", "mtu 9216")
    assert user.prompt() == "[*leaf-0-400GE1/0/1]"
    quiet(user, "commit")
    assert user.prompt() == "[~leaf-0-400GE1/0/1]"


def test_lines_wait_for_the_commit() -> None:
    box = switch("huawei_vrp", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "system-view")
    quiet(user, *CHANGE)
    assert "+ mtu 9216" in user.type("display configuration candidate changes")
    assert box.state()["running"] == before
    quiet(user, "commit")
    assert " mtu 9216\n" in box.state()["running"]
    assert " undo portswitch\n" in box.state()["running"]


def test_a_persistent_trial_outlives_its_session_and_ends_by_itself() -> None:
    bench = Bench()
    box = switch("huawei_vrp", bench)
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "system-view", *CHANGE, "commit trial 300 persist fabric-1")
    user.hang_up()
    bench.now += 299
    box.tick()
    assert box.state()["running"] != before
    bench.now += 1
    box.tick()
    assert box.state()["running"] == before


def test_a_persistent_trial_is_confirmed_by_its_id_from_another_session() -> None:
    bench = Bench()
    box = switch("huawei_vrp", bench)
    user = box.login("admin")
    say(user, "system-view", *CHANGE, "commit trial 300 persist fabric-1")
    changed = box.state()["running"]
    user.hang_up()
    other = box.login("admin")
    say(other, "system-view")
    assert other.type("commit persist wrong").startswith("Error:")
    quiet(other, "commit persist fabric-1")
    bench.now += 600
    box.tick()
    assert box.state()["running"] == changed


def test_a_trial_without_id_goes_with_its_session() -> None:
    box = switch("huawei_vrp", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "system-view", *CHANGE, "commit trial 300")
    user.hang_up()
    assert box.state()["running"] == before


def test_a_trial_is_aborted_after_a_question() -> None:
    box = switch("huawei_vrp", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "system-view", *CHANGE, "commit trial 300 persist fabric-1")
    quiet(user, "abort trial persist fabric-1")
    assert user.prompt().endswith("Continue? [Y/N]:")
    quiet(user, "y")
    assert box.state()["running"] == before


def test_leaving_with_changes_asks_what_to_do() -> None:
    box = switch("huawei_vrp", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "system-view", "sysname other")
    quiet(user, "return")
    assert "Uncommitted configurations found" in user.prompt()
    quiet(user, "c")
    assert user.prompt() == "[*leaf-0]"
    quiet(user, "return", "n")
    assert user.prompt() == "<leaf-0>"
    assert box.state()["running"] == before


def test_a_peer_is_enabled_by_itself_and_goes_everywhere() -> None:
    box = switch("huawei_vrp", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "system-view", "bgp 65000", "peer 10.0.0.0 as-number 65001", "commit")
    assert "  peer 10.0.0.0 enable\n" in box.state()["running"]
    say(user, "undo peer 10.0.0.0")
    say(user, "commit")
    assert "peer 10.0.0.0" not in box.state()["running"]
    say(user, "quit", "undo bgp 65000", "commit")
    assert box.state()["running"] == before


def test_a_file_replaces_the_candidate() -> None:
    box = switch("huawei_vrp", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "save pre.cfg", "y", "system-view", *CHANGE, "commit")
    quiet(user, "load configuration file pre.cfg replace", "commit")
    assert box.state()["running"] == before
    assert box.disk["/pre.cfg"].decode() == before


def test_rolling_back_the_last_commit_asks() -> None:
    box = switch("huawei_vrp", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "system-view", *CHANGE, "commit", "quit")
    quiet(user, "rollback configuration last 1")
    assert user.prompt().endswith("Continue? [Y/N]:")
    say(user, "y")
    assert box.state()["running"] == before


def test_saving_asks_and_a_lock_keeps_others_from_committing() -> None:
    box = switch("huawei_vrp", Bench())
    user, other = box.login("admin"), box.login("carol")
    quiet(other, "configuration exclusive")
    say(user, "system-view", "sysname new")
    assert user.type("commit").startswith("Error:")
    other.hang_up()
    quiet(user, "commit")
    say(user, "quit")
    quiet(user, "save")
    assert user.prompt().endswith("Are you sure to continue? [Y/N]:")
    assert "Save the configuration successfully." in user.type("y")
    assert "sysname new\n" in box.state()["startup"]


def test_refusals_point_at_the_word() -> None:
    user = switch("huawei_vrp", Bench()).login("admin")
    say(user, "system-view")
    assert user.type("bogus") == (
        "         ^\nError: Unrecognized command found at '^' position.\n"
    )
    say(user, "interface 400GE1/0/1")
    assert "Error: Wrong parameter found at '^' position." in user.type("mtu 99999")


def test_an_addresss_mask_gives_the_port_of_a_session() -> None:
    box = switch("huawei_vrp", Bench())
    user = box.login("admin")
    say(user, "system-view", *CHANGE, "bgp 65000", "peer 10.0.0.0 as-number 65001", "commit")
    (peering,) = box.peerings()
    assert (peering.port, peering.local) == ("400GE1/0/1", "10.0.0.1")
    assert "Established" in user.type("display bgp peer")
