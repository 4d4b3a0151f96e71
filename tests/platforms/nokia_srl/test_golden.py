"""The values for SR Linux, read one by one against their sources; any change shows here."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.platforms.nokia_srl.cases import CASES, EVERY, FILE, model, render, text
from tests.platforms.nokia_srl.evidence import BLOCKS, SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterator

GOLDEN = Path(__file__).with_name("golden")
FORMS = [form for block in BLOCKS for form in block]


def paths(value: Any, path: str = "") -> Iterator[str]:
    """Paths of all leaves and empty containers, without keys and module prefixes."""
    if isinstance(value, dict) and value:
        for name, item in value.items():
            yield from paths(item, f"{path}/{name.rpartition(':')[2]}")
    elif isinstance(value, list):
        for item in value:
            yield from paths(item, path)
    else:
        yield path


LEAVES = {
    path for file in GOLDEN.rglob(FILE) for path in paths(json.loads(file.read_text("utf-8")))
}


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_golden(case: str, device: str) -> None:
    assert text(case, device) == (GOLDEN / case / device / FILE).read_text()


@pytest.mark.parametrize("case", CASES)
def test_rendering_again_gives_the_same_bytes(case: str) -> None:
    assert render(model(case)) == render(model(case))


def test_every_leaf_has_a_source() -> None:
    assert LEAVES
    unknown = {leaf for leaf in LEAVES if not any(re.fullmatch(f, leaf) for _, f in FORMS)}
    assert unknown == set()


def test_no_source_stands_for_nothing() -> None:
    assert {s for sources, _ in FORMS for s in sources.split()} == SOURCES.keys()
    unused = [form for _, form in FORMS if not any(re.fullmatch(form, leaf) for leaf in LEAVES)]
    assert unused == []
