"""Reading secrets from where they are kept: environment, command, keyring, terminal."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from fabric.live.transport.memory import forbid_core_files
from fabric.live.transport.secrets import Secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fabric.live.connections import SecretSource

_COMMAND_S = 120.0  # somebody may have to touch a token


class NoSecretError(LookupError):
    """A secret cannot be had; the text says why and never holds any of it."""


class Secrets:
    """Every source is read once, however many devices name it."""

    def __init__(
        self,
        environ: Mapping[str, str] | None = None,
        ask: Callable[[str], str] | None = None,
    ) -> None:
        self._environ = os.environ if environ is None else environ
        self._ask = ask or _asked
        self._read: dict[SecretSource, Secret] = {}
        self._lock = threading.Lock()

    def get(self, source: SecretSource) -> Secret:
        """The secret of a source.

        Raises:
            NoSecretError: the source does not give one.
        """
        with self._lock:
            if source not in self._read:
                forbid_core_files()
                self._read[source] = self._fetch(source)
            return self._read[source]

    def missing(self, sources: Iterable[SecretSource]) -> list[str]:
        """Read all of these; a sentence for each that cannot be had."""
        said = []
        for source in dict.fromkeys(sources):
            try:
                self.get(source)
            except NoSecretError as error:
                said.append(str(error))
        return said

    @property
    def all(self) -> tuple[Secret, ...]:
        """Those read so far: what must stand in no message."""
        return tuple(self._read.values())

    def _fetch(self, source: SecretSource) -> Secret:
        if source.kind == "env":
            return self._of_environment(source.name)
        if source.kind == "command":
            return _of_command(source.name)
        if source.kind == "keyring":
            return _of_keyring(source.name, source.user)
        return Secret(self._ask(source.name))

    def _of_environment(self, name: str) -> Secret:
        if not self._environ.get(name):
            msg = f"the environment variable {name} (connection.password_env) is not set"
            raise NoSecretError(msg)
        return Secret(self._environ[name])


def _asked(what: str) -> str:
    """The answer typed at the terminal, unseen."""
    from getpass import getpass  # noqa: PLC0415 - only where one is asked

    if not sys.stdin.isatty():
        msg = (
            f"{what} would have to be typed, and there is no terminal; name it by "
            "connection.password_env, password_command or keyring_service instead"
        )
        raise NoSecretError(msg)
    return getpass(f"{what}: ", sys.stderr)


def _of_command(command: str) -> Secret:
    """The first line that a command prints; it has our terminal, to ask for a PIN."""
    problem = ""
    try:
        done = subprocess.run(  # noqa: S603 - the user's own command, without a shell
            shlex.split(command), stdout=subprocess.PIPE, check=False, timeout=_COMMAND_S
        )
    except subprocess.TimeoutExpired:
        problem = f"did not end in {_COMMAND_S:.0f} s"
    except ValueError:
        problem = "is not well formed: a quote is left open"
    except OSError as error:
        problem = f"cannot be started: {error.strerror}"
    else:
        if done.returncode:
            problem = f"exited {done.returncode}"
        elif not done.stdout.strip():
            problem = "printed nothing"
    if problem:
        msg = f"the command of connection.password_command {problem}"
        raise NoSecretError(msg)
    return Secret(done.stdout.decode("utf-8", "replace").splitlines()[0])


def _of_keyring(service: str, user: str) -> Secret:
    try:
        import keyring  # noqa: PLC0415 - optional
    except ImportError:
        msg = "connection.keyring_service needs the package keyring: pip install keyring"
        raise NoSecretError(msg) from None
    found, problem = None, f"holds no password of {user}"
    try:
        found = keyring.get_password(service, user)
    except Exception as error:  # noqa: BLE001 - each backend has its own
        problem = f"cannot be read ({type(error).__name__})"
    if found:
        return Secret(found)
    msg = f"the keyring, service {service}, {problem} (connection.keyring_service)"
    raise NoSecretError(msg)
