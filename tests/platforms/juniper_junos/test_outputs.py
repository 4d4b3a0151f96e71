"""Junos's readers: our own recordings, as printed and as a session shows them, and odd text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.catalog.commands import FACTS
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

PLATFORM = "juniper_junos"
FILES = recordings(PLATFORM)
TEXTS = [file for file in FILES if file.suffix == ".txt" and slug_of(file) != "error"]
SLUGS = [command.slug for command in book(PLATFORM).commands]


def test_every_command_has_a_recording() -> None:
    assert {slug_of(file) for file in FILES} >= set(SLUGS)


def test_every_fact_has_a_command_or_a_reason() -> None:
    assert [fact for fact, _ in book(PLATFORM).facts] == list(FACTS)
    for _, source in book(PLATFORM).facts:
        assert source.not_available or set(source.slugs) <= set(SLUGS)


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


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("                    ^\nsyntax error, expecting <command>.\n", "syntax error"),
        ("error: command is not valid on the qfx5240-64od\n", "command is not valid"),
        ("                 ^\nmissing mandatory argument: name.\n", "missing mandatory argument"),
        ("                 ^\ninvalid numeric value: '300' at '300'\n", "invalid numeric value"),
        ("error: commit failed: (missing mandatory statements)\n", "commit failed:"),
        ("No valid completions\n", "No valid completions"),
        ("load complete (2 errors)\n", "load complete (2 errors)"),
        ("Users currently editing the configuration:\n  ops terminal p0\n", "Users currently"),
        ("<xnm:error><message>\nsyntax error\n</message></xnm:error>\n", "syntax error"),
    ],
)
@pytest.mark.parametrize("slug", ["error", "show_lldp_neighbors", "show_route_json"])
def test_a_rejected_command(slug: str, said: str, message: str) -> None:
    output = read_output(PLATFORM, slug, said.encode(), ROOTS)
    assert output.error
    assert message in output.message


@pytest.mark.parametrize("slug", SLUGS)
def test_no_reader_takes_the_output_of_another_command(slug: str) -> None:
    alike = {
        "show_interfaces": {"show_interfaces_extensive", "show_interfaces_queue"},
        "show_interfaces_extensive": {"show_interfaces", "show_interfaces_queue"},
    }
    for file in FILES:
        other = slug_of(file)
        if other in {slug, "error", *alike.get(slug, ())}:
            continue
        assert reading(PLATFORM, slug, file.read_text()).facts == {}, file.name


@given(mutated(PLATFORM))
def test_damaged_output_raises_nothing(case: tuple[str, str]) -> None:
    reading(PLATFORM, *case)


@given(st.sampled_from(SLUGS), st.text() | st.text(alphabet="\n {}[]\":,;%*-/.09afCB|'(set"))
def test_any_text_raises_nothing(slug: str, text: str) -> None:
    reading(PLATFORM, slug, text)
