"""A second process, and queues that two processes take their work from.

Rendering is pure computing, which threads cannot share. The process is forked when the design is
there, so it needs nothing sent to it; it writes its files itself and sends what is to be remembered
of them once it has finished. Whatever goes wrong in it, the caller does that work and meets the
same error.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO

T = TypeVar("T")
_HANDFULS = 256  # of a queue: nobody waits for long at its end, and few have to be asked for
_BYTES = 4  # of a place in a queue


class Queue(Generic[T]):
    """Items that two processes take from the front, a handful at a time, each item once.

    Places of items lie in a pipe, from which the system gives each to one reader.
    """

    def __init__(self, items: Sequence[T]) -> None:
        self._items = items
        self._handful = max(1, -(-len(items) // _HANDFULS))
        self._owner = os.getpid()
        self._places, writes = os.pipe()
        with os.fdopen(writes, "wb") as file:
            for place in range(0, len(items), self._handful):
                file.write(place.to_bytes(_BYTES, "big"))

    def __iter__(self) -> Iterator[T]:
        while place := os.read(self._places, _BYTES):
            if self._owner not in (os.getpid(), os.getppid()):
                return  # the owner has gone, and nobody wants the rest
            first = int.from_bytes(place, "big")
            yield from self._items[first : first + self._handful]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._places)


def can_fork() -> bool:
    """Whether a second process pays: more than one processor, and no thread that forbids it."""
    return _processors() > 1 and threading.active_count() == 1


@contextmanager
def second_process(work: Callable[[], object]) -> Iterator[Callable[[], Any]]:
    """A second process at ``work``; yields a function that waits for what it returns.

    That is ``None`` if it failed. The process ends with the block, if it has not yet.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        _child(work, writes)
    os.close(writes)
    try:
        with os.fdopen(reads, "rb") as from_child:
            yield lambda: _result(from_child)
    finally:
        os.kill(child, signal.SIGKILL)  # ours and not yet waited for: the number is its own
        os.waitpid(child, 0)


def _processors() -> int:
    """Processors that this process may use; 1 where the system does not tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def _result(from_child: BinaryIO) -> Any:
    # A pickle from our own child, over a pipe that nobody else has.
    try:
        return pickle.load(from_child)  # noqa: S301
    except (EOFError, OSError, pickle.UnpicklingError):
        return None


def _child(work: Callable[[], object], writes: int) -> None:
    """The child's side; never returns, never prints."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
        with os.fdopen(writes, "wb") as target:
            pickle.dump(work(), target, protocol=5)
    finally:
        os._exit(0)
