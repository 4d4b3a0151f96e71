"""The PFC watchdog's timers and action: of the switch, and of a port that has its own."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.model.qos import Watchdog

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.platforms.arista_eos.lines import Line

_WORDS = "priority-flow-control pause watchdog"
_SECONDS = r"(\d+(?:\.\d+)?)"
_TIMER = re.compile(rf"{_WORDS} default (\S+) {_SECONDS}")
_TIMERS = ("polling-interval", "timeout", "recovery-time")
_OF_PORT = re.compile(
    rf"{_WORDS} port timer timeout {_SECONDS} polling-interval (auto|{_SECONDS}) "
    rf"recovery-time {_SECONDS}(?: forced)?"
)
_ACTION = f"{_WORDS} action"
_OVERRIDE = f"{_WORDS} override action"
_PORT_ACTION = f"{_WORDS} port action "
_ACTIONS = {"notify-only": "alert"}  # by its word here; the others are called alike
_NO_ACTION = "errdisable"  # what EOS does when no action is written


def switch_watchdog(config: Line) -> Watchdog | None:
    """The switch's timers in milliseconds; ``None``: not all of them are written."""
    found = (_TIMER.fullmatch(line.text) for line in config.below)
    written = {match[1]: _ms(match[2]) for match in found if match}
    poll, detect, restore = (written.get(name) for name in _TIMERS)
    if poll is None or detect is None or restore is None:
        return None
    actions = [rest for word in (_ACTION, _OVERRIDE) for rest, _ in config.sections(word)]
    action = actions[-1] if actions else _NO_ACTION
    return Watchdog(
        enabled=True,
        poll_ms=poll,
        detect_ms=detect,
        restore_ms=restore,
        action=_ACTIONS.get(action, action),
    )


def port_watchdog(lines: Iterable[Line], switch: Watchdog | None) -> Watchdog | None:
    """The same with what the port's own lines say; a poll of ``auto`` is the switch's."""
    own = switch
    for line in lines:
        if own is None:
            break
        if match := _OF_PORT.fullmatch(line.text):
            poll = own.poll_ms if match[2] == "auto" else _ms(match[2])
            own = replace(own, detect_ms=_ms(match[1]), poll_ms=poll, restore_ms=_ms(match[4]))
        elif line.text.startswith(_PORT_ACTION):
            word = line.text.removeprefix(_PORT_ACTION)
            own = replace(own, action=_ACTIONS.get(word, word))
    return own


def _ms(seconds: str) -> int:
    return round(float(seconds) * 1000)
