"""Sessions with a shell: exec channels over real sockets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.live.transport.errors import Kind
from fabric.model.push import Command, Lines
from tests.live.transport.reaching import spec
from tests.live.transport.ssh_server import Switch

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.transport.errors import DeviceError
    from fabric.live.transport.session import Session
    from fabric.model.push import Action

    Open = Callable[..., Session]
    Failure = Callable[[Session, Action], DeviceError]

SHELL = spec(session="shell", errors=(r"^Error: (?P<message>.+)$", "^Traceback "))


def test_reply_is_standard_output_alone(opened: Open) -> None:
    switch = Switch(says={"show": (0, '{"a": 1}\n', "vtysh_pam: Failed in account validation")})
    assert opened(switch, spoken=SHELL).perform(Command("show")) == '{"a": 1}\n'


def test_exit_status_is_a_refusal_with_what_was_said(opened: Open, failure: Failure) -> None:
    said = "line 51: % Unknown command[25]: router bgq\n"
    session = opened(Switch(says={"vtysh -C": (2, "", said)}), spoken=SHELL)
    error = failure(session, Command("vtysh -C"))
    assert error.kind is Kind.REFUSED
    assert str(error) == (
        "leaf-01: `vtysh -C` (exit status 2) was refused: line 51: % Unknown command[25]: "
        "router bgq"
    )


def test_full_disk_stands_in_the_refusal(opened: Open, failure: Failure) -> None:
    """FAULTS.md: cp exits 1; through a terminal it is a line of output like any other."""
    said = "cp: error writing '/etc/frr/frr.conf': No space left on device\n"
    error = failure(opened(Switch(says={"cp a b": (1, "", said)}), spoken=SHELL), Command("cp a b"))
    assert error.kind is Kind.REFUSED
    assert str(error) == f"leaf-01: `cp a b` (exit status 1) was refused: {said.strip()}"


def test_other_exit_status_may_be_right(opened: Open) -> None:
    session = opened(Switch(says={"diff a b": (1, "1c1\n", "")}), spoken=SHELL)
    assert session.perform(Command("diff a b", statuses=(0, 1))) == "1c1\n"


@pytest.mark.parametrize("streams", [("Error: no table\n", ""), ("", "Error: no table\n")])
def test_error_pattern_in_either_stream(
    opened: Open, failure: Failure, streams: tuple[str, str]
) -> None:
    session = opened(Switch(says={"config load": (0, *streams)}), spoken=SHELL)
    error = failure(session, Command("config load"))
    assert (error.kind, str(error)) == (
        Kind.REFUSED,
        "leaf-01: `config load` was refused: no table",
    )
    assert session.perform(Command("config load", tolerates=("no table",))) == streams[0]


def test_channel_that_ends_without_a_status_is_lost(opened: Open, failure: Failure) -> None:
    """FAULTS.md: a killed session gives nothing and status -1."""
    session = opened(Switch(says={"restart": (None, "", "")}), spoken=SHELL)
    error = failure(session, Command("restart"))
    assert (error.kind, error.kind.outcome_known) == (Kind.LOST, False)
    assert "`restart`: awaited was its exit status, nothing was received; " in str(error)


def test_dropped_connection_is_lost(opened: Open, failure: Failure) -> None:
    error = failure(opened(Switch(drop_on="ifreload"), spoken=SHELL), Command("ifreload"))
    assert error.kind is Kind.LOST
    assert "'half'" in str(error)


def test_command_that_does_not_end(opened: Open, failure: Failure) -> None:
    session = opened(Switch(hang_on="slow"), spoken=SHELL)
    error = failure(session, Command("slow", timeout_s=1.5))
    assert error.kind is Kind.TIMEOUT
    assert "`slow` did not end within 1.5 s: awaited was its exit status" in str(error)
    assert "half of it" in str(error)
    assert failure(session, Command("next")).kind is Kind.LOST  # it is closed


def test_check_sees_standard_output(opened: Open, failure: Failure) -> None:
    session = opened(Switch(says={"date": (0, "12\n", "noise")}), spoken=SHELL)
    assert failure(session, Command("date", check=lambda r: f"got {r!r}")).kind is Kind.REPLY


def test_much_output_on_both_streams(opened: Open) -> None:
    out, err = "o" * 3_000_000, "e" * 300_000
    session = opened(Switch(says={"dump": (0, out, err)}), spoken=SHELL)
    assert session.perform(Command("dump")) == out


def test_text_that_is_no_utf_8(opened: Open) -> None:
    session = opened(Switch(says={"cat": (0, "Zürich\n", "")}), spoken=SHELL)
    assert session.perform(Command("cat")) == "Zürich\n"


def test_lines_have_no_place_in_a_shell(opened: Open) -> None:
    session = opened(Switch(), spoken=SHELL)
    with pytest.raises(TypeError, match="no mode"):
        session.perform(Lines(("a",)))
