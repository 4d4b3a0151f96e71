"""Where a driver and a device do not get along, and what netmiko alone would get wrong."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import netmiko
import pytest
from netmiko.ssh_dispatcher import CLASS_MAPPER

from fabric.catalog.manifest import platform_names, platform_spec
from fabric.live.transport.errors import DeviceError, Kind
from fabric.live.transport.netmiko_terminal import Wire
from fabric.live.transport.terminal import LostError, WaitedError
from fabric.live.transport.times import Deadline
from fabric.model.push import Command, Lines
from tests.live.transport.netmiko.systems import TEMPLATES
from tests.live.transport.reaching import NAME, SHORT_PROMPT, dialer, spec
from tests.live.transport.ssh_server import Switch, serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack
    from pathlib import Path

    from fabric.live.transport.session import Session

    Open = Callable[..., Session]


@pytest.mark.parametrize("name", platform_names([TEMPLATES]))
def test_every_manifest_names_a_driver_that_there_is(name: str) -> None:
    assert platform_spec(name, [TEMPLATES]).netmiko_type in CLASS_MAPPER


def refused(opened: Open, switch: Switch, **options: Any) -> str:
    with pytest.raises(DeviceError) as caught:
        opened(switch, times=SHORT_PROMPT, **options)
    assert caught.value.kind is Kind.SILENT
    return str(caught.value)


def test_driver_that_does_not_exist_is_told_before_a_line_is_typed(opened: Open) -> None:
    switch = Switch()
    said = refused(opened, switch, spoken=spec(netmiko_type="acme_os"))
    assert said.startswith("leaf-01: connection.cli is netmiko, and netmiko ")
    assert "has no driver 'acme_os' for SSH (netmiko_type in toy/platform.yaml)" in said
    assert switch.typed == []


def test_driver_of_another_system_says_what_it_waited_for(opened: Open) -> None:
    """The toy does not answer as EOS does."""
    said = refused(opened, Switch(), spoken=spec(netmiko_type="arista_eos"))
    begin = "leaf-01: logged in, but netmiko's driver arista_eos does not get along with it: "
    assert said.startswith(f"{begin}Pattern not detected: 'Width set to' in output; last received")
    assert "terminal width 511" in said


def test_device_that_ends_the_session_while_it_is_prepared(opened: Open) -> None:
    said = refused(opened, Switch(drop_on="terminal length 0"))
    assert "logged in, but the device ended the session before a prompt came" in said


def test_prompt_that_our_rule_does_not_know_is_the_driver_s(opened: Open) -> None:
    """Hardware may end it as nobody has documented it."""
    says = {"show clock": "leaf-01 says:\n12:00 $\n", "sh bad": "% no\n"}
    switch = Switch(prompt=lambda s: f"<1>{s.name}{s.mode}# ", says=says)
    session = opened(switch, spoken=spec(prompt=r"{name}> ?"))
    assert session.perform(Command("show clock")) == says["show clock"]
    switch.mode = "(config)"
    assert session.perform(Lines(("mtu 1", "hostname leaf-99"))) == ""
    switch.name = "leaf-99"
    session.perform(Command("end"))
    with pytest.raises(DeviceError, match="was refused: no"):
        session.perform(Command("sh bad"))


def test_question_after_the_login_is_the_driver_s_to_answer(opened: Open) -> None:
    """VRP offers to change a password that expires; netmiko's driver declines."""

    def declined(switch: Switch, _channel: object) -> str:
        switch.mode = f"<{NAME}>"
        return ""

    asks = "The password needs to be changed. Change now? [Y/N]:"
    switch = Switch(prompt=lambda s: s.mode or asks, says={"N": declined})
    spoken = spec(netmiko_type="huawei_vrpv8", prompt=r"<{name}[^\n]*> ?", setup=())
    session = opened(switch, spoken=spoken, times=SHORT_PROMPT)
    assert session.perform(Command("display clock")) == ""
    assert switch.typed[0] == "N"


def test_shell_systems_do_not_ask_who_speaks(tmp_path: Path, stack: ExitStack) -> None:
    server = stack.enter_context(serving(Switch(says={"uname": (0, "Linux\n", "")})))
    spoken = spec(session="shell", netmiko_type="no_driver")
    dial = stack.enter_context(dialer(server, tmp_path, spoken=spoken, cli="netmiko"))
    session = dial(NAME)
    assert session.perform(Command("uname")) == "Linux\n"
    session.close()


def test_drivers_leave_no_filter_behind(opened: Open) -> None:
    """Each adds one to netmiko's logger, and a push makes thousands."""
    before = list(netmiko.log.filters)
    opened(Switch()).close()
    assert netmiko.log.filters == before
    assert not logging.getLogger("netmiko").isEnabledFor(logging.ERROR)


class Channel:
    """Holds what has come; ``closed`` behind it."""

    def __init__(self, *parts: bytes, closed: bool = False) -> None:
        self.parts, self.closed, self.eof_received = list(parts), closed, closed

    def settimeout(self, _seconds: float) -> None:
        return

    def recv_ready(self) -> bool:
        return bool(self.parts)

    def recv(self, _most: int) -> bytes:
        return self.parts.pop(0) if self.parts else b""


def wire(*parts: bytes, closed: bool = False, now: float = 0.0) -> Wire:
    deadline = Deadline(1.0, iter([0.0, *[now] * 9]).__next__)
    return Wire(Channel(*parts, closed=closed), deadline)  # type: ignore[arg-type]


def test_closed_channel_is_told_once_all_is_read() -> None:
    end = wire(b"last words", closed=True)
    assert end.read_channel() == "last words"
    with pytest.raises(LostError):
        end.read_channel()
    with pytest.raises(LostError):
        end.wait()


def test_deadline_ends_a_wait_of_the_driver_s() -> None:
    assert wire().read_channel() == ""
    with pytest.raises(WaitedError):
        wire(now=2.0).read_channel()
    assert wire(b"just in time", now=2.0).read_channel() == "just in time"


def test_character_that_comes_in_two_parts() -> None:
    line = wire(b"Z\xc3", b"\xbcrich")
    assert line.read_channel() + line.read_channel() == "Zürich"
    line = wire(b"Z\xc3", b"\xbcrich")
    line.wait()
    assert line.read_channel() == "Zürich"
