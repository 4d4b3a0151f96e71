"""A command in an exec channel: its exit status, standard output and standard error, apart."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.live.transport.bounded import bounded
from fabric.live.transport.terminal import LostError, WaitedError

if TYPE_CHECKING:
    from paramiko import Channel, Transport

    from fabric.live.transport.times import Deadline

KILLED = -1  # in place of an exit status: the channel was closed without one
_CHUNK = 65536
_TAIL = 300  # characters in which a question is looked for


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command gave. ``status`` −1: the channel was closed without one; outcome unknown."""

    status: int
    stdout: str
    stderr: str


class NoChannelError(ConnectionError):
    """The device opens no channel; nothing was run."""


class Exec:
    """One command that runs. What came until a failure can be read from it."""

    def __init__(self, transport: Transport, command: str, deadline: Deadline) -> None:
        """Start it.

        Raises:
            NoChannelError: it was not started.
            LostError, WaitedError: it is not known whether.
        """
        from paramiko import ChannelException, SSHException  # noqa: PLC0415 - slow

        if not transport.is_active():
            raise LostError
        wait_s = max(0.001, deadline.left_s)
        try:
            self._channel: Channel = bounded(transport.open_session(timeout=wait_s), deadline)
        except ChannelException as error:
            raise NoChannelError(error.text) from None
        except (SSHException, OSError, EOFError):  # in time or not, paramiko has one error for it
            raise (WaitedError if transport.is_active() else LostError) from None
        try:
            self._channel.exec_command(command)
        except TimeoutError:
            raise WaitedError from None
        except (SSHException, OSError, EOFError):
            begun = self._channel.eof_received or self._channel.recv_ready()
            refused = transport.is_active() and not begun and self._channel.exit_status == KILLED
            self._channel.close()
            if refused:
                msg = "it runs no commands"
                raise NoChannelError(msg) from None
            raise LostError from None
        self._decoders = [codecs.getincrementaldecoder("utf-8")("replace") for _ in range(2)]
        self._parts: tuple[list[str], list[str]] = ([], [])

    @property
    def stdout(self) -> str:
        """Standard output so far."""
        return "".join(self._parts[0])

    @property
    def stderr(self) -> str:
        """Standard error so far."""
        return "".join(self._parts[1])

    def run(self, answers: tuple[tuple[str, str], ...], deadline: Deadline) -> Ended:
        """Wait for the end; ``answers`` are written to its standard input when it asks.

        Raises:
            WaitedError: the deadline has passed; the command may go on.
        """
        try:
            self._read(answers, deadline)
            while not self._channel.status_event.wait(deadline.wait_s):
                if deadline.passed:
                    raise WaitedError
            return Ended(self._channel.exit_status, self.stdout, self.stderr)
        finally:
            self._channel.close()

    def _read(self, answers: tuple[tuple[str, str], ...], deadline: Deadline) -> None:
        given = 0  # characters of output that a question was answered in
        while True:
            if deadline.passed:
                raise WaitedError
            self._channel.settimeout(deadline.wait_s)
            ended = False
            try:
                data = self._channel.recv(_CHUNK)
                ended = not data
                self._keep(0, data)
            except TimeoutError:
                pass
            while self._channel.recv_stderr_ready():
                self._keep(1, self._channel.recv_stderr(_CHUNK))
            if ended:
                return
            given = self._answer(answers, given)

    def _keep(self, stream: int, data: bytes) -> None:
        self._parts[stream].append(self._decoders[stream].decode(data))

    def _answer(self, answers: tuple[tuple[str, str], ...], given: int) -> int:
        shown = (self.stdout + self.stderr)[given:] if answers else ""
        last = shown[-_TAIL:].rpartition("\n")[2]
        for pattern, answer in answers if last else ():
            if re.search(pattern, last):
                self._channel.sendall(f"{answer}\n".encode())
                return given + len(shown)
        return given
