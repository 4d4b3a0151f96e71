"""Pushes that are lying there: which is the last, which was not brought to an end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fabric.live.push.folder import PushFolder
from fabric.live.push.journal import read
from fabric.live.push.standing import Standings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LAST_BYTES = 65_536  # the line that ends a journal is far shorter


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
    """The push that is open; else the last one, if it could not restore a device.

    Raises:
        JournalError: a journal is damaged.
    """
    found = open_push(pushes)
    if found is not None:
        return found
    last = next(begun(pushes), None)
    if last is None or closed(last):
        return None
    return last if standings(last).push.unended else None


def open_push(pushes: Path) -> PushFolder | None:
    """The push that was begun and cut off or interrupted, whatever time its name bears.

    Raises:
        JournalError: a journal is damaged.
    """
    still = (folder for folder in begun(pushes) if not closed(folder))
    return next((folder for folder in still if standings(folder).push.open), None)


def closed(folder: PushFolder) -> bool:
    """Whether the last line of a journal says so; those above are not read."""
    with folder.journal.open("rb") as file:
        file.seek(max(0, folder.journal.stat().st_size - _LAST_BYTES))
        last = file.read().rpartition(b"\n")[0].rpartition(b"\n")[2]
    try:
        record = json.loads(last)
        return (record["event"], record["status"]) == ("push", "closed")
    except (ValueError, KeyError, TypeError):
        return False
