"""What an exception of sockets and paramiko means, by its cause, not by its class alone.

The cases were measured with paramiko 4 and OpenSSH 9.2.
"""

from __future__ import annotations

import errno
import socket
from typing import TYPE_CHECKING

from fabric.live.transport.errors import DeviceError, Kind
from fabric.live.transport.secrets import hidden

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.live.connections import Connection
    from fabric.live.transport.secrets import Secret

_UNREACHABLE = {errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.ENETDOWN}
_NOT_GONE_ON = "No existing session"  # paramiko, when the exchange of keys took too long
_NO_FILES = {errno.EMFILE, errno.ENFILE}


def chain(error: BaseException) -> Iterator[BaseException]:
    """An exception, what it was raised from, and what that was raised from."""
    seen: set[int] = set()
    this: BaseException | None = error
    while this is not None and id(this) not in seen:
        seen.add(id(this))
        yield this
        this = this.__cause__ or this.__context__


def ssh_failure(
    error: BaseException, to: Connection, device: str, phase: str, secrets: tuple[Secret, ...] = ()
) -> DeviceError:
    """A failure before the login was done. ``phase``: connect, banner or login."""
    kind, said = _connecting(error, to) if phase == "connect" else _talking(error, to, phase)
    via = f"jump host {to.device}: " if to.device != device else ""
    behind = f" (through {', '.join(j.device for j in to.jumps)})" if to.jumps else ""
    return DeviceError(kind, device, hidden(f"{device}: {via}{said}{behind}", secrets))


def _connecting(error: BaseException, to: Connection) -> tuple[Kind, str]:
    found = next(filter(None, (_meaning(cause, to) for cause in chain(error))), None)
    return found or (Kind.SILENT, f"{to.where} cannot be connected to: {_words(error)}")


def _meaning(cause: BaseException, to: Connection) -> tuple[Kind, str] | None:
    from paramiko import ChannelException  # noqa: PLC0415 - slow

    said: tuple[Kind, str] | None = None
    if isinstance(cause, socket.gaierror):
        said = Kind.NAME, f"the name {to.address} cannot be resolved: {cause.strerror}"
    elif isinstance(cause, ConnectionRefusedError):
        said = Kind.CLOSED, f"nothing listens at {to.where}: SSH is off, or the port is another"
    elif isinstance(cause, TimeoutError):
        why = "the device is off, its management link is down, or a filter drops packets"
        said = Kind.SILENT, f"{to.where} does not answer: {why}"
    elif isinstance(cause, ChannelException):
        said = _of_jump(cause.code, cause.text, to)
    elif isinstance(cause, OSError) and cause.errno in _UNREACHABLE:
        said = Kind.SILENT, f"there is no way to {to.where}: {cause.strerror}"
    elif isinstance(cause, OSError) and cause.errno in _NO_FILES:
        said = Kind.SILENT, "this machine has no file descriptor left: use fewer --workers"
    return said


def _of_jump(code: int, text: str, to: Connection) -> tuple[Kind, str]:
    """RFC 4254, 5.1: 1 is administratively prohibited, 2 is connect failed."""
    if code == 1:
        return Kind.CLOSED, f"its jump host forbids forwarding to {to.where} (AllowTcpForwarding)"
    return Kind.CLOSED, f"its jump host cannot connect to {to.where}: {text}"


def _talking(error: BaseException, to: Connection, phase: str) -> tuple[Kind, str]:
    from paramiko import ssh_exception as ssh  # noqa: PLC0415 - slow

    text = _words(error)
    if isinstance(error, ssh.IncompatiblePeer):
        return Kind.PROTOCOL, f"{to.where} and we have no SSH algorithm in common: {text}"
    if "banner" in text:
        why = "something else than SSH listens there, or the device has no session left"
        return Kind.NO_BANNER, f"{to.where} accepts connections and shows no SSH banner: {why}"
    broke_off = any(isinstance(c, (EOFError, ConnectionError)) for c in chain(error))
    if phase == "login":
        what = "broke off while we logged in" if broke_off else f"failed while we logged in: {text}"
        why = "too many sessions or keys, or it is restarting"
        return Kind.LOGIN, f"{to.where} {what}; {why}"
    if _NOT_GONE_ON in text or isinstance(error, TimeoutError) or "time" in text.lower():
        return Kind.SILENT, f"{to.where} does not go on with SSH in time; it may be overloaded"
    why = "it may have no session left (MaxStartups), or an access list refuses us"
    return Kind.PROTOCOL, f"{to.where} ended the exchange of keys ({text}); {why}"


def _words(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
