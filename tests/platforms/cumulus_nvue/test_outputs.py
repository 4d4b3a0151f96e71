"""Recordings of Cumulus as a session of its shell shows them; the port that an echo names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.catalog.commands import command_book
from fabric.files.locate import templates_root
from fabric.text.output import read_output

if TYPE_CHECKING:
    from fabric.model.reading import CommandSpec

PLATFORM = "cumulus_nvue"
ROOTS = (templates_root(),)
HERE = Path(__file__).parent / "recordings"
COMMANDS = command_book(PLATFORM, ROOTS).commands
PROMPT = "cumulus@pod3-leaf-9:mgmt:~$ "
OF_A_PORT = [command for command in COMMANDS if "{port}" in command.send]


def recording(spec: CommandSpec) -> str:
    """Every command has one; a second one of it is named ``slug.what.txt``."""
    return next(HERE.glob(f"{spec.slug}.*")).read_text()


def in_a_session(text: str, send: str, prompt: str) -> bytes:
    """A banner that is no UTF-8, prompt and echo, carriage returns, the prompt again."""
    lines = [prompt + send, *text.rstrip("\n").split("\n"), prompt]
    return b"Acc\xe8s r\xe9serv\xe9\r\n" + "\r\n".join(lines).encode()


@pytest.mark.parametrize("spec", COMMANDS, ids=lambda spec: spec.slug)
def test_a_session_changes_nothing(spec: CommandSpec) -> None:
    text = recording(spec)
    plain = read_output(PLATFORM, spec.slug, text.encode(), ROOTS)
    found = read_output(PLATFORM, spec.slug, in_a_session(text, spec.send, PROMPT), ROOTS)
    assert found.facts == plain.facts != {}


@pytest.mark.parametrize("spec", OF_A_PORT, ids=lambda spec: spec.slug)
@pytest.mark.parametrize("prompt", [PROMPT, "root@px9-1:~# ", ""])
def test_the_port_that_the_echo_names(spec: CommandSpec, prompt: str) -> None:
    text, send = recording(spec), spec.send.replace("{port}", "swp61s1")
    plain = read_output(PLATFORM, spec.slug, text.encode(), ROOTS)
    found = read_output(PLATFORM, spec.slug, in_a_session(text, send, prompt), ROOTS)
    assert "port" not in plain.facts
    assert found.facts == {**plain.facts, "port": "swp61s1"}


@pytest.mark.parametrize("spec", COMMANDS, ids=lambda spec: spec.slug)
@given(data=st.data())
def test_a_damaged_recording_raises_nothing(spec: CommandSpec, data: st.DataObject) -> None:
    text = recording(spec)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 200, len(text))))
    odd = data.draw(st.text(alphabet="\n {}[]\":,=->*/.&'09aé", max_size=12))
    read_output(PLATFORM, spec.slug, f"{text[:start]}{odd}{text[end:]}".encode(), ROOTS)
