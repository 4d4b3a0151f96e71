"""Pushes that are lying there: which is the last, which was not brought to an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.push.folder import PushFolder
from fabric.live.push.journal import read
from fabric.live.push.standing import Standings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def begun(pushes: Path) -> Iterator[PushFolder]:
    """Pushes that were begun, the last one first."""
    if pushes.is_dir():
        found = (PushFolder(path) for path in pushes.iterdir())
        yield from sorted((f for f in found if _has_lines(f)), key=_age, reverse=True)


def _has_lines(folder: PushFolder) -> bool:
    """A journal of which the disk took no line belongs to a push that was not begun."""
    return folder.journal.exists() and folder.journal.stat().st_size > 0


def _age(folder: PushFolder) -> tuple[str, int]:
    """By the time in its name; within one second, by the last line of its journal."""
    return folder.path.name[: len("20261201-064256")], folder.journal.stat().st_mtime_ns


def standings(folder: PushFolder) -> Standings:
    """Where a push and its devices stand; all empty where it was not begun.

    Raises:
        JournalError: its journal is damaged.
    """
    return Standings.of(read(folder.journal).records if folder.journal.exists() else ())


def to_resume(pushes: Path) -> PushFolder | None:
    """The last push, if anything is left to do for it: also one that could not restore a device.

    Raises:
        JournalError: its journal is damaged.
    """
    last = next(begun(pushes), None)
    return last if last is not None and standings(last).push.unended else None


def open_push(pushes: Path) -> PushFolder | None:
    """The last push, if it was begun and cut off or interrupted.

    Raises:
        JournalError: its journal is damaged.
    """
    last = next(begun(pushes), None)
    return last if last is not None and standings(last).push.open else None
