"""Cumulus' readers: our own recordings, as printed and as a session shows them, and odd text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.text.output import read_output
from tests.platforms.own_recordings import (
    ROOTS,
    as_in_a_session,
    book,
    faults,
    mutated,
    reading,
    recordings,
    slug_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.reading import CommandSpec

PLATFORM = "cumulus_nvue"
FILES = recordings(PLATFORM)
TEXTS = [file for file in FILES if file.suffix == ".txt" and slug_of(file) != "error"]
COMMANDS = book(PLATFORM).commands
SLUGS = [command.slug for command in COMMANDS]
OF_A_PORT = [command for command in COMMANDS if "{port}" in command.send]


def test_every_command_has_a_recording() -> None:
    assert {slug_of(file) for file in FILES} >= set(SLUGS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_fact_of_our_own_recordings(file: Path) -> None:
    assert faults(PLATFORM, file) == []


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.name)
def test_a_session_changes_nothing(file: Path) -> None:
    spec = book(PLATFORM).command(slug_of(file))
    assert spec is not None
    plain = read_output(PLATFORM, spec.slug, file.read_bytes(), ROOTS)
    shown = as_in_a_session(file.read_text(), spec.send)
    assert read_output(PLATFORM, spec.slug, shown, ROOTS).facts == plain.facts


@pytest.mark.parametrize("spec", OF_A_PORT, ids=lambda spec: spec.slug)
@pytest.mark.parametrize("prompt", ["cumulus@pod3-leaf-9:mgmt:~$ ", "root@px9-1:~# ", ""])
def test_the_port_that_the_echo_names(spec: CommandSpec, prompt: str) -> None:
    file = next(file for file in TEXTS if slug_of(file) == spec.slug)
    plain = read_output(PLATFORM, spec.slug, file.read_bytes(), ROOTS)
    shown = f"{prompt}{spec.send.replace('{port}', 'swp61s1')}\n{file.read_text()}{prompt}"
    found = read_output(PLATFORM, spec.slug, shown.encode(), ROOTS)
    assert found.facts == {**plain.facts, "port": "swp61s1"}
    assert found.unparsed == plain.unparsed == ()


@given(mutated(PLATFORM))
def test_damaged_output_raises_nothing(case: tuple[str, str]) -> None:
    reading(PLATFORM, *case)


@given(st.sampled_from(SLUGS), st.text() | st.text(alphabet="\n {}[]\":,=->*/.09afCB|'("))
def test_any_text_raises_nothing(slug: str, text: str) -> None:
    reading(PLATFORM, slug, text)
