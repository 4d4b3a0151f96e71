"""A second process that renders switches while this one renders hosts, then switches as well.

Rendering is pure computing, which threads cannot share. The process is forked when the design is
there, so it needs nothing sent to it. Whatever goes wrong in it, the caller renders the rest
itself and meets the same error. It is killed when the caller has every switch, also while it is
at one that the caller did.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, BinaryIO

from fabric.plan.switches import switch_texts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fabric.model.design import Design
    from fabric.plan.switches import SwitchText

FEWEST_SWITCHES = 4  # below, forking takes longer than rendering


class SecondProcess:
    """The parent's side: take the switches that are done."""

    def __init__(self, child: int, from_child: BinaryIO) -> None:
        self._child = child
        self._from_child = from_child
        self._queue: SimpleQueue[SwitchText] = SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        # A pickle from our own child, over a pipe that nobody else has.
        try:
            while True:
                self._queue.put(pickle.load(self._from_child))  # noqa: S301
        except (EOFError, OSError, pickle.UnpicklingError):
            return

    def ready(self) -> Iterator[SwitchText]:
        """The switches that are done by now, in order."""
        while True:
            try:
                yield self._queue.get_nowait()
            except Empty:
                return

    def close(self) -> None:
        """End the process."""
        os.kill(self._child, signal.SIGKILL)  # ours and not yet waited for: the number is its own
        os.waitpid(self._child, 0)
        self._reader.join()  # it meets the end of the pipe
        self._from_child.close()


@contextmanager
def second_process(design: Design, roots: tuple[Path, ...]) -> Iterator[SecondProcess | None]:
    """A second process at work; ``None`` on one processor, or where threads forbid to fork."""
    few = len(design.topology.switches) < FEWEST_SWITCHES
    if few or _processors() == 1 or threading.active_count() > 1:
        yield None
        return
    sys.stdout.flush()
    sys.stderr.flush()
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        _child(design, roots, writes)
    os.close(writes)
    second = SecondProcess(child, os.fdopen(reads, "rb"))
    try:
        yield second
    finally:
        second.close()


def _processors() -> int:
    """Processors that this process may use; 1 where the system does not tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def _child(design: Design, roots: tuple[Path, ...], writes: int) -> None:
    """The child's side; never returns, never prints."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
        with os.fdopen(writes, "wb") as target:
            for text in switch_texts(design, roots):
                pickle.dump(text, target, protocol=5)
                target.flush()
    finally:
        os._exit(0)
