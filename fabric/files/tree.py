"""Writing a folder whole or not at all."""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class NotOursError(RuntimeError):
    """The target exists and is not something that this program wrote."""


def previous_of(target: Path) -> Path:
    """Where the version before the current one stays: ``.<name>.previous`` beside it."""
    return target.with_name(f".{target.name}.previous")


def restore_interrupted(target: Path) -> bool:
    """Put back the old folder after a crash between the two renames of :meth:`Staged.commit`.

    Returns whether anything had to be put back.
    """
    previous = previous_of(target)
    if target.exists() or not previous.exists():
        return False
    previous.rename(target)
    return True


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Only one process at a time swaps folders below ``folder``."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@dataclass
class Written:
    """Files of a new version by name, ``/`` between folders; ``kept``: as in the old version."""

    names: set[str] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)


class Staged:
    """A new version of ``target`` under construction beside it.

    ``marker``: a file that every version holds; a target without it is never replaced.
    A file that the old version has just so is not written: if there is a new version at all, it
    gets a hard link. A forked process may write other files through its copy, and tells the owner
    by :attr:`written` and :meth:`add`.

    Raises:
        NotOursError: ``target`` exists without ``marker``.
        OSError: the folder above cannot be written.
    """

    def __init__(self, target: Path, marker: str) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        restore_interrupted(target)
        self._replaces = target.exists()
        if self._replaces and not (target / marker).is_file():
            msg = f"{target} exists and holds no {marker}: it is not replaced"
            raise NotOursError(msg)
        self._target = target
        self._stage = target.with_name(f".{target.name}.new-{os.getpid()}")
        shutil.rmtree(self._stage, ignore_errors=True)
        self._stage.mkdir()
        self._folders: set[str] = set()
        self.written = Written()

    def write(self, name: str, data: bytes, *, mode: int = 0o644) -> None:
        """Add one file, ``name`` relative to the folder, with ``/``.

        Raises:
            OSError: it could not be written.
        """
        self.written.names.add(name)
        executable = bool(mode & 0o100)
        if self._replaces and _holds(f"{self._target}/{name}", data, executable=executable):
            self.written.kept.add(name)
            return
        self._make_folder(name)
        # Three calls of the system a file; a file object makes eight.
        file = os.open(f"{self._stage}/{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(file, view) :]
            if mode != 0o644:  # noqa: PLR2004 — what the usual umask leaves of 0666
                os.fchmod(file, mode)
        finally:
            os.close(file)

    def add(self, others: Written) -> None:
        """Take over what another process has written."""
        self.written.names |= others.names
        self.written.kept |= others.kept

    def _make_folder(self, name: str) -> None:
        folder = name.rpartition("/")[0]
        if folder not in self._folders:
            _make(f"{self._stage}/{folder}")
            self._folders.add(folder)

    def commit(self) -> bool:
        """Swap the new version in; the old one stays as :func:`previous_of`.

        Equal content touches nothing. Returns whether the folder changed.

        Raises:
            OSError: the folders cannot be swapped; the old version is untouched.
        """
        names, kept = self.written.names, self.written.kept
        if len(kept) == len(names) == len(file_names(self._target)):
            self.discard()
            return False
        for name in kept:
            self._make_folder(name)
            _link(f"{self._target}/{name}", f"{self._stage}/{name}")
        previous = previous_of(self._target)
        with _locked(self._target.parent):
            if self._target.exists():
                shutil.rmtree(previous, ignore_errors=True)
                self._target.rename(previous)
            self._stage.rename(self._target)
        return True

    def discard(self) -> None:
        """Forget the new version."""
        shutil.rmtree(self._stage, ignore_errors=True)


def _holds(path: str, data: bytes, *, executable: bool) -> bool:
    """Whether a file is there and has this content and may be executed or not."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        about = os.fstat(file)
        if about.st_size != len(data) or bool(about.st_mode & 0o100) != executable:
            return False
        with os.fdopen(file, "rb", closefd=False) as opened:
            return opened.read() == data
    except OSError:
        return False
    finally:
        os.close(file)


def _make(folder: str) -> None:
    """A folder, and those above; another process may have made it."""
    try:
        os.mkdir(folder)  # noqa: PTH102 — thousands of folders, nearly all of them new
    except OSError:
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103


def _link(old: str, new: str) -> None:
    """One more name for a file, or a copy where the file system has no hard links."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copy2(old, new)


def file_names(folder: Path) -> list[str]:
    """Files below ``folder``, relative, with ``/``, sorted; empty when there is no folder."""
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )
