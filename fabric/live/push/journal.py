"""What a push did, a line each, on the disk before the next thing begins."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from fabric.model.push import Effect

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = 1
DAMAGED, NOT_WRITTEN = "RCE943", "RCE944"


class JournalError(Exception):
    """A journal that cannot be read or written; ``rule`` and ``fix`` for the user."""

    def __init__(self, rule: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.rule, self.fix = rule, fix


@dataclass(frozen=True, slots=True)
class Record:
    """One line.

    ``event``: ``push`` (begins, resumed, aborting, interrupted, closed), ``contact`` (done),
    ``step`` (begins, done, failed), ``phase`` (done; of ``apply`` it says in ``peers`` which BGP
    sessions were up before; failed where no step and no gate did), ``gate`` (passed, failed),
    ``device`` (its outcome), ``timer`` (its class: one will run). ``at``: seconds since 1970.
    ``phase``: apply, confirm, save or restore.
    """

    event: str
    status: str
    device: str = ""
    wave: int = 0
    phase: str = ""
    step: str = ""
    effect: Effect | None = None
    message: str = ""
    cause: str = ""
    peers: tuple[str, ...] | None = None
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Recorded:
    """A journal as it was found. ``half_line``: what stood behind the last whole line."""

    records: tuple[Record, ...]
    half_line: str = ""


class Journal:
    """Appends to the journal of one push; safe for threads. One ``fsync`` serves all who wait.

    A file that was removed or replaced meanwhile takes no line more: nobody would find it.
    """

    def __init__(self, path: Path) -> None:
        """Open it, without the half line that a crash may have left.

        Raises:
            JournalError: it is damaged, or cannot be opened.
        """
        found = read(path) if path.exists() else Recorded(())
        self._path, self.half_line = path, found.half_line
        self._written = self._synced = len(found.records)
        self._broken = False
        self._write, self._sync = threading.Lock(), threading.Lock()
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            if found.half_line:
                cut = len(found.half_line.encode("utf-8", "surrogateescape"))
                os.ftruncate(self._file, os.fstat(self._file).st_size - cut)
            os.fsync(self._file)
            _fsync_folder(path.parent)
        except OSError as error:
            raise _not_written(path, error) from None

    def write(self, record: Record) -> None:
        """Append a line; on the disk when this returns.

        Raises:
            JournalError: it cannot be written, now or since an earlier line.
        """
        try:
            with self._write:
                self._check()
                line = json.dumps({"n": self._written + 1, **_plain(record)}, ensure_ascii=False)
                _whole(self._file, f"{line}\n".encode())
                self._written = mine = self._written + 1
            with self._sync:
                self._check()
                if self._synced < mine:
                    so_far = self._written
                    os.fsync(self._file)
                    self._synced = so_far
        except OSError as error:
            self._broken = True  # what follows a half line would be damage
            raise _not_written(self._path, error) from None

    def _check(self) -> None:
        if self._broken:
            raise OSError(0, "an earlier line could not be written")
        found, mine = self._path.stat(), os.fstat(self._file)
        if not os.path.samestat(found, mine):
            raise OSError(0, "another file is there by now")

    def close(self) -> None:
        """Write no more, whoever still tries: the number of the file may soon be another's."""
        with self._write, self._sync:
            self._broken = True
            os.close(self._file)


def read(path: Path) -> Recorded:
    """All records of a journal; a last line without its end is left out and told.

    Raises:
        JournalError: anything else is damaged, or it cannot be read.
    """
    try:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}"
        raise JournalError(DAMAGED, msg, _BY_HAND) from None
    *lines, rest = text.split("\n")
    return Recorded(tuple(_record(path, n, line) for n, line in enumerate(lines, 1)), rest)


_BY_HAND = (
    "put the journal back from a copy, or look at each device and delete the folder of this push"
)


def _record(path: Path, number: int, line: str) -> Record:
    try:
        data: dict[str, Any] = json.loads(line)
        if data.pop("n") != number:
            raise ValueError(_GAP)  # noqa: TRY301 - one way out for all damage
        effect, peers = data.get("effect"), data.get("peers")
        data["effect"] = None if effect is None else Effect(effect)
        data["peers"] = None if peers is None else tuple(peers)
        record = Record(**data)
    except (ValueError, TypeError, KeyError, AttributeError):
        msg = f"{path}:{number}: this is no line {number} of a journal: {line[:60]!r}"
        raise JournalError(DAMAGED, msg, _BY_HAND) from None
    return record


_GAP = "lines are missing"


def _plain(record: Record) -> dict[str, object]:
    """Without what is empty."""
    return {
        k: v for k, v in asdict(record).items() if v not in ("", None) and (v != 0 or k == "effect")
    }


def _whole(file: int, line: bytes) -> None:
    if os.write(file, line) != len(line):
        raise OSError(0, "the disk took half a line")


def _fsync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _not_written(path: Path, error: OSError) -> JournalError:
    msg = f"{path} cannot be written: {error.strerror}"
    return JournalError(
        NOT_WRITTEN, msg, "make room on the disk; then `fabric status` says what is open"
    )
