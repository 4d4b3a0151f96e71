"""Counters and watermarks of queues, priority groups and pools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.sonic.readers.columns import known, left, numbered, tables_with
from fabric.reading.numbers import whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.model.reading import Facts, Json

_PACKETS = {
    "counter/pkts": ("packets", whole),
    "counter/bytes": ("bytes", whole),
    "drop/pkts": ("drop_packets", whole),
    "drop/bytes": ("drop_bytes", whole),
    "trim/pkts": ("trim_packets", whole),
}
_MARKS = {
    "wreddrp/pkts": ("wred_drop_packets", whole),
    "wreddrp/bytes": ("wred_drop_bytes", whole),
    "ecnmarked/pkts": ("ecn_marked_packets", whole),
    "ecnmarked/bytes": ("ecn_marked_bytes", whole),
}


def counters(text: str) -> Reading:
    """``show queue counters``: ``UC0`` unicast, ``MC8`` multicast, ``ALL8`` for both."""
    return _by_queue(text, _PACKETS)


def marked(text: str) -> Reading:
    """``show queue wredcounters``: what WRED dropped and ECN marked."""
    return _by_queue(text, _MARKS)


def _by_queue(text: str, cells: Mapping[str, tuple[str, Callable[[str], Json]]]) -> Reading:
    found = tables_with(text, "port", "txq", next(iter(cells)))
    if not found:
        return Reading()
    queues: dict[str, dict[str, Json]] = {}
    for row in (row for table in found for row in table.rows):
        queues.setdefault(row["port"], {})[row["txq"]] = known(row, cells)
    return Reading({"queues": dict(queues)}, left(found))


def group_drops(text: str) -> Reading:
    """``show priority-group drop counters``."""
    return numbered(text, "port", "pg", "ports")


def group_watermark(text: str) -> Reading:
    """``show priority-group watermark headroom`` and ``… shared``, bytes."""
    return numbered(text, "port", "pg", "ports")


def unicast_watermark(text: str) -> Reading:
    """``show queue watermark unicast``, bytes."""
    return numbered(text, "port", "uc", "ports")


def pool_watermark(text: str) -> Reading:
    """``show buffer_pool watermark`` and ``show headroom-pool watermark``, bytes."""
    found = tables_with(text, "pool", "bytes")
    if not found:
        return Reading()
    pools: Facts = {row["pool"]: whole(row["bytes"]) for t in found for row in t.rows}
    return Reading({"pools": {k: v for k, v in pools.items() if v is not None}}, left(found))
