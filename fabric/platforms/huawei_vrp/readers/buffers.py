"""Buffers in use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.huawei_vrp.readers.rows import body, columns

if TYPE_CHECKING:
    from fabric.model.reading import Json

_BUFFER = re.compile(r"\s*(\d)\s+\d{4}-\d+-\d+ +\d+:\d+:[\d.]+\S*\s+(\d+)\s+(\d+)\s*")


def buffer_monitoring(text: str) -> Reading:
    """``queues``: by queue of the one port its buffer in bytes and percent."""
    table = body(text, "Queue", "Time", "BufferUsage(Bytes)", "Percent")
    if table is None:
        return Reading()
    found: dict[str, Json] = {}
    unparsed = []
    for line in table.lines:
        match = _BUFFER.fullmatch(line)
        if match:
            found[match[1]] = {"buffer_bytes": int(match[2]), "percent": int(match[3])}
        else:
            unparsed.append(line.strip())
    return Reading({"queues": found}, tuple(unparsed))


_USAGE = re.compile(r"(\d+)/(\d+)\*?")
_OF_PRIORITY = re.compile(r"\s*(?:(\S+)\s+)?(\d)\s+(\d+/.*)")
_USED = ("Guaranteed", "PFC-Xoff", "Headroom")


def ingress_usage(text: str) -> Reading:
    """``ports``: by port and priority kbytes used of guaranteed, shared and headroom buffer."""
    table = body(text, "Interface", "Priority", "PFC-Xoff")
    if table is None or "Ingress Buffer Usage" not in text:
        return Reading()
    names = columns(table.header, _USED)
    found: dict[str, dict[str, Json]] = {}
    unparsed = []
    port = ""
    for line in table.lines:
        match = _OF_PRIORITY.match(line)
        pairs = _USAGE.findall(match[3]) if match else []
        port = match[1] or port if match else port
        if match is None or not port or len(pairs) != len(names):
            if "Pool" not in line:
                unparsed.append(line.strip())
            continue
        row: dict[str, Json] = {}
        for name, (used, total) in zip(names, pairs, strict=True):
            key = name.lower().replace("-", "_")
            row |= {f"{key}_used_kb": int(used), f"{key}_total_kb": int(total)}
        found.setdefault(port, {})[f"PG{match[2]}"] = row
    return Reading({"ports": {p: {**groups} for p, groups in found.items()}}, tuple(unparsed))
