"""Jump hosts over real sockets: verified, shared, chained."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from fabric.live.transport.credentials import Credentials
from fabric.live.transport.dial import Dialer
from fabric.live.transport.errors import DeviceError, Kind
from fabric.live.transport.secret_sources import Secrets
from fabric.model.push import Command
from tests.live.transport.reaching import NAME, PASSWORD_VARIABLE, connection, spec
from tests.live.transport.ssh_server import PASSWORD, Switch, serving

if TYPE_CHECKING:
    from contextlib import ExitStack
    from pathlib import Path

    from fabric.live.connections import Connection
    from tests.live.transport.ssh_server import Server


def served(stack: ExitStack, switch: Switch) -> Server:
    server: Server = stack.enter_context(serving(switch))
    return server


def known(folder: Path, *servers: Server) -> str:
    file = folder / "known_hosts"
    for server in servers:
        server.known_hosts(file)
    return str(file)


def dial(stack: ExitStack, made: Connection) -> Dialer:
    secrets = Credentials(Secrets({PASSWORD_VARIABLE: PASSWORD}))
    names = (NAME, "leaf-02")
    return stack.enter_context(
        Dialer(
            {name: replace(made, device=name) for name in names},
            dict.fromkeys(names, spec()),
            credentials=secrets,
        )
    )


@pytest.mark.parametrize("count", [1, 2])
def test_through_a_chain(tmp_path: Path, stack: ExitStack, count: int) -> None:
    leaf = served(stack, Switch(says={"show clock": "12:00\n"}))
    switches = [Switch(forward=True) for _ in range(count)]
    servers = [served(stack, switch) for switch in switches]
    file = known(tmp_path, leaf, *servers)
    jumps = tuple(connection(s, file, device=f"jump-{n}") for n, s in enumerate(servers))
    session = dial(stack, connection(leaf, file, jumps=jumps))(NAME)
    assert session.perform(Command("show clock")) == "12:00\n"
    session.close()
    assert [switch.logins for switch in switches] == [["admin password"]] * count


def test_connection_to_a_jump_host_is_shared_and_renewed(tmp_path: Path, stack: ExitStack) -> None:
    leaf, jump = served(stack, Switch()), served(stack, Switch(forward=True))
    file = known(tmp_path, leaf, jump)
    made = connection(leaf, file, jumps=(connection(jump, file, device="jump"),))
    dialer = dial(stack, made)
    sessions = [dialer(NAME), dialer("leaf-02")]
    assert len(jump.switch.logins) == 1
    for session in sessions:
        session.close()
    for transport in jump.transports:
        transport.close()
    for transport in dialer._opener._jumps.values():
        transport.join(5)
    dialer(NAME).close()
    assert len(jump.switch.logins) == 2


def refused(dialer: Dialer) -> DeviceError:
    with pytest.raises(DeviceError) as caught:
        dialer(NAME)
    assert caught.value.device == NAME
    return caught.value


def test_host_key_of_a_jump_host_is_verified(tmp_path: Path, stack: ExitStack) -> None:
    leaf, jump = served(stack, Switch()), served(stack, Switch(forward=True))
    file = known(tmp_path, leaf)
    made = connection(leaf, file, jumps=(connection(jump, file, device="jump"),))
    error = refused(dial(stack, made))
    assert error.kind is Kind.HOST_KEY_UNKNOWN
    assert str(error).startswith("leaf-01: jump host jump: the host key of")
    assert jump.switch.logins == []


@pytest.mark.parametrize("forward", [True, False], ids=["closed", "forbidden"])
def test_jump_host_cannot_go_on(tmp_path: Path, stack: ExitStack, forward: bool) -> None:
    leaf, jump = served(stack, Switch()), served(stack, Switch(forward=forward))
    file = known(tmp_path, leaf, jump)
    changed: dict[str, Any] = {"jumps": (connection(jump, file, device="jump"),)}
    error = refused(dial(stack, connection(leaf, file, **changed, port=1)))
    if not forward:
        assert error.kind is Kind.CLOSED
        assert "its jump host forbids forwarding to 127.0.0.1:1 (AllowTcpForwarding)" in str(error)
    assert "(through jump)" in str(error)


def test_wrong_password_at_a_jump_host_names_it(tmp_path: Path, stack: ExitStack) -> None:
    leaf = served(stack, Switch())
    jump = served(stack, Switch(forward=True, password="another"))  # noqa: S106
    file = known(tmp_path, leaf, jump)
    made = connection(leaf, file, jumps=(connection(jump, file, device="jump"),))
    error = refused(dial(stack, made))
    assert error.kind is Kind.LOGIN
    assert str(error).startswith("leaf-01: jump host jump: ")
    assert leaf.switch.logins == []


def test_jump_host_that_fails_is_tried_once_for_all_devices(
    tmp_path: Path, stack: ExitStack
) -> None:
    leaf = served(stack, Switch())
    jump = served(stack, Switch(forward=True, password="another"))  # noqa: S106
    file = known(tmp_path, leaf, jump)
    made = connection(leaf, file, jumps=(connection(jump, file, device="jump"),))
    dialer = dial(stack, made)
    first = refused(dialer)
    with pytest.raises(DeviceError) as caught:
        dialer("leaf-02")
    assert (caught.value.kind, caught.value.device) == (first.kind, "leaf-02")
    assert str(caught.value) == str(first).replace(NAME, "leaf-02")
    assert len(jump.switch.logins) == 1
