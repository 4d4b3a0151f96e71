"""Queues, their schedulers and ECN."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.platforms import CODES
from fabric.platforms.sonic.database import number, per_port_rows, rows, span
from fabric.platforms.sonic.reading import chains_of
from fabric.platforms.sonic.rules import missing, outside, stopped_queue, unlike

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.sonic.database import ConfigDb, Row

_TYPES = frozenset({"DWRR", "WRR", "STRICT"})
_METERS = frozenset({"bytes", "packets"})
_ECN = frozenset(
    {
        "ecn_none",
        "ecn_green",
        "ecn_yellow",
        "ecn_red",
        "ecn_green_yellow",
        "ecn_green_red",
        "ecn_yellow_red",
        "ecn_all",
    }
)
_COLOURS = ("green", "yellow", "red")
_NAME = re.compile(r"[a-zA-Z0-9][-a-zA-Z0-9_]{0,31}")
_TRUTH = frozenset({"true", "false"})
_MAX_WEIGHT = 100
_MAX_PERCENT = 100
_UINT64 = 2**64 - 1


def scheduler_rows(config: ConfigDb) -> Iterator[str]:
    """Types in capitals, weights from 1 to 100, no peak rate without a committed one."""
    for name, row in rows(config, "SCHEDULER").items():
        where = f"SCHEDULER|{name}"
        yield from missing(where, row, "type")
        yield from unlike(where, row, "type", _TYPES)
        yield from unlike(where, row, "meter_type", _METERS)
        yield from outside(where, row, "weight", 1, _MAX_WEIGHT)
        yield from outside(where, row, "cir", 1, _UINT64)
        yield from outside(where, row, "pir", 1, _UINT64)
        committed, peak = number(row.get("cir", "0")) or 0, number(row.get("pir", "0")) or 0
        if peak and not committed:
            yield f"{where}: pir needs cir"
        elif peak < committed and "pir" in row:
            yield f"{where}: pir {peak} is below cir {committed}"


def wred_rows(config: ConfigDb) -> Iterator[str]:
    """A profile that marks: mode, colours on, both thresholds in order, a probability."""
    for name, row in rows(config, "WRED_PROFILE").items():
        where = f"WRED_PROFILE|{name}"
        if not _NAME.fullmatch(name):
            yield f"{where}: the name has other signs than letters, digits, - and _, or over 32"
        yield from missing(where, row, "ecn", "wred_green_enable")
        yield from unlike(where, row, "ecn", _ECN)
        if row.get("wred_green_enable") == "false" or row.get("ecn") == "ecn_none":
            yield f"{where}: nothing is marked: wred_green_enable or ecn is off"
        for colour in _COLOURS:
            yield from _colour(where, row, colour)


def _colour(where: str, row: Row, colour: str) -> Iterator[str]:
    low, high = f"{colour}_min_threshold", f"{colour}_max_threshold"
    yield from unlike(where, row, f"wred_{colour}_enable", _TRUTH)
    if row.get(f"wred_{colour}_enable") == "true":
        yield from missing(where, row, low, high, f"{colour}_drop_probability")
    elif high in row:
        yield from missing(where, row, low)
    for field in (low, high):
        yield from outside(where, row, field, 0, _UINT64)
    yield from outside(where, row, f"{colour}_drop_probability", 1, _MAX_PERCENT)
    if (number(row.get(low, "0")) or 0) > (number(row.get(high, row.get(low, "0"))) or 0):
        yield f"{where}: {low} is above {high}"


def queue_rows(config: ConfigDb) -> Iterator[str]:
    """Rows of queues that exist, each once, with a scheduler and a profile that exist."""
    known = {"scheduler": rows(config, "SCHEDULER"), "wred_profile": rows(config, "WRED_PROFILE")}
    for key, row in rows(config, "QUEUE").items():
        for field, table in known.items():
            if field in row and row[field] not in table:
                yield f"QUEUE|{key}: {field} {row[field]} does not exist"
    yield from spans(config, "QUEUE")


def spans(config: ConfigDb, table: str) -> Iterator[str]:
    """Keys are port and number or range; no number of a port is covered twice."""
    taken: dict[tuple[str, int], str] = {}
    ports = rows(config, "PORT")
    for key in rows(config, table):
        port, _, text = key.rpartition("|")
        numbers = span(text)
        if "," in port:
            yield f"{table}|{key}: one row names one port"
        elif ports and port not in ports:
            yield f"{table}|{key}: there is no port {port}"
        if numbers is None or not numbers or numbers[-1] >= CODES:
            yield f"{table}|{key}: {text!r} is no number or range from 0 to {CODES - 1}"
            continue
        for number_ in numbers:
            other = taken.setdefault((port, number_), key)
            if other != key:
                yield f"{table}|{key}: {number_} is covered by {other} too"


def lossless_queues(config: ConfigDb) -> Iterator[str]:
    """A queue with PFC has a scheduler and marks."""
    pausing = per_port_rows(config, "PORT_QOS_MAP")
    for chain in chains_of(config, ""):
        if chain.port not in pausing:
            continue
        for priority in chain.pfc_priorities:
            queue = stopped_queue(chain, priority) if priority < CODES else None
            if queue is None or queue >= CODES:
                continue
            if not chain.queues[queue].ecn:
                yield f"QUEUE|{chain.port}|{queue}: the lossless queue marks nothing (ECN)"
            if chain.queues[queue].scheduler is None:
                yield f"QUEUE|{chain.port}|{queue}: the lossless queue has no scheduler"


RULES = (scheduler_rows, wred_rows, queue_rows, lossless_queues)
