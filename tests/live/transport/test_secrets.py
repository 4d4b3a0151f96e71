"""A canary secret stands in no exception, log, repr or core file, whichever way it came."""

from __future__ import annotations

import io
import logging
import pickle
import subprocess
import sys
import traceback
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from fabric.live.connections import SecretSource
from fabric.live.transport.credentials import Credentials
from fabric.live.transport.dial import Dialer
from fabric.live.transport.errors import DeviceError
from fabric.live.transport.secret_sources import NoSecretError, Secrets
from fabric.live.transport.secrets import Secret, hidden
from fabric.model.push import Command
from tests.live.transport.reaching import NAME, connection, spec
from tests.live.transport.ssh_server import Switch, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack
    from pathlib import Path

CANARY = "canary-9d1e77b0"
SOURCES = {
    "env": SecretSource("env", "CANARY"),
    "keyring": SecretSource("keyring", "fabric", "admin"),
    "ask": SecretSource("ask", "password of admin"),
}


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """All that any logger says at DEBUG."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream
    root.setLevel(level)
    root.removeHandler(handler)


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> Secrets:
    keyring = ModuleType("keyring")
    keyring.get_password = lambda _service, _user: CANARY  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    return Secrets({"CANARY": CANARY}, ask=lambda _what: CANARY)


def told(error: BaseException) -> str:
    """All that can be told of an exception, with the locals of every frame."""
    shown = traceback.TracebackException.from_exception(error, capture_locals=True)
    chained = [str(each) + repr(each) for each in (error.__cause__, error.__context__) if each]
    return "\n".join([str(error), repr(error), repr(vars(error)), *chained, *shown.format()])


def failing(dial: Dialer, *, banner: bool) -> BaseException:
    def work() -> None:
        session = dial(NAME)
        if not banner:
            session.perform(Command("bad"))

    with pytest.raises(DeviceError) as caught:
        work()
    logging.getLogger("some.caller").error("failed", exc_info=caught.value)
    return caught.value


@pytest.mark.parametrize("cli", ["fabric", "netmiko"])
@pytest.mark.parametrize("way", [*SOURCES, "command"])
@pytest.mark.parametrize("right", [True, False], ids=["logged-in", "refused"])
def test_canary_by_each_way(  # noqa: PLR0913, PLR0917
    tmp_path: Path,
    stack: ExitStack,
    log: io.StringIO,
    secrets: Secrets,
    way: str,
    right: bool,
    cli: str,
) -> None:
    """The device shows the password itself, as an echo at the wrong moment would."""
    says = {"bad": f"% {CANARY} is no command\nusername admin secret 5 $1$hash.of.it\n"}
    server = stack.enter_context(serving(Switch(password=CANARY if right else "x", says=says)))
    (tmp_path / "canary").write_text(f"{CANARY}\n")
    source = SecretSource("command", f"cat {tmp_path}/canary") if way == "command" else SOURCES[way]
    made = connection(server, server.known_hosts(tmp_path / "known_hosts"), secret=source, cli=cli)
    credentials = Credentials(secrets)
    dial = stack.enter_context(Dialer({NAME: made}, {NAME: spec()}, credentials=credentials))
    error = failing(dial, banner=not right)
    assert secrets.get(source).reveal() == CANARY
    objects = (dial, made, credentials, secrets, secrets.all, secrets.get(source))
    assert CANARY not in told(error)
    assert CANARY not in log.getvalue()
    assert CANARY not in "".join(map(repr, objects))
    assert "Auth" in log.getvalue()  # paramiko did log


@pytest.mark.parametrize(
    "command",
    [
        f"sh -c 'echo {CANARY}; exit 3'",
        f"sh -c 'echo {CANARY} >/dev/null'",
        f"{CANARY}-no-such-program",
        f"echo '{CANARY}",
    ],
)
def test_command_that_fails_tells_nothing_of_it(command: str) -> None:
    with pytest.raises(NoSecretError) as caught:
        Secrets().get(SecretSource("command", command))
    assert CANARY not in str(caught.value) + repr(caught.value)
    assert str(caught.value).startswith("the command of connection.password_command ")


def test_first_line_of_a_command_is_the_secret() -> None:
    secret = Secrets().get(SecretSource("command", "printf 'one two\\nurl: x\\n'"))
    assert secret.reveal() == "one two"


def test_source_is_read_once_for_all_devices(tmp_path: Path) -> None:
    count = tmp_path / "count"
    source = SecretSource("command", f"sh -c 'echo x >> {count}; echo secret'")
    secrets = Secrets()
    assert {secrets.get(source).reveal() for _ in range(3)} == {"secret"}
    assert count.read_text() == "x\n"


def test_no_terminal_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("typed\n"))
    with pytest.raises(NoSecretError, match="there is no terminal; name it by connection"):
        Secrets().get(SecretSource("ask", "password of admin"))


def test_keyring_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(NoSecretError, match="pip install keyring"):
        Secrets().get(SOURCES["keyring"])


def test_keyring_without_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = ModuleType("keyring")
    keyring.get_password = lambda _service, _user: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    with pytest.raises(NoSecretError, match="service fabric, holds no password of admin"):
        Secrets().get(SOURCES["keyring"])


def test_secret_shows_itself_to_nobody() -> None:
    secret = Secret(CANARY)
    for text in (str(secret), repr(secret), f"{secret}", f"{secret!r:>40}", "%s" % secret):  # noqa: UP031
        assert CANARY not in text
    with pytest.raises(TypeError, match="not written down"):
        pickle.dumps(secret)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("username a secret 5 $1$abc", "username a secret 5 (hidden)"),
        ("neighbor 10.0.0.1 password 7 0822455D", "neighbor 10.0.0.1 password 7 (hidden)"),
        ("snmp-server community public ro", "snmp-server community (hidden) ro"),
        ('encrypted-password "$6$x"; ## SECRET', "encrypted-password (hidden) ## SECRET"),
        ("Your password has expired", "Your password has expired"),
        ("x canary y", "x (hidden) y"),
    ],
)
def test_what_devices_print_of_secrets(line: str, expected: str) -> None:
    assert hidden(line, (Secret("canary"),)) == expected


HOLDERS = {
    "a secret was read": (
        "from fabric.live.connections import SecretSource\n"
        "from fabric.live.transport.secret_sources import Secrets\n"
        "Secrets().get(SecretSource('env', 'CANARY'))\n"
    ),
    "devices are spoken to": (  # whose configurations hold secrets, also where an agent has ours
        "from fabric.live.transport.dial import Dialer\nDialer({}, {})\n"
    ),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_no_core_file_once(holder: str, tmp_path: Path) -> None:
    code = (
        "import ctypes, os, resource\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(4)[1],) * 2)\n"
        f"{HOLDERS[holder]}"
        "assert resource.getrlimit(resource.RLIMIT_CORE)[0] == 0\n"
        "assert not hasattr(ctypes.CDLL(None), 'prctl') or ctypes.CDLL(None).prctl(3) == 0\n"
        "os.abort()\n"
    )
    environ = {"CANARY": CANARY, "PYTHONPATH": ":".join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environ, capture_output=True, check=False
    )
    assert done.returncode == -6, done.stderr.decode()
    assert list(tmp_path.iterdir()) == []
