"""Work on many devices by a few: bounded threads, which die with the process.

``concurrent.futures`` waits for its threads at exit, so that a second Ctrl-C would wait for a
device that does not answer.
"""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from fabric.live.push.means import HardStop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fabric.live.push.means import Stop

T = TypeVar("T")
R = TypeVar("R")
_LOOK_S = 0.2  # how soon a second Ctrl-C is noticed


def each(
    work: Callable[[T], R], items: Iterable[T], *, workers: int, stop: Stop, begin_all: bool
) -> list[tuple[T, R]]:
    """``work`` on every item, ``workers`` at a time; pairs in the order of ending.

    ``begin_all``: also after the first Ctrl-C; else items that were not begun are left out.

    Raises:
        HardStop: the user asked twice; work may go on in threads that nobody waits for.
        BaseException: the first that ``work`` raised.
    """
    waiting: SimpleQueue[T] = SimpleQueue()
    for item in items:
        waiting.put(item)
    ended: SimpleQueue[tuple[T, R] | BaseException | None] = SimpleQueue()

    def worker() -> None:
        try:
            while not (stop.hard or (stop.soft and not begin_all)):
                item = waiting.get_nowait()
                ended.put((item, work(item)))
        except Empty:
            pass
        except BaseException as error:  # noqa: BLE001 - raised again by the one who waits
            ended.put(error)
        ended.put(None)

    running = min(workers, waiting.qsize())
    for _ in range(running):
        threading.Thread(target=worker, daemon=True).start()
    return _collected(ended, running, stop)


def _collected(
    ended: SimpleQueue[tuple[T, R] | BaseException | None], running: int, stop: Stop
) -> list[tuple[T, R]]:
    pairs: list[tuple[T, R]] = []
    while running:
        stop.check()
        stop.notice()
        try:
            one = ended.get(timeout=_LOOK_S)
        except Empty:
            continue
        if one is None:
            running -= 1
        elif isinstance(one, BaseException):
            raise one
        else:
            pairs.append(one)
    if stop.hard:
        raise HardStop
    return pairs
