"""A switch behind a server, and a session with it."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from fabric.live.transport.errors import DeviceError
from tests.live.transport.reaching import NAME, dialer
from tests.live.transport.ssh_server import Server, Switch, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fabric.live.transport.session import Session
    from fabric.model.push import Action

    Open = Callable[..., Session]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def cli() -> str:
    """Who speaks at the prompt; tests that concern both are parametrized with it."""
    return "fabric"


@pytest.fixture
def opened(tmp_path: Path, stack: ExitStack, cli: str) -> Open:
    """Opens a session with a switch of one's own."""

    def opened(switch: Switch, **options: Any) -> Session:
        server: Server = stack.enter_context(serving(switch))
        dial = stack.enter_context(dialer(server, tmp_path, **{"cli": cli, **options}))
        session = dial(NAME)
        stack.callback(session.close)
        return session

    return opened


@pytest.fixture
def failure() -> Callable[[Session, Action], DeviceError]:
    """The error of an action."""

    def failure(session: Session, action: Action) -> DeviceError:
        with pytest.raises(DeviceError) as caught:
            session.perform(action)
        return caught.value

    return failure
