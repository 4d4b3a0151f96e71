"""Opening sessions: from the name of a device to a session that is set up."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

from fabric.live.transport.cli_session import CliSession
from fabric.live.transport.credentials import Credentials
from fabric.live.transport.echoes import BATCH_LINES
from fabric.live.transport.greeting import greet
from fabric.live.transport.host_keys import HostKeys
from fabric.live.transport.memory import forbid_core_files
from fabric.live.transport.netmiko_session import driven
from fabric.live.transport.prompts import Prompt
from fabric.live.transport.shell_session import ShellSession
from fabric.live.transport.ssh import Opener
from fabric.live.transport.talk import Talk
from fabric.live.transport.telling import Teller, without_frames
from fabric.live.transport.terminal import Terminal, open_channel
from fabric.live.transport.times import Times, start

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from paramiko import Channel, Transport

    from fabric.live.connections import Connections
    from fabric.live.transport.session import Session
    from fabric.live.transport.times import Deadline
    from fabric.model.push_spec import PushSpec


class Dialer:
    """A ``Dial`` for a set of devices. Safe for threads; close it when no session is left.

    ``specs``: how each device is spoken to, by its name. What names a device has shown so far is
    remembered, so that a push that renames it finds its prompt again.
    """

    def __init__(  # noqa: PLR0913 - all but the first two have defaults
        self,
        connections: Connections,
        specs: Mapping[str, PushSpec],
        *,
        credentials: Credentials | None = None,
        host_keys: HostKeys | None = None,
        times: Times | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        forbid_core_files()  # also where the agent holds all secrets: configurations hold some
        self._connections, self._specs = connections, specs
        self._times, self._clock = times or Times(), clock
        self._credentials = credentials or Credentials()
        self._opener = Opener(host_keys or HostKeys(), self._credentials, self._times)
        self._prompts: dict[str, Prompt] = {}

    def __call__(self, device: str) -> Session:
        """A new session with a device.

        Raises:
            DeviceError: none came about; nothing was said to the device.
        """
        return without_frames(lambda: self._open(device))

    def _open(self, device: str) -> Session:
        connection, spec = self._connections[device], self._specs[device]
        deadline = start(self._times, self._clock)
        teller = Teller(device, lambda: self._credentials.secrets.all)
        transport = self._opener.open(connection, deadline)
        talk = Talk(spec, teller, deadline, self._times)
        try:
            if spec.session == "shell":
                return ShellSession(transport, talk)
            return self._at_prompt(transport, talk, connection.cli == "netmiko")
        except BaseException:
            transport.close()
            raise

    def close(self) -> None:
        """End what sessions share: the connections to jump hosts."""
        self._opener.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _at_prompt(self, transport: Transport, talk: Talk, by_driver: bool) -> Session:
        device, wait = talk.teller.device, talk.within(self._times.prompt_s)
        met = self._prompts.get(device)
        names = met.names if met else (device,)
        channel = _channel(transport, talk, wait)
        if by_driver:
            terminal, prompt = driven(channel, names, talk, wait)
        else:
            terminal = Terminal(channel, talk.spec.pager)
            prompt = Prompt(talk.spec.prompt, names)
        greet(terminal, prompt, talk.teller, wait)
        ahead = 1 if by_driver else BATCH_LINES  # netmiko waits for the reply to each line
        session = CliSession(transport, terminal, prompt, talk, ahead=ahead)
        session.set_up(talk.spec.setup)
        self._prompts[device] = prompt  # with the names that it learns later on
        return session


def _channel(transport: Transport, talk: Talk, wait: Deadline) -> Channel:
    from paramiko import SSHException  # noqa: PLC0415 - slow

    try:
        return open_channel(transport, wait)
    except (SSHException, OSError, EOFError) as error:
        why = str(error) or type(error).__name__
    msg = f"logged in, but the device opens no terminal ({why}); it may have no session left"
    raise talk.teller.silent(msg)
