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
    """Pushes that were begun, the last one first; names of folders sort by time."""
    if pushes.is_dir():
        for path in sorted(pushes.iterdir(), reverse=True):
            folder = PushFolder(path)
            if folder.journal.exists():
                yield folder


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
