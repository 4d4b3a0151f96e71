"""How VRP is changed: what is owned, what is typed, what replies mean."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fabric.model.push import Command, Difference, Effect, Identity, PutFile, ReplyError
from fabric.platforms.huawei_vrp.pushing import Commit, Preview
from tests.platforms.huawei_vrp.cases import FILE, text
from tests.platforms.pushed import a_job, spec, typed

RUNNING = {FILE: (Path(__file__).parent / "running/leaf-0.cfg").read_text()}
RENDERED = {FILE: text("numbered").replace("192.0.2.1 255", "192.0.2.33 255")}
PREVIEW, COMMIT = Preview(spec("huawei_vrp").owned), Commit()
IDENTITY = Identity("leaf-0", "CE8850", "V300R023C00SPC500", (("startup", "flash:/vrpcfg.zip"),))
JOB = a_job(PREVIEW, RUNNING, RENDERED, IDENTITY)
KEPT = (
    "aaa\n local-user oper password irreversible-cipher $1d$madeup\n local-user oper service",
    "diffserv domain THEIRS\n ip-dscp-inbound 34 phb af4 green\n#\n",
    "interface MEth0/0/0\n ip address 192.0.2.33 255.255.255.0\n#\n",
    "interface LoopBack7\n ip address 10.7.7.7 255.255.255.255\n#\n",
    "ip route-static 0.0.0.0 0.0.0.0 192.0.2.1\n",
    "info-center loghost 192.0.2.50\n#\nntp server source-interface all\n#\n",
    "snmp-agent community read cipher made-up\n#\nstelnet server enable\nssh user oper\n#\n",
    "user-interface vty 0 4\n authentication-mode aaa\n#\nreturn\n",
)
GONE = ("sysname old-name", "dcb pfc old", "what stood here", "10.0.0.9", "10.9.0.0", "bgp 65000")


@pytest.mark.parametrize("kept", KEPT)
def test_what_is_not_owned_stays(kept: str) -> None:
    assert kept in RUNNING[FILE]
    assert kept in JOB.target[FILE]


@pytest.mark.parametrize("gone", GONE)
def test_what_is_owned_goes(gone: str) -> None:
    assert gone in RUNNING[FILE]
    assert f"{gone}\n" not in JOB.target[FILE]


def test_all_that_is_rendered_is_in_the_target_once() -> None:
    lines = JOB.target[FILE].splitlines()
    said = [line for line in RENDERED[FILE].splitlines() if line[:1] not in {"#", "!"}]
    assert [line for line in said if line not in lines] == []
    assert lines.count("return") == 1
    assert PREVIEW.target(JOB.target, RENDERED) == JOB.target


def test_the_whole_way_there() -> None:
    assert typed(COMMIT.apply(JOB)) == [
        "copy flash:/vrpcfg.zip flash:/fabric-7f3a-startup.zip",
        "save flash:/fabric-7f3a-before.cfg",
        "put /fabric-7f3a.cfg",
        "system-view",
        "load configuration file flash:/fabric-7f3a.cfg replace",
        "commit trial 605 persist fabric-7f3a",
        "return",
    ]
    assert "commit persist fabric-7f3a" in typed(COMMIT.confirm(JOB))
    assert [step.effect for step in COMMIT.apply(JOB)] == [
        Effect.STAGES,
        Effect.STAGES,
        Effect.RUNS,
    ]
    (file,) = PREVIEW.stage(JOB)[0].actions
    assert isinstance(file, PutFile)
    assert file.text == JOB.target[FILE]


def test_no_trial_without_persist() -> None:
    said = [line for line in typed(COMMIT.apply(JOB)) if line.startswith("commit")]
    assert all("persist" in line for line in said)


def test_the_way_back_with_and_without_the_trial() -> None:
    with_trial, without = (
        typed(COMMIT.restore(JOB, pending=p, saving=True)) for p in (True, False)
    )
    assert "abort trial persist fabric-7f3a" in with_trial
    assert "rollback configuration to file flash:/fabric-7f3a-before.cfg" in without
    for way in (with_trial, without):
        assert "copy flash:/fabric-7f3a-startup.zip flash:/vrpcfg.zip" in way


def test_identity() -> None:
    version = (
        "Huawei YunShan OS\nVersion 1.23.1.0 (CE6800 V300R023C10SPC100)\n"
        "HUAWEI CE6863E-48S8CQ uptime is 64 days, 3 hours, 11 minutes\n"
    )
    startup = "MainBoard:\n  Next startup saved-configuration file:      flash:/vrpcfg.zip\n"
    found = PREVIEW.identify().read((version, "sysname leaf-0\n", startup))
    assert (found.model, found.os_version) == ("CE6863E-48S8CQ", "V300R023C10SPC100")
    assert found.fact("startup") == "flash:/vrpcfg.zip"
    with pytest.raises(ReplyError, match="startup file"):
        PREVIEW.identify().read((version, "sysname leaf-0\n", ""))


def test_holder() -> None:
    read = PREVIEW.holder().read
    assert read(("", "", "", "Info: No trial configuration.", "")) is None
    locked = "Error: The configuration is locked by user oper."
    assert read((locked, "", "", "", "")) == "The configuration is locked by user oper."
    found = read(("", "", "", "Trial status: ACTIVE persist x, 200 s left", ""))
    assert found is not None
    assert "persist x" in found


@pytest.mark.parametrize("status", ["ACTIVE", "CANCELING", "WAITCANCEL"])
def test_a_trial_of_somebody_else_is_seen_whatever_its_id(status: str) -> None:
    trial = f"Trial status: {status}\nPersist id: no,not-none\nTrial time left (sec): 30\n"
    assert PREVIEW.holder().read(("", "", "", trial, "")) is not None
    ours = trial.replace("no,not-none", "fabric-7f3a")
    assert COMMIT.pending(JOB).read(("", ours, "")) is True
    assert COMMIT.pending(JOB).read(("", trial, "")) is False
    assert COMMIT.pending(JOB).read(("", trial.replace("no,not-none", "fabric-7f3a1"), "")) is False


def test_no_trial_as_the_command_reference_prints_it() -> None:
    none = "Trial status: INACTIVE \nTrial time left (sec): 0\n"
    assert PREVIEW.holder().read(("", "", "", none, "")) is None
    assert COMMIT.pending(JOB).read(("", none, "")) is False


@pytest.mark.parametrize(
    "reply", ["", "Error: Unrecognized command found at '^' position.", "not so"]
)
def test_what_is_not_understood_is_no_answer(reply: str) -> None:
    with pytest.raises(ReplyError, match="whether a trial runs"):
        PREVIEW.holder().read(("", "", "", reply, ""))
    with pytest.raises(ReplyError, match="whether a trial runs"):
        COMMIT.pending(JOB).read(("", reply, ""))


def test_pending_is_our_own() -> None:
    read = COMMIT.pending(JOB).read
    assert read(("", "Trial status: ACTIVE, persist-id fabric-7f3a", "")) is True
    assert read(("", "Trial status: ACTIVE, persist-id other", "")) is False


def test_the_switch_says_what_would_change() -> None:
    read = PREVIEW.difference(JOB).read
    assert read(("", "", "", RUNNING[FILE], "", "")) == Difference((), RUNNING)
    merged = RUNNING[FILE].replace("old-name", "leaf-0")
    found = read(("", "", "-sysname old-name\n+sysname leaf-0\n", merged, "", ""))
    assert found == Difference(("-sysname old-name", "+sysname leaf-0"), {FILE: merged})


def test_saving_is_proven() -> None:
    until = COMMIT.save(JOB)[0].until
    assert until is not None
    assert until.read((RUNNING[FILE], RUNNING[FILE])) is None
    other = RUNNING[FILE].replace("old-name", "leaf-0")
    assert "sysname" in str(until.read((RUNNING[FILE], other)))


def test_a_configuration_that_was_cut_off_is_refused() -> None:
    with pytest.raises(ReplyError, match="cut off"):
        PREVIEW.running().read((RUNNING[FILE][:300], ""))


def test_a_startup_file_that_was_not_kept_stops_it() -> None:
    """Nothing has begun yet; without the copy a saved change could not be taken back."""
    copy = COMMIT.apply(JOB)[0].actions[0]
    assert isinstance(copy, Command)
    assert copy.check is not None
    assert copy.check("Info: Copied file flash:/vrpcfg.zip to flash:/x.zip...Done.") is None
    assert copy.check("Copying was not possible.") is not None


@pytest.mark.parametrize(("timer_s", "typed_s"), [(30, 60), (600, 600), (99_999, 65_535)])
def test_a_trial_is_as_long_as_the_switch_takes(timer_s: int, typed_s: int) -> None:
    lines = typed(COMMIT.apply(replace(JOB, timer_s=timer_s)))
    assert f"commit trial {typed_s} persist fabric-7f3a" in lines
