"""What became of a push, as ``fabric status`` tells it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """One device. ``outcome``: as in ``Outcome``, or "in work", "open", "not begun".

    ``timer_left_s``: seconds until its own timer takes an unconfirmed change back; below 0: that
    has happened, if the timer worked; ``None``: no such timer runs.
    """

    device: str
    outcome: str
    phase: str
    step: str
    message: str
    timer_left_s: int | None


@dataclass(frozen=True, slots=True)
class PushStatus:
    """One push. ``open``: begun and not brought to its end. Times in seconds since 1970.

    ``rollback_of``: the push that it goes back behind; empty: it is no rollback.
    """

    push: str
    fabric: str
    state: str
    open: bool
    began_at: float
    last_at: float
    owner: str
    message: str
    devices: tuple[DeviceStatus, ...]
    next: tuple[str, ...]
    rollback_of: str = ""
