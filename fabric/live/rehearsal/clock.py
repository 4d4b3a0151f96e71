"""The time of fake switches: real time, scaled and moved."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_GLANCE_S = 0.2  # real seconds between looks at whether anybody still waits


class FakeClock:
    """Fake seconds that only grow. ``second_s``: how many real seconds one of them lasts.

    0: time stands still, but for ``advance`` and for what commands take, which then passes at once.
    That makes single devices quick and exact; of many at work at once it would add up the times.
    """

    def __init__(self, second_s: float = 1.0) -> None:
        self._changed = threading.Condition()
        self._second_s = second_s
        self._base, self._since = 0.0, time.monotonic()

    def __call__(self) -> float:
        """The time now, in fake seconds."""
        if not self._second_s:
            return self._base
        return self._base + (time.monotonic() - self._since) / self._second_s

    def scale(self, second_s: float) -> None:
        """From now on let a fake second last so long."""
        with self._changed:
            self._base, self._since = self(), time.monotonic()
            self._second_s = second_s
            self._changed.notify_all()

    def advance(self, seconds: float) -> None:
        """Let fake time jump ahead; who sleeps wakes up if it is time."""
        with self._changed:
            self._base += seconds
            self._changed.notify_all()

    def spend(self, seconds: float, alive: Callable[[], bool]) -> None:
        """Let pass what a command takes: wait, or jump where time stands still."""
        if self._second_s:
            self.sleep(seconds, alive)
        elif seconds:
            self.advance(seconds)

    def sleep(self, seconds: float, alive: Callable[[], bool]) -> None:
        """Wait for fake seconds, or until nobody waits any more."""
        until = self() + seconds
        with self._changed:
            while (left := until - self()) > 0 and alive():
                self._changed.wait(min(left * self._second_s or _GLANCE_S, _GLANCE_S))
