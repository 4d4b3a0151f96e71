"""A file on a device: written beside, read back, compared, renamed over the old one."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.live.transport.bounded import bounded

if TYPE_CHECKING:
    from collections.abc import Callable

    from paramiko import SFTPClient, Transport

    from fabric.live.transport.errors import DeviceError
    from fabric.live.transport.telling import Teller
    from fabric.live.transport.times import Deadline
    from fabric.model.push import PutFile

_BESIDE = ".fabric-new"
_AWAITED = "the reply of SFTP"
_FULL = "the disk may be full"


class _FileError(Exception):
    """Why the file was not written."""


@dataclass
class _Old:
    """The file that stood there before."""

    is_there: bool = True


def put_file(
    transport: Transport,
    action: PutFile,
    teller: Teller,
    deadline: Deadline,
    free: Callable[[str], str] = lambda _: "",
) -> None:
    """Write a file whole or not at all. ``free``: what the file system of a folder has left.

    Raises:
        DeviceError: ``FILE``: the old file is as it was, or the message says that it is gone;
            ``LOST`` or ``TIMEOUT``: not known.
    """
    from paramiko import SSHException  # noqa: PLC0415 - slow

    sftp = _open(transport, action, teller, deadline)
    failure: DeviceError | None = None
    old = _Old()
    try:
        _write(sftp, action, old)
    except _FileError as error:
        failure = teller.file(action.path, str(error), old_is_there=old.is_there)
    except TimeoutError:
        failure = teller.timeout(f"write {action.path}", deadline.seconds, _AWAITED, "")
    except (OSError, EOFError, SSHException) as error:
        if transport.is_active() and isinstance(error, OSError):
            why = _why(error, action, free)
            failure = teller.file(action.path, why, old_is_there=old.is_there)
        else:
            failure = teller.lost(f"write {action.path}", _AWAITED, "")
    finally:
        sftp.close()
    if failure is not None:
        if not failure.kind.outcome_known:
            transport.close()
        raise failure


def _open(transport: Transport, action: PutFile, teller: Teller, deadline: Deadline) -> SFTPClient:
    from paramiko import SFTPClient, SSHException  # noqa: PLC0415 - slow

    channel = None
    try:
        channel = bounded(transport.open_session(timeout=max(0.001, deadline.left_s)), deadline)
        channel.settimeout(max(0.001, deadline.left_s))
        channel.invoke_subsystem("sftp")
        return SFTPClient(channel)
    except (SSHException, OSError, EOFError):
        if transport.is_active():
            why = "the device offers no SFTP; switch its SFTP server on"
            why = "the device does not answer to SFTP" if deadline.passed else why
            failure = teller.file(action.path, why)
        else:
            before = "before anything was written"
            failure = teller.lost(f"write {action.path}", _AWAITED, "", before)
    if channel is not None:
        channel.close()
    raise failure


def _write(sftp: SFTPClient, action: PutFile, old: _Old) -> None:
    data, beside = action.text.encode(), f"{action.path}{_BESIDE}"
    _remove(sftp, beside)  # left by a push that was cut off
    done = False
    try:
        with sftp.open(beside, "wx") as file:  # x: never through a link that somebody laid there
            file.chmod(int(action.mode, 8))
            file.write(data)  # not pipelined: a reply is awaited for each 32 KiB
        _compare(sftp, beside, data)
        _rename(sftp, beside, action.path, old)
        done = True
    finally:
        if not done:
            _remove(sftp, beside)
    size = sftp.stat(action.path).st_size
    if size != len(data):
        msg = f"it has {size} bytes after the rename, {len(data)} were written"
        raise _FileError(msg)


def _compare(sftp: SFTPClient, path: str, data: bytes) -> None:
    with sftp.open(path, "rb") as file:
        found = file.read()
    if found != data:
        cause = f"; {_FULL}" if len(found) < len(data) else ""
        msg = f"read back, it has {len(found)} bytes instead of {len(data)}{cause}"
        if len(found) == len(data):
            msg = "read back, it differs from what was sent"
        raise _FileError(msg)


def _rename(sftp: SFTPClient, beside: str, path: str, old: _Old) -> None:
    """Over the old one in one stroke where the server can (OpenSSH's posix-rename)."""
    try:
        sftp.posix_rename(beside, path)
    except OSError as error:
        if "nsupported" not in str(error):
            raise
        old.is_there = False
        _remove(sftp, path)
        sftp.rename(beside, path)
    old.is_there = False


def _remove(sftp: SFTPClient, path: str) -> None:
    try:
        sftp.remove(path)
    except OSError:
        return


def _why(error: OSError, action: PutFile, free: Callable[[str], str]) -> str:
    """The server's word; SFTP version 3 has none for a full disk, it says "Failure"."""
    folder = posixpath.dirname(action.path) or "."
    said = str(error) or type(error).__name__
    left = free(folder)
    if "failure" in said.lower() or "mismatch" in said.lower():
        return f"{_FULL} ({left or f'SFTP says {said!r}'})"
    if isinstance(error, FileNotFoundError):
        return f"there is no folder {folder}"
    if isinstance(error, PermissionError):
        return f"the login may not write in {folder}"
    return f"SFTP says {said!r}"
