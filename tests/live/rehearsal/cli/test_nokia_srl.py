from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fabric.platforms.nokia_srl.readers.network import bgp
from tests.live.rehearsal.cli.driver import Bench, quiet, say, switch

if TYPE_CHECKING:
    from fabric.live.rehearsal.cli.terminal import Terminal

CHANGE = (
    "set / interface ethernet-1/1 admin-state enable",
    "set / interface ethernet-1/1 subinterface 0 ipv4 address 10.0.0.1/31",
    "set / network-instance default protocols bgp autonomous-system 65000",
    "set / network-instance default protocols bgp neighbor 10.0.0.0 peer-as 65001",
)
OPEN = "enter candidate private name fabric-1"
INSERTED = [line.replace("set /", "insert /") for line in CHANGE]
COMMITS = "info from state system configuration commit * | as json"
TIMED = "commit confirmed timeout 600"


def commits(user: Terminal) -> list[dict[str, object]]:
    told = json.loads(user.type(COMMITS))
    found: list[dict[str, object]] = told["system"]["configuration"]["commit"]
    return found


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
    assert user.type("diff flat").splitlines() == INSERTED
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
    assert other.type("diff flat").splitlines() == INSERTED[:1]
    say(other, "discard now")
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
    assert user.type("diff flat").splitlines() == INSERTED[:2]
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
    say(user, OPEN, *CHANGE, "set / network-instance default protocols bgp router-id 10.255.0.1")
    say(user, "commit now")
    (peering,) = box.peerings()
    assert (peering.local_asn, peering.remote_asn) == (65000, 65001)
    assert (peering.port, peering.local) == ("ethernet-1/1", "10.0.0.1")
    assert "established" in user.type("show network-instance default protocols bgp neighbor")
    state = "info from state network-instance default protocols bgp | as json"
    facts = bgp(user.type(state)).facts
    assert (facts["local_as"], facts["router_id"]) == ("65000", "10.255.0.1")
    assert facts["peers"] == {"10.0.0.0": {"remote_as": "65001", "state": "Established"}}
    port = "set / network-instance default protocols bgp dynamic-neighbors interface"
    say(user, OPEN, f"{port} ethernet-1/2.0 allowed-peer-as [ 65002 ]", "commit now")
    peers = bgp(user.type(state)).facts["peers"]
    assert isinstance(peers, dict)
    assert set(peers) == {"10.0.0.0", "ethernet-1/2"}


def test_commits_are_listed_from_the_boot_on_and_say_how_they_ended() -> None:
    bench = Bench()
    box = switch("nokia_srl", bench)
    user = box.login("admin")
    assert [one["status"] for one in commits(user)] == ["complete"]
    say(user, OPEN, *CHANGE, TIMED)
    (_, waits) = commits(user)
    assert waits.pop("id") == 2
    ours = {"username": "admin", "type": "private", "name": "fabric-1"}
    assert waits == {"status": "unconfirmed", **ours}
    assert "status unconfirmed" in user.type("info from state /system configuration commit *")
    bench.now += 600
    box.tick()
    assert [one["status"] for one in commits(user)] == ["complete", "failed"]
    say(user, OPEN, *CHANGE, TIMED, "/tools system configuration confirmed-accept")
    assert [one["status"] for one in commits(user)] == ["complete", "failed", "complete"]


def test_while_a_commit_waits_no_other_one_is_taken_and_none_confirms_it() -> None:
    box = switch("nokia_srl", Bench())
    before = box.state()["running"]
    user = box.login("admin")
    told = say(user, OPEN, CHANGE[0], TIMED)
    assert told.splitlines() == [
        "Commit confirmed (automatic rollback in 10 minutes)",
        "All changes have been committed. Leaving candidate mode.",
    ]
    assert "running" in user.prompt()
    for again in (OPEN, "enter candidate private name other"):
        quiet(user, again)
        for line in ("commit now", TIMED):
            refused = user.type(line)
            assert refused == "Error: Cannot commit transaction (commit confirmed in progress)\n"
    assert box.state()["timer"]
    say(user, "/tools system configuration confirmed-reject")
    assert box.state()["running"] == before


def test_the_plus_says_whether_running_and_startup_differ() -> None:
    user = switch("nokia_srl", Bench()).login("admin")
    say(user, OPEN, CHANGE[0], TIMED)
    assert user.prompt().splitlines()[1] == "--{ + running }--[  ]--"
    say(user, "/tools system configuration confirmed-reject")
    assert user.prompt().splitlines()[1] == "--{ running }--[  ]--"


def test_keys_behind_the_first_are_typed_with_their_names() -> None:
    box = switch("nokia_srl", Bench())
    user = box.login("admin")
    prefix = "/ routing-policy prefix-set LOOPBACK prefix 192.168.99.1/32 mask-length-range exact"
    quiet(user, OPEN, f"set {prefix}")
    assert user.type("diff flat") == f"insert {prefix}\n"
    assert user.type("info routing-policy").splitlines()[2:4] == [
        "            prefix 192.168.99.1/32 mask-length-range exact {",
        "            }",
    ]
    (entry,) = json.loads(user.type("info | as json"))["routing-policy"]["prefix-set"]
    assert entry["prefix"] == [{"ip-prefix": "192.168.99.1/32", "mask-length-range": "exact"}]
    assert user.type(f"set {prefix.removesuffix('exact')}").startswith("Parsing error: ")
    quiet(user, f"delete {prefix}")
    assert "192.168.99.1" not in user.type("info | as json")


def test_a_difference_is_shown_with_signs_and_the_braces_around() -> None:
    user = switch("nokia_srl", Bench()).login("admin")
    quiet(user, OPEN, "set / interface mgmt0 description new", CHANGE[1])
    quiet(user, "set / system name host-name leaf-9", "delete / system name domain-name")
    assert user.type("diff").splitlines() == [
        "      interface mgmt0 {",
        "+         description new",
        "      }",
        "+     interface ethernet-1/1 {",
        "+         subinterface 0 {",
        "+             ipv4 {",
        "+                 address 10.0.0.1/31 {",
        "+                 }",
        "+             }",
        "+         }",
        "+     }",
        "      system {",
        "          name {",
        "-             host-name leaf-0",
        "+             host-name leaf-9",
        "-             domain-name example.net",
        "          }",
        "      }",
    ]
    assert user.type("diff flat").splitlines()[0] == "delete / system name domain-name"
    assert "insert / system name host-name leaf-9" in user.type("diff flat")


def test_a_container_goes_with_what_it_held_unless_it_says_something_by_itself() -> None:
    user = switch("nokia_srl", Bench()).login("admin")
    hole = "/ network-instance default next-hop-groups group discard"
    quiet(user, OPEN, "set / system lldp admin-state enable", "delete / system lldp admin-state")
    quiet(
        user, f"set {hole} blackhole generate-icmp true", f"delete {hole} blackhole generate-icmp"
    )
    told = json.loads(user.type("info | as json"))
    assert "lldp" not in told["system"]
    assert told["network-instance"][-1]["next-hop-groups"]["group"][0]["blackhole"] == {}


def test_checkpoints_and_candidates_are_cleared_by_name() -> None:
    user = switch("nokia_srl", Bench()).login("admin")
    say(user, "/tools system configuration generate-checkpoint name pre", OPEN, CHANGE[0])
    quiet(user, "/tools system configuration checkpoint pre clear")
    assert user.type("load checkpoint name pre").startswith("Error: ")
    quiet(user, "/tools system configuration candidate fabric-1 clear")
    assert "running" in user.prompt()
    quiet(user, OPEN)
    assert user.type("diff") == ""


def test_who_has_the_configuration_for_himself_is_told() -> None:
    bench = Bench()
    user = switch("nokia_srl", bench).login("admin")
    sessions = "info from state system configuration session * | as json"
    assert json.loads(user.type(sessions)) == {}
    quiet(user, OPEN)
    (own,) = json.loads(user.type(sessions))["system"]["configuration"]["session"]
    assert (own["name"], own["exclusive"], own["username"]) == ("fabric-1", False, "admin")
    bench.armed["lock"] = 1
    (*_, theirs) = json.loads(user.type(sessions))["system"]["configuration"]["session"]
    assert (theirs["exclusive"], theirs["username"]) == (True, "carol")


def test_a_checkpoint_is_a_file_and_survives_a_restart() -> None:
    bench = Bench()
    box = switch("nokia_srl", bench)
    keep = "/tools system configuration generate-checkpoint name"
    assert "Generated checkpoint" in box.login("admin").type(f"{keep} pre")
    box.reboot()
    user = box.login("admin")
    quiet(user, OPEN, "load checkpoint name pre")
    bench.armed["disk-full"] = 1
    assert user.type(f"{keep} post").startswith("Error: ")
    assert user.type("load checkpoint name post").startswith("Error: ")
