"""How Comware is changed: what is owned, what is typed, what replies mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.model.push import Command, Effect, Identity, ReplyError, TimerClass
from fabric.platforms.hp_comware.pushing import Commit, Preview
from tests.platforms.hp_comware.cases import FILE, text
from tests.platforms.pushed import a_job, spec, typed

RUNNING = {FILE: (Path(__file__).parent / "running/leaf-0.cfg").read_text()}
RENDERED = {FILE: text("numbered", "leaf-0")}
PREVIEW, COMMIT = Preview(spec("hp_comware").owned), Commit()
IDENTITY = Identity("leaf-0", "S9827", "7.1.070", (("startup", "flash:/startup.cfg"),))
JOB = a_job(PREVIEW, RUNNING, RENDERED, IDENTITY)
KEPT = (
    "#\n version 7.1.070, Release 6710\n#\n",
    " telnet server enable\n#\n",
    "interface M-GigabitEthernet0/0/0\n ip address 192.0.2.33 255.255.255.0\n#\n",
    " ip route-static 0.0.0.0 0 192.0.2.1\n",
    " info-center loghost 192.0.2.50\n#\n snmp-agent community read cipher made-up\n#\n",
    "local-user oper class manage\n password hash $h$6$madeup\n service-type ssh\n#\n",
    "line vty 0 63\n authentication-mode scheme\n#\nreturn\n",
)
GONE = ("sysname old-name", "import 34 export 4\n", "what stood here", "10.9.0.0", "10.0.0.9")


@pytest.mark.parametrize("kept", KEPT)
def test_what_is_not_owned_stays(kept: str) -> None:
    assert kept in RUNNING[FILE]
    assert kept in JOB.target[FILE]


@pytest.mark.parametrize("gone", GONE)
def test_what_is_owned_goes(gone: str) -> None:
    assert gone in RUNNING[FILE]
    assert gone not in JOB.target[FILE]


def test_all_that_is_rendered_is_in_the_target_once() -> None:
    lines = JOB.target[FILE].splitlines()
    said = [line for line in RENDERED[FILE].splitlines() if not line.startswith("#")]
    assert [line for line in said if line not in lines] == []
    assert lines.count(" ntp-service enable") == 1
    assert PREVIEW.differences(JOB.target, PREVIEW.target(JOB.target, RENDERED)) == ()


def test_the_timer_runs_before_anything_is_in_force() -> None:
    assert typed(COMMIT.apply(JOB)) == [
        "copy flash:/startup.cfg flash:/fabric-7f3a-startup.cfg",
        "save flash:/fabric-7f3a-before.cfg",
        "put /fabric-7f3a.cfg",
        "system-view",
        "configuration commit delay 11",
        "configuration replace file flash:/fabric-7f3a.cfg",
        "return",
    ]
    assert [step.effect for step in COMMIT.apply(JOB)] == [
        Effect.STAGES,
        Effect.STAGES,
        Effect.RUNS,
    ]
    assert COMMIT.timer is TimerClass.LIVE


def test_the_way_back_is_the_same_with_and_without_the_timer() -> None:
    with_timer, without = (
        typed(COMMIT.restore(JOB, pending=p, saving=True)) for p in (True, False)
    )
    assert with_timer == without
    assert with_timer[0] == "put /fabric-7f3a-before.cfg"  # right also where no checkpoint lies
    assert with_timer[2:4] == [
        "configuration replace file flash:/fabric-7f3a-before.cfg",
        "configuration commit",
    ]
    assert "copy flash:/fabric-7f3a-startup.cfg flash:/startup.cfg" in with_timer


def test_identity() -> None:
    version = (
        "H3C Comware Software, Version 7.1.070, Release 6710\nH3C S9827-64EP uptime is 0 weeks"
    )
    startup = (
        " Current startup saved-configuration file: flash:/startup.cfg(*)\n Next main startup "
    )
    startup += "saved-configuration file: flash:/startup.cfg\n"
    found = PREVIEW.identify().read((version, " sysname leaf-0\n", startup))
    assert (found.model, found.os_version) == ("S9827-64EP", "7.1.070")
    assert found.fact("startup") == "flash:/startup.cfg"
    with pytest.raises(ReplyError, match="startup file"):
        PREVIEW.identify().read((version, " sysname leaf-0\n", ""))


def test_saving_is_proven() -> None:
    until = COMMIT.save(JOB)[0].until
    assert until is not None
    assert until.read((RUNNING[FILE], RUNNING[FILE])) is None
    other = RUNNING[FILE].replace("old-name", "leaf-0")
    assert "sysname" in str(until.read((RUNNING[FILE], other)))


def test_a_startup_file_that_was_not_kept_stops_it() -> None:
    """Nothing has begun yet; without the copy a saved change could not be taken back."""
    copy = COMMIT.apply(JOB)[0].actions[0]
    assert isinstance(copy, Command)
    assert copy.check is not None
    assert copy.check("Copying file flash:/startup.cfg to flash:/x.cfg... Done.") is None
    assert copy.check("Copying was not possible.") is not None
