from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from fabric import discover

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    package = tmp_path / "toy_room"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "square.py").write_text("TITLE = 'square'\n")
    (package / "_shared.py").write_text("raise RuntimeError('not an entry')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [n for n in sys.modules if n.startswith("toy_room")]:
        monkeypatch.delitem(sys.modules, name)
    return "toy_room"


def test_entries_are_named_without_importing(room: str) -> None:
    assert discover.entry_names(room) == ("square",)
    assert f"{room}.square" not in sys.modules
    assert discover.entry(room, "square").TITLE == "square"


def test_unknown_entry_names_those_there_are(room: str) -> None:
    with pytest.raises(discover.UnknownEntryError, match="it has square"):
        discover.entry(room, "circle")


def test_two_entries_of_one_name(
    room: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = tmp_path / "second"
    second.mkdir()
    (second / "square.py").write_text("")
    package = __import__(room)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(second)])
    with pytest.raises(ValueError, match="square exists twice"):
        discover.entry_names(room)
