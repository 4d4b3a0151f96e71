"""PFC deadlock detection: always on; times of the profile (family a) or of the switch (b)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.qos import Watchdog

if TYPE_CHECKING:
    from fabric.reading.sections import Line

_DEFAULT_MS, _DEFAULT_STEP_MS, _DEFAULT_STEPS = 100, 10, 10
_ACTIONS = {"discard": "drop", "forwarding": "forward"}
_UNKNOWN = "unknown"  # by default one family discards and the other forwards
NO_POLLING = 0  # VRP has no polling interval


def watchdog_of(config: Line, profile: Line | None, priority: int) -> Watchdog:
    """What guards a priority of a PFC profile; ``profile`` ``None``: the default, not written."""
    detect, restore = (_time(config, profile, priority, what) for what in ("detect", "recovery"))
    said = config.rest("dcb pfc deadlock recovery-behavior")
    action = _ACTIONS.get((said or "").split(" ")[0], _UNKNOWN)
    return Watchdog(True, NO_POLLING, detect, restore, action)  # noqa: FBT003 - it is always on


def _time(config: Line, profile: Line | None, priority: int, what: str) -> int:
    timer = config.rest(f"dcb pfc deadlock-{what} timer")
    if timer and timer.isdecimal():
        return int(timer)
    word = re.compile(rf"priority {priority} deadlock-{what} time (\d+)")
    lines = profile.below if profile else ()
    steps = [int(match[1]) for line in lines if (match := word.fullmatch(line.text))]
    step = config.rest("dcb pfc deadlock-detect interval")
    if not steps and not step:
        return _DEFAULT_MS
    each = int(step) if step and step.isdecimal() else _DEFAULT_STEP_MS
    return each * (steps[-1] if steps else _DEFAULT_STEPS)
