"""A terminal on a device: what is typed, what is shown, and how long is waited for it."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from fabric.live.transport.bounded import bounded
from fabric.live.transport.echoes import WIDTH
from fabric.live.transport.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Callable

    from paramiko import Channel, Transport

    from fabric.live.transport.times import Deadline

CHUNK = 65536
_ROWS = 1000
_MOST_ANSWERS = 50


class LostError(ConnectionError):
    """The channel is closed."""


class WaitedError(TimeoutError):
    """The deadline has passed."""


class Terminal:
    """One interactive channel. ``pager``: what a device shows that waits for a key."""

    def __init__(self, channel: Channel, pager: str) -> None:
        self._channel = channel
        self._pager = re.compile(pager) if pager else None
        self.screen = Screen()

    def type(self, text: str, deadline: Deadline) -> None:
        """Send keys.

        Raises:
            LostError: the channel is closed.
            WaitedError: the device does not take them.
        """
        from paramiko import SSHException  # noqa: PLC0415 - slow

        self._channel.settimeout(max(0.001, deadline.left_s))
        try:
            self._channel.sendall(text.encode())
        except TimeoutError:
            raise WaitedError from None
        except (OSError, EOFError, SSHException):
            raise LostError from None

    def wait(
        self,
        done: Callable[[], bool],
        deadline: Deadline,
        answers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Read until ``done``; keys are pressed for the pager, ``answers`` given to questions.

        Raises:
            LostError, WaitedError: as above; what came until then is on the screen.
        """
        screen, answered, given = self.screen, -1, 0
        while not (done() and not self._channel.recv_ready()):
            tail = screen.tail
            if self._pager is not None and tail and self._pager.search(tail):
                screen.drop_tail()
                self.type(" ", deadline)
            elif answers and tail and screen.rows != answered and given < _MOST_ANSWERS:
                answer = next((a for pattern, a in answers if re.search(pattern, tail)), None)
                if answer is not None:
                    answered, given = screen.rows, given + 1
                    self.type(f"{answer}\n", deadline)
            self._read(deadline)

    def _read(self, deadline: Deadline) -> None:
        while True:
            self._channel.settimeout(deadline.wait_s)
            try:
                data = self._channel.recv(CHUNK)
            except TimeoutError:
                if deadline.passed:
                    raise WaitedError from None
                continue
            except OSError:
                raise LostError from None
            if not data:
                raise LostError
            self.screen.feed(data)
            return

    def close(self) -> None:
        """Close the channel; never raises."""
        from paramiko import SSHException  # noqa: PLC0415 - slow

        with suppress(OSError, EOFError, SSHException):
            self._channel.close()


def open_channel(transport: Transport, deadline: Deadline) -> Channel:
    """A shell in a terminal of many columns and rows, so that little is wrapped or paged.

    Raises:
        SSHException, OSError, EOFError: the device gives none.
    """
    channel = bounded(transport.open_session(timeout=max(0.001, deadline.left_s)), deadline)
    channel.get_pty("vt100", WIDTH, _ROWS)
    channel.invoke_shell()
    return channel
