"""An SSH connection that is open, verified and logged in; through jump hosts where asked for."""

from __future__ import annotations

import logging
import socket
import threading
from typing import TYPE_CHECKING

from fabric.live.transport.causes import ssh_failure
from fabric.live.transport.errors import DeviceError
from fabric.live.transport.known_hosts import HostKey
from fabric.live.transport.login import log_in

if TYPE_CHECKING:
    from paramiko import Channel, Transport

    from fabric.live.connections import Connection
    from fabric.live.transport.credentials import Credentials
    from fabric.live.transport.host_keys import HostKeys
    from fabric.live.transport.times import Deadline, Times

_RSA = "ssh-rsa"
_RSA_SIGNATURES = ("rsa-sha2-512", "rsa-sha2-256")
_BANNER_FIRST_S = 0.5
_KEEPALIVE_S = 30  # less than firewalls keep a silent connection
_JUMP_FAILED_S = 30.0  # for as long a jump host that failed is not tried again


class Opener:
    """Opens connections; those to jump hosts are shared by all devices behind them."""

    def __init__(self, host_keys: HostKeys, credentials: Credentials, times: Times) -> None:
        self._host_keys, self._credentials, self._times = host_keys, credentials, times
        self._jumps: dict[tuple[Connection, ...], Transport] = {}
        self._failed: dict[tuple[Connection, ...], tuple[Deadline, DeviceError]] = {}
        self._lock = threading.Lock()

    def open(self, connection: Connection, deadline: Deadline) -> Transport:
        """A transport to a device, logged in.

        Raises:
            DeviceError: whose kind says what stood in the way.
        """
        return self._open(connection, connection.device, deadline, None)

    def close(self) -> None:
        """End the connections to jump hosts."""
        with self._lock:
            for transport in reversed(list(self._jumps.values())):
                transport.close()
            self._jumps.clear()

    def _open(
        self, to: Connection, device: str, deadline: Deadline, through: Transport | None
    ) -> Transport:
        """``device``: on whose behalf, which is not always where ``to`` leads."""
        from paramiko import SSHException  # noqa: PLC0415 - slow

        quiet_paramiko()
        if through is None and to.jumps:
            through = self._jump(to.jumps, device, deadline)
        transport: Transport | None = None
        phase = "connect"
        try:
            sock = self._socket(to, deadline, through)
            phase = "banner"
            transport = self._handshake(to, sock, deadline)
            phase = "login"
            log_in(transport, to, self._credentials, deadline.within(self._s("auth_s")))
            transport.set_keepalive(_KEEPALIVE_S)
        except DeviceError as error:
            failure = error if to.device == device else _of_jump(error, device)
        except (OSError, EOFError, SSHException) as error:
            failure = ssh_failure(error, to, device, phase, self._credentials.secrets.all)
        except BaseException:
            _close(transport)
            raise
        else:
            return transport
        _close(transport)
        raise failure

    def _s(self, name: str) -> float:
        seconds: float = getattr(self._times, name)
        return seconds * self._times.factor

    def _jump(self, jumps: tuple[Connection, ...], device: str, deadline: Deadline) -> Transport:
        with self._lock:
            through: Transport | None = None
            for number in range(1, len(jumps) + 1):
                chain = jumps[:number]
                known = self._jumps.get(chain)
                if known is None or not known.is_active():
                    known = self._jumps[chain] = self._first(chain, device, deadline, through)
                through = known
            assert through is not None  # noqa: S101 - there is one jump at least
            return through

    def _first(
        self,
        chain: tuple[Connection, ...],
        device: str,
        deadline: Deadline,
        through: Transport | None,
    ) -> Transport:
        """To the last of a chain; all devices behind one that fails do so at once, not in turn."""
        until, failure = self._failed.get(chain, (None, None))
        if until is None or failure is None or until.passed:
            try:
                return self._open(chain[-1], device, deadline, through)
            except DeviceError as error:
                failure = error
            memory = deadline.within(self._times.factor * _JUMP_FAILED_S)
            self._failed[chain] = (memory, failure)
        text = str(failure).removeprefix(f"{failure.device}: ")
        raise DeviceError(failure.kind, device, f"{device}: {text}")

    def _socket(
        self, to: Connection, deadline: Deadline, through: Transport | None
    ) -> socket.socket | Channel:
        wait_s = max(0.001, deadline.within(self._s("connect_s")).left_s)
        if through is not None:
            place = (to.address, to.port)
            return through.open_channel("direct-tcpip", place, ("127.0.0.1", 0), timeout=wait_s)
        sock = socket.create_connection((to.address, to.port), timeout=wait_s)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock

    def _handshake(
        self, to: Connection, sock: socket.socket | Channel, deadline: Deadline
    ) -> Transport:
        """Banner, keys, and the host key verified before anything is said about who we are."""
        from paramiko import Transport  # noqa: PLC0415 - slow

        try:
            transport = Transport(sock)
        except BaseException:
            sock.close()
            raise
        try:
            wait = deadline.within(self._s("banner_s"))
            transport.banner_timeout = max(0.001, wait.left_s)
            _prefer(transport, self._host_keys.kinds(to))
            # Longer, so that it is always the banner that is told when none comes.
            transport.start_client(timeout=max(0.001, wait.left_s) + _BANNER_FIRST_S)
            key = transport.get_remote_server_key()
            self._host_keys.verify(to, HostKey(key.get_name(), key.asbytes()))
        except BaseException:
            _close(transport)
            raise
        return transport


def _of_jump(error: DeviceError, device: str) -> DeviceError:
    """What went wrong with a jump host is a failure of the device behind it."""
    return DeviceError(error.kind, device, f"{device}: jump host {error}")


def _prefer(transport: Transport, known_kinds: tuple[str, ...]) -> None:
    """Ask first for the kind of host key that we know."""
    options = transport.get_security_options()
    wanted = [k for kind in known_kinds for k in (_RSA_SIGNATURES if kind == _RSA else (kind,))]
    first = [kind for kind in wanted if kind in options.key_types]
    options.key_types = (*first, *(k for k in options.key_types if k not in first))


def _close(transport: Transport | None) -> None:
    if transport is not None:
        transport.close()
        if transport.is_alive():  # its thread holds the socket
            transport.join(1)


def quiet_paramiko() -> None:
    """Without a handler of the user's, paramiko's log is nowhere instead of on the screen."""
    log = logging.getLogger("paramiko")
    if not any(isinstance(handler, logging.NullHandler) for handler in log.handlers):
        log.addHandler(logging.NullHandler())
