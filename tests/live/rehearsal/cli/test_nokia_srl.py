from __future__ import annotations

import json

from tests.live.rehearsal.cli.driver import Bench, quiet, say, switch

CHANGE = (
    "set / interface ethernet-1/1 admin-state enable",
    "set / interface ethernet-1/1 subinterface 0 ipv4 address 10.0.0.1/31",
    "set / network-instance default protocols bgp autonomous-system 65000",
    "set / network-instance default protocols bgp neighbor 10.0.0.0 peer-as 65001",
)
OPEN = "enter candidate private name fabric-1"


def test_the_prompt_has_two_lines_and_says_what_waits() -> None:
    user = switch("nokia_srl", Bench()).login("admin")
    assert user.prompt() == "\n--{ running }--[  ]--\nA:admin@leaf-0# "
    quiet(user, OPEN, CHANGE[0])
    assert user.prompt().splitlines()[1] == "--{ * candidate private fabric-1 }--[  ]--"
    say(user, "commit stay")
    assert user.prompt().splitlines()[1] == "--{ + candidate private fabric-1 }--[  ]--"
    say(user, "save startup", "discard now")
    assert user.prompt().splitlines()[1] == "--{ running }--[  ]--"


def test_a_candidate_waits_for_its_commit() -> None:
    box = switch("nokia_srl", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    quiet(user, OPEN, *CHANGE)
    assert user.type("diff flat").splitlines() == list(CHANGE)
    assert box.state()["running"] == before
    assert "Leaving candidate mode" in user.type("commit now")
    assert box.state()["running"] != before
    assert box.state()["startup"] == before


def test_a_confirmed_commit_is_undone_and_seen_by_everybody() -> None:
    bench = Bench()
    box = switch("nokia_srl", bench)
    before = box.state()["running"]
    user = box.login("admin")
    say(user, OPEN, *CHANGE, "commit confirmed timeout 60")
    user.hang_up()
    other = box.login("admin")
    assert "unconfirmed" in other.type("info from state /system configuration commit *")
    bench.now += 60
    box.tick()
    assert box.state()["running"] == before
    assert "unconfirmed" not in other.type("info from state /system configuration commit *")


def test_another_login_accepts_it() -> None:
    bench = Bench()
    box = switch("nokia_srl", bench)
    user = box.login("admin")
    say(user, OPEN, *CHANGE, "commit confirmed timeout 60")
    changed = box.state()["running"]
    user.hang_up()
    say(box.login("admin"), "/tools system configuration confirmed-accept")
    bench.now += 120
    box.tick()
    assert box.state()["running"] == changed


def test_it_is_rejected_now() -> None:
    box = switch("nokia_srl", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, OPEN, *CHANGE, "commit confirmed timeout 60")
    say(user, "/tools system configuration confirmed-reject")
    assert box.state()["running"] == before


def test_an_unnamed_private_candidate_is_taken_up_again() -> None:
    box = switch("nokia_srl", Bench())
    user = box.login("admin")
    quiet(user, "enter candidate private", CHANGE[0])
    user.hang_up()
    other = box.login("admin")
    quiet(other, "enter candidate private")
    assert other.type("diff flat").splitlines() == [CHANGE[0]]
    quiet(other, "discard now")
    quiet(other, "enter candidate private")
    assert other.type("diff flat") == ""


def test_a_checkpoint_comes_back() -> None:
    box = switch("nokia_srl", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    say(user, "/tools system configuration generate-checkpoint name pre", OPEN, *CHANGE)
    say(user, "commit stay", "load checkpoint name pre", "commit stay")
    assert box.state()["running"] == before


def test_json_is_merged_with_the_names_of_modules_taken_off() -> None:
    box = switch("nokia_srl", Bench())
    user = box.login("admin")
    port = {"name": "ethernet-1/1", "mtu": 9216, "kind": "srl_nokia-interfaces:routed"}
    body = {"srl_nokia-interfaces:interface": [port]}
    box.disk["/home/admin/new.json"] = json.dumps(body).encode()
    quiet(user, OPEN, CHANGE[0], "load file new.json")
    told = json.loads(user.type("info /interface ethernet-1/1 | as json"))
    (port,) = told["interface"]
    assert port == port | {"admin-state": "enable", "mtu": 9216, "kind": "routed"}


def test_a_delete_takes_what_stands_below_too() -> None:
    user = switch("nokia_srl", Bench()).login("admin")
    quiet(user, OPEN, *CHANGE, "delete / network-instance default")
    assert user.type("diff flat").splitlines() == list(CHANGE[:2])
    quiet(user, "delete /")
    assert user.type("info flat") == ""


def test_flat_lines_give_the_same_configuration_back() -> None:
    box = switch("nokia_srl", Bench())
    user = box.login("admin")
    flat = user.type("info flat")
    assert box.form.read(flat, None, "override")[0] == box.running


def test_refusals() -> None:
    user = switch("nokia_srl", Bench()).login("admin")
    quiet(user, OPEN)
    assert user.type("set / bogus x y") == "Parsing error: Unknown token 'bogus'.\n"
    assert user.type("bogus") == "Parsing error: Unknown token 'bogus'.\n"


def test_sessions_are_told() -> None:
    box = switch("nokia_srl", Bench())
    user = box.login("admin")
    say(user, OPEN, *CHANGE, "commit now")
    (peering,) = box.peerings()
    assert (peering.local_asn, peering.remote_asn) == (65000, 65001)
    assert (peering.port, peering.local) == ("ethernet-1/1", "10.0.0.1")
    assert "established" in user.type("show network-instance default protocols bgp neighbor")
