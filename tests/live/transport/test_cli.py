"""Sessions at a prompt, over real sockets."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Command, Lines
from tests.live.transport.reaching import NAME, SHORT_PROMPT, dialer, spec
from tests.live.transport.ssh_server import Switch, serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack
    from pathlib import Path

    from fabric.live.transport.session import Session
    from fabric.model.push import Action

    Open = Callable[..., Session]
    Failure = Callable[[Session, Action], DeviceError]

pytestmark = pytest.mark.parametrize("cli", ["fabric", "netmiko"])
BAD = {"vlan 5000": "% Invalid input (5000 is above 4094)\n"}


def renamed(name: str, mode: str = "") -> Callable[..., str]:
    def reply(switch: Switch, _channel: object) -> str:
        switch.name, switch.mode = name, mode
        return ""

    return reply


def test_reply_has_neither_echo_nor_prompt(opened: Open) -> None:
    session = opened(Switch(says={"show version": "Software 4.30\n\nUptime: 1 day\n"}))
    assert session.perform(Command("show version")) == "Software 4.30\n\nUptime: 1 day\n"
    assert session.perform(Command("show nothing")) == ""


def test_setup_is_typed_and_its_refusal_tolerated(opened: Open) -> None:
    switch = Switch(says={"terminal length 0": "% Invalid input\n"})
    session = opened(switch)
    session.perform(Command("show version"))
    assert switch.typed[0] == ""
    assert switch.typed[-2:] == ["terminal length 0", "show version"]


def test_refused_line_is_an_error_and_the_session_goes_on(opened: Open, failure: Failure) -> None:
    session = opened(Switch(says={**BAD, "show clock": "12:00\n"}))
    error = failure(session, Command("vlan 5000"))
    assert (error.kind, error.command) == (Kind.REFUSED, "vlan 5000")
    assert str(error) == "leaf-01: `vlan 5000` was refused: Invalid input (5000 is above 4094)"
    assert session.perform(Command("show clock")) == "12:00\n"


@pytest.mark.parametrize("tolerated", [r"Invalid input", r"^% (?P<message>.+)$"])
def test_tolerated_refusal_is_a_reply(opened: Open, tolerated: str) -> None:
    session = opened(Switch(says=BAD))
    reply = session.perform(Command("vlan 5000", tolerates=(tolerated,)))
    assert reply == BAD["vlan 5000"]


def test_check_sees_the_reply(opened: Open, failure: Failure) -> None:
    session = opened(Switch(says={"show clock": "12:00\n"}))
    error = failure(session, Command("show clock", check=lambda r: f"{r.strip()} is no noon"))
    assert error.kind is Kind.REPLY
    assert "12:00 is no noon" in str(error)


def test_lines_are_typed_ahead_and_all_arrive_in_order(opened: Open) -> None:
    switch = Switch()
    lines = (*(f"line {n}" for n in range(500)), "exit", "exit")
    assert opened(switch).perform(Lines(lines)) == ""
    assert switch.typed[-len(lines) :] == list(lines)
    assert switch.typed[-len(lines) - 1] == "terminal length 0"


def test_failing_line_is_named_with_those_typed_behind_it(
    opened: Open, failure: Failure, cli: str
) -> None:
    """netmiko waits for the reply to each line."""
    session = opened(Switch(says=BAD))
    error = failure(session, Lines(("interface Ethernet1", "vlan 5000", "mtu 9214", "exit")))
    assert (error.kind, error.command) == (Kind.REFUSED, "vlan 5000")
    behind = {"fabric": "; the 2 after it were typed as well", "netmiko": ""}[cli]
    assert f"`vlan 5000` (line 2 of 4{behind}) was refused" in str(error)


def test_a_session_that_ends_behind_a_refused_line_is_no_riddle(
    opened: Open, failure: Failure
) -> None:
    """Behind a refused header `exit` leaves one section too many, and at the top the login."""
    lines = Lines(("vlan 7", "vlan 5000", "mtu 9214", "exit"))
    error = failure(opened(Switch(says=BAD, drop_on="exit")), lines)
    assert (error.kind, error.command) == (Kind.REFUSED, "vlan 5000")
    assert failure(opened(Switch(drop_on="exit")), lines).kind is Kind.LOST


def test_indented_lines_and_replies_between_them(opened: Open) -> None:
    session = opened(Switch(says={"mtu 9214": "Note: 9214 it is\n"}))
    said = session.perform(Lines(("interface Ethernet1", "   mtu 9214", "   no shutdown")))
    assert said == "Note: 9214 it is\n"


def test_question_is_answered(opened: Open) -> None:
    def asked(_switch: Switch, channel: Any) -> str:
        channel.sendall(b"Overwrite flash:x? [Y/N]: ")
        answer = channel.recv(100).decode()
        channel.sendall(answer.replace("\n", "\r\n").encode())
        return f"you said {answer}"

    session = opened(Switch(says={"copy a b": asked}))
    reply = session.perform(Command("copy a b", answers=((r"\[Y/N\]: ?$", "y"),)))
    assert reply.endswith("you said y\n")


@pytest.mark.parametrize("erased", [True, False])
def test_pager_that_shows_up_all_the_same_is_answered(opened: Open, erased: bool) -> None:
    text = "".join(f"row {n}\n" for n in range(95))
    session = opened(Switch(says={"show run": text}, page=20, erases=erased))
    assert session.perform(Command("show run")) == text


def test_colours_bells_and_cursor_moves_are_not_part_of_a_reply(opened: Open) -> None:
    shown = "\x1b[1mEthernet1\x1b[0m up\x07\n\x1b]0;title\x07Ethernet2 \x1b[31mdowm\x08n\x1b[K\n"
    switch = Switch(
        says={"show int": shown}, prompt=lambda s: f"\x1b[?2004h\x1b[32m{s.name}\x1b[0m# "
    )
    assert opened(switch).perform(Command("show int")) == "Ethernet1 up\nEthernet2 down\n"


def test_banner_that_looks_like_a_prompt(opened: Open) -> None:
    banner = "#####\r\nspine#\r\nno entry >\r\nlast words#"
    switch = Switch(banner=f"{banner}\r\n", says={"show clock": "12:00\n"})
    assert opened(switch).perform(Command("show clock")) == "12:00\n"


def test_long_name_is_cut_in_configuration_mode_and_then_changed(opened: Open) -> None:
    """FC-73, prompts as recorded there."""
    long = "ai-dc1-pod03-rack17-leaf01"
    switch = Switch(
        name=long,
        says={
            "configure": renamed("ai-dc1-pod03-rack17-", "(config)"),
            "hostname ai-dc1-p03-r17-l01": renamed("ai-dc1-p03-r17-l01", "(config)"),
            "end": renamed("ai-dc1-p03-r17-l01"),
            "show clock": "12:00\n",
        },
    )
    session = opened(switch)
    session.perform(Command("configure"))
    session.perform(Lines(("mtu 1", "hostname ai-dc1-p03-r17-l01", "mtu 2")))
    session.perform(Command("end"))
    assert session.perform(Command("show clock")) == "12:00\n"


def test_names_are_remembered_from_session_to_session(
    tmp_path: Path, stack: ExitStack, cli: str
) -> None:
    switch = Switch(name="old-name", says={"hostname new": renamed("new")})
    server = stack.enter_context(serving(switch))
    dial = stack.enter_context(dialer(server, tmp_path, cli=cli))
    first = dial(NAME)
    first.perform(Lines(("hostname new",)))
    first.close()
    switch.says["load old"] = renamed("old-name")
    second = dial(NAME)
    second.perform(Command("load old"))
    second.close()


def test_plan_s_name_is_a_prompt_after_a_load(opened: Open) -> None:
    session = opened(Switch(name="factory", says={"load": renamed(NAME)}))
    session.perform(Command("load"))
    session.perform(Command("show clock"))


def test_line_longer_than_the_terminal(opened: Open) -> None:
    def wrapped(line: str) -> str:
        return "\r\n".join(line[n : n + 511] for n in range(0, len(line), 511)) + "\r\n"

    line = "description " + "x" * 900
    switch = Switch(echo=wrapped, says={"show clock": "12:00\n"})
    session = opened(switch)
    assert session.perform(Lines(("mtu 1", line, "mtu 2"))) == ""
    assert switch.typed[-2] == line
    assert session.perform(Command("show clock")) == "12:00\n"


@pytest.mark.parametrize("text", ["show ?", "a\tb", "one\ntwo", "bell\x07"])
def test_keys_are_no_text(opened: Open, failure: Failure, text: str) -> None:
    switch = Switch()
    session = opened(switch)
    assert failure(session, Command(text)).kind is Kind.REFUSED
    assert failure(session, Lines(("mtu 1", text))).kind is Kind.REFUSED
    assert switch.typed[-1] == "terminal length 0"
    assert "mtu 1" not in switch.typed


def test_dropped_session_is_lost(opened: Open, failure: Failure) -> None:
    error = failure(opened(Switch(drop_on="commit")), Command("commit"))
    assert error.kind is Kind.LOST
    assert not error.kind.outcome_known
    assert str(error) == (
        "leaf-01: the session was lost during `commit`: awaited was a prompt of leaf-01, last "
        "received was 'commit'; what the command did is not known: the device restarted, its "
        "management link failed, or the session was killed"
    )


def test_dropped_between_lines_names_the_last_one_that_was_taken(
    opened: Open, failure: Failure
) -> None:
    session = opened(Switch(drop_on="line 7"))
    error = failure(session, Lines(tuple(f"line {n}" for n in range(20))))
    assert (error.kind, error.command) == (Kind.LOST, "line 7")


def test_no_prompt_in_time(opened: Open, failure: Failure) -> None:
    session = opened(Switch(hang_on="show tech", says={}))
    error = failure(session, Command("show tech", timeout_s=1.5))
    assert error.kind is Kind.TIMEOUT
    assert not error.kind.outcome_known
    assert "`show tech` did not end within 1.5 s: awaited was a prompt of leaf-01" in str(error)
    assert "may still be running" in str(error)
    assert failure(session, Command("show clock")).kind is Kind.LOST  # it is closed


def test_output_without_end_is_not_waited_for(opened: Open, failure: Failure) -> None:
    """Such as log messages on the terminal, which keep every single read from waiting."""

    def talks(_switch: Switch, channel: Any) -> str:
        with contextlib.suppress(OSError):
            while True:
                channel.sendall(b"%LINK-3-UPDOWN: Ethernet1 is down\r\n")
        return ""

    session = opened(Switch(says={"terminal monitor": talks}))
    error = failure(session, Command("terminal monitor", timeout_s=0.5))
    assert error.kind is Kind.TIMEOUT
    assert "%LINK-3-UPDOWN: Ethernet1 is down" in str(error)


def test_unanswered_question_is_shown(opened: Open, failure: Failure) -> None:
    def asked(_switch: Switch, channel: Any) -> str:
        channel.sendall(b"Proceed? [confirm]")
        channel.recv(100)
        return ""

    session = opened(Switch(says={"reload": asked}))
    error = failure(session, Command("reload", timeout_s=1.5))
    assert "Proceed? [confirm]" in str(error)


def test_no_prompt_after_login(opened: Open) -> None:
    switch = Switch(banner="Your password has expired, enter a new one: ", prompt=lambda _: "")
    with pytest.raises(DeviceError) as caught:
        opened(switch, times=SHORT_PROMPT)
    assert caught.value.kind is Kind.SILENT
    assert caught.value.kind.unreachable
    assert "Your password has expired" in str(caught.value)


def test_no_terminal(opened: Open) -> None:
    with pytest.raises(DeviceError, match="opens no terminal") as caught:
        opened(Switch(shell=False))
    assert caught.value.kind.unreachable


def test_session_ends_with_its_deadline(tmp_path: Path, stack: ExitStack, cli: str) -> None:
    class Clock:
        now = 0.0

        def __call__(self) -> float:
            return self.now

    clock = Clock()
    server = stack.enter_context(serving(Switch(hang_on="wait")))
    dial = stack.enter_context(dialer(server, tmp_path, cli=cli))
    dial._clock = clock
    session = dial(NAME)
    clock.now = 1799.0
    session.perform(Command("show clock"))
    clock.now = 1801.0
    with pytest.raises(DeviceError) as caught:
        session.perform(Command("wait"))
    assert caught.value.kind is Kind.TIMEOUT


def test_pattern_without_a_name(opened: Open) -> None:
    switch = Switch(prompt=lambda _: "--{ running }--[  ]--\r\nA:leaf# ", says={"info": "x\n"})
    session = opened(switch, spoken=spec(prompt=r"A:[^\n]*# ?"))
    assert session.perform(Command("info")) == "x\n--{ running }--[  ]--\n"
