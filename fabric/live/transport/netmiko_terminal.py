"""A terminal that a driver of netmiko's types at and reads from, without netmiko's own channel."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from fabric.live.transport.terminal import CHUNK, LostError, Terminal, WaitedError

if TYPE_CHECKING:
    from netmiko import BaseConnection
    from paramiko import Channel

    from fabric.live.transport.times import Deadline

_KEPT = 2000  # characters of what was shown, for messages


class Wire:
    """What a driver reads from and writes to, in place of netmiko's own channel.

    That one reads nothing, time and again, when the device has closed it, knows no deadline, and
    drops characters that come in two parts.
    """

    def __init__(self, channel: Channel, deadline: Deadline) -> None:
        self._channel, self.deadline = channel, deadline
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._kept = ""
        self.shown = ""

    def write_channel(self, text: str) -> None:
        """Send keys.

        Raises:
            LostError, WaitedError: as of a terminal.
        """
        Terminal(self._channel, "").type(text, self.deadline)

    def read_channel(self) -> str:
        """What has come, if anything.

        Raises:
            LostError: nothing will come any more.
            WaitedError: the deadline has passed, and nothing has come.
        """
        text, self._kept = self._kept, ""
        ended = self._channel.closed or self._channel.eof_received
        if self._channel.recv_ready():
            text += self._decoder.decode(self._channel.recv(CHUNK))
        elif not text and ended:
            raise LostError
        elif not text and self.deadline.passed:
            raise WaitedError
        self.shown = (self.shown + text)[-_KEPT:]
        return text

    read_buffer = read_channel

    def wait(self) -> None:
        """Until more has come, or it is time to look at the clock.

        Raises:
            LostError: the channel is closed.
        """
        self._channel.settimeout(self.deadline.wait_s)
        try:
            data = self._channel.recv(CHUNK)
        except TimeoutError:
            return
        except OSError:
            raise LostError from None
        if not data:
            raise LostError
        self._kept += self._decoder.decode(data)


class DriverTerminal(Terminal):
    """A terminal that a driver types at and reads from."""

    def __init__(self, channel: Channel, pager: str, driver: BaseConnection, wire: Wire) -> None:
        super().__init__(channel, pager)
        self._driver, self._wire = driver, wire

    def type(self, text: str, deadline: Deadline) -> None:
        """Send keys; see ``Terminal``."""
        self._wire.deadline = deadline
        self._driver.write_channel(text.replace("\n", self._driver.RETURN))

    def _read(self, deadline: Deadline) -> None:
        self._wire.deadline = deadline
        while not (text := self._driver.read_channel()):
            self._wire.wait()
        self.screen.feed(text.encode())
