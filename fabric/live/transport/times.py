"""How long is waited for what; every figure is multiplied by one factor."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_WAIT_S = 1.0  # between two looks at the clock, which may not be the machine's


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds, before ``factor``.

    ``connect_s``: TCP. ``banner_s``: the SSH banner and the exchange of keys. ``auth_s``: the
    answer to a login (behind it may stand RADIUS). ``prompt_s``: the first prompt, and the answers
    to ``setup``. ``session_s``: the longest that one session may last.
    """

    connect_s: float = 10.0
    banner_s: float = 15.0
    auth_s: float = 30.0
    prompt_s: float = 30.0
    session_s: float = 1800.0
    factor: float = 1.0


class Deadline:
    """A point in time by a clock of the caller's; of two, the earlier counts."""

    def __init__(
        self, seconds: float, clock: Callable[[], float], within: Deadline | None = None
    ) -> None:
        self._clock = clock
        self.seconds = seconds if within is None else max(0.0, min(seconds, within.left_s))
        self._until: float = clock() + self.seconds

    @property
    def left_s(self) -> float:
        """Seconds left; negative when it has passed."""
        return self._until - self._clock()

    @property
    def passed(self) -> bool:
        """Whether no time is left."""
        return self.left_s <= 0

    @property
    def wait_s(self) -> float:
        """For how long to wait before the clock is looked at again; above 0."""
        return max(0.001, min(self.left_s, _LONGEST_WAIT_S))

    def within(self, seconds: float) -> Deadline:
        """A shorter time that starts now and ends with this one at the latest."""
        return Deadline(seconds, self._clock, self)


def start(times: Times, clock: Callable[[], float] = time.monotonic) -> Deadline:
    """The deadline of a session that begins now."""
    return Deadline(times.session_s * times.factor, clock)
