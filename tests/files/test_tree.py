from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import pytest

from fabric.files.tree import NotOursError, Staged, file_names, previous_of, restore_interrupted

if TYPE_CHECKING:
    from pathlib import Path

MARK = "plan.json"


def write(target: Path, files: dict[str, str]) -> bool:
    stage = Staged(target, MARK)
    for name, text in {MARK: "{}", **files}.items():
        stage.write(name, text.encode())
    return stage.commit()


def test_first_version_has_no_previous(tmp_path: Path) -> None:
    target = tmp_path / "build" / "a"
    assert write(target, {"configs/x/c": "1"})
    assert file_names(target) == ["configs/x/c", MARK]
    assert not previous_of(target).exists()


def test_second_version_keeps_the_first(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(target, {"c": "1"})
    assert write(target, {"c": "2"})
    assert (target / "c").read_text() == "2"
    assert (previous_of(target) / "c").read_text() == "1"


def test_equal_content_touches_nothing(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(target, {"c": "1"})
    before = (target / "c").stat()
    assert not write(target, {"c": "1"})
    assert (target / "c").stat() == before
    assert not previous_of(target).exists()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_file_less_is_a_change(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(target, {"c": "1", "d": "1"})
    assert write(target, {"c": "1"})
    assert file_names(target) == ["c", MARK]


def test_what_stays_is_linked_not_written(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(target, {"c/d": "1", "e": "1"})
    before = (target / "c" / "d").stat().st_ino
    assert write(target, {"c/d": "1", "e": "2"})
    assert file_names(target) == ["c/d", "e", MARK]
    assert (target / "c" / "d").stat().st_ino == before
    assert (target / "e").read_text() == "2"
    assert (previous_of(target) / "e").read_text() == "1"
    assert (previous_of(target) / "c" / "d").read_text() == "1"


def test_without_hard_links_it_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_old: str, _new: str) -> None:
        raise OSError

    target = tmp_path / "a"
    write(target, {"c/d": "1", "e": "1"})
    monkeypatch.setattr("fabric.files.tree.os.link", refused)
    assert write(target, {"c/d": "1", "e": "2"})
    assert (target / "c" / "d").read_text() == "1"


def test_a_script_that_lost_its_mode_is_written_again(tmp_path: Path) -> None:
    target = tmp_path / "a"
    for expected in (True, False, True):
        stage = Staged(target, MARK)
        stage.write(MARK, b"{}")
        stage.write("run.sh", b"#!/bin/sh", mode=0o755)
        assert stage.commit() is expected
        assert (target / "run.sh").stat().st_mode & 0o777 == 0o755
        if not expected:
            (target / "run.sh").chmod(0o644)


def test_a_folder_in_the_place_of_a_file_is_a_change(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(target, {"c/d": "1"})
    assert write(target, {"c": "1"})
    assert file_names(target) == ["c", MARK]


def test_discard_leaves_the_old_whole(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(target, {"c": "1"})
    stage = Staged(target, MARK)
    stage.write("c", b"2")
    stage.discard()
    assert (target / "c").read_text() == "1"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_crash_between_the_renames_is_put_back(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(target, {"c": "1"})
    target.rename(previous_of(target))
    assert restore_interrupted(target)
    assert (target / "c").read_text() == "1"
    assert not restore_interrupted(target)


def test_a_new_version_puts_back_before_it_compares(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(target, {"c": "1"})
    target.rename(previous_of(target))
    assert not write(target, {"c": "1"})
    assert (target / "c").read_text() == "1"


def test_a_file_that_cannot_be_written_leaves_the_old_whole(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(target, {"c": "1"})
    stage = Staged(target, MARK)
    stage.write("c", b"2")
    with pytest.raises(OSError, match="c"):
        stage.write("c/d", b"a file is no folder")
    stage.discard()
    assert (target / "c").read_text() == "1"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_many_files(tmp_path: Path) -> None:
    files = {f"d{n}/f": str(n) for n in range(500)}
    assert write(tmp_path / "a", files)
    assert not write(tmp_path / "a", files)
    assert (tmp_path / "a" / "d499" / "f").read_text() == "499"


def test_what_another_process_wrote_is_taken_over(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(target, {"c": "1", "d": "1"})
    for c, changed in (("1", False), ("2", True)):
        stage = Staged(target, MARK)
        other = copy.deepcopy(stage)  # as a forked process has it
        stage.write(MARK, b"{}")
        other.write("c", c.encode())
        other.write("d", b"1")
        stage.add(other.written)
        assert stage.commit() is changed
        assert (target / "c").read_text() == c
        assert (target / "d").read_text() == "1"


def test_what_is_not_ours_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.mkdir()
    (target / "thesis.tex").write_text("years of work")
    with pytest.raises(NotOursError, match=r"holds no plan\.json"):
        Staged(target, MARK)
    assert file_names(target) == ["thesis.tex"]
