from __future__ import annotations

from tests.live.rehearsal.cli.driver import Bench, quiet, say, switch

CHANGE = ("interface FourHundredGigE1/0/1", "port link-mode route", "mtu 9008",
          "ip address 10.0.0.1 255.255.255.254", "quit")  # fmt: skip


def test_lines_go_live_at_once() -> None:
    box = switch("hp_comware", Bench())
    user = box.login("admin")
    say(user, "system-view")
    quiet(user, *CHANGE[:-1])
    assert user.prompt() == "[leaf-0-FourHundredGigE1/0/1]"
    assert " mtu 9008\n" in box.state()["running"]


def test_without_a_commit_the_delay_takes_lines_back() -> None:
    bench = Bench()
    box = switch("hp_comware", bench)
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "system-view", "configuration commit delay 5", *CHANGE)
    user.hang_up()
    bench.now += 299
    box.tick()
    assert box.state()["running"] != before
    bench.now += 1
    box.tick()
    assert box.state()["running"] == before


def test_a_second_delay_moves_the_time_and_not_the_point() -> None:
    bench = Bench()
    box = switch("hp_comware", bench)
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "system-view", "configuration commit delay 5", *CHANGE)
    bench.now += 200
    box.tick()
    say(user, "configuration commit delay 5", "sysname other")
    bench.now += 299
    box.tick()
    assert box.state()["running"] != before
    bench.now += 1
    box.tick()
    assert box.state()["running"] == before


def test_a_commit_keeps_them_from_any_login() -> None:
    bench = Bench()
    box = switch("hp_comware", bench)
    user = box.login("admin")
    say(user, "system-view", "configuration commit delay 5", *CHANGE)
    changed = box.state()["running"]
    user.hang_up()
    other = box.login("admin")
    say(other, "system-view")
    quiet(other, "configuration commit")
    bench.now += 600
    box.tick()
    assert box.state()["running"] == changed


def test_a_file_replaces_all_after_a_question() -> None:
    box = switch("hp_comware", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "save flash:/pre.cfg", "y", "system-view", *CHANGE)
    quiet(user, "configuration replace file flash:/pre.cfg")
    assert user.prompt().endswith("[Y/N]:")
    assert "Succeeded" in user.type("n")
    assert box.state()["running"] == before


def test_startup_differs_until_it_is_saved() -> None:
    box = switch("hp_comware", Bench())
    user = box.login("admin")
    say(user, "system-view", "sysname other")
    told = user.type("display diff current-configuration startup-configuration")
    assert "+ sysname other" in told
    assert "successfully" in user.type("save force")
    assert user.type("display diff current-configuration startup-configuration") == ""


def test_a_full_disk_is_told() -> None:
    bench = Bench(armed={"disk-full": 1})
    user = switch("hp_comware", bench).login("admin")
    assert "Not enough space" in user.type("save force")


def test_refusals_point_at_the_word() -> None:
    user = switch("hp_comware", Bench()).login("admin")
    say(user, "system-view")
    assert user.type("bogus") == ("        ^\n % Unrecognized command found at '^' position.\n")


def test_a_link_mode_that_is_the_default_is_not_shown() -> None:
    box = switch("hp_comware", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "system-view", "interface FourHundredGigE1/0/1", "port link-mode route")
    quiet(user, "port link-mode bridge")
    assert box.state()["running"] == before
