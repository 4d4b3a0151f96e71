"""Many sessions leave nothing behind: no descriptor, no thread."""

from __future__ import annotations

import gc
import resource
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric.live.transport.errors import DeviceError
from fabric.live.transport.limits import sessions_possible
from fabric.model.push import Command, Lines
from tests.live.transport.reaching import NAME, dialer
from tests.live.transport.ssh_server import Switch, serving

if TYPE_CHECKING:
    from contextlib import ExitStack

FDS = Path("/proc/self/fd")


def clients() -> int:
    """Threads of paramiko's clients that still run."""
    return sum(
        getattr(thread, "server_mode", True) is False and thread.is_alive()
        for thread in threading.enumerate()
    )


@pytest.mark.skipif(not FDS.exists(), reason="descriptors are counted in /proc")
@pytest.mark.parametrize("cli", ["fabric", "netmiko"])
def test_sessions_and_failures_leave_no_descriptor(
    tmp_path: Path, stack: ExitStack, cli: str
) -> None:
    switch = Switch(says={"bad": "% no\n"})
    server = stack.enter_context(serving(switch))
    dial = stack.enter_context(dialer(server, tmp_path, cli=cli))
    wrong = stack.enter_context(dialer(server, tmp_path, user="nobody"))

    def work(number: int) -> str:
        if number % 5 == 0:
            with pytest.raises(DeviceError):
                wrong(NAME)
            return ""
        session = dial(NAME)
        session.perform(Lines(("mtu 1", "mtu 2")))
        if number % 3:
            with pytest.raises(DeviceError):
                session.perform(Command("bad"))
        session.close()
        return "done"

    def settled() -> int:
        """Descriptors once both ends of all connections have gone."""
        for transport in [*server.transports, *threading.enumerate()]:
            if hasattr(transport, "server_mode"):
                transport.join(10)
        server.transports.clear()
        gc.collect()
        return len(list(FDS.iterdir()))

    work(1)
    before = settled()
    with ThreadPoolExecutor(8) as pool:
        assert sum(map(bool, pool.map(work, range(60)))) == 48
    assert settled() == before
    assert clients() == 0


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The limit of open files of a pretended process, and what it is set to."""
    current = [(256, 1024)]
    monkeypatch.setattr(resource, "getrlimit", lambda _which: current[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _which, pair: current.append(pair))
    return current


def test_limit_of_open_files_is_raised_as_far_as_needed(limits: list[tuple[int, int]]) -> None:
    assert sessions_possible(10) == 10
    assert limits == [(256, 1024)]
    assert sessions_possible(100) == 100
    assert limits[-1] == (328, 1024)
    assert sessions_possible(1000) == 448
    assert limits[-1] == (1024, 1024)
