"""The private folder of a rehearsal: gone at its end, or when the next one begins if it was killed.

A file in it is locked in the sense of ``flock`` while the rehearsal runs; the lock ends with the
process however that ends, so what a dead one left is known for certain.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.live.rehearsal.control import RehearsalError

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = "fabric-rehearse-"
_ALIVE = "alive"


@contextmanager
def private_room() -> Iterator[Path]:
    """A folder for one rehearsal; what killed ones left behind goes first.

    Raises:
        RehearsalError: there is no room for temporary files.
    """
    try:
        _clear(Path(tempfile.gettempdir()))
        made = tempfile.TemporaryDirectory(prefix=_PREFIX)
        descriptor = _marked(Path(made.name))
    except OSError as error:
        msg = f"no private folder for it: {error}; make room, or name another place by TMPDIR"
        raise RehearsalError(msg) from None
    try:
        with made:
            yield Path(made.name)
    finally:
        os.close(descriptor)


def _marked(folder: Path) -> int:
    """A locked file in the folder; nobody sees it before it is."""
    mark = folder / f".{_ALIVE}"
    descriptor = os.open(mark, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    mark.rename(folder / _ALIVE)
    return descriptor


def _clear(base: Path) -> None:
    for folder in base.glob(f"{_PREFIX}*"):
        try:
            descriptor = os.open(folder / _ALIVE, os.O_RDWR | os.O_NOFOLLOW)
        except OSError:
            continue  # no mark, or another user's
        try:
            if os.fstat(descriptor).st_uid == os.getuid():
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass  # its rehearsal goes on
        finally:
            os.close(descriptor)
