"""The words of NVUE, read line by line against their sources; any change shows here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.platforms.cumulus_nvue.cases import CASES, EVERY, files, model, render
from tests.platforms.cumulus_nvue.evidence import BLOCKS, SOURCES

GOLDEN = Path(__file__).with_name("golden")
FORMS = [form for block in BLOCKS for form in block]
LINES = {
    line
    for file in GOLDEN.rglob("*.nv")
    for line in file.read_text().splitlines()
    if not line.startswith("#")
}


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_golden(case: str, device: str) -> None:
    folder = GOLDEN / case / device
    assert files(case, device) == {file.name: file.read_text() for file in folder.iterdir()}


@pytest.mark.parametrize("case", CASES)
def test_rendering_again_gives_the_same_bytes(case: str) -> None:
    assert render(model(case)) == render(model(case))


def test_every_line_has_a_source() -> None:
    assert LINES
    unknown = {line for line in LINES if not any(re.fullmatch(f, line) for _, f in FORMS)}
    assert unknown == set()


def test_no_source_stands_for_nothing() -> None:
    assert {s for sources, _ in FORMS for s in sources.split()} == SOURCES.keys()
    unused = [form for _, form in FORMS if not any(re.fullmatch(form, line) for line in LINES)]
    assert unused == []


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_a_file_holds_comments_and_nv_set_alone(case: str, device: str) -> None:
    """With anything else in it NVUE takes the file for YAML."""
    for text in files(case, device).values():
        lines = text.splitlines()
        assert all(line.startswith(("#", "nv set ")) for line in lines)
        assert len(set(lines)) == len(lines)
