"""One push at a time: ``.fabric/<fabric>/push.lock`` says who, where, since when.

The file is also locked in the sense of ``flock``, which ends with the process however that ends; so
a stale lock is known for certain on the host that took it, also where a process id was used again.
"""

from __future__ import annotations

import fcntl
import getpass
import json
import os
import socket
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HELD, STALE, NOT_WRITTEN = "RCE940", "RCE941", "RCE944"
_FILE = "push.lock"


@dataclass(frozen=True, slots=True)
class Owner:
    """Who pushes. ``push``: name of the push's folder; ``time``: UTC, ISO 8601."""

    user: str
    host: str
    pid: int
    time: str
    push: str

    def __str__(self) -> str:
        return f"{self.user} on {self.host} (process {self.pid}) since {self.time}"


class LockedError(Exception):
    """Another push is going on, or one ended in the middle; ``rule`` and ``fix`` for the user."""

    def __init__(self, rule: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.rule, self.fix = rule, fix


def owner(folder: Path) -> Owner | None:
    """Who holds or left the lock in ``folder`` (``.fabric/<fabric>``); ``None``: nobody."""
    try:
        return Owner(**json.loads((folder / _FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def holder(folder: Path) -> Owner | None:
    """Who holds the lock at this moment; of a lock of another host, who wrote it."""
    left = owner(folder)
    if left is None or left.host != socket.gethostname():
        return left
    descriptor = os.open(folder / _FILE, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return left
    finally:
        os.close(descriptor)
    return None


@contextmanager
def locked(folder: Path, push: str, *, take_over: bool, now: float) -> Iterator[None]:
    """Hold the lock of a fabric. ``take_over``: also one that a dead process left.

    Raises:
        LockedError: somebody holds it, or left it and ``take_over`` is false; or it cannot be
            written.
    """
    path = folder / _FILE
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise _not_written(path, error) from None
    try:
        _take(descriptor, folder, take_over=take_over)
        me = Owner(
            _user(),
            socket.gethostname(),
            os.getpid(),
            datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds"),
            push,
        )
        try:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, json.dumps(asdict(me)).encode(), 0)
            os.fsync(descriptor)
        except OSError as error:
            raise _not_written(path, error) from None
        yield
        os.ftruncate(descriptor, 0)  # never removed: another may have it open already
    finally:
        os.close(descriptor)


def _user() -> str:
    """Who this is; in a container the machine may have no name for it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


def _not_written(path: Path, error: OSError) -> LockedError:
    msg = f"{path} cannot be written: {error.strerror}"
    return LockedError(NOT_WRITTEN, msg, "make room on the disk, or mend its permissions")


def _take(descriptor: int, folder: Path, *, take_over: bool) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        msg = f"{folder.name} is being pushed to by {owner(folder) or 'somebody'}"
        raise LockedError(
            HELD, msg, "wait for its end; `fabric status` shows how far it is"
        ) from None
    left = owner(folder)
    if left is None:
        return
    if left.host != socket.gethostname():
        msg = f"{folder.name} is locked by {left}; whether it still runs cannot be seen from here"
        fix = f"look on {left.host}; if nothing runs there, remove {folder / _FILE}"
        raise LockedError(HELD, msg, fix)
    if not take_over:
        msg = f"the push of {left} ended in the middle: its process is gone, its journal open"
        raise LockedError(STALE, msg, "`fabric push --resume` finishes or restores it")
