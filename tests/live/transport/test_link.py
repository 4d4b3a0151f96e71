"""The way to a device fails without a word in the middle of a command: nothing comes any more."""

from __future__ import annotations

import contextlib
import socket
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import paramiko
import pytest

from fabric.live.transport.errors import Kind
from fabric.model.push import Command, Lines, PutFile
from tests.live.transport.reaching import NAME, dialer, spec
from tests.live.transport.sftp_server import Disk
from tests.live.transport.ssh_server import Switch, serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack
    from pathlib import Path

    from fabric.live.transport.errors import DeviceError
    from fabric.live.transport.session import Session
    from fabric.model.push import Action

    Failure = Callable[[Session, Action], DeviceError]

FAILED = "or the way to the device failed without a word (management link, filter)"


class Link:
    """A way to a port of this machine, until it fails: then bytes go nowhere, and nothing ends."""

    def __init__(self, port: int) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._to, self.up = port, True
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            near, _ = self._listening.accept()
            far = socket.create_connection(("127.0.0.1", self._to))
            self._open = [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                if self.up:
                    other.sendall(data)

    def close(self) -> None:
        for each in (self._listening, *self._open):
            each.close()


class Ways:
    """Opens sessions over a link, which ``fail`` makes fail."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack, self._folder = stack, folder
        self._links: list[Link] = []

    def session(self, switch: Switch, session: str = "shell", cli: str = "fabric") -> Session:
        server = self._stack.enter_context(serving(switch))
        link = Link(server.port)
        self._links.append(link)
        self._stack.callback(link.close)
        server.port = link.port
        spoken = spec(session=session, errors=())
        dial = self._stack.enter_context(dialer(server, self._folder, spoken=spoken, cli=cli))
        opened = dial(NAME)
        self._stack.callback(opened.close)
        return opened

    def fail(self) -> None:
        for link in self._links:
            link.up = False


@pytest.fixture
def ways(stack: ExitStack, tmp_path: Path) -> Ways:
    return Ways(stack, tmp_path)


def is_closed(session: Session, failure: Failure) -> bool:
    """Who goes on opens another one, and finds out."""
    return failure(session, Command("show clock")).kind is Kind.LOST


@pytest.mark.parametrize("cli", ["fabric", "netmiko"])
@pytest.mark.parametrize(
    "action", [Command("commit", timeout_s=0.5), Lines(("commit",), timeout_s=0.5)]
)
def test_at_a_prompt(ways: Ways, failure: Failure, action: Action, cli: str) -> None:
    session = ways.session(Switch(), "cli", cli)
    ways.fail()
    error = failure(session, action)
    assert (error.kind, error.kind.outcome_known) == (Kind.TIMEOUT, False)
    assert str(error) == (
        "leaf-01: `commit` did not end within 0.5 s: awaited was a prompt of leaf-01, nothing was "
        f"received; its echo was not seen either, {FAILED}"
    )
    assert is_closed(session, failure)


def test_before_a_command_is_begun(ways: Ways, failure: Failure) -> None:
    session = ways.session(Switch())
    ways.fail()
    error = failure(session, Command("ifreload -a", timeout_s=0.5))
    assert error.kind is Kind.TIMEOUT
    assert str(error) == (
        "leaf-01: `ifreload -a` did not end within 0.5 s: awaited was its exit status, nothing was "
        f"received; it may still be running there, {FAILED}"
    )
    assert is_closed(session, failure)


@pytest.mark.parametrize("action", [Command("reload"), PutFile("/x", "text")])
def test_a_request_that_is_not_answered(
    ways: Ways, failure: Failure, action: Command | PutFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link fails once the channel is open; paramiko would wait for ever."""
    session = ways.session(Switch())
    opening = paramiko.Transport.open_session

    def opened(*words: Any, **more: Any) -> paramiko.Channel:
        channel = opening(*words, **more)
        ways.fail()
        return channel

    monkeypatch.setattr(paramiko.Transport, "open_session", opened)
    error = failure(session, replace(action, timeout_s=0.5))
    if isinstance(action, PutFile):
        assert error.kind is Kind.FILE  # nothing was begun
        assert "the device does not answer to SFTP; what stood there before is" in str(error)
    else:
        assert error.kind is Kind.TIMEOUT
        assert "`reload` did not end within 0.5 s: awaited was its exit status" in str(error)


def test_while_a_file_is_written(ways: Ways, failure: Failure, tmp_path: Path) -> None:
    class Cutting(Disk):
        def open(self, path: str, flags: int, attr: paramiko.SFTPAttributes) -> Any:
            ways.fail()
            return super().open(path, flags, attr)

    root = tmp_path / "disk"
    root.mkdir()
    session = ways.session(Switch(sftp_root=root, sftp=Cutting))
    error = failure(session, PutFile("/x", "text", timeout_s=0.5))
    assert error.kind is Kind.TIMEOUT
    assert "`write /x` did not end within 0.5 s: awaited was the reply of SFTP" in str(error)
    assert FAILED in str(error)
    assert is_closed(session, failure)
