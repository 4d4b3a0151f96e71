from __future__ import annotations

from tests.live.rehearsal.cli.driver import Bench, quiet, say, switch

CHANGE = (
    "set interfaces et-0/0/0 mtu 9216",
    "set interfaces et-0/0/0 unit 0 family inet address 10.0.0.1/31",
)


def test_a_commit_is_in_force_and_saved() -> None:
    box = switch("juniper_junos", Bench())
    user = box.login("admin")
    say(user, "configure exclusive")
    quiet(user, *CHANGE)
    assert "mtu 9216" not in box.state()["running"]
    assert user.type("commit") == "commit complete\n"
    assert "mtu 9216;" in box.state()["running"]
    assert box.state()["startup"] == box.state()["running"]


def test_a_confirmed_commit_is_undone_and_the_user_told() -> None:
    bench = Bench()
    box = switch("juniper_junos", bench)
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "configure exclusive", *CHANGE)
    assert "rolled back in 5 minutes" in user.type("commit confirmed 5")
    assert box.state()["running"] != before
    bench.now += 300
    box.tick()
    assert box.state()["running"] == before
    assert "automatic rollback complete" in user.type("show | compare")


def test_a_plain_commit_of_a_new_login_confirms() -> None:
    bench = Bench()
    box = switch("juniper_junos", bench)
    user = box.login("admin")
    say(user, "configure exclusive", *CHANGE, "commit confirmed 5")
    changed = box.state()["running"]
    user.hang_up()
    say(box.login("admin"), "configure exclusive", "commit")
    bench.now += 600
    box.tick()
    assert box.state()["running"] == changed


def test_a_reboot_in_the_time_of_a_confirmed_commit_brings_the_old_back() -> None:
    box = switch("juniper_junos", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "configure exclusive", *CHANGE, "commit confirmed 5")
    box.reboot()
    assert box.state()["running"] == before


def test_an_exclusive_candidate_goes_with_its_login_a_shared_one_stays() -> None:
    box = switch("juniper_junos", Bench())
    user = box.login("admin")
    say(user, "configure exclusive", *CHANGE)
    user.hang_up()
    other = box.login("admin")
    assert "Entering configuration mode" in other.type("configure")
    assert other.type("show | compare") == ""
    say(other, *CHANGE)
    other.hang_up()
    third = box.login("admin")
    assert third.type("configure exclusive") == "error: configuration database modified\n"


def test_somebody_elses_lock_is_told_with_the_name() -> None:
    user = switch("juniper_junos", Bench(armed={"lock": 1})).login("admin")
    told = user.type("configure exclusive")
    assert told.startswith("error: configuration database locked by:\n  carol terminal")


def test_leaving_with_changes_asks() -> None:
    box = switch("juniper_junos", Bench())
    user = box.login("admin")
    say(user, "configure exclusive", *CHANGE)
    quiet(user, "exit")
    assert "Discard uncommitted changes? [yes,no] (yes) " in user.prompt()
    assert "discarding uncommitted changes" in user.type("yes")
    assert user.prompt() == "admin@leaf-0> "
    assert box.candidates == {}


def test_text_is_loaded_up_to_control_d() -> None:
    box = switch("juniper_junos", Bench())
    user = box.login("admin")
    say(user, "configure exclusive")
    assert "Type ^D" in user.type("load merge terminal")
    quiet(user, "protocols {", "bgp { group F { neighbor 10.0.0.0 { peer-as 65001; } } }", "}")
    assert user.type("\x04") == "load complete\n"
    told = user.type("show | display set")
    assert "set protocols bgp group F neighbor 10.0.0.0 peer-as 65001\n" in told


def test_set_lines_are_loaded_and_wrong_ones_counted() -> None:
    user = switch("juniper_junos", Bench()).login("admin")
    say(user, "configure", "load set terminal")
    quiet(user, *CHANGE, "set bogus x")
    assert "load complete (1 errors)" in user.type("\x04")
    assert "mtu 9216" in user.type("show | compare")


def test_replace_takes_the_whole_of_a_tagged_statement_away() -> None:
    box = switch("juniper_junos", Bench())
    user = box.login("admin")
    say(user, "configure", *CHANGE, "load replace terminal")
    quiet(user, "interfaces { replace: et-0/0/0 { description new; } }")
    user.type("\x04")
    assert say(user, "show | display set | match et-0/0/0") == (
        "set interfaces et-0/0/0 description new\n"
    )


def test_an_override_leaves_nothing_else() -> None:
    box = switch("juniper_junos", Bench())
    box.disk["/var/home/admin/new"] = b"system { host-name other; }\n"
    user = box.login("admin")
    say(user, "configure", "load override new", "commit")
    assert box.state()["running"] == "system {\n    host-name other;\n}\n"


def test_rollback_one_and_commit_undo_the_last_commit() -> None:
    box = switch("juniper_junos", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "configure", *CHANGE, "commit", "rollback 1", "commit")
    assert box.state()["running"] == before


def test_a_value_is_one_and_brackets_are_several() -> None:
    user = switch("juniper_junos", Bench()).login("admin")
    say(user, "configure", "set interfaces et-0/0/0 mtu 9000", *CHANGE)
    code = "set class-of-service classifiers dscp R forwarding-class a loss-priority low"
    quiet(user, f"{code} code-points [ 000001 000010 ]")
    told = user.type("show")
    assert told.count("mtu") == 1
    assert "loss-priority low code-points [ 000001 000010 ];" in told


def test_wrong_statements_are_pointed_at() -> None:
    user = switch("juniper_junos", Bench()).login("admin")
    say(user, "configure")
    assert user.type("set bogus x") == "    ^\nsyntax error.\n"
    assert user.type("delete interfaces et-9/9/9") == "warning: statement not found\n"
    assert "unknown command." in user.type("bogus")


def test_unnumbered_and_numbered_sessions_are_told() -> None:
    box = switch("juniper_junos", Bench())
    user = box.login("admin")
    say(user, "configure", *CHANGE, "set routing-options autonomous-system 65000",
        "set protocols bgp group F neighbor 10.0.0.0 peer-as 65001", "commit")  # fmt: skip
    (peering,) = box.peerings()
    assert (peering.port, peering.local_asn, peering.remote_asn) == ("et-0/0/0", 65000, 65001)
    assert "Establ" in user.type("run show bgp summary")
