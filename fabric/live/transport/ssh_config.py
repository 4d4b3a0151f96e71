"""The user's ssh_config: what it says of a host, and what of it cannot be honoured.

Honoured: Host, Match (but ``exec``), Include, HostName of jump hosts, User, Port, IdentityFile,
IdentitiesOnly, ProxyJump, HostKeyAlias, UserKnownHostsFile. Refused: ProxyCommand. Host keys are
verified whatever StrictHostKeyChecking says; other options are not looked at.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paramiko import SSHConfig

_INCLUDE = re.compile(r"^\s*include[\s=]+(?P<what>.+?)\s*$", re.IGNORECASE)
_MATCH_EXEC = re.compile(r"^\s*match\b.*\bexec\b", re.IGNORECASE)
_DEEPEST = 16  # as in OpenSSH
_NONE = "none"


class SshConfigError(ValueError):
    """The file says something that cannot be honoured; the text says what and how to mend it."""


@dataclass(frozen=True, slots=True)
class HostOptions:
    """What is said of one host; ``None`` and empty: nothing."""

    host_name: str
    user: str | None
    port: int | None
    identity_files: tuple[str, ...]
    identities_only: bool
    proxy_jump: str | None
    host_key_alias: str | None
    known_hosts: tuple[str, ...]


class SshConfigFile:
    """One file with all that it includes; a file that is not there says nothing."""

    def __init__(self, file: str, config: SSHConfig) -> None:
        self._file, self._config = file, config
        patterns = {p for p in config.get_hostnames() if p.strip("*?") and not p.startswith("!")}
        self._patterns = tuple(re.compile(_regex(pattern)) for pattern in sorted(patterns))

    def names(self, host: str) -> bool:
        """Whether a ``Host`` line speaks of this host in particular."""
        return any(pattern.fullmatch(host.lower()) for pattern in self._patterns)

    def of(self, host: str) -> HostOptions:
        """What is said of a host.

        Raises:
            SshConfigError: something that cannot be honoured.
        """
        said = self._config.lookup(host)
        if said.get("proxycommand") and "proxyjump" not in said:
            msg = f"{self._file} gives ProxyCommand for {host}, which is not run here"
            raise SshConfigError(msg)
        port = said.get("port", "")
        if port and not port.isdigit():
            msg = f"{self._file} gives Port {port!r} for {host}, which is no number"
            raise SshConfigError(msg)
        jump = said.get("proxyjump")
        known = said.get("userknownhostsfile", "").split()
        return HostOptions(
            host_name=said.get("hostname", host),
            user=said.get("user"),
            port=int(port) if port else None,
            identity_files=tuple(_home(f) for f in said.get("identityfile", ()) if f != _NONE),
            identities_only=said.get("identitiesonly", "no").lower() == "yes",
            proxy_jump=None if jump is None or jump.lower() == _NONE else jump,
            host_key_alias=said.get("hostkeyalias"),
            known_hosts=tuple(_home(file) for file in known if file not in (_NONE, "/dev/null")),
        )


def read_ssh_config(file: str | None) -> SshConfigFile:
    """``None``: the user's own; ``none``: no file.

    Raises:
        SshConfigError: it cannot be read or understood, or was named and is not there.
    """
    from paramiko import SSHConfig  # noqa: PLC0415 - slow
    from paramiko.ssh_exception import ConfigParseError  # noqa: PLC0415 - slow

    name = _home(file or "~/.ssh/config")
    config = SSHConfig()
    if file == _NONE:
        return SshConfigFile(_NONE, config)
    if not Path(name).is_file():
        if file is None:
            return SshConfigFile(name, config)
        msg = f"{name} (connection.ssh_config) does not exist"
        raise SshConfigError(msg)
    try:
        config.parse(io.StringIO("\n".join(_lines(Path(name), 0))))
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
    except (ConfigParseError, ValueError) as error:
        problem = str(error)
    else:
        return SshConfigFile(name, config)
    msg = f"{name}: {problem}"
    raise SshConfigError(msg)


def _lines(file: Path, depth: int) -> Iterator[str]:
    """Lines with those of included files in their place, which paramiko does not do."""
    if depth > _DEEPEST:
        msg = f"Include goes deeper than {_DEEPEST} files at {file}"
        raise SshConfigError(msg)
    for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), 1):
        if _MATCH_EXEC.match(line):
            msg = f"line {number} of {file.name}: Match exec runs a command, which is not done here"
            raise SshConfigError(msg)
        found = _INCLUDE.match(line)
        if found is None:
            yield line
            continue
        for what in found["what"].split():
            pattern = Path(what.strip('"')).expanduser()
            whole = pattern if pattern.is_absolute() else Path("~/.ssh").expanduser() / pattern
            for included in sorted(glob(str(whole))):  # noqa: PTH207 - the pattern is absolute
                yield from _lines(Path(included), depth + 1)


def _regex(pattern: str) -> str:
    return re.escape(pattern.lower()).replace(r"\*", ".*").replace(r"\?", ".")


def _home(name: str) -> str:
    return str(Path(name).expanduser())
