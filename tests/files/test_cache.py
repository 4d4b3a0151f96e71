from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.files.cache import cache_folder

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_it_is_made_for_this_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = cache_folder("templates")
    assert folder == tmp_path / "roce-fabric-templates"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_one_that_others_can_write_to_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = cache_folder("templates")
    assert folder is not None
    folder.chmod(0o777)
    assert cache_folder("templates") is None


def test_without_a_home_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    assert cache_folder("templates") is None
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder("templates") == tmp_path / ".cache/roce-fabric-templates"


def test_a_file_in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "roce-fabric-templates").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder("templates") is None
