"""A second process that renders the switches while this one reads, checks and renders hosts.

Half of a plan's time is imports and templates, and neither can be shared by threads. The process
is forked before anything heavy is imported, imports what rendering needs, and waits for the
design. Whatever goes wrong in it, the caller renders the rest itself and meets the same error.
It is killed when the caller has every switch, also while it is at one that the caller did.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fabric.model.design import Design
    from fabric.plan.switches import SwitchText


class SecondProcess:
    """The parent's side: give it a design once, take the switches that are done."""

    def __init__(self, child: int, to_child: BinaryIO, from_child: BinaryIO) -> None:
        self._child = child
        self._to_child = to_child
        self._from_child = from_child
        self._queue: SimpleQueue[SwitchText | None] = SimpleQueue()
        self._reader: threading.Thread | None = None
        self._ended = False

    def begin(self, design: Design, roots: tuple[Path, ...]) -> None:
        """Let it render every switch of ``design``."""
        try:
            pickle.dump((design, roots), self._to_child, protocol=5)
            self._to_child.flush()
        except OSError:  # it is gone; there will be no switches
            self._ended = True
            return
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        # A pickle from our own child, over a pipe that nobody else has.
        try:
            while (item := pickle.load(self._from_child)) is not None:  # noqa: S301
                self._queue.put(item)
        except (EOFError, OSError, pickle.UnpicklingError):
            pass
        self._queue.put(None)

    def ready(self) -> Iterator[SwitchText]:
        """The switches that are done by now, in order."""
        while not self._ended:
            try:
                item = self._queue.get_nowait()
            except Empty:
                return
            if item is None:
                self._ended = True
            else:
                yield item

    def close(self) -> None:
        """End the process."""
        os.kill(self._child, signal.SIGKILL)  # ours and not yet waited for: the number is its own
        os.waitpid(self._child, 0)
        if self._reader is not None:
            self._reader.join()  # it meets the end of the pipe
        self._from_child.close()
        with suppress(OSError):  # data that nobody reads any more
            self._to_child.close()


@contextmanager
def second_process() -> Iterator[SecondProcess | None]:
    """A second process; ``None`` on one processor, or where other threads forbid to fork."""
    if _processors() == 1 or threading.active_count() > 1:
        yield None
        return
    sys.stdout.flush()
    sys.stderr.flush()
    child_reads, parent_writes = os.pipe()
    parent_reads, child_writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(parent_writes)
        os.close(parent_reads)
        _child(child_reads, child_writes)
    os.close(child_reads)
    os.close(child_writes)
    second = SecondProcess(child, os.fdopen(parent_writes, "wb"), os.fdopen(parent_reads, "rb"))
    try:
        yield second
    finally:
        second.close()


def _processors() -> int:
    """Processors that this process may use; 1 where the system does not tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def _child(reads: int, writes: int) -> None:
    """The child's side; never returns, never prints."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
        from fabric.plan.switches import switch_texts  # noqa: PLC0415 — after the fork, on purpose

        with os.fdopen(reads, "rb") as source, os.fdopen(writes, "wb") as target:
            design, roots = pickle.load(source)  # noqa: S301 — from our own parent
            for text in switch_texts(design, roots):
                pickle.dump(text, target, protocol=5)
            pickle.dump(None, target, protocol=5)
    finally:
        os._exit(0)
