"""Pause frames, the watchdog's storms and its settings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms import CODES
from fabric.platforms.dell_sonic.lines import is_port
from fabric.reading.numbers import whole
from fabric.reading.tables import is_rule

if TYPE_CHECKING:
    from fabric.model.reading import Facts, Json

_WAYS = {"received": "rx", "transmitted": "tx"}
_WAY = re.compile(r"(?i)flow control frames (received|transmitted)")
_COLUMNS = re.compile(r"(?i)\s*\S+\s+PFC0\s+PFC1\b.*")


def counters(text: str) -> Reading:
    """``show qos interface Ethall priority-flow-control statistics``: frames by priority."""
    way: str | None = None
    pfc: dict[str, dict[str, Json]] = {}
    unparsed: list[str] = []
    for line in text.split("\n"):
        head = _WAY.search(line)
        port, *cells = line.split() or [""]
        counts = [whole(cell) for cell in cells]
        if head:
            way = _WAYS[head[1].lower()]
        elif way and is_port(port) and len(counts) == CODES and None not in counts:
            pfc.setdefault(port, {})[way] = {str(n): count for n, count in enumerate(counts)}
        elif line.strip() and not is_rule(line) and not _COLUMNS.fullmatch(line):
            unparsed.append(line.strip())
    return Reading({"pfc": dict(pfc)}, tuple(unparsed)) if way else Reading()


_STORMS = (
    "storms_detected",
    "storms_restored",
    "tx_ok",
    "tx_drop",
    "rx_ok",
    "rx_drop",
    "tx_last_ok",
    "tx_last_drop",
    "rx_last_ok",
    "rx_last_drop",
)


def storms(text: str) -> Reading:
    """``… watchdog-statistics``: thirteen fields a queue. The header is not known, so not read."""
    queues: Facts = {}
    unparsed: list[str] = []
    for line in text.split("\n"):
        port, *rest = line.split() or [""]
        counts = [whole(cell) for cell in rest[2:]]
        if (
            is_port(port)
            and len(counts) == len(_STORMS)
            and rest[0].isdecimal()
            and None not in counts
        ):
            facts: Facts = dict(zip(_STORMS, counts, strict=True))
            queues[f"{port}:{rest[0]}"] = {"status": rest[1], **facts}
        elif is_port(port):
            unparsed.append(line.strip())
    return Reading({"queues": queues}, tuple(unparsed)) if queues else Reading()


_HEADLINE = re.compile(r"^Watchdog Summary\s*$", re.MULTILINE)
_POLL = re.compile(r"^Polling Interval:\s*:\s*(\d+)\s*$", re.MULTILINE)
_FLEX = re.compile(r"^Flex Counters:\s*:\s*(\w+)\s*$", re.MULTILINE)


def watchdog(text: str) -> Reading:
    """``show priority-flow-control watchdog``; ``Not Available`` is the default interval."""
    if not _HEADLINE.search(text):
        return Reading()
    poll, flex = _POLL.search(text), _FLEX.search(text)
    facts: Facts = {"polling_interval_ms": whole(poll[1]) if poll else None}
    return Reading({**facts, **({"counter_poll": flex[1]} if flex else {})})
