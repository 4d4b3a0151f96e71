"""Fake switches in a process of their own, and sessions with them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from fabric.live.rehearsal.control import Rehearsal, ServerProcess
from fabric.live.transport.dial import Dialer
from fabric.live.transport.times import Times
from tests.live.transport.netmiko.systems import setup, spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fabric.live.transport.session import Session
    from tests.live.transport.netmiko.systems import System

    Meet = Callable[..., "Met"]


@dataclass(frozen=True)
class Met:
    """A fake, a dialer that reaches it, and a session with it."""

    fakes: Rehearsal
    dial: Dialer
    session: Session


@pytest.fixture(scope="session")
def process() -> Iterator[ServerProcess]:
    with ServerProcess() as process:
        yield process


@pytest.fixture
def cli() -> str:
    return "netmiko"


@pytest.fixture
def meet(process: ServerProcess, tmp_path: Path, cli: str) -> Iterator[Meet]:
    """Starts a fake of a system, whose time stands still at first, and logs in."""
    with ExitStack() as stack:

        def meet(system: System, second_s: float = 0.0, times: Times | None = None) -> Met:
            fakes = Rehearsal([setup(system)], tmp_path, (process,), second_s=second_s)
            stack.callback(fakes.stop)
            there = {"leaf-0": replace(fakes.connections["leaf-0"], cli=cli)}
            made = Dialer(there, {"leaf-0": spoken(system)}, times=times or Times())
            dial = stack.enter_context(made)
            session = dial("leaf-0")
            stack.callback(session.close)
            return Met(fakes, dial, session)

        yield meet
