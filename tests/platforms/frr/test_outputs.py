"""FRR's readers: our own recordings, as printed and as a session shows them, and odd text."""

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

PLATFORM = "frr"
FILES = recordings(PLATFORM)
TEXTS = [file for file in FILES if file.suffix == ".txt" and slug_of(file) != "error"]
SLUGS = [command.slug for command in book(PLATFORM).commands]


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


@given(mutated(PLATFORM))
def test_damaged_output_raises_nothing(case: tuple[str, str]) -> None:
    reading(PLATFORM, *case)


@given(st.sampled_from(SLUGS), st.text() | st.text(alphabet="\n {}[]\":,%>*-/.09afCB|'("))
def test_any_text_raises_nothing(slug: str, text: str) -> None:
    reading(PLATFORM, slug, text)
