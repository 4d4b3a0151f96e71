# ruff: noqa: S108 - paths on the fake
from __future__ import annotations

import io
from typing import TYPE_CHECKING

import paramiko
import pytest

from fabric.live.rehearsal.faults import Fault
from tests.live.rehearsal.client import Client
from tests.live.rehearsal.test_server import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.rehearsal.box import Setup
    from fabric.live.rehearsal.control import Rehearsal

    Start = Callable[..., Rehearsal]
    Connect = Callable[[Rehearsal, str], Client]

_CHANGE = "sudo vtysh -c configure -c 'ip prefix-list A seq 5 permit any'"


def test_reject_is_for_one_change_and_in_the_systems_words(
    start: Start, connect: Connect, frr: Setup
) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    rehearsal.arm("leaf1", Fault("reject"))
    assert client.run("hostname")[0] == 0
    assert client.run(_CHANGE) == (1, "% Unknown command: ip prefix-list A seq 5 permit any\n", "")
    assert "prefix-list" not in rehearsal.state("leaf1")["frr"]
    assert rehearsal.armed("leaf1") == ()
    assert client.run(_CHANGE)[0] == 0


@pytest.mark.parametrize("after", [False, True])
def test_drop_before_or_after_it_took_effect(
    start: Start, connect: Connect, frr: Setup, after: bool
) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    rehearsal.arm("leaf1", Fault("drop", after=after))
    assert client.run(_CHANGE) == (-1, "", "")
    assert ("prefix-list" in rehearsal.state("leaf1")["frr"]) is after
    assert connect(rehearsal, "leaf1").run("hostname")[0] == 0


def test_drop_of_the_command_behind_others(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    rehearsal.arm("leaf1", Fault("drop", skip=2))
    client.put("/tmp/x", "text")
    assert client.run("hostname")[0] == 0
    assert client.run(_CHANGE) == (-1, "", "")
    assert rehearsal.done("leaf1") == ("write /tmp/x", "hostname")


def test_drop_of_a_file_transfer(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    rehearsal.arm("leaf1", Fault("drop"))
    with pytest.raises((OSError, EOFError, paramiko.SSHException)):
        client.put("/tmp/x", "text")
    assert connect(rehearsal, "leaf1").run("test -e /tmp/x")[0] == 1


def test_hang_at_the_banner(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    rehearsal.arm("leaf1", Fault("hang"))
    at = rehearsal.connections["leaf1"]
    client = paramiko.SSHClient()
    client.load_host_keys(at.known_hosts)
    with pytest.raises(paramiko.SSHException):
        client.connect(
            at.address,
            port=at.port,
            username=at.user,
            banner_timeout=0.3,
            key_filename=at.key_file,
            allow_agent=False,
            look_for_keys=False,
        )
    client.close()
    assert connect(rehearsal, "leaf1").run("hostname")[0] == 0


def test_no_answer_although_it_took_effect(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    rehearsal.arm("leaf1", Fault("hang", after=True))
    with pytest.raises(TimeoutError):
        client.run(_CHANGE, timeout_s=0.5)
    assert "prefix-list" in rehearsal.state("leaf1")["frr"]


def test_slow_takes_fake_time(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    rehearsal.arm("leaf1", Fault("slow", seconds=500.0))
    _, out, _ = client.ssh.exec_command("hostname")
    wait_until(lambda: rehearsal.armed("leaf1") == ())
    assert not out.channel.exit_status_ready()
    rehearsal.advance(501.0)
    assert out.read() == b"leaf1\n"


def test_password_refuses_keys_too(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    rehearsal.arm("leaf1", Fault("password", 0))
    with pytest.raises(paramiko.AuthenticationException):
        connect(rehearsal, "leaf1")
    rehearsal.disarm("leaf1", "password")
    connect(rehearsal, "leaf1")


def test_changed_host_key(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    rehearsal.arm("leaf1", Fault("host-key", 0))
    with pytest.raises(paramiko.BadHostKeyException):
        connect(rehearsal, "leaf1")
    rehearsal.disarm("leaf1")
    connect(rehearsal, "leaf1")


def test_reboot_after_a_change(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    rehearsal.arm("leaf1", Fault("reboot"))
    assert client.run("hostname")[0] == 0
    assert client.run(_CHANGE)[0] == -1
    assert rehearsal.state("leaf1")["up"] == "no"
    wait_until(lambda: _refused(rehearsal))
    rehearsal.advance(91.0)
    assert connect(rehearsal, "leaf1").run("hostname")[0] == 0
    assert "prefix-list" not in rehearsal.state("leaf1")["frr"]


def test_reboot_whatever_is_asked(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    rehearsal.arm("leaf1", Fault("reboot", anything=True))
    assert client.run("hostname")[0] == -1
    assert rehearsal.state("leaf1")["up"] == "no"
    assert rehearsal.armed("leaf1") == ()


def _refused(rehearsal: Rehearsal) -> bool:
    try:
        Client(rehearsal.connections["leaf1"]).close()
    except (OSError, paramiko.SSHException):
        return True
    return False


def test_full_disk(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    client.put("/tmp/x", "text\n")
    rehearsal.arm("leaf1", Fault("disk-full", 0))
    with client.ssh.open_sftp() as sftp, pytest.raises(OSError, match=r"Failure|mismatch"):
        sftp.putfo(io.BytesIO(b"text\n"), "/tmp/y")
    assert client.run("cp /tmp/x /tmp/z") == (
        1,
        "",
        "cp: error writing '/tmp/z': No space left on device\n",
    )
    # write memory says that all is well, and leaves an empty file
    status, out, _ = client.run("sudo vtysh -c 'write memory'")
    assert status == 0
    assert "Integrated configuration saved to /etc/frr/frr.conf\n[OK]" in out
    assert rehearsal.state("leaf1")["file frr.conf"] == ""
