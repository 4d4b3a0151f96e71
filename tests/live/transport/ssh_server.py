"""A small SSH server on 127.0.0.1: enough of a switch to try sessions on, and its faults."""

from __future__ import annotations

import contextlib
import io
import os
import socket
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import paramiko

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

USER, PASSWORD = "admin", "canary-5f2c91"  # noqa: S105 - of the server below
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


class _Interface(paramiko.ServerInterface):
    def __init__(self, switch: Switch) -> None:
        self.switch = switch
        self.shells: dict[int, threading.Event] = {}

    def get_allowed_auths(self, username: str) -> str:
        return "publickey,password" if self.switch.keys else "password"

    def check_auth_password(self, username: str, password: str) -> int:
        good = username == USER and password == self.switch.password
        self.switch.logins.append(f"{username} password")
        return paramiko.AUTH_SUCCESSFUL if good else paramiko.AUTH_FAILED

    def check_auth_publickey(self, username: str, key: paramiko.PKey) -> int:
        self.switch.logins.append(f"{username} {key.get_name()}")
        good = username == USER and any(key.asbytes() == k.asbytes() for k in self.switch.keys)
        return paramiko.AUTH_SUCCESSFUL if good else paramiko.AUTH_FAILED

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return paramiko.OPEN_SUCCEEDED if kind == "session" else 1

    def check_channel_pty_request(self, *_: object) -> bool:
        return True

    def check_channel_shell_request(self, channel: paramiko.Channel) -> bool:
        if not self.switch.shell:
            return False
        threading.Thread(target=_terminal, args=(self.switch, channel), daemon=True).start()
        return True

    def check_channel_exec_request(self, channel: paramiko.Channel, command: bytes) -> bool:
        args = (self.switch, channel, command.decode())
        threading.Thread(target=_execute, args=args, daemon=True).start()
        return True

    def check_channel_direct_tcpip_request(
        self, chanid: int, origin: tuple[str, int], destination: tuple[str, int]
    ) -> int:
        if not self.switch.forward:
            return paramiko.OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED
        args = (self, chanid, destination)
        threading.Thread(target=_forward, args=args, daemon=True).start()
        return paramiko.OPEN_SUCCEEDED

    transport: paramiko.Transport | None = None


def _forward(interface: _Interface, chanid: int, destination: tuple[str, int]) -> None:
    assert interface.transport is not None
    channel = interface.transport.accept(5)
    assert channel is not None
    with contextlib.suppress(OSError, EOFError), socket.create_connection(destination, 5) as sock:

        def back() -> None:
            with contextlib.suppress(OSError, EOFError):
                while data := sock.recv(32768):
                    channel.sendall(data)
            channel.close()

        threading.Thread(target=back, daemon=True).start()
        while data := channel.recv(32768):
            sock.sendall(data)


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
                    channel.transport.close()
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
        rows, out = rows[switch.page :], "\r" + " " * len(switch.pager) + "\r"
        while not kept:
            kept = channel.recv(100).decode()
        kept = kept[1:]
    return out + "".join(rows), kept


def _execute(switch: Switch, channel: paramiko.Channel, command: str) -> None:
    switch.typed.append(command)
    with contextlib.suppress(OSError, EOFError):
        if command == switch.drop_on:
            channel.sendall(b"half")
            channel.transport.close()
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
        transport = paramiko.Transport(sock)
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


class Disk(paramiko.SFTPServerInterface):
    """Files below a folder of this machine; ``FULL`` makes writes fail as on a full disk."""

    FULL = False
    KEEPS: int | None = None  # bytes of each file that reach the disk

    def __init__(self, server: paramiko.ServerInterface, root: Path) -> None:
        super().__init__(server)
        self._root = root

    def _real(self, path: str) -> str:
        return str(self._root / path.lstrip("/"))

    def open(self, path: str, flags: int, attr: paramiko.SFTPAttributes) -> Any:
        try:
            opened = os.open(self._real(path), flags, 0o666)
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno or 0)
        handle = _File(flags, self)
        handle.opened = os.fdopen(opened, "r+b" if flags & (os.O_WRONLY | os.O_RDWR) else "rb")
        return handle

    def stat(self, path: str) -> Any:
        try:
            return paramiko.SFTPAttributes.from_stat(os.stat(self._real(path)))
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno or 0)

    def remove(self, path: str) -> int:
        try:
            os.remove(self._real(path))
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno or 0)
        return paramiko.SFTP_OK

    def posix_rename(self, oldpath: str, newpath: str) -> int:
        os.replace(self._real(oldpath), self._real(newpath))
        return paramiko.SFTP_OK


class _File(paramiko.SFTPHandle):
    opened: io.BufferedIOBase

    def __init__(self, flags: int, disk: Disk) -> None:
        super().__init__(flags)
        self._disk = disk

    def close(self) -> None:
        self.opened.close()

    def stat(self) -> Any:
        return paramiko.SFTPAttributes.from_stat(os.fstat(self.opened.fileno()))

    def chattr(self, attr: paramiko.SFTPAttributes) -> int:
        if attr.st_mode is not None:
            os.fchmod(self.opened.fileno(), attr.st_mode)
        return paramiko.SFTP_OK

    def read(self, offset: int, length: int) -> bytes:
        self.opened.seek(offset)
        return self.opened.read(length)

    def write(self, offset: int, data: bytes) -> int:
        if self._disk.FULL:
            return paramiko.SFTP_FAILURE
        self.opened.seek(offset)
        self.opened.write(data if self._disk.KEEPS is None else data[: self._disk.KEEPS])
        return paramiko.SFTP_OK
