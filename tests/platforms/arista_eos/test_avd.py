"""Arista's own generator writes the same lines from the same model; its schema takes the values."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.platforms.arista_eos.cases import EVERY, FILE, model, text
from tests.platforms.arista_eos.structured import structured_config

pyavd: Any = pytest.importorskip(
    "pyavd", reason="pyavd is not installed; 6.4.0 was used to judge the text"
)
PROFILE = re.compile(r"^interface (\S+)\n(?:   .*\n)*?   service-profile (\S+)$", re.MULTILINE)
OWN = "ntp server"  # the inventory's own line


def lines(config: str) -> set[tuple[str, ...]]:
    """Each line with the lines that it stands below; order counts for none of ours."""
    found: set[tuple[str, ...]] = set()
    above: list[tuple[int, str]] = []
    for line in config.splitlines():
        text_, depth = line.strip(), len(line) - len(line.lstrip())
        if not text_ or text_.startswith("!"):
            continue
        above = [(d, t) for d, t in above if d < depth] + [(depth, text_)]
        found.add(tuple(t for _, t in above))
    return found


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_its_schema_and_its_words(case: str, device: str) -> None:
    config = text(case, device)
    structured = structured_config(model(case, device), dict(PROFILE.findall(config)))
    judged = pyavd.validate_structured_config(structured).validation_result
    assert [violation.message for violation in judged.violations] == []
    assert list(judged.ignored_eos_config_keys) == []
    ours = {path for path in lines(config) if not path[0].startswith(OWN)}
    assert ours == lines(pyavd.get_device_config(structured)), FILE
