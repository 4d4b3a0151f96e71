"""Sessions with OpenSSH's own server, as a lab starts it."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fabric.live.connections import Connection
from fabric.live.transport.credentials import Credentials
from fabric.live.transport.dial import Dialer
from fabric.live.transport.errors import DeviceError, Kind
from fabric.live.transport.secret_sources import Secrets
from fabric.model.push import Command, PutFile
from tests.live.transport.reaching import NAME, spec

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack

    from fabric.live.transport.session import Session

SSHD = "/usr/sbin/sshd"
pytestmark = pytest.mark.skipif(
    not Path(SSHD).exists() or os.geteuid() != 0, reason="needs OpenSSH's server and root"
)
SHELL = spec(session="shell", errors=())


def keygen(file: Path, kind: str) -> Path:
    command = ["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    return file


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sshd")
    keygen(folder / "host_ed25519", "ed25519")
    keygen(folder / "host_rsa", "rsa")
    keygen(folder / "user", "ed25519")
    shutil.copy(folder / "user.pub", folder / "authorized_keys")
    return folder


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    """A server that is asked by each connection; the log says what it thinks of them."""
    Path("/run/sshd").mkdir(exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    options = {
        "Port": port,
        "ListenAddress": "127.0.0.1",
        "HostKey": f"{folder}/host_ed25519",
        "AuthorizedKeysFile": f"{folder}/authorized_keys",
        "PasswordAuthentication": "no",
        "StrictModes": "no",
        "PidFile": "none",
        "Subsystem": "sftp internal-sftp",
        "PermitRootLogin": "yes",
        "UsePAM": "no",
    }
    config = folder / "sshd_config"
    lines = [f"{key} {value}\n" for key, value in options.items()]
    config.write_text("".join(lines) + f"HostKey {folder}/host_rsa\n")
    with subprocess.Popen([SSHD, "-D", "-e", "-f", config], stderr=subprocess.PIPE) as server:
        assert server.stderr is not None
        while b"listening" not in (line := server.stderr.readline()):
            assert line, "the server did not start"
        yield port
        server.terminate()
        server.stderr.read()


def connection(folder: Path, port: int, kind: str = "ed25519", **changed: Any) -> Connection:
    known = folder / f"known_{kind}"
    blob = " ".join((folder / f"host_{kind}.pub").read_text().split()[:2])
    known.write_text(f"[127.0.0.1]:{port} {blob}\n")
    values: dict[str, Any] = {
        "device": NAME,
        "address": "127.0.0.1",
        "port": port,
        "user": getpass.getuser(),
        "key_file": str(folder / "user"),
        "known_hosts": str(known),
    }
    return Connection(**{**values, **changed})


def opened(stack: ExitStack, made: Connection) -> Session:
    credentials = Credentials(Secrets({}))
    dial = stack.enter_context(Dialer({NAME: made}, {NAME: SHELL}, credentials=credentials))
    session = dial(NAME)
    stack.callback(session.close)
    return session


@pytest.fixture
def session(stack: ExitStack, folder: Path, port: int) -> Session:
    return opened(stack, connection(folder, port))


def test_streams_and_status_are_told_apart(session: Session) -> None:
    assert session.perform(Command("echo out; echo noise >&2")) == "out\n"
    with pytest.raises(DeviceError, match=r"`false` \(exit status 1\) was refused"):
        session.perform(Command("false"))


def test_question_on_standard_input_is_answered(session: Session) -> None:
    command = 'printf "Sure? [y/N] "; read answer; echo "got $answer"'
    reply = session.perform(Command(command, answers=((r"\[y/N\] ?$", "y"),)))
    assert reply == "Sure? [y/N] got y\n"


def test_file_is_written_with_its_mode(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "frr.conf"
    file.write_text("old\n")
    text = "interface eth0\n" * 50_000
    session.perform(PutFile(str(file), text, mode="0640"))
    assert file.read_text() == text
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_file_where_no_folder_is(session: Session, tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="there is no folder"):
        session.perform(PutFile(str(tmp_path / "none/x"), "x"))


def test_full_disk_is_named(session: Session, tmp_path: Path) -> None:
    """A file system of 64 KiB, where one may be mounted."""
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", tmp_path],  # noqa: S607
        check=False,
        capture_output=True,
    )
    if made.returncode:
        pytest.skip("nothing may be mounted here")
    try:
        file = tmp_path / "frr.conf"
        file.write_text("old\n")
        with pytest.raises(DeviceError) as caught:
            session.perform(PutFile(str(file), "x" * 200_000))
        assert caught.value.kind is Kind.FILE
        assert "the disk may be full (" in str(caught.value)
        assert f"KiB are free on {tmp_path}" in str(caught.value)
        assert file.read_text() == "old\n"
        assert list(tmp_path.iterdir()) == [file]
    finally:
        subprocess.run(["umount", tmp_path], check=True)  # noqa: S607


def test_killed_session_is_lost(session: Session) -> None:
    """The server's process of this session is ended, as an administrator or a crash would."""
    with pytest.raises(DeviceError) as caught:
        session.perform(Command("kill -9 $PPID; sleep 20"))
    assert caught.value.kind is Kind.LOST


def test_command_slower_than_its_time(session: Session) -> None:
    with pytest.raises(DeviceError) as caught:
        session.perform(Command("echo begun; sleep 20", timeout_s=1.5))
    assert caught.value.kind is Kind.TIMEOUT
    assert "did not end within 1.5 s: awaited was its exit status" in str(caught.value)


def test_host_key_of_the_kind_that_is_known_is_asked_for(
    stack: ExitStack, folder: Path, port: int
) -> None:
    """The server has two; only the RSA one is known."""
    assert opened(stack, connection(folder, port, "rsa")).perform(Command("echo x")) == "x\n"


def test_key_that_is_not_authorised(stack: ExitStack, folder: Path, port: int) -> None:
    other = folder / "host_ed25519"
    with pytest.raises(DeviceError) as caught:
        opened(stack, connection(folder, port, key_file=str(other)))
    assert caught.value.kind is Kind.LOGIN
    assert f"with the key file {other}; wrong user, key or password" in str(caught.value)


def test_password_where_only_keys_are_taken(stack: ExitStack, folder: Path, port: int) -> None:
    from fabric.live.connections import SecretSource  # noqa: PLC0415

    made = connection(folder, port, key_file="", secret=SecretSource("command", "echo x"))
    with pytest.raises(DeviceError, match="with the password; the server takes publickey"):
        opened(stack, made)


@pytest.fixture
def agent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if shutil.which("ssh-agent") is None:
        pytest.skip("needs ssh-agent")
    started = subprocess.run(["ssh-agent", "-s"], check=True, capture_output=True, text=True)  # noqa: S607
    words = dict(
        part.split("=", 1) for part in started.stdout.replace("\n", " ").split("; ") if "=" in part
    )
    sock = words["SSH_AUTH_SOCK"]
    pid = next(int(v) for k, v in words.items() if k.endswith("SSH_AGENT_PID"))
    monkeypatch.setenv("SSH_AUTH_SOCK", sock)
    try:
        subprocess.run(["ssh-add", "-q", folder / "user"], check=True, capture_output=True)  # noqa: S607
        yield
    finally:
        os.kill(pid, signal.SIGTERM)


@pytest.mark.usefixtures("agent")
def test_keys_of_the_agent(stack: ExitStack, folder: Path, port: int) -> None:
    made = connection(folder, port, key_file="", agent=True)
    assert Credentials(Secrets({})).missing({NAME: made}) == ()
    assert opened(stack, made).perform(Command("echo x")) == "x\n"


@pytest.mark.usefixtures("agent")
def test_of_the_agent_only_the_keys_that_are_named(
    stack: ExitStack, folder: Path, port: int
) -> None:
    made = connection(
        folder, port, key_file=str(folder / "host_ed25519"), agent=True, only_these_keys=True
    )
    with pytest.raises(DeviceError) as caught:
        opened(stack, made)
    assert caught.value.kind is Kind.LOGIN
    assert "agent" not in str(caught.value)
