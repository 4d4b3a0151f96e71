"""How NX-OS is changed: what is owned, what is typed, what replies mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.model.push import Command, Effect, Identity, PutFile, ReplyError, TimerClass
from fabric.platforms.cisco_nxos.pushing import Commit, Preview
from tests.platforms.cisco_nxos.cases import FILE, text
from tests.platforms.pushed import a_job, spec, typed

HERE = Path(__file__).parent
RUNNING = {FILE: (HERE / "running/leaf-0.cfg").read_text()}
RENDERED = {FILE: text("numbered").replace("192.0.2.1/24", "192.0.2.44/24")}
PREVIEW, COMMIT = Preview(spec("cisco_nxos").owned), Commit()
JOB = a_job(PREVIEW, RUNNING, RENDERED, Identity("leaf-0", "N9K-C9332D-GX2B", "10.5(3)"))
KEPT = (
    "vdc old-name id 1\n  limit-resource vlan minimum 16 maximum 4094\n\nfeature ssh\nfeature scp-",
    "banner motd ^\nhostname not-this-one\n^\nusername admin password 5 $5$made$up  role network-",
    "aaa group server tacacs+ theirs\n    server 192.0.2.60\n",
    "class-map type qos match-any THEIRS\n  match dscp 8\n",
    "ip route 0.0.0.0/0 192.0.2.1\n",
    "vrf context management\n  ip route 0.0.0.0/0 192.0.2.1\n\n",
    "interface mgmt0\n  vrf member management\n  ip address 192.0.2.44/24\n\n",
    "interface loopback7\n  ip address 10.7.7.7/32\nline console\nline vty\nboot nxos bootflash:/",
    "logging server 192.0.2.50",
)
GONE = ("hostname old-name\n", "ROCE-OLD", "what stood here", "default-nq-policy", "10.0.0.9")


@pytest.mark.parametrize("kept", KEPT)
def test_what_is_not_owned_stays(kept: str) -> None:
    assert kept in RUNNING[FILE]
    assert kept in JOB.target[FILE]


@pytest.mark.parametrize("gone", GONE)
def test_what_is_owned_goes(gone: str) -> None:
    assert gone in RUNNING[FILE]
    assert f"\n{gone}" not in JOB.target[FILE]


def test_all_that_is_rendered_is_in_the_target_once() -> None:
    lines = JOB.target[FILE].splitlines()
    said = [line for line in RENDERED[FILE].splitlines() if not line.startswith("!")]
    assert [line for line in said if line not in lines] == []
    assert lines.count("feature bgp") == 1
    assert PREVIEW.differences(JOB.target, PREVIEW.target(JOB.target, RENDERED)) == ()


def test_the_whole_way_there_and_back() -> None:
    assert typed(COMMIT.apply(JOB)) == [
        "copy startup-config bootflash:fabric-7f3a-startup",
        "copy running-config bootflash:fabric-7f3a-before",
        "put /bootflash/fabric-7f3a.cfg",
        "configure replace bootflash:fabric-7f3a.cfg",
    ]
    assert typed(COMMIT.restore(JOB, pending=False, saving=True))[:3] == [
        "put /bootflash/fabric-7f3a-before",
        "configure replace bootflash:fabric-7f3a-before",
        "copy bootflash:fabric-7f3a-startup startup-config",
    ]
    assert [step.effect for step in COMMIT.apply(JOB)] == [
        Effect.STAGES,
        Effect.STAGES,
        Effect.RUNS,
    ]


def test_there_is_no_timer_and_nobody_says_so() -> None:
    assert COMMIT.timer is TimerClass.NONE
    assert COMMIT.confirm(JOB) == ()
    assert COMMIT.pending(JOB).read(()) is False
    assert "no device-side timer" in COMMIT.way_back(JOB)
    assert not any("commit-timeout" in line for line in typed(COMMIT.apply(JOB)))


def test_a_replacement_that_does_not_say_so_is_none() -> None:
    command = COMMIT.apply(JOB)[-1].actions[0]
    assert isinstance(command, Command)
    assert command.check is not None
    assert command.check("Configure replace completed successfully.") is None
    assert command.check("Configure replace failed; rolled back") is not None
    (file,) = PREVIEW.stage(JOB)[0].actions
    assert isinstance(file, PutFile)
    assert file.text == JOB.target[FILE]


def test_identity() -> None:
    reply = (HERE / "recordings/show_version.txt").read_text()
    found = PREVIEW.identify().read((reply,))
    assert found == Identity("dc7-leaf-03", "N9K-C9332D-GX2B", "10.5(3)")
    with pytest.raises(ReplyError, match="NXOS"):
        PREVIEW.identify().read(("Cisco IOS Software",))


def test_saving_is_proven() -> None:
    until = COMMIT.save(JOB)[0].until
    assert until is not None
    startup = RUNNING[FILE].replace("!Time: Mon", "!Time: Tue")
    assert until.read((RUNNING[FILE], startup)) is None
    assert "hostname" in str(until.read((RUNNING[FILE], startup.replace("old-name", "x"))))
    secret = until.read((RUNNING[FILE], startup.replace("$5$made$up", "$5$else")))
    assert "username" in str(secret)
    assert "$5$" not in str(secret)


def test_what_is_no_configuration_is_refused() -> None:
    with pytest.raises(ReplyError, match="version"):
        PREVIEW.running().read(("", ""))


def test_what_a_port_of_a_vlan_is_need_not_be_said() -> None:
    """Recorded: ``switchport`` and ``switchport access vlan 2`` without ``mode access``."""
    said = text("vlan")
    modes = said.replace("  switchport mode access\n", "")
    hidden = modes.replace("  switchport\n", "")
    assert said != modes != hidden
    for shown in (modes, hidden):
        assert PREVIEW.differences({FILE: said}, {FILE: shown}) == ()
    trunk = said.replace("switchport mode access\n", "switchport mode trunk\n", 1)
    assert "-interface Ethernet1/1/1 > switchport mode access" in PREVIEW.differences(
        {FILE: said}, {FILE: trunk}
    )
    routed = hidden.replace("  switchport access vlan 100\n", "  no switchport\n", 1)
    assert "-interface Ethernet1/1/1 > switchport" in PREVIEW.differences(
        {FILE: said}, {FILE: routed}
    )


def test_a_port_channel_is_up_unless_it_says_otherwise() -> None:
    up = "interface port-channel10\n  no switchport\n  mtu 9216\n"
    down = up + "  shutdown\n"
    found = PREVIEW.differences({FILE: down}, {FILE: up})
    assert found == ("-interface port-channel10 > shutdown",)


def test_a_routed_port_that_is_not_brought_up_is_seen() -> None:
    """Recorded: it is shut down unless it says ``no shutdown``; a switched one says nothing."""
    routed = "interface Ethernet1/1\n  no switchport\n"
    switched = "interface Ethernet1/2\n  switchport\n"
    up = (f"{routed}  no shutdown\n", f"{switched}  no shutdown\n")
    told = PREVIEW.differences({FILE: up[0]}, {FILE: routed})
    assert told == ("-interface Ethernet1/1 > no shutdown",)
    assert PREVIEW.differences({FILE: up[1]}, {FILE: switched}) == ()


def test_a_checkpoint_that_was_not_written_is_none() -> None:
    """A full bootflash: without it there is no way back, and nothing has begun yet."""
    for copy in COMMIT.apply(JOB)[0].actions:
        assert isinstance(copy, Command)
        assert copy.check is not None
        assert copy.check("Copy complete, now saving to disk (please wait)...") is None
        assert copy.check("Copy failed") is not None


def test_a_port_that_is_shut_down_is_told() -> None:
    """It follows from the others of its port where that is routed, and nowhere else."""
    switched = "interface Ethernet1/2\n  switchport access vlan 100\n"
    found = PREVIEW.differences({FILE: switched}, {FILE: f"{switched}  shutdown\n"})
    assert found == ("+interface Ethernet1/2 > shutdown",)
    routed = "interface Ethernet1/1\n  no switchport\n"
    assert PREVIEW.differences({FILE: routed}, {FILE: f"{routed}  shutdown\n"}) == ()
