"""A clock for who waits for fake switches: to sleep is to let the time of all of them jump."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.live.rehearsal.control import Rehearsal


class HurryingClock:
    """As ``fabric.live.push.means.Clock``: the switches' time since it was made, on top of ours.

    ``second_s``: how long one second of theirs is for who waits, so by what all its times are
    multiplied. A timer of ten minutes that everybody only waits for runs out at once.
    """

    def __init__(self, rehearsal: Rehearsal, second_s: float) -> None:
        self._rehearsal, self._second_s = rehearsal, second_s
        self._base = time.time() - rehearsal.now() * second_s

    def now(self) -> float:
        """Seconds since 1970, and what was slept over."""
        return self._base + self._rehearsal.now() * self._second_s

    def sleep(self, seconds: float) -> None:
        """Let everybody's time jump."""
        self._rehearsal.advance(seconds / self._second_s)
