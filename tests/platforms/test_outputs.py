"""Readers of all systems and tools on recordings of our own: exact facts, and no text that breaks.

Own recordings have other names, counts and widths than any that the readers were written from.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.catalog.commands import command_book, readable_names
from fabric.files.locate import templates_root
from fabric.text.output import read_output

HERE = Path(__file__).parent
ROOTS = (templates_root(),)
RECORDINGS = sorted(
    file for name in readable_names(ROOTS) for file in (HERE / name / "recordings").glob("*.*")
)


def _slug(file: Path) -> str:
    """``show_x.2.txt``, ``show_x.txt`` → ``show_x``."""
    known = {c.slug for c in command_book(_system(file), ROOTS).commands} | {"error"}
    stem = file.stem
    while stem not in known and "." in stem:
        stem = stem.rpartition(".")[0]
    return stem


def _system(file: Path) -> str:
    return file.parent.parent.name


def _found(system: str, slug: str, raw: bytes) -> dict[str, Any]:
    output = read_output(system, slug, raw, ROOTS)
    found: dict[str, Any] = dict(output.facts)
    if output.error:
        found |= {"error": True, "message": output.message}
    if output.unparsed:
        found["unparsed"] = list(output.unparsed)
    if output.mismatch:
        found["mismatch"] = output.mismatch
    return found


def _name(file: Path) -> str:
    return f"{_system(file)}/{file.name}"


@pytest.mark.parametrize("file", RECORDINGS, ids=_name)
def test_the_facts_of_a_recording(file: Path) -> None:
    expected = json.loads((file.parent.parent / "expected" / f"{file.stem}.json").read_text())
    assert _found(_system(file), _slug(file), file.read_bytes()) == expected


@pytest.mark.parametrize("file", RECORDINGS, ids=_name)
def test_what_a_terminal_adds_changes_nothing(file: Path) -> None:
    system, slug, raw = _system(file), _slug(file), file.read_bytes()
    if slug == "error":
        return
    plain = _found(system, slug, raw)
    assert _found(system, slug, raw.replace(b"\n", b"\r\n")) == plain
    lines = raw.split(b"\n")
    middle = len(lines) // 2
    paged = [*lines[:middle], b" --More-- \r          \r" + lines[middle], *lines[middle + 1 :]]
    if file.suffix == ".txt" and lines[middle].strip():
        assert _found(system, slug, b"\n".join(paged)) == plain


@pytest.mark.parametrize("system", readable_names(ROOTS))
@given(data=st.data())
def test_no_text_breaks_a_reader(system: str, data: st.DataObject) -> None:
    slugs = [c.slug for c in command_book(system, ROOTS).commands]
    files = [file for file in RECORDINGS if _system(file) == system]
    slug = data.draw(st.sampled_from([*slugs, "error"]))
    raw = data.draw(st.binary(max_size=200) if not files else _mutated(files))
    output = read_output(system, slug, raw, ROOTS)
    assert isinstance(output.facts, dict)
    json.dumps([output.facts, output.unparsed])


@st.composite
def _mutated(draw: st.DrawFn, files: list[Path]) -> bytes:
    """A recording with lines dropped, doubled, cut short, swapped, or with a byte changed."""
    lines = draw(st.sampled_from(files)).read_bytes().split(b"\n")
    for _ in range(draw(st.integers(0, 4))):
        if not lines:
            break
        place = draw(st.integers(0, len(lines) - 1))
        kind = draw(st.sampled_from(["drop", "double", "cut", "swap", "byte", "end"]))
        line = lines[place]
        if kind == "drop":
            del lines[place]
        elif kind == "double":
            lines.insert(place, line)
        elif kind == "cut":
            lines[place] = line[: draw(st.integers(0, len(line)))]
        elif kind == "swap":
            lines[place], lines[0] = lines[0], lines[place]
        elif kind == "end":
            lines = lines[:place]
        elif line:
            at = draw(st.integers(0, len(line) - 1))
            lines[place] = line[:at] + draw(st.binary(min_size=1, max_size=3)) + line[at + 1 :]
    return b"\n".join(lines)
