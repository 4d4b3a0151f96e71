"""What became of a push, for the terminal and as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fabric.report.text import columns, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.push_status import DeviceStatus, PushStatus
    from fabric.report.text import Style

SCHEMA = 1
BAD = {"failed-not-restored", "unknown", "open"}
_QUIET = {"changed", "unchanged"}
_COLOURS = {"changed": "green", "failed-restored": "yellow", "unreachable": "yellow"}


def status_json(pushes: Iterable[PushStatus]) -> dict[str, object]:
    """All that is known, the last push first; a timer that has run out has 0 seconds left."""
    return {"schema": SCHEMA, "pushes": [_plain(push) for push in pushes]}


def _plain(push: PushStatus) -> dict[str, object]:
    devices = (
        d if d.timer_left_s is None else replace(d, timer_left_s=max(d.timer_left_s, 0))
        for d in push.devices
    )
    return asdict(replace(push, devices=tuple(devices)))


def one_line(push: PushStatus) -> tuple[str, ...]:
    """A push as a row of a table."""
    back = f"rollback of {push.rollback_of}" if push.rollback_of else ""
    return push.push, _time(push.began_at), push.state, _counted(push), back


def status_lines(push: PushStatus, style: Style) -> list[str]:
    """One push: every device that is not simply changed, open timers, the next command."""
    back = f" (rollback of {push.rollback_of})" if push.rollback_of else ""
    head = f"{push.fabric} · push {push.push}{back} {push.state} · {_counted(push)}"
    times = f"begun {_time(push.began_at)}, last entry {_time(push.last_at)}"
    lines = [style.paint(head, "bold"), f"  {times}{f', by {push.owner}' if push.owner else ''}"]
    if push.message:
        lines += wrapped(push.message, style, indent=2, first="  ")
    told = [device for device in push.devices if device.outcome not in _QUIET]
    if told:
        rows = [
            (d.device, _painted(d, style), d.phase, d.step, _timer(d.timer_left_s)) for d in told
        ]
        lines += ["", *columns(rows)]
    for device in told:
        if device.outcome in BAD and device.message:
            first, *rest = device.message.split("\n")
            lines += ["", *wrapped(first, style, indent=2, first="  "), *rest]
    return [*lines, "", f"Next: {' · '.join(push.next)}"]


def _painted(device: DeviceStatus, style: Style) -> str:
    colour = "red" if device.outcome in BAD else _COLOURS.get(device.outcome, "bold")
    return style.paint(device.outcome, colour)


def _timer(left_s: int | None) -> str:
    if left_s is None:
        return ""
    if left_s <= 0:
        return f"its own timer ran out about {-left_s:,} s ago"
    return f"its own timer takes the change back in about {left_s:,} s"


def _counted(push: PushStatus) -> str:
    tally = Counter(device.outcome for device in push.devices)
    return ", ".join(f"{count:,} {word}" for word, count in tally.items()) or "no device"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
