"""PFC counters, antilocking PFC, deadlock state and prevention."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.huawei_vrp.readers.rows import PORT, body, number

if TYPE_CHECKING:
    from fabric.model.reading import Json

_FIRST = re.compile(r"\s*(?:(\S+)\s+)?(\d)\s+(\d+)\s+(\d+)\s+(\d+)\s*")
_SECOND = re.compile(r"\s*(\d+)\s+(\d+)\s+(\d+)\s*")
_PAIR = re.compile(r"(\d+)/(\d+)")


def counters(text: str) -> Reading:
    """``pfc``: two lines a queue, received above and transmitted below.

    ``queues``, by ``port:queue``: the deadlocks among them, as other systems tell storms.
    The port stands in the first of its queues alone.
    """
    table = body(text, "Interface", "Queue", "Received(Frames)", "ReceivedRate", "DeadlockNum")
    if table is None:
        return Reading()
    found: dict[str, Json] = {}
    storms: dict[str, Json] = {}
    unparsed: list[str] = []
    port, row, queue = "", {}, ""  # type: str, dict[str, dict[str, Json]], str
    for line in table.lines:
        first, second = _FIRST.fullmatch(line), _SECOND.fullmatch(line)
        if first and (first[1] is None or PORT.fullmatch(first[1])):
            if first[1]:
                port, row = first[1], {"rx": {}, "tx": {}, "deadlocks": {}, "recoveries": {}}
                found[port] = {**row}
            if not port:
                unparsed.append(line.strip())
                continue
            queue = first[2]
            row["rx"][queue], row["deadlocks"][queue] = int(first[3]), int(first[5])
        elif second and queue:
            row["tx"][queue], row["recoveries"][queue] = int(second[1]), int(second[3])
            storms[f"{port}:{queue}"] = {
                "storms_detected": row["deadlocks"][queue],
                "storms_restored": int(second[3]),
            }
            queue = ""
        elif "Transmitted(Frames)" not in line:
            unparsed.append(line.strip())
    return Reading({"pfc": found, "queues": storms}, tuple(unparsed))


_STATUS = re.compile(r"(?:(\S+)\s+)?(\d)\s+([A-Za-z]+)\s+(\d+|-)\s+(\d+|-)(?:\s+(\d+|-))?\s*")


def antilocking_status(text: str) -> Reading:
    """``ports``: queues with round trip and threshold, and the speed of the port."""
    table = body(text, "Interface", "Queue", "Status", "RTT(us)", "Threshold(KB)")
    if table is None:
        return Reading()
    found: dict[str, Json] = {}
    unparsed: list[str] = []
    queues: dict[str, Json] | None = None
    for line in table.lines:
        match = _STATUS.fullmatch(line.strip())
        if match is None or (match[1] is None and queues is None):
            unparsed.append(line.strip())
            continue
        if match[1] or queues is None:
            queues = {}
            port: dict[str, Json] = {"queues": queues}
            speed = number(match[6])
            if speed is not None:
                port["speed_mbps"] = speed * 1000
            found[match[1] or ""] = port
        values = {"rtt_us": number(match[4]), "threshold_kb": number(match[5])}
        state: dict[str, Json] = {"enabled": match[3].lower().startswith("enable")}
        queues[match[2]] = state | {k: v for k, v in values.items() if v is not None}
    return Reading({"ports": found}, tuple(unparsed))


_TRIGGER = re.compile(r"(?:(\S+)\s+)?(\d)\s+([A-Za-z]+)\s+(\d+)\s+([A-Za-z]+)\s*")


def deadlock_trigger(text: str) -> Reading:
    """``watchdog``: by port and queue what a storm that comes again does, and the port's state."""
    table = body(text, "Interface", "Queue", "TriggerMode", "Threshold", "Status")
    if table is None:
        return Reading()
    found: dict[str, dict[str, Json]] = {}
    unparsed: list[str] = []
    port = ""
    for line in table.lines:
        match = _TRIGGER.fullmatch(line.strip())
        if match is None or not (match[1] or port):
            unparsed.append(line.strip())
            continue
        port = match[1] or port
        found.setdefault(port, {})[match[2]] = {
            "action": match[3],
            "threshold": int(match[4]),
            "state": match[5],
        }
    return Reading({"watchdog": {port: {**queues} for port, queues in found.items()}}, (*unparsed,))


def uplink_statistics(text: str) -> Reading:
    """``deadlock_prevention``: what went back up, by DSCP before and after.

    One form prints the priority before and after too, the other the new one alone.
    """
    table = body(text, "Index", "PacketType", "OutInterface", "Priority", "Dscp", "Count")
    one = body(text, "Index", "NewPriority", "Dscp", "Count") if table is None else None
    table = table or one
    if table is None:
        return Reading()
    found: list[Json] = []
    unparsed: list[str] = []
    for line in table.lines:
        pairs = list(_PAIR.finditer(line))
        count = re.match(r"\s*(\d+)", line[pairs[-1].end() :]) if pairs else None
        before = line[: pairs[-1].start()] if count else ""
        priority = _new_priority(before, alone=one is not None)
        if count and priority is not None:
            found.append(
                {
                    "old_dscp": int(pairs[-1][1]),
                    "new_dscp": int(pairs[-1][2]),
                    "new_priority": priority,
                    "count": int(count[1]),
                }
            )
        elif "O/N" not in line and not re.match(r"\s*Slot\s*:", line):
            unparsed.append(line.strip())
    return Reading({"deadlock_prevention": found}, tuple(unparsed))


def _new_priority(before: str, *, alone: bool) -> int | None:
    """The priority in what stands before the DSCPs: ``0  4`` if it stands alone, else ``3/4``."""
    found = re.search(r"\s(?P<new>[0-7])\s+$" if alone else r"\d/(?P<new>[0-7])\s+$", before)
    return int(found["new"]) if found else None
