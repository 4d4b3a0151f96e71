"""``display dcb`` and its profiles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.huawei_vrp.readers.rows import body, columns, named, number

if TYPE_CHECKING:
    from fabric.model.reading import Json

_DCB = ("Interface", "PFC Name", "PFC Status", "ETS Name", "ETS Status", "App-Profile")
_GROUP = re.compile(r"\s*(\d+)\s*\(\d+\)\s+(\S+)\s+(\S+)\s+(\S.*)")
_QUEUE = re.compile(r"\s*(\d)\s+(\S+)\s+(\S+)(?:\s+\S.*)?")
_CELL = re.compile(r"(\d+)\s*\(([BKMCD])\)")
_UNITS = {"B": "bytes", "K": "kb", "M": "mb", "C": "cells", "D": "alpha"}
_LIMITS = ("Guaranteed", "Xon-Lowest", "Xon-Offset", "Xoff", "Hdrm")
_LIMITS_B = ("Xon", "Xoff")


def dcb(text: str) -> Reading:
    """``ports``: whether PFC is on, and the profiles."""
    table = body(text, "Interface", "PFC Name", "PFC Status")
    if table is None:
        return Reading()
    names = columns(table.header, _DCB)
    found: dict[str, Json] = {}
    unparsed = []
    for line in table.lines:
        row = named(line.split(), names)
        status = row.get("PFC Status", "DISABLE").upper()
        if len(line.split()) < len(names) or not status.startswith(("ENABLE", "DISABLE", "SUC")):
            unparsed.append(line.strip())
            continue
        port: dict[str, Json] = {"pfc": status.startswith("ENABLE")}
        for column, key in (("PFC Name", "pfc_profile"), ("ETS Name", "ets_profile")):
            if column in row:
                port[key] = row[column]
        found[row["Interface"]] = port
    return Reading({"ports": found}, tuple(unparsed))


def ets_profile(text: str) -> Reading:
    """``ets``: by priority group its weight and queues."""
    table = body(text, "PG(RN)", "Q", "SCH", "Weight")
    if table is None:
        return Reading()
    found: dict[str, dict[str, Json]] = {}
    unparsed = []
    queues: list[Json] = []
    for line in table.lines:
        group, queue = _GROUP.fullmatch(line), _QUEUE.fullmatch(line)
        if group:
            queues = []
            weight = number(group[4])
            found[group[1]] = {"queues": queues} | ({} if weight is None else {"weight": weight})
            if group[2].isdecimal():
                queues.append(int(group[2]))
        elif queue and found:
            queues.append(int(queue[1]))
        elif not line.strip().startswith("ETS Profile"):
            unparsed.append(line.strip())
    return Reading({"ets": {name: {**group} for name, group in found.items()}}, tuple(unparsed))


def pfc_profile(text: str) -> Reading:
    """``pfc_profiles``: by name the priorities that it makes lossless."""
    table = body(text, "PFC-profile Name", "Priority")
    if table is None:
        return Reading()
    found: dict[str, Json] = {}
    unparsed = []
    for line in table.lines:
        name, *cells = line.replace(",", " ").split()
        if all(cell.isdecimal() or cell == "-" for cell in cells):
            found[name] = [int(cell) for cell in cells if cell.isdecimal()]
        else:
            unparsed.append(line.strip())
    return Reading({"pfc_profiles": found}, tuple(unparsed))


def pfc_buffer(text: str) -> Reading:
    """``pfc_buffer``: by port and queue the limits, each with its unit in the name."""
    table = body(text, "Interface", "Queue", "Xon")
    if table is None or "Xoff" not in table.header:
        return Reading()
    names = columns(table.header, _LIMITS if "Guaranteed" in table.header else _LIMITS_B)
    found: dict[str, dict[str, Json]] = {}
    unparsed = []
    port = ""
    for line in table.lines:
        cells = _CELL.findall(line)
        first = line[: line.find("(")].split()[:-1] if cells else []
        if len(first) > 1:
            port = first[0]
        if not port or not first or len(cells) != len(names):
            unparsed.append(line.strip())
            continue
        limits = zip(names, cells, strict=True)
        row = {f"{n.lower().replace('-', '_')}_{_UNITS[u]}": int(v) for n, (v, u) in limits}
        found.setdefault(port, {})[first[-1]] = {**row}
    return Reading({"pfc_buffer": {p: {**queues} for p, queues in found.items()}}, tuple(unparsed))
