"""Ports: state, errors, and the QoS counters of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.cumulus_nvue.readers.nvue import numbers, shown, table_of
from fabric.reading.numbers import speed_mbps, up_or_down, whole

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.reading.tables import Table

_PORT = re.compile(r"[A-Za-z][\w.-]*")
_COUNTERS = {
    "RX_ERR": "in_errors",
    "TX_ERR": "out_errors",
    "RX_DRP": "in_drops",
    "TX_DRP": "out_drops",
    "MTU": "mtu",
}
_QUEUE = {"tx-frames": "packets", "wred-discards": "wred_drops"}


def interfaces(text: str) -> Reading:
    """``interfaces`` with ``admin``, ``oper``, ``speed_mbps``, ``mtu``, ``type``."""
    table = table_of(text, "Interface", "MTU", "Type")
    if table is None:
        return Reading()
    found: dict[str, Json] = {}
    unparsed = [*table.unparsed]
    for row in table.rows:
        name = row["Interface"]
        if not name:
            continue  # more addresses of the port above
        fact: dict[str, Json] = {}
        states = {
            "admin": row.get("Admin Status"),
            "oper": row.get("Oper Status", row.get("State")),
        }
        fact |= {key: state for key, word in states.items() if (state := up_or_down(word))}
        if (speed := speed_mbps(row.get("Speed") or None)) is not None:
            fact["speed_mbps"] = speed
        if (mtu := whole(row.get("MTU"))) is not None:
            fact["mtu"] = mtu
        if not fact:
            unparsed.append(" ".join(word for word in row.values() if word))
            continue
        if row.get("Type"):
            fact["type"] = row["Type"]
        found[name] = fact
    return Reading({"interfaces": found}, tuple(unparsed))


def errors(text: str) -> Reading:
    """``interfaces`` with errors and drops of both directions, and the MTU."""
    table = table_of(text, "Interface", "RX_ERR", "TX_ERR")
    if table is None:
        return Reading()
    found: dict[str, Json] = {}
    for row in table.rows:
        if _PORT.fullmatch(row["Interface"]):
            counts = {key: whole(row.get(column)) for column, key in _COUNTERS.items()}
            found[row["Interface"]] = {k: count for k, count in counts.items() if count is not None}
    return Reading({"interfaces": found}, table.unparsed)


def qos_counters(text: str) -> Reading:
    """``pfc_by_priority``, ``pause_total``, ``ecn_marked_total``, ``queues`` by traffic class.

    Discards that are printed as rounded sizes stay as printed.
    """
    found = shown(text)
    pfc = found.table("PFC Statistics")
    port = found.table("Qos Port Statistics")
    egress = found.table("Egress Queue Statistics")
    facts: dict[str, Json] = {}
    if pfc is not None:
        facts["pfc_by_priority"] = {way: _paused(pfc, way) for way in ("rx", "tx")}
    if egress is not None:
        facts["queues"] = _queues(egress)
    for row in port.rows if port is not None else ():
        rx, tx = whole(row.get("Receive")), whole(row.get("Transmit"))
        if row.get("Counter") == "ecn-marked-packets" and tx is not None:
            facts["ecn_marked_total"] = tx
        if row.get("Counter") == "pause-frames":
            facts["pause_total"] = {k: v for k, v in (("rx", rx), ("tx", tx)) if v is not None}
    tables = (table for table in (pfc, port, egress) if table is not None)
    return Reading(facts, tuple(line for table in tables for line in table.unparsed))


def _paused(table: Table, way: str) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for row in table.rows:
        count = whole(row.get(f"{way}-pause-frames"))
        if count is not None:
            found |= {str(n): count for n in numbers(row.get("switch-priority"))}
    return found


def _queues(table: Table) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for row in table.rows:
        counts: dict[str, Json] = {}
        for column, key in _QUEUE.items():
            if (count := whole(row.get(column))) is not None:
                counts[key] = count
        if row.get("tx-uc-buffer-discards"):
            counts["buffer_discards"] = row["tx-uc-buffer-discards"]
        found |= {str(n): counts for n in numbers(row.get("traffic-class"))}
    return found
