"""What stands in the way of a login, each told apart; measured cases of a lab, on loopback."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING, Any

import paramiko
import pytest

from fabric.live.connections import Connection
from fabric.live.transport.dial import Dialer
from fabric.live.transport.errors import DeviceError, Kind
from fabric.live.transport.times import Times
from tests.live.transport.reaching import NAME, credentials, dialer, spec
from tests.live.transport.ssh_server import USER, Server, Switch, serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack
    from pathlib import Path

SHORT = Times(connect_s=1.0, banner_s=1.5)


def refused(dial: Dialer) -> DeviceError:
    with pytest.raises(DeviceError) as caught:
        dial(NAME)
    assert caught.value.kind.unreachable
    assert caught.value.kind.rule
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    return caught.value


def to(port: int, times: Times = SHORT, **changed: Any) -> Dialer:
    values: dict[str, Any] = {"address": "127.0.0.1", "port": port, "user": USER}
    made = Connection(NAME, key_file="", known_hosts="", **{**values, **changed})
    return Dialer({NAME: made}, {NAME: spec()}, credentials=credentials(), times=times)


def talking(stack: ExitStack, talk: Callable[[socket.socket], object]) -> int:
    """A port that something else than SSH listens at."""
    server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

    def serve() -> None:
        try:
            sock, _ = server.accept()
        except OSError:
            return
        with sock:
            talk(sock)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    stack.callback(thread.join, 5)
    port: int = server.getsockname()[1]
    return port


@pytest.mark.parametrize("login", [{}, {"user": "nobody"}], ids=["password", "user"])
def test_wrong_password_or_user(tmp_path: Path, stack: ExitStack, login: dict[str, Any]) -> None:
    server = stack.enter_context(serving(Switch(password="another")))  # noqa: S106
    error = refused(stack.enter_context(dialer(server, tmp_path, **login)))
    assert error.kind is Kind.LOGIN
    user = login.get("user", USER)
    assert f"refused the login of {user} with the password" in str(error)


def key_file(folder: Path, password: str | None = None) -> str:
    file = folder / "id"
    paramiko.ECDSAKey.generate().write_private_key_file(str(file), password)
    return str(file)


def test_key_that_is_not_authorised(tmp_path: Path, stack: ExitStack) -> None:
    switch = Switch(keys=(paramiko.ECDSAKey.generate(),))
    server = stack.enter_context(serving(switch))
    file = key_file(tmp_path)
    error = refused(stack.enter_context(dialer(server, tmp_path, key_file=file, secret=None)))
    assert error.kind is Kind.LOGIN
    assert f"with the key file {file}" in str(error)
    assert "the server takes" not in str(error) or "password" in str(error)


def test_authorised_key_logs_in(tmp_path: Path, stack: ExitStack) -> None:
    file = key_file(tmp_path)
    key = paramiko.ECDSAKey.from_private_key_file(file)
    switch = Switch(keys=(key,))
    server = stack.enter_context(serving(switch))
    dial = stack.enter_context(dialer(server, tmp_path, key_file=file, secret=None))
    dial(NAME).close()
    assert switch.logins[-1] == f"{USER} {key.get_name()}"


def test_locked_key_is_opened_by_the_secret(tmp_path: Path, stack: ExitStack) -> None:
    from tests.live.transport.ssh_server import PASSWORD  # noqa: PLC0415

    file = key_file(tmp_path, PASSWORD)
    switch = Switch(keys=(paramiko.ECDSAKey.from_private_key_file(file, PASSWORD),))
    server = stack.enter_context(serving(switch))
    stack.enter_context(dialer(server, tmp_path, key_file=file))(NAME).close()
    assert switch.logins[-1].endswith("nistp256")


@pytest.mark.parametrize("locked", [False, True], ids=["missing", "locked"])
def test_key_file_missing_or_locked(tmp_path: Path, stack: ExitStack, locked: bool) -> None:
    server = stack.enter_context(serving(Switch()))
    file = key_file(tmp_path, "unknown") if locked else str(tmp_path / "none")
    error = refused(stack.enter_context(dialer(server, tmp_path, key_file=file, secret=None)))
    assert error.kind is Kind.NO_CREDENTIAL
    says = "is locked, and no passphrase for it is named" if locked else "does not exist"
    assert f"the key file {file} {says}" in str(error)


def test_unknown_name(stack: ExitStack) -> None:
    error = refused(stack.enter_context(to(22, address="no-such-switch.invalid")))
    assert error.kind is Kind.NAME
    assert "no-such-switch.invalid" in str(error)


def test_port_closed(stack: ExitStack) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    error = refused(stack.enter_context(to(port)))
    assert error.kind is Kind.CLOSED
    assert f"nothing listens at 127.0.0.1:{port}" in str(error)


def test_silence(stack: ExitStack) -> None:
    """A full backlog drops what comes next, as a filter does."""
    server = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
    for _ in range(4):
        waiting = stack.enter_context(socket.socket())
        waiting.setblocking(False)  # noqa: FBT003
        waiting.connect_ex(server.getsockname())
    error = refused(stack.enter_context(to(server.getsockname()[1])))
    assert error.kind is Kind.SILENT
    assert "does not answer" in str(error)


def test_no_banner(stack: ExitStack, capfd: pytest.CaptureFixture[str]) -> None:
    error = refused(stack.enter_context(to(talking(stack, lambda sock: sock.recv(1000)))))
    assert error.kind is Kind.NO_BANNER
    assert capfd.readouterr().err == ""  # paramiko's thread keeps its traceback to itself


@pytest.mark.parametrize("said", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"", b"\x00" * 200])
def test_something_else_than_ssh(stack: ExitStack, said: bytes) -> None:
    error = refused(stack.enter_context(to(talking(stack, lambda sock: sock.sendall(said)))))
    assert error.kind is Kind.NO_BANNER


def test_banner_and_then_nothing(stack: ExitStack) -> None:
    def talk(sock: socket.socket) -> None:
        sock.sendall(b"SSH-2.0-Slow\r\n")
        while sock.recv(10_000):
            pass

    error = refused(stack.enter_context(to(talking(stack, talk))))
    assert error.kind is Kind.SILENT
    assert "does not go on with SSH in time" in str(error)


def test_connection_that_ends_after_the_banner(stack: ExitStack) -> None:
    port = talking(stack, lambda sock: sock.sendall(b"SSH-2.0-X\r\n"))
    error = refused(stack.enter_context(to(port, Times())))
    assert error.kind is Kind.PROTOCOL


def test_no_algorithm_in_common(tmp_path: Path, stack: ExitStack) -> None:
    class Old(Server):
        def _one(self, sock: socket.socket) -> None:
            transport = paramiko.Transport(sock)
            self.transports.append(transport)
            transport._preferred_ciphers = ("3des-cbc",)  # type: ignore[attr-defined]
            transport._preferred_kex = ("diffie-hellman-group99",)  # type: ignore[attr-defined]
            transport.add_server_key(self.host_key)
            try:
                transport.start_server(server=paramiko.ServerInterface())
            except (paramiko.SSHException, EOFError):
                return

    server = Old(Switch())
    stack.callback(server.close)
    error = refused(stack.enter_context(dialer(server, tmp_path)))
    assert error.kind is Kind.PROTOCOL


def test_login_that_is_not_answered(tmp_path: Path, stack: ExitStack) -> None:
    """As with an authentication server that is down."""
    freed = threading.Event()
    stack.callback(freed.set)

    class Slow(Switch):
        @property
        def password(self) -> str:
            freed.wait(5)
            return "x"

        @password.setter
        def password(self, _value: str) -> None:
            return

    server = stack.enter_context(serving(Slow()))
    error = refused(stack.enter_context(dialer(server, tmp_path, times=Times(auth_s=1.0))))
    assert error.kind is Kind.SILENT
    assert "does not answer the login of admin with the password" in str(error)
