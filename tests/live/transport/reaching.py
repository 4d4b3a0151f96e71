"""Dialers for the servers of these tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabric.live.connections import Connection, SecretSource
from fabric.live.transport.credentials import Credentials
from fabric.live.transport.dial import Dialer
from fabric.live.transport.secret_sources import Secrets
from fabric.live.transport.times import Times
from fabric.model.push_spec import PushSpec
from tests.live.transport.ssh_server import PASSWORD, USER

if TYPE_CHECKING:
    from pathlib import Path

    from tests.live.transport.ssh_server import Server

PASSWORD_VARIABLE = "FABRIC_TEST_PASSWORD"  # noqa: S105 - a variable's name
NAME = "leaf-01"
SHORT_PROMPT = Times(prompt_s=1.5)


def spec(**changed: Any) -> PushSpec:
    values: dict[str, Any] = {
        "name": "toy",
        "session": "cli",
        "prompt": r"{name}[^\n]*[>#] ?",
        "setup": ("terminal length 0",),
        "errors": (r"^% (?P<message>.+)$", r"^Error:"),
        "owned": (),
        "protected": (),
        "risks": (),
        "pager": "--More--",
        "netmiko_type": "dell_os10",  # of which the toy understands all that its driver says
    }
    return PushSpec(**{**values, **changed})


def connection(server: Server, known_hosts: str, **changed: Any) -> Connection:
    values: dict[str, Any] = {
        "device": NAME,
        "address": "127.0.0.1",
        "port": server.port,
        "user": USER,
        "key_file": "",
        "known_hosts": known_hosts,
        "secret": SecretSource("env", PASSWORD_VARIABLE),
    }
    return Connection(**{**values, **changed})


def credentials(password: str = PASSWORD) -> Credentials:
    return Credentials(Secrets({PASSWORD_VARIABLE: password}))


def dialer(
    server: Server,
    folder: Path,
    *,
    spoken: PushSpec | None = None,
    times: Times | None = None,
    **changed: Any,
) -> Dialer:
    """A dialer for one device that knows the server's host key."""
    to = connection(server, server.known_hosts(folder / "known_hosts"), **changed)
    specs = {NAME: spoken or spec()}
    return Dialer({NAME: to}, specs, credentials=credentials(), times=times or Times())
