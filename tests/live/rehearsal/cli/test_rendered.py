"""What templates render, the fakes understand: the one place where the two are put together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.rehearsal.cli.driver import MODELS, Bench, switch

ROOT = Path(__file__).parents[3] / "platforms"
FILES = [
    pytest.param(name, path, id=f"{name}-{path.parent.parent.name}-{path.parent.name}")
    for name in sorted(MODELS)
    for path in sorted((ROOT / name / "golden").rglob("*"))
    if path.is_file()
]


@pytest.mark.parametrize(("name", "path"), FILES)
def test_rendered_lines_are_known_and_survive_being_written(name: str, path: Path) -> None:
    box = switch(name, Bench())
    config, refused = box.form.read(path.read_text(encoding="utf-8"), box.form.empty(), "merge")
    assert refused == []
    again, refused = box.form.read(box.text(config), None, "override")
    assert refused == []
    assert again == config
