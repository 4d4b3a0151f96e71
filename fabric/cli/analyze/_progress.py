"""How far a long computation is, on a terminal."""

from __future__ import annotations

import sys
import time

_EVERY_S = 0.2


class Shown:
    """A line on standard error that is written over; nothing where that is no terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._is_terminal = sys.stderr.isatty()
        self._last_s = time.monotonic()

    def progress(self, done: int, of: int) -> None:
        """Items done, of how many."""
        now_s = time.monotonic()
        if self._is_terminal and now_s - self._last_s > _EVERY_S:
            self._last_s = now_s
            sys.stderr.write(f"\r{done:,} of {of:,} {self._what}")

    def clear(self) -> None:
        """Wipe the line."""
        if self._is_terminal:
            sys.stderr.write("\r\x1b[K")
