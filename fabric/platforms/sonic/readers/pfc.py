"""Priorities, pauses and the watchdog."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.sonic.readers.columns import by_row, left, tables_with
from fabric.reading.numbers import whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.reading import Facts, Json

_PAIR = re.compile(r"([\d,]+)/([\d,]+)")
_POLL = re.compile(r"(?i)polling interval\D{1,20}(\d+)\s*ms")


def priority(text: str) -> Reading:
    """``show pfc priority``: the priorities with PFC on."""
    return by_row(text, "interface", "ports", {"lossless priorities": ("lossless", _priorities)})


def _priorities(cell: str) -> Json:
    numbers = [whole(part) for part in cell.split(",")]
    return [n for n in numbers if n is not None]


def asymmetric(text: str) -> Reading:
    """``show pfc asymmetric``."""
    return by_row(text, "interface", "ports", {"asymmetric": ("asymmetric_pfc", str)})


def counters(text: str) -> Reading:
    """``show pfc counters``: frames received and sent, by port and priority."""
    found = {way: tables_with(text, f"port {way}", "pfc0") for way in ("rx", "tx")}
    if not any(found.values()):
        return Reading()
    pfc: dict[str, Json] = {}
    for way, its in found.items():
        for row in (row for table in its for row in table.rows):
            counts = {k.removeprefix("pfc"): whole(v) for k, v in row.items() if "pfc" in k}
            port = pfc.setdefault(row[f"port {way}"], {})
            if isinstance(port, dict):
                port[way] = {k: v for k, v in counts.items() if v is not None}
    return Reading({"pfc": pfc}, left([t for its in found.values() for t in its]))


_HISTORY = {
    "rx pause transitions": "rx_pause_transitions",
    "total rx pause time us": "rx_pause_us",
    "recent rx pause time us": "recent_rx_pause_us",
}


def history(text: str) -> Reading:
    """``show pfc counters -d``: how long each priority was paused, microseconds."""
    found = tables_with(text, "port", "priority", "rx pause transitions")
    if not found:
        return Reading()
    ports: dict[str, dict[str, Json]] = {}
    for row in (row for table in found for row in table.rows):
        counts = {fact: whole(row.get(column)) for column, fact in _HISTORY.items()}
        ports.setdefault(row["port"], {})[row["priority"].upper().removeprefix("PFC")] = {
            k: v for k, v in counts.items() if v is not None
        }
    return Reading({"pfc_history": dict(ports)}, left(found))


_WATCHDOG: dict[str, tuple[str, Callable[[str], Json]]] = {
    "action": ("action", str),
    "detection time": ("detection_ms", whole),
    "restoration time": ("restoration_ms", whole),
    "history": ("history", str),
}


def watchdog(text: str) -> Reading:
    """``show pfcwd config``, milliseconds. Ports without the watchdog are not listed."""
    reading = by_row(text, "port", "ports", _WATCHDOG)
    found = _POLL.search(text)
    if not reading.facts or found is None:
        return reading
    return Reading({**reading.facts, "polling_interval_ms": int(found[1])}, reading.unparsed)


_STORMS = (
    ("storm detected/restored", "storms_detected", "storms_restored"),
    ("tx ok/drop", "tx_ok", "tx_drop"),
    ("rx ok/drop", "rx_ok", "rx_drop"),
    ("tx last ok/drop", "tx_last_ok", "tx_last_drop"),
    ("rx last ok/drop", "rx_last_ok", "rx_last_drop"),
)


def storms(text: str) -> Reading:
    """``show pfcwd stats``: storms and packets of each guarded queue, by ``port:queue``."""
    found = tables_with(text, "queue", "storm detected/restored")
    if not found:
        return Reading()
    queues: Facts = {}
    for row in (row for table in found for row in table.rows):
        facts: Facts = {"status": row["status"]} if row.get("status") else {}
        for column, first, second in _STORMS:
            pair = _PAIR.fullmatch(row.get(column, ""))
            if pair:
                facts |= {first: whole(pair[1]), second: whole(pair[2])}
        queues[row["queue"]] = facts
    return Reading({"queues": queues}, left(found))
