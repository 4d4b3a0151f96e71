"""What a push needs from around it: a clock, how long it waits, whether it was told to stop."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Clock(Protocol):
    """Time that tests can move."""

    def now(self) -> float:
        """Seconds since 1970, as in the journal, so that a later process can go on counting."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class RealClock:
    """The machine's own time as it was when this was made, counted on from there.

    Nobody who sets that time meanwhile shortens or lengthens what is waited for.
    """

    def __init__(self) -> None:
        self._base = time.time() - _counted()

    def now(self) -> float:
        """Seconds since 1970."""
        return self._base + _counted()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


def _counted() -> float:
    """Seconds since any moment that never jump; on Linux also those that the machine slept."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


@dataclass(frozen=True, slots=True)
class Waits:
    """How long things may take.

    ``reach_s``: to reach a lost device again; with a timer running on it at least until that has
    run out and ``grace_s`` more, but never over ``cap_s``. ``bgp_s``: until sessions are up again.
    ``attempts``: how often going back is begun anew.
    """

    reach_s: float = 120.0
    grace_s: float = 30.0
    cap_s: float = 1800.0
    bgp_s: float = 120.0
    poll_s: float = 2.0
    attempts: int = 3

    def scaled(self, factor: float) -> Waits:
        """All of them shorter or longer."""
        return replace(
            self,
            reach_s=self.reach_s * factor,
            grace_s=self.grace_s * factor,
            cap_s=self.cap_s * factor,
            bgp_s=self.bgp_s * factor,
            poll_s=self.poll_s * factor,
        )


class HardStop(BaseException):
    """Told to stop twice: nothing more is said to any device."""


class SoftStop(Exception):  # noqa: N818 - no error: the user wants out
    """Waiting for a device was given up because the user asked to stop."""


class Stop:
    """Whether the user asked to stop. Once: devices in flight are brought to an end. Twice: now."""

    def __init__(self) -> None:
        self._asked = 0
        self.asking = False  # a question is on the screen: Ctrl-C answers that
        self.on_first: Callable[[], None] = lambda: None  # called once, not by a signal handler

    def ask(self) -> None:
        """Somebody pressed Ctrl-C; may be called by a signal handler.

        Raises:
            KeyboardInterrupt: at a question.
        """
        if self.asking:
            raise KeyboardInterrupt
        self._asked += 1

    def ask_softly(self) -> None:
        """Stop, but bring to an end what is in flight."""
        self._asked = max(self._asked, 1)

    def notice(self) -> None:
        """Say once that it was asked."""
        if self.soft:
            self.on_first, call = lambda: None, self.on_first
            call()

    @property
    def soft(self) -> bool:
        """Nothing new is begun."""
        return self._asked > 0

    @property
    def hard(self) -> bool:
        """Nothing is said any more."""
        return self._asked > 1

    def check(self) -> None:
        """Go no further after the second time.

        Raises:
            HardStop: it was asked twice.
        """
        if self.hard:
            raise HardStop


@dataclass(frozen=True, slots=True)
class Means:
    """``prove_timer``: whether a first contact lets the device's own timer run out once."""

    clock: Clock = field(default_factory=RealClock)
    stop: Stop = field(default_factory=Stop)
    waits: Waits = field(default_factory=Waits)
    prove_timer: bool = True
