"""Whether a host key that a server shows is the one that we know."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from fabric.live.transport.errors import DeviceError, Kind
from fabric.live.transport.known_hosts import HostKey, KnownHosts, known_as

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.connections import Connection
    from fabric.live.transport.known_hosts import Entry


class HostKeys:
    """What is known of hosts. ``accept_new``: unknown keys are recorded, and ``tell`` says which.

    A key that differs from the known one is refused whatever was asked for.
    """

    def __init__(
        self, *, accept_new: bool = False, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self._accept_new = accept_new
        self._tell = tell
        self._files: dict[tuple[str, ...], KnownHosts] = {}
        self._lock = threading.Lock()

    def kinds(self, connection: Connection) -> tuple[str, ...]:
        """Kinds of the keys known of a host: what a server should be asked for first."""
        with self._lock:
            return tuple(dict.fromkeys(entry.key.kind for entry in self._about(connection)))

    def verify(self, connection: Connection, shown: HostKey) -> None:
        """Refuse a key that is not known, or is not the known one.

        Raises:
            DeviceError: ``HOST_KEY_UNKNOWN`` or ``HOST_KEY_CHANGED``, with the fingerprints.
        """
        with self._lock:
            entries = self._about(connection)
            same = [entry for entry in entries if entry.key.blob == shown.blob]
            revoked = [entry for entry in same if entry.marker == "@revoked"]
            if same and not revoked:
                return
            others = [entry for entry in entries if entry.marker != "@revoked"]
            if not revoked and not others and self._accept_new:
                self._record(connection, shown)
                return
        raise _refusal(connection, shown, revoked, others)

    def _about(self, connection: Connection) -> list[Entry]:
        files = (connection.known_hosts, *connection.read_known_hosts)
        known = self._files.get(files)
        if known is None:
            known = self._files[files] = KnownHosts(files)
        names = (_name(connection), *connection.host_key_names)
        found = [entry for name in dict.fromkeys(names) for entry in known.of(name)]
        # A certificate authority signs keys; whom it signed for is not judged here.
        return [entry for entry in found if entry.marker != "@cert-authority"]

    def _record(self, connection: Connection, shown: HostKey) -> None:
        files = (connection.known_hosts, *connection.read_known_hosts)
        name = _name(connection)
        try:
            self._files[files].record(name, shown, connection.known_hosts)
        except OSError as error:
            why = f"the host key of {name} cannot be recorded in {connection.known_hosts}: "
            raise DeviceError(
                Kind.HOST_KEY_UNKNOWN, connection.device, f"{connection.device}: {why}{error}"
            ) from None
        self._tell(f"{connection.device}: accepted the new host key of {name}, {shown.fingerprint}")


def _name(connection: Connection) -> str:
    return connection.host_key_alias or known_as(connection.address, connection.port)


def _refusal(
    connection: Connection, shown: HostKey, revoked: list[Entry], others: list[Entry]
) -> DeviceError:
    device, name = connection.device, _name(connection)
    if revoked:
        message = f"the host key of {name}, {shown.fingerprint}, is revoked by {_place(revoked[0])}"
        return DeviceError(Kind.HOST_KEY_CHANGED, device, f"{device}: {message}")
    if not others:
        message = (
            f"the host key of {name} is not known: it shows {shown.fingerprint}; compare this with "
            "what the console of the device says, then accept it with --accept-new"
        )
        return DeviceError(Kind.HOST_KEY_UNKNOWN, device, f"{device}: {message}")
    known = " and ".join(f"{e.key.fingerprint} ({_place(e)})" for e in others)
    message = (
        f"the host key of {name} has changed: it shows {shown.fingerprint}, known is {known}; "
        "either the device was replaced or reinstalled, or somebody else answers at this address; "
        "if the change is yours, remove that line"
    )
    return DeviceError(Kind.HOST_KEY_CHANGED, device, f"{device}: {message}")


def _place(entry: Entry) -> str:
    return f"{entry.file}:{entry.line}" if entry.line else entry.file
