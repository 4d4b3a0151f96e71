# ruff: noqa: S108 - paths on the fake
from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import netmiko
import paramiko
import pytest

from fabric.live.rehearsal.control import Rehearsal, RehearsalError, ServerProcess
from fabric.live.rehearsal.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.rehearsal.box import Setup
    from tests.live.rehearsal.client import Client

    Start = Callable[..., Rehearsal]
    Connect = Callable[[Rehearsal, str], Client]


def wait_until(holds: Callable[[], bool], cap_s: float = 20.0) -> None:
    end = time.monotonic() + cap_s
    tick = threading.Event()
    while not holds():
        assert time.monotonic() < end, "nothing happened in time"
        tick.wait(0.02)


def test_outputs_and_status_are_apart(start: Start, connect: Connect, frr: Setup) -> None:
    client = connect(start(frr), "leaf1")
    assert client.run("echo a; cat /none; false") == (
        1,
        "a\n",
        "cat: /none: No such file or directory\n",
    )


def test_known_hosts_holds_the_key_of_each_device(
    start: Start, connect: Connect, frr: Setup
) -> None:
    rehearsal = start(frr, replace(frr, device="leaf2"))
    keys = {
        name: connect(rehearsal, name).ssh.get_transport().get_remote_server_key()  # type: ignore[union-attr]
        for name in ("leaf1", "leaf2")
    }
    assert keys["leaf1"] != keys["leaf2"]
    assert {each.address for each in rehearsal.connections.values()} == {"127.0.0.1"}


def test_password_and_wrong_password(start: Start, frr: Setup) -> None:
    connection = start(frr).connections["leaf1"]
    for password, right in (("rehearsal", True), ("wrong", False)):
        client = paramiko.SSHClient()
        client.load_host_keys(connection.known_hosts)
        options = {
            "port": connection.port,
            "username": connection.user,
            "password": password,
            "allow_agent": False,
            "look_for_keys": False,
        }
        if right:
            client.connect(connection.address, **options)  # type: ignore[arg-type]
        else:
            with pytest.raises(paramiko.AuthenticationException):
                client.connect(connection.address, **options)  # type: ignore[arg-type]
        client.close()


def test_files_are_written_renamed_and_read(start: Start, connect: Connect, frr: Setup) -> None:
    client = connect(start(frr), "leaf1")
    with client.ssh.open_sftp() as sftp:
        with sftp.open("/tmp/new", "w") as file:
            file.write("text\n" * 20000)
        sftp.chmod("/tmp/new", 0o600)
        sftp.posix_rename("/tmp/new", "/tmp/old")
        assert sftp.stat("/tmp/old").st_size == 100000
        assert sftp.open("/tmp/old").read() == b"text\n" * 20000
        with pytest.raises(PermissionError):
            sftp.open("/etc/frr/frr.conf", "w")
    assert client.out("stat -c %a /tmp/old") == "600\n"


def test_netmiko_at_the_prompt(start: Start, frr: Setup) -> None:
    connection = start(frr).connections["leaf1"]
    session = netmiko.ConnectHandler(
        device_type="linux",
        host=connection.address,
        port=connection.port,
        username=connection.user,
        use_keys=True,
        key_file=connection.key_file,
        ssh_strict=True,
        system_host_keys=False,
        alt_host_keys=True,
        alt_key_file=connection.known_hosts,
        allow_agent=False,
    )
    assert session.find_prompt() == "admin@leaf1:~$"
    assert session.send_command("hostname") == "leaf1"
    session.disconnect()


def _shell(client: Client) -> paramiko.Channel:
    channel = client.ssh.invoke_shell(width=200, height=50)
    channel.settimeout(20)
    _read_to(channel, "$ ")
    return channel


def _read_to(channel: paramiko.Channel, end: str) -> str:
    text = ""
    while not text.endswith(end):
        got = channel.recv(4096).decode()
        assert got, text
        text += got
    return text


def test_paging_although_turned_off(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    channel = _shell(connect(rehearsal, "leaf1"))
    lines = "".join(f"{number}\\n" for number in range(60))
    channel.send(f"printf '{lines}'\n".encode())
    assert "59\r\n" in _read_to(channel, "$ ")
    rehearsal.arm("leaf1", Fault("more", 0))
    channel.send(f"printf '{lines}'\n".encode())
    assert "23\r\n" in _read_to(channel, "--More--")
    channel.send(b" ")
    assert "47\r\n" in _read_to(channel, "--More--")
    channel.send(b"q")
    assert "48\r\n" not in _read_to(channel, "$ ")


def test_line_editing_and_leaving(start: Start, connect: Connect, frr: Setup) -> None:
    channel = _shell(connect(start(frr), "leaf1"))
    channel.send(b"echo abX\x7fc\r\n")
    assert "\r\nabc\r\n" in _read_to(channel, "$ ")
    channel.send(b"exit\n")
    wait_until(lambda: bool(channel.closed or channel.eof_received))


def test_one_process_serves_one_rehearsal_after_another(
    server: ServerProcess, tmp_path: Path, frr: Setup
) -> None:
    with Rehearsal([frr], tmp_path, (server,)) as first:
        port = first.connections["leaf1"].port
        socket.create_connection(("127.0.0.1", port)).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    with Rehearsal([frr], tmp_path, (server,)) as second:
        assert second.state("leaf1")["up"] == "yes"


def test_errors_of_the_server_come_back(start: Start, frr: Setup, server: ServerProcess) -> None:
    rehearsal = start(frr)
    with pytest.raises(RehearsalError, match="no such fault"):
        rehearsal.arm("leaf1", Fault("earthquake"))
    with pytest.raises(RehearsalError, match="KeyError"):
        server.ask("dance")


def test_many_devices_in_several_processes(tmp_path: Path, frr: Setup) -> None:
    setups = [replace(frr, device=f"leaf{number}", neighbours=()) for number in range(1000)]
    with ServerProcess() as one, ServerProcess() as two:  # noqa: SIM117
        with Rehearsal(setups, tmp_path, (one, two)) as rehearsal:
            ports = {each.port for each in rehearsal.connections.values()}
            assert len(ports) == 1000
            for name in ("leaf0", "leaf999"):
                at = rehearsal.connections[name]
                with socket.create_connection((at.address, at.port)) as sock:
                    assert sock.recv(4) == b"SSH-"


def test_the_server_ends_with_who_started_it() -> None:
    code = (
        "import sys; from fabric.live.rehearsal.control import ServerProcess\n"
        "print(ServerProcess().pid, flush=True); sys.stdin.read()"
    )
    starter = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path.cwd(),
    )
    assert starter.stdout
    pid = int(starter.stdout.readline())
    starter.send_signal(signal.SIGKILL)
    starter.communicate()

    def gone() -> bool:
        try:
            with Path(f"/proc/{pid}/stat").open() as file:
                return file.read().split()[2] == "Z"
        except FileNotFoundError:
            return True

    wait_until(gone)
