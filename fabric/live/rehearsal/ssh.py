"""One SSH connection to a fake switch, on paramiko's server side."""

# ruff: noqa: ARG002 - paramiko says what its hooks are given
from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, ClassVar

import paramiko
from paramiko.common import (
    AUTH_FAILED,
    AUTH_SUCCESSFUL,
    MSG_CHANNEL_REQUEST,
    OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED,
    OPEN_SUCCEEDED,
)

from fabric.live.rehearsal.device import CutError, SilenceError
from fabric.live.rehearsal.sftp import DiskServer
from fabric.live.rehearsal.terminal import Terminal

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from fabric.live.rehearsal.box import ShellReply
    from fabric.live.rehearsal.device import Device

_DEAF_S = 0.2  # real seconds between looks at whether a client still waits for nothing


class Connection(paramiko.ServerInterface):
    """What a client may ask for: login, commands, a terminal, files."""

    def __init__(self, device: Device, public_key: str) -> None:
        self.device, self.user = device, device.setup.user
        self._public_key = public_key.split()[1]
        self.transport: paramiko.Transport
        self.work: list[Callable[[], None]] = []  # of requests that are not yet granted
        self.terminals: dict[int, Terminal] = {}

    def get_allowed_auths(self, username: str) -> str:
        """Both ways of logging in."""
        return "publickey,password"

    def check_auth_publickey(self, username: str, key: paramiko.PKey) -> int:
        """Right with the rehearsal's own key."""
        return self._judge(username, right=key.get_base64() == self._public_key)

    def check_auth_password(self, username: str, password: str) -> int:
        """Right with the password of the fake."""
        return self._judge(username, right=password == self.device.setup.password)

    def _judge(self, username: str, *, right: bool) -> int:
        faults = self.device.faults
        known = username in {self.device.setup.user, "root"}
        if not (known and right) or (faults.on("password") and faults.take("password")):
            return AUTH_FAILED
        self.user = username
        return AUTH_SUCCESSFUL

    def check_channel_request(self, kind: str, chanid: int) -> int:
        """Sessions alone: no forwarding."""
        if kind == "session":
            return OPEN_SUCCEEDED
        return OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED

    def check_channel_env_request(
        self, channel: paramiko.Channel, name: bytes, value: bytes
    ) -> bool:
        """Not taken over, as most sshd do."""
        return False

    def check_channel_pty_request(  # noqa: PLR0913, PLR0917
        self,
        channel: paramiko.Channel,
        term: bytes,
        width: int,
        height: int,
        pixelwidth: int,
        pixelheight: int,
        modes: bytes,
    ) -> bool:
        """A terminal of this size."""
        self.terminals[channel.get_id()] = Terminal(channel, self, width, height)
        return True

    def check_channel_window_change_request(
        self, channel: paramiko.Channel, width: int, height: int, pixelwidth: int, pixelheight: int
    ) -> bool:
        """The window was resized."""
        if terminal := self.terminals.get(channel.get_id()):
            terminal.width, terminal.height = width, height
        return True

    def check_channel_shell_request(self, channel: paramiko.Channel) -> bool:
        """A login at the prompt."""
        terminal = self.terminals.setdefault(channel.get_id(), Terminal(channel, self, 80, 24))
        self._start(terminal.converse)
        return True

    def check_channel_exec_request(self, channel: paramiko.Channel, command: bytes) -> bool:
        """A single command."""
        self._start(lambda: self._execute(channel, command.decode()))
        return True

    def _start(self, work: Callable[[], None]) -> None:
        self.work.append(work)

    def begin(self) -> None:
        """Start what the request that has just been granted asks for."""
        while self.work:
            threading.Thread(target=self._guarded, args=(self.work.pop(),), daemon=True).start()

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do the work of a channel; the client may go away at any time."""
        try:
            with contextlib.suppress(OSError, EOFError, paramiko.SSHException):
                work()
        except CutError:
            self.cut()
        except SilenceError:
            self.be_silent()
        except Exception:  # a mistake of ours: the client shall not wait for ever
            self.cut()
            raise

    def be_silent(self) -> None:
        """Answer nothing, and end nothing either, until the client goes away."""
        while self.alive():
            threading.Event().wait(_DEAF_S)

    def alive(self) -> bool:
        """Whether the client is still there."""
        return self.transport.is_active()

    def cut(self) -> None:
        """Cut the connection without a word."""
        with contextlib.suppress(OSError):
            self.transport.sock.close()
        self.transport.close()

    def _execute(self, channel: paramiko.Channel, command: str) -> None:
        box = self.device.box
        reply: ShellReply = self.device.perform(
            command, lambda: box.run(self.user, command), self.alive
        )
        if self.alive():  # else the command itself has cut the session
            self.device.clock.spend(reply.seconds, self.alive)
        if reply.drops:
            raise CutError
        channel.sendall(reply.stdout.encode())
        channel.sendall_stderr(reply.stderr.encode())
        channel.send_exit_status(reply.status)
        channel.close()


class _Transport(paramiko.Transport):
    """Work starts once the client has been told that its request is granted.

    paramiko tells it after the ``check_...`` methods; a quick command would be over before.
    """

    connection: Connection

    def _grant(self: paramiko.Channel, message: paramiko.Message) -> None:  # type: ignore[misc]
        self._handle_request(message)  # type: ignore[attr-defined]
        self.transport.connection.begin()  # type: ignore[union-attr]

    _channel_handler_table: ClassVar = {
        **paramiko.Transport._channel_handler_table,  # type: ignore[attr-defined]  # noqa: SLF001
        MSG_CHANNEL_REQUEST: _grant,
    }


def serve(sock: socket.socket, device: Device, host_key: paramiko.PKey, public_key: str) -> None:
    """Speak SSH on a new connection; returns at once, paramiko's thread does the rest."""
    transport = _Transport(sock)
    transport.local_version = "SSH-2.0-OpenSSH_9.2"
    transport.add_server_key(host_key)
    connection = Connection(device, public_key)
    connection.transport = transport
    transport.connection = connection
    transport.set_subsystem_handler("sftp", paramiko.SFTPServer, DiskServer)
    device.admit(transport)
    transport.start_server(event=threading.Event(), server=connection)
