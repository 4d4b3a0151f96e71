"""Routing loops and the proof on observed tables, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.report.deadlock import verdict_json, verdict_lines
from fabric.report.text import Style, columns, wrapped

if TYPE_CHECKING:
    from fabric.model.deadlock import DeadlockVerdict
    from fabric.model.observed import RoutingLoop

_SHOWN = 5  # loops in the text; JSON has all


def observed_json(verdict: DeadlockVerdict, loops: tuple[RoutingLoop, ...]) -> dict[str, object]:
    """The verdict with ``loops`` (without ``schema``)."""
    return {**verdict_json(verdict), "loops": [_loop_json(loop) for loop in loops]}


def _loop_json(loop: RoutingLoop) -> dict[str, object]:
    return {
        "prefixes": list(loop.prefixes),
        "prefix_count": loop.of,
        "dead": loop.dead,
        "lossless": loop.lossless,
        "cables": [
            {
                "link": step.link,
                "from": step.sender,
                "from_port": step.sender_port,
                "to": step.receiver,
                "to_port": step.receiver_port,
            }
            for step in loop.steps
        ],
    }


def observed_lines(
    verdict: DeadlockVerdict,
    loops: tuple[RoutingLoop, ...],
    priorities: tuple[int, ...],
    style: Style,
) -> list[str]:
    """Loops first: they are faults of routing, whatever PFC does."""
    lines = []
    for loop in loops[:_SHOWN]:
        lines += [*_loop_lines(loop, style), ""]
    if len(loops) > _SHOWN:
        lines += [f"… and {len(loops) - _SHOWN:,} more routing loops (--json has all)", ""]
    return [*lines, *verdict_lines(verdict, priorities, style)]


def _loop_lines(loop: RoutingLoop, style: Style) -> list[str]:
    more = f" and {loop.of - len(loop.prefixes):,} more" if loop.of > len(loop.prefixes) else ""
    whose = ", which no switch has," if loop.dead else ""
    head = f"Routing loop: packets for {', '.join(loop.prefixes)}{more}{whose} go round"
    cause = (
        "A loop is a cyclic buffer dependency by itself: its buffers wait for themselves. Give the "
        "switch that announces the prefix a discard route, or withdraw the route that points back."
        if loop.lossless
        else "No packets of hosts get into it; it is told because it is no sound routing."
    )
    rows = [
        (
            f"{step.sender} {step.sender_port}".rstrip(),
            "→",
            f"{step.receiver} {step.receiver_port}".rstrip(),
        )
        for step in loop.steps
    ]
    painted = style.paint(head, "red" if loop.lossless else "yellow")
    return [painted, *columns(rows), *wrapped(cause, style)]
