"""How EOS is changed: what is owned, what is typed, what replies mean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabric.model.push import Command, Difference, Effect, Identity, PutFile, ReplyError
from fabric.platforms.arista_eos.pushing import Commit, Preview
from tests.platforms.arista_eos.cases import FILE, text
from tests.platforms.pushed import a_job, spec, typed

RUNNING = {FILE: (Path(__file__).parent / "running/leaf-0.cfg").read_text()}
RENDERED = {FILE: text("numbered", "leaf-0").replace("192.0.2.1/24", "192.0.2.44/24")}
PREVIEW, COMMIT = Preview(spec("arista_eos").owned), Commit()
UNOWNED = (
    "username admin privilege 15 role network-admin secret sha512 $6$made$upbyatest\n",
    "no aaa root\n",
    "transceiver qsfp default-mode 4x10G\n",
    "logging host 192.0.2.50\n",
    "ntp server 192.0.2.123\n",
    "snmp-server community made-up ro\n",
    "qos profile THEIRS\n   qos trust cos\n!\n",
    "interface Management1\n   ip address 192.0.2.44/24\n!\n",
    "ip route 0.0.0.0/0 192.0.2.1\n",
    "banner login\ninterface Ethernet3/1 is no place to plug in\nEOF\n",
    "management ssh\n   idle-timeout 30\n!\nend\n",
)


JOB = a_job(PREVIEW, RUNNING, RENDERED, Identity("leaf-0", "DCS-7060X6-64PE-F", "4.36.1F"))


@pytest.mark.parametrize("kept", UNOWNED)
def test_what_is_not_owned_stays(kept: str) -> None:
    assert kept in JOB.target[FILE]


@pytest.mark.parametrize(
    "gone",
    [
        "old-name\n",
        "ROCE-OLD",
        "switchport access vlan 7",
        "qos map dscp 26-31",
        "ip route 10.9.0.0/16 Null0",
        "router bgp 65000",
    ],
)
def test_what_is_owned_goes(gone: str) -> None:
    assert gone in RUNNING[FILE]
    assert f"\n{gone}" not in JOB.target[FILE].replace("! device: old-name", "")


def test_all_that_is_rendered_is_in_the_target() -> None:
    said = [line for line in RENDERED[FILE].splitlines() if not line.startswith("!")]
    assert [line for line in said if line not in JOB.target[FILE].splitlines()] == []


def test_a_target_is_its_own_target() -> None:
    assert PREVIEW.target(JOB.target, RENDERED) == JOB.target
    assert PREVIEW.differences(JOB.target, JOB.target) == ()


def test_the_difference_names_sections() -> None:
    told = PREVIEW.differences(RUNNING, JOB.target)
    assert "-interface Ethernet1/1 > switchport access vlan 7" in told
    assert "-hostname old-name" in told
    assert "+hostname leaf-0" in told
    assert not any("username" in line or "Management" in line for line in told)


def test_ranges_and_lists_of_code_points_are_one() -> None:
    one = {FILE: "qos map dscp 0-2,5 to traffic-class 1\nend\n"}
    other = {FILE: "qos map dscp 5 2 1 0 to traffic-class 1\nend\n"}
    assert PREVIEW.differences(one, other) == ()
    assert PREVIEW.canonical(one) == PREVIEW.canonical(other)


def test_a_negation_of_what_is_not_there_is_no_difference() -> None:
    shown = {FILE: "interface Ethernet1/1\n   mtu 9214\nend\n"}
    meant = {FILE: "interface Ethernet1/1\n   no shutdown\n   mtu 9214\nend\n"}
    down = {FILE: "interface Ethernet1/1\n   shutdown\n   mtu 9214\nend\n"}
    assert PREVIEW.differences(shown, meant) == ()
    assert PREVIEW.differences(down, meant) == (
        "-interface Ethernet1/1 > shutdown",
        "+interface Ethernet1/1 > no shutdown",
    )


def test_canonical_leaves_times_and_comments_out() -> None:
    later = {FILE: RUNNING[FILE].replace("! Command", "! Startup-config last modified\n! Command")}
    assert PREVIEW.canonical(later) == PREVIEW.canonical(RUNNING)
    assert PREVIEW.canonical(JOB.target) != PREVIEW.canonical(RUNNING)


def test_the_whole_way_there() -> None:
    assert typed(COMMIT.apply(JOB)) == [
        "copy startup-config flash:fabric-7f3a-startup",
        "copy running-config flash:fabric-7f3a-before",
        "put /mnt/flash/fabric-7f3a.cfg",
        "configure session fabric-7f3a",
        "rollback clean-config",
        "copy flash:fabric-7f3a.cfg session-config",
        "end",
        "configure session fabric-7f3a commit timer 00:10:05",
    ]
    assert typed(COMMIT.confirm(JOB)) == ["configure session fabric-7f3a commit"]
    assert typed(COMMIT.save(JOB))[:2] == ["write memory", "show running-config diffs"]


def test_nothing_is_in_force_before_the_last_step() -> None:
    effects = [step.effect for step in COMMIT.apply(JOB)]
    assert effects[-1] is Effect.RUNS
    assert set(effects[:-1]) == {Effect.STAGES}
    assert {step.effect for step in PREVIEW.stage(JOB)} == {Effect.STAGES}


def test_the_file_is_the_target() -> None:
    (file,) = PREVIEW.stage(JOB)[0].actions
    assert isinstance(file, PutFile)
    assert file.text == JOB.target[FILE]


def test_the_way_back_with_and_without_the_timer() -> None:
    with_timer, without = (
        typed(COMMIT.restore(JOB, pending=p, saving=True)) for p in (True, False)
    )
    replace = "configure replace flash:fabric-7f3a-before"
    assert replace in without
    assert replace not in with_timer
    for way in (with_timer, without):
        assert way[0] == "configure session fabric-7f3a abort"
        assert "copy flash:fabric-7f3a-startup startup-config" in way


def asked(ask: object, *replies: object) -> object:
    return ask.read(tuple(r if isinstance(r, str) else json.dumps(r) for r in replies))  # type: ignore[attr-defined]


def test_identity() -> None:
    version = {"modelName": "DCS-7060X6-64PE-F", "version": "4.36.1F"}
    found = asked(PREVIEW.identify(), version, {"hostname": "leaf-0", "fqdn": "leaf-0"})
    assert found == Identity("leaf-0", "DCS-7060X6-64PE-F", "4.36.1F")
    with pytest.raises(ReplyError, match="modelName"):
        asked(PREVIEW.identify(), {"version": "4.36.1F"}, {"hostname": "leaf-0"})
    with pytest.raises(ReplyError, match="no JSON"):
        asked(PREVIEW.identify(), "nothing", {"hostname": "leaf-0"})


def session(state: str, **who: str) -> dict[str, object]:
    return {"state": state, "instances": {"1": dict(who)} if who else {}}


def test_holder() -> None:
    holder = PREVIEW.holder()
    assert asked(holder, {"sessions": {}}) is None
    assert asked(holder, {"sessions": {"old": session("completed")}}) is None
    assert asked(holder, {"sessions": {"old": session("pending")}}) is None
    found = asked(holder, {"sessions": {"x": session("pending", user="ann", terminal="vty3")}})
    assert found == "ann on vty3 has configure session x open"
    found = asked(holder, {"sessions": {"x": session("pendingCommitTimer")}})
    assert found == "the commit timer of session x runs"


def test_the_timer_before_and_from_4_32() -> None:
    pending = COMMIT.pending(JOB)
    assert asked(pending, {"sessions": {"fabric-7f3a": session("pendingCommitTimer")}}) is True
    assert asked(pending, {"sessions": {"other": session("pendingCommitTimer")}}) is False
    assert asked(pending, {"sessions": {}, "commitTimerSessionName": "fabric-7f3a"}) is True
    assert asked(pending, {"sessions": {}, "commitTimerSessionName": ""}) is False


def test_the_switch_says_whether_anything_would_change() -> None:
    difference = PREVIEW.difference(JOB)
    shown_candidate = {FILE: JOB.target[FILE]}
    assert asked(difference, "", JOB.target[FILE]) == Difference((), shown_candidate)
    shown = (
        "--- system:/running-config\n+++ session:/x\n@@ -1 +1 @@\n-hostname a\n+hostname leaf-0\n"
    )
    found = asked(difference, shown, JOB.target[FILE])
    assert isinstance(found, Difference)
    assert "+hostname leaf-0" in found.lines
    # A change that our comparison does not see is still told.
    found = asked(difference, shown, RUNNING[FILE])
    assert found == Difference(("-hostname a", "+hostname leaf-0"), RUNNING)


def test_a_configuration_that_was_cut_off_is_refused() -> None:
    with pytest.raises(ReplyError, match="cut off"):
        asked(PREVIEW.running(), RUNNING[FILE][:400], "")
    assert asked(PREVIEW.running(), RUNNING[FILE], "x") == {**RUNNING, "startup": "x"}


def test_saving_is_proven() -> None:
    write, diffs = COMMIT.save(JOB)[0].actions
    assert isinstance(write, Command)
    assert isinstance(diffs, Command)
    assert write.check is not None
    assert diffs.check is not None
    assert write.check("Copy completed successfully.") is None
    assert write.check("") is not None
    assert diffs.check("") is None
    assert diffs.check("--- flash:/startup-config\n+hostname x\n") is not None
