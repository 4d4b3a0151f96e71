"""Requests on a channel that end with a deadline."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paramiko import Channel

    from fabric.live.transport.times import Deadline


def bounded(channel: Channel, deadline: Deadline) -> Channel:
    """The same channel, whose requests raise ``TimeoutError`` when the deadline passes.

    paramiko waits without end for the answer to one (a command, a terminal, SFTP), whatever
    time-out the channel has; a device that hangs, or a way to it that failed, never gives any.
    """
    answered = channel._wait_for_event  # type: ignore[attr-defined]  # noqa: SLF001

    def wait() -> None:
        while not channel.event.wait(deadline.wait_s):
            if deadline.passed:
                raise TimeoutError
        answered()

    channel._wait_for_event = wait  # type: ignore[attr-defined]  # noqa: SLF001
    return channel
