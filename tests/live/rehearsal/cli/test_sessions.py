"""Logins: exec channels, lost sessions, settings that end with a login."""

from __future__ import annotations

import pytest

from tests.live.rehearsal.cli.driver import MODELS, Bench, quiet, say, switch

TAKES = {
    "arista_eos": "show version",
    "cisco_nxos": "show version",
    "juniper_junos": "show version",
    "nokia_srl": "show version",
}


@pytest.mark.parametrize("name", sorted(MODELS))
def test_an_exec_channel_runs_a_command_or_refuses_it(name: str) -> None:
    box = switch(name, Bench())
    reply = box.run("admin", TAKES.get(name, "display version"))
    assert (reply.status == 0) == (name in TAKES)
    assert (reply.stdout if name in TAKES else reply.stderr) != ""
    assert box.terminals == []


def test_a_page_length_ends_with_its_login() -> None:
    box = switch("cisco_nxos", Bench())
    user = box.login("admin")
    quiet(user, "terminal length 0")
    assert (user.page_length(), box.login("admin").page_length()) == (0, 24)


def test_a_session_that_was_closed_from_outside_is_cleared_up_at_the_next_look() -> None:
    box = switch("juniper_junos", Bench())
    user = box.login("admin")
    say(user, "configure exclusive", "set system host-name other")
    user.closed = True
    box.tick()
    assert box.terminals == []
    assert box.candidates == {}


def test_text_up_to_control_d_is_asked_for() -> None:
    user = switch("juniper_junos", Bench()).login("admin")
    told = []
    for line in ("configure", "load set terminal", "\x04"):
        user.type(line)
        told.append(user.wants_end)
    assert told == [False, True, False]


def test_a_foreign_lock_keeps_a_candidate_closed() -> None:
    bench = Bench(armed={"lock": 1})
    told = switch("cisco_nxos", bench).login("admin").type("configure dual-stage")
    assert "locked" in told
