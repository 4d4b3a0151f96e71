"""QoS profiles as in force: DSCP map, queue map, PFC, ECN; the watchdog of a port."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.cumulus_nvue.readers.nvue import numbers, shown, table_of
from fabric.reading.numbers import whole

if TYPE_CHECKING:
    from fabric.model.reading import Json

_BYTES = re.compile(r"(\d+) ?B(?:ytes)?")


def dscp_map(text: str) -> Reading:
    """``dscp_to_priority`` of one mapping profile."""
    table = table_of(text, "DSCP", "switch-priority")
    if table is None:
        return Reading()
    found: dict[str, Json] = {}
    for row in table.rows:
        priority = whole(row["switch-priority"])
        if priority is not None:
            found |= {str(dscp): priority for dscp in numbers(row["DSCP"])}
    return Reading({"dscp_to_priority": found}, table.unparsed)


def queue_map(text: str) -> Reading:
    """``priority_to_tc``."""
    table = shown(text).table("SP->TC")
    if table is None:
        return Reading()
    found: dict[str, Json] = {}
    for row in table.rows:
        queue = whole(row.get("traffic-class"))
        if queue is not None:
            found |= {str(priority): queue for priority in numbers(row.get("switch-priority"))}
    return Reading({"priority_to_tc": found}, table.unparsed)


def pfc(text: str) -> Reading:
    """``lossless``, ``cable_length_m`` of one PFC profile; one that is off one way has none."""
    found = shown(text)
    rx, tx = found.value("rx"), found.value("tx")
    if rx is None or tx is None or ("cable-length",) not in found.values:
        return Reading()
    on = "disable" not in rx and "disable" not in tx
    listed = found.values.get(("[switch-priority]",), []) if on else []
    lossless = {n for word in listed for n in numbers(word)}
    facts: dict[str, Json] = {"lossless": [*sorted(lossless)]}
    if (metres := whole(found.value("cable-length"))) is not None:
        facts["cable_length_m"] = metres
    return Reading(facts, found.unparsed)


def ecn(text: str) -> Reading:
    """``ecn`` by traffic class: ``min_bytes``, ``max_bytes``, ``probability``, ``red``."""
    table = shown(text).table("ECN")
    if table is None:
        return Reading()
    found: dict[str, Json] = {}
    for row in table.rows:
        if not row.get("ECN", "").startswith("enable"):
            continue
        marks: dict[str, Json] = {"red": row.get("RED", "").startswith("enable")}
        for key, column in (("min_bytes", "Min Th"), ("max_bytes", "Max Th")):
            size = _BYTES.fullmatch(row.get(column, ""))
            if size:
                marks[key] = int(size[1])
        if (percent := whole(row.get("Probability"))) is not None:
            marks["probability"] = percent
        found |= {str(n): marks for n in numbers(row.get("traffic-class"))}
    return Reading({"ecn": found}, table.unparsed)


def watchdog(text: str) -> Reading:
    """``watchdog`` (enabled, disabled), ``queues`` by traffic class: ``status``, storms so far."""
    found = shown(text)
    table = found.table("PFC WD")
    state = found.value("state")
    if table is None and (state is None or not state.startswith(("enable", "disable"))):
        return Reading()
    queues: dict[str, Json] = {}
    for row in table.rows if table else ():
        storms = whole(row.get("deadlock-count"))
        if storms is not None:
            status = row.get("status") or None
            queues |= {
                str(n): {"status": status, "storms_detected": storms}
                for n in numbers(row.get("traffic-class"))
            }
    facts: dict[str, Json] = {"queues": queues}
    if state is not None:
        facts["watchdog"] = state
    return Reading(facts, found.unparsed)
