from __future__ import annotations

from tests.live.rehearsal.cli.driver import Bench, quiet, say, switch

CHANGE = ("interface Eth1/1", "mtu 9216", "ip address 10.0.0.1/31", "no shutdown", "exit")


def test_the_cli_is_started_from_the_shell() -> None:
    user = switch("dell_sonic", Bench()).login("admin")
    assert user.prompt() == "admin@leaf-0:~$ "
    quiet(user, "sonic-cli")
    assert user.prompt() == "leaf-0# "


def test_a_session_waits_for_its_commit_and_leaves_with_it() -> None:
    box = switch("dell_sonic", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "sonic-cli", "configure session")
    quiet(user, *CHANGE)
    assert user.prompt() == "leaf-0(config-s)# "
    assert "+ mtu 9216" in user.type("do show config session diff")
    assert box.state()["running"] == before
    assert "commit-id" in user.type("commit")
    assert user.prompt() == "leaf-0# "
    assert " mtu 9216\n" in box.state()["running"]


def test_a_timeout_takes_the_change_back() -> None:
    bench = Bench()
    box = switch("dell_sonic", bench)
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "sonic-cli", "configure session", *CHANGE, "commit timeout 60")
    user.hang_up()
    bench.now += 59
    box.tick()
    assert box.state()["running"] != before
    bench.now += 1
    box.tick()
    assert box.state()["running"] == before


def test_a_new_login_takes_the_session_up_and_confirms() -> None:
    bench = Bench()
    box = switch("dell_sonic", bench)
    user = box.login("admin")
    say(user, "sonic-cli", "configure session", *CHANGE, "commit timeout 60")
    changed = box.state()["running"]
    user.hang_up()
    other = box.login("admin")
    say(other, "sonic-cli", "configure session")
    assert "commit-id" in other.type("commit confirm")
    assert other.prompt() == "leaf-0# "
    bench.now += 120
    box.tick()
    assert box.state()["running"] == changed


def test_a_confirm_without_a_timeout_is_refused() -> None:
    user = switch("dell_sonic", Bench()).login("admin")
    say(user, "sonic-cli", "configure session")
    assert "Confirm is only applicable after commit with timeout." in user.type("commit confirm")


def test_while_the_timer_runs_nobody_else_configures() -> None:
    box = switch("dell_sonic", Bench())
    user, other = box.login("admin"), box.login("carol")
    say(user, "sonic-cli", "configure session", *CHANGE, "commit timeout 60")
    say(other, "sonic-cli", "configure terminal")
    assert "Commit timer running" in other.type("hostname other")


def test_there_is_one_session() -> None:
    box = switch("dell_sonic", Bench())
    user, other = box.login("admin"), box.login("carol")
    say(user, "sonic-cli", "configure session")
    say(other, "sonic-cli")
    assert "Configure session is in progress." in other.type("configure session")


def test_an_abort_asks_and_undoes_a_timed_commit() -> None:
    box = switch("dell_sonic", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "sonic-cli", "configure session", *CHANGE, "commit timeout 60", "abort", "y")
    assert box.state()["running"] == before
    assert user.prompt() == "leaf-0# "


def test_a_file_replaces_all() -> None:
    box = switch("dell_sonic", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "sonic-cli", "copy running-configuration config://pre")
    say(user, "configure terminal", *CHANGE, "end")
    assert box.state()["running"] != before
    say(user, "copy config://pre running-configuration replace", "y")
    assert box.state()["running"] == before


def test_a_save_is_what_boots() -> None:
    box = switch("dell_sonic", Bench())
    user = box.login("admin")
    say(user, "sonic-cli", "configure terminal", *CHANGE, "end")
    changed = box.state()["running"]
    assert box.state()["startup"] != changed
    quiet(user, "write memory")
    box.reboot()
    assert box.state()["running"] == changed


def test_a_refusal_is_told_as_klish_does() -> None:
    user = switch("dell_sonic", Bench()).login("admin")
    say(user, "sonic-cli", "configure terminal")
    assert "% Error: Invalid input detected" in user.type("bogus")


def listed(*rows: str) -> str:
    return "Name      User         State\n" + "".join(f"{row}\n" for row in rows)


def test_a_commit_a_confirm_and_an_abort_end_the_session() -> None:
    box = switch("dell_sonic", Bench())
    user = box.login("admin")
    say(user, "sonic-cli")
    for end in ("commit", "commit timeout 60\ncommit confirm", "abort\ny"):
        say(user, "configure session", *CHANGE, *end.split("\n"))
        assert user.prompt() == "leaf-0# ", end
        assert user.type("show config session") == "No active config session\n", end
        assert box.candidates == {}


def test_a_session_is_told_with_its_user_and_state() -> None:
    box = switch("dell_sonic", Bench())
    user, other = box.login("admin"), box.login("carol")
    say(user, "sonic-cli", "configure session", *CHANGE)
    say(other, "sonic-cli")
    assert other.type("show config session") == listed("unnamed   admin        ACTIVE")
    assert "+ mtu 9216" in other.type("show config session diff")
    say(user, "end")
    assert other.type("show config session") == listed("unnamed   admin        INACTIVE")
    say(user, "configure session", "commit timeout 60")
    assert other.type("show config session") == listed("unnamed   admin        PENDING CONFIRM")


def test_the_timer_ends_the_session_also_for_who_is_in_it() -> None:
    bench = Bench()
    box = switch("dell_sonic", bench)
    user = box.login("admin")
    say(user, "sonic-cli", "configure session", *CHANGE, "commit timeout 60")
    bench.now += 60
    box.tick()
    assert "Configure session commit aborted." in user.type("show config session")
    assert user.prompt() == "leaf-0# "
    assert box.candidates == {}


def test_a_session_that_was_left_is_cleared_and_its_commit_taken_back() -> None:
    box = switch("dell_sonic", Bench())
    before = box.state()["running"]
    user, other = box.login("admin"), box.login("admin")
    say(user, "sonic-cli", "configure session", *CHANGE, "commit timeout 60")
    say(other, "sonic-cli")
    assert "Invalid Session" in say(other, "clear config session", "y"), "somebody is in it"
    assert box.state()["running"] != before
    user.hang_up()
    assert "Aborted unnamed config session" in say(other, "clear config session", "y")
    assert box.state()["running"] == before
    assert "Invalid Session" in say(other, "clear config session", "y")


def test_inside_the_timer_nothing_but_a_confirm_is_taken() -> None:
    box = switch("dell_sonic", Bench())
    user = box.login("admin")
    say(user, "sonic-cli", "configure session", *CHANGE, "commit timeout 60")
    for line in ("commit", "commit timeout 90", "hostname other"):
        assert "Commit timer running" in user.type(line), line
    assert "commit-id" in user.type("commit confirm")


def test_a_session_keeps_everybody_else_from_changing_what_runs() -> None:
    box = switch("dell_sonic", Bench())
    before = box.state()["running"]
    user, other = box.login("admin"), box.login("carol")
    say(other, "sonic-cli", "copy running-configuration config://pre")
    say(user, "sonic-cli", "configure session", *CHANGE, "end")
    for lines in (
        ("copy config://pre running-configuration replace", "y"),
        ("copy config://pre running-configuration",),
        ("configure terminal", "hostname other"),
    ):
        assert "Configure session is in progress." in say(other, *lines), lines
    assert box.state()["running"] == before


def test_the_watchdog_of_a_port_is_turned_off() -> None:
    box = switch("dell_sonic", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "sonic-cli", "configure terminal", "interface Eth1/1")
    quiet(user, "priority-flow-control watchdog on detect-time 200")
    assert "watchdog on detect-time 200" in box.state()["running"]
    quiet(user, "priority-flow-control watchdog off")
    assert box.state()["running"] == before
