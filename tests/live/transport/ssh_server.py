"""A small SSH server on 127.0.0.1: enough of a switch to try sessions on, and its faults."""

# ruff: noqa: ARG002 - the signatures are paramiko's

from __future__ import annotations

import contextlib
import socket
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import paramiko
from paramiko.common import (
    AUTH_FAILED,
    AUTH_SUCCESSFUL,
    OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED,
    OPEN_SUCCEEDED,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

USER, PASSWORD = "admin", "canary-5f2c91"
_SUCCESS = 99  # SSH_MSG_CHANNEL_SUCCESS, RFC 4254
HOST_KEY = paramiko.ECDSAKey.generate()


@dataclass
class Switch:
    """What stands behind the server. ``says``: reply by line; of a shell (status, out, err)."""

    name: str = "leaf-01"
    says: dict[str, Any] = field(default_factory=dict)
    banner: str = "Welcome\r\n"
    prompt: Callable[[Switch], str] = lambda switch: f"{switch.name}{switch.mode}#"
    mode: str = ""
    page: int = 0
    pager: str = " --More-- "
    erases: bool = True  # the pager's line, once a key was pressed
    drop_on: str = ""  # the session is cut when this line comes
    hang_on: str = ""  # no answer to this line
    echo: Callable[[str], str] = lambda line: f"{line}\r\n"
    keys: tuple[paramiko.PKey, ...] = ()
    password: str = PASSWORD
    sftp_root: Path | None = None
    sftp: type[paramiko.SFTPServerInterface] | None = None
    forward: bool = False
    shell: bool = True
    typed: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)


class _Transport(paramiko.Transport):
    """Tells when the answer to a channel's request is out: what follows must come behind it."""

    def __init__(self, sock: socket.socket) -> None:
        super().__init__(sock)
        self.answered: dict[int, threading.Event] = {}

    def _send_user_message(self, data: Any) -> None:
        super()._send_user_message(data)  # type: ignore[misc]
        raw = data.asbytes()
        if raw[0] == _SUCCESS and (event := self.answered.get(int.from_bytes(raw[1:5]))):
            event.set()


class _Interface(paramiko.ServerInterface):
    def __init__(self, switch: Switch) -> None:
        self.switch = switch

    def get_allowed_auths(self, username: str) -> str:
        return "publickey,password" if self.switch.keys else "password"

    def check_auth_password(self, username: str, password: str) -> int:
        good = username == USER and password == self.switch.password
        self.switch.logins.append(f"{username} password")
        return AUTH_SUCCESSFUL if good else AUTH_FAILED

    def check_auth_publickey(self, username: str, key: paramiko.PKey) -> int:
        self.switch.logins.append(f"{username} {key.get_name()}")
        good = username == USER and any(key.asbytes() == k.asbytes() for k in self.switch.keys)
        return AUTH_SUCCESSFUL if good else AUTH_FAILED

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return OPEN_SUCCEEDED if kind == "session" else 1

    def check_channel_pty_request(self, *_: object) -> bool:
        return True

    def check_channel_shell_request(self, channel: paramiko.Channel) -> bool:
        if not self.switch.shell:
            return False
        threading.Thread(target=_terminal, args=(self.switch, channel), daemon=True).start()
        return True

    def check_channel_exec_request(self, channel: paramiko.Channel, command: bytes) -> bool:
        assert isinstance(self.transport, _Transport)
        answered = self.transport.answered[channel.remote_chanid] = threading.Event()
        args = (self.switch, channel, command.decode(), answered)
        threading.Thread(target=_execute, args=args, daemon=True).start()
        return True

    def check_channel_direct_tcpip_request(
        self, chanid: int, origin: tuple[str, int], destination: tuple[str, int]
    ) -> int:
        if not self.switch.forward:
            return OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED
        args = (self, destination)
        threading.Thread(target=_forward, args=args, daemon=True).start()
        return OPEN_SUCCEEDED

    transport: paramiko.Transport | None = None


def _forward(interface: _Interface, destination: tuple[str, int]) -> None:
    assert interface.transport is not None
    channel = interface.transport.accept(5)
    assert channel is not None
    with contextlib.suppress(OSError, EOFError), socket.create_connection(destination, 5) as sock:

        def back() -> None:
            with contextlib.suppress(OSError, EOFError):
                while data := sock.recv(32768):
                    channel.sendall(data)
            with contextlib.suppress(OSError, EOFError):  # the jump host's own session may be over
                channel.close()

        threading.Thread(target=back, daemon=True).start()
        while data := channel.recv(32768):
            sock.sendall(data)


def _cut(channel: paramiko.Channel) -> None:
    assert channel.transport is not None
    channel.transport.close()


def _terminal(switch: Switch, channel: paramiko.Channel) -> None:
    with contextlib.suppress(OSError, EOFError):
        channel.sendall((switch.banner + switch.prompt(switch)).encode())
        kept = ""
        while data := channel.recv(32768):
            kept += data.decode()
            out = ""
            while "\n" in kept:
                line, _, kept = kept.partition("\n")
                switch.typed.append(line)
                out += switch.echo(line)
                if line.strip() and line.strip() == switch.drop_on:
                    channel.sendall(out.encode())
                    _cut(channel)
                    return
                if line.strip() and line.strip() == switch.hang_on:
                    channel.sendall(out.encode())
                    out = ""
                    continue
                reply = switch.says.get(line.strip(), "")
                reply = reply(switch, channel) if callable(reply) else reply
                shown = reply.replace("\n", "\r\n")
                if switch.page and shown.count("\n") > switch.page:
                    out, kept = _paged(switch, channel, out, shown, kept)
                else:
                    out += shown
                out += switch.prompt(switch)
            if out:
                channel.sendall(out.encode())


def _paged(
    switch: Switch, channel: paramiko.Channel, out: str, shown: str, kept: str
) -> tuple[str, str]:
    rows = shown.splitlines(keepends=True)
    while len(rows) > switch.page:
        channel.sendall((out + "".join(rows[: switch.page]) + switch.pager).encode())
        rows, out = rows[switch.page :], ""
        if switch.erases:
            out = "\r" + " " * len(switch.pager) + "\r"
        while not kept:
            kept = channel.recv(100).decode()
        kept = kept[1:]
    return out + "".join(rows), kept


def _execute(
    switch: Switch, channel: paramiko.Channel, command: str, answered: threading.Event
) -> None:
    answered.wait(5)
    switch.typed.append(command)
    with contextlib.suppress(OSError, EOFError):
        if command == switch.drop_on:
            channel.sendall(b"half")
            channel.close()  # paramiko drops what it has not sent when a transport is closed
            return
        if command == switch.hang_on:
            channel.sendall(b"half of it\n")
            while channel.recv(100):
                pass
            return
        status, out, err = switch.says.get(command, (127, "", f"sh: {command}: not found\n"))
        channel.sendall(out.encode())
        channel.sendall_stderr(err.encode())
        if status is not None:
            channel.send_exit_status(status)
        channel.close()


class Server:
    """Serves one switch until it is closed; ``port`` is free to be connected to."""

    def __init__(self, switch: Switch, host_key: paramiko.PKey = HOST_KEY) -> None:
        self.switch, self.host_key = switch, host_key
        self.transports: list[paramiko.Transport] = []
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                sock, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(sock,), daemon=True).start()

    def _one(self, sock: socket.socket) -> None:
        transport = _Transport(sock)
        self.transports.append(transport)
        transport.add_server_key(self.host_key)
        interface = _Interface(self.switch)
        interface.transport = transport
        if self.switch.sftp is not None:
            transport.set_subsystem_handler(
                "sftp", paramiko.SFTPServer, self.switch.sftp, self.switch.sftp_root
            )
        with contextlib.suppress(paramiko.SSHException, EOFError, OSError):
            transport.start_server(server=interface)

    def close(self) -> None:
        self._socket.close()
        for transport in self.transports:
            transport.close()

    def known_hosts(self, file: Path) -> str:
        key = self.host_key
        line = f"[127.0.0.1]:{self.port} {key.get_name()} {key.get_base64()}\n"
        with file.open("a") as opened:
            opened.write(line)
        return str(file)


@contextlib.contextmanager
def serving(switch: Switch, host_key: paramiko.PKey = HOST_KEY) -> Iterator[Server]:
    server = Server(switch, host_key)
    try:
        yield server
    finally:
        server.close()
