"""Markings, queues and maps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.huawei_vrp.readers.rows import PORT, body, columns, named, number
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from fabric.model.reading import Facts, Json
    from fabric.reading.sections import Section

_PHBS = ("be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7")
_PROFILE = re.compile(r"\s*Drop-profile\s*\[\d+\]\s*:\s*(\S+)\s*$")
_COLOR = ("Color", "Mode", "Low-limit", "High-limit", "Unit", "Discard(%)")
_UNITS = {"%": "percent", "byte": "bytes", "bytes": "bytes", "kb": "kb", "cell": "cells"}


def drop_profile(text: str) -> Reading:
    """``drop_profiles``: by name and colour (or ``ecn``) the thresholds, unit in the name."""
    _, found = sections(text, _PROFILE)
    profiles = {s.head[1]: _colors(s) for s in found}
    known: dict[str, Json] = {n: {**colors} for n, colors in profiles.items() if colors is not None}
    return Reading({"drop_profiles": known}) if known else Reading()


def _colors(section: Section) -> dict[str, Json] | None:
    table = body(section.text, "Color", "Low-limit", "High-limit")
    if table is None:
        return None
    names = columns(table.header, _COLOR)
    colors: dict[str, Json] = {}
    for line in table.lines:
        row = named(line.split(), names)
        unit = row.get("Unit", "%").lower()
        low, high = number(row.get("Low-limit")), number(row.get("High-limit"))
        if low is None or high is None:
            continue
        suffix = _UNITS.get(unit, unit.strip("()"))
        color: dict[str, Json] = {f"low_{suffix}": low, f"high_{suffix}": high}
        most = number(row.get("Discard(%)"))
        colors[row["Color"].lower()] = color if most is None else {**color, "probability": most}
    return colors


def ecn_threshold(text: str) -> Reading:
    """``ecn``: by port and queue; AI ECN is marked by a star, an upper limit by brackets."""
    table = body(text, "Interface", "Queue", "Min", "Max", "Probability")
    if table is None:
        return Reading()
    found: dict[str, dict[str, Json]] = {}
    unparsed: list[str] = []
    port = ""
    for line in table.lines:
        cells = line.split()
        if PORT.fullmatch(cells[0]) and not cells[0].isdecimal():
            port, *cells = cells
        values = [number(cell) for cell in cells]
        if not port or len(values) < 4 or values[0] is None or "(" in line:  # noqa: PLR2004
            if "(KB)" not in line:
                unparsed.append(line.strip())
            continue
        row = dict(zip(("min_kb", "max_kb", "probability"), values[1:4], strict=True))
        known: dict[str, Json] = {key: value for key, value in row.items() if value is not None}
        found.setdefault(port, {})[str(values[0])] = known
    return Reading({"ecn": {p: {**queues} for p, queues in found.items()}}, tuple(unparsed))


def ecn_statistics(text: str) -> Reading:
    """``ecn_marked_total``: packets by port; the box does not count queues apart."""
    table = body(text, "Interface", "ECN-marked packets")
    if table is None:
        return Reading()
    found: dict[str, Json] = {}
    unparsed = []
    for line in table.lines:
        name, *cells = line.split()
        count = number(cells[0]) if cells else None
        if count is None or not PORT.fullmatch(name):
            unparsed.append(line.strip())
        else:
            found[name] = count
    return Reading({"ecn_marked_total": found}, tuple(unparsed))


_OF_PORT = re.compile(r"\s*Queue statistics info\s*:\s*interface\s+(\S+)\s*$")
_PACKETS = re.compile(r"\s*(\d)\s+\S+\s+(\d+|-)\s+(\d+|-)\s+(\d+|-)\s+(\d+|-)\s+(\S.*?)\s*")
_BYTES = re.compile(r"\s*\S+\s+(\d+|-)\s+(\d+|-)\s+(\d+|-)\s+(\d+|-)\s*")


def queue_statistics(text: str) -> Reading:
    """``queues``: packets and bytes sent and dropped, by port and queue; two lines a queue.

    Of one port alone the box does not print its name: then they are by queue.
    """
    table = body(text, "Queue", "CIR/PIR", "Passed", "Dropped")
    if table is None:
        return Reading()
    _, ports = sections(text, _OF_PORT)
    if not ports:
        return Reading({"queues": _by_queue(table.lines)})
    return Reading({"queues": {port.head[1]: _by_queue(port.lines) for port in ports}})


def _by_queue(lines: tuple[str, ...]) -> dict[str, Json]:
    rows: dict[str, Json] = {}
    row: dict[str, Json] | None = None
    for line in lines:
        first, second = _PACKETS.fullmatch(line), _BYTES.fullmatch(line)
        if first and row is None:
            row = _counts(("packets", first[2]), ("drop_packets", first[4]))
            rows[first[1]] = row
        elif second and row is not None:
            row |= _counts(("bytes", second[1]), ("drop_bytes", second[3]))
            row = None
    return rows


def _counts(*pairs: tuple[str, str]) -> dict[str, Json]:
    return {key: int(cell) for key, cell in pairs if cell.isdecimal()}


_PORT_LINE = re.compile(r"\s*interface\s+(\S+)\s*", re.IGNORECASE)
_TRUST = re.compile(r"\s*trust flag\s*:\s*(\S.*?)\s*")
_SCHEDULE = re.compile(r"\s*(\d)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*")
_WEIGHT = re.compile(r".*\bweight\s*=\s*(\d+)\s*")


def configuration(text: str) -> Reading:
    """``port``, ``trust`` and the ``queues`` of one port: schedule, weight, drop profile."""
    lines = text.split("\n")
    trust = next((m for line in lines if (m := _TRUST.fullmatch(line))), None)
    table = body(text, "queue", "shaping", "schedule", "wred")
    if trust is None or table is None:
        return Reading()
    port = next((m for line in lines if (m := _PORT_LINE.fullmatch(line))), None)
    facts: Facts = {"trust": trust[1].split()[-1]}
    if port:
        facts["port"] = port[1]
    queues: dict[str, dict[str, Json]] = {}
    last = ""
    for line in table.lines:
        row, weight = _SCHEDULE.fullmatch(line), _WEIGHT.fullmatch(line)
        if row:
            last = row[1]
            queues[last] = {"schedule": row[4]} | ({} if row[5] == "-" else {"wred": row[5]})
        elif weight and last:
            queues[last]["weight"] = int(weight[1])
    return Reading({**facts, "queues": {name: {**queue} for name, queue in queues.items()}})


_DOMAIN = re.compile(r"\s*Diffserv domain name\s*:\s*(\S+)\s*$", re.IGNORECASE)
_INBOUND = re.compile(r"\s*ip-dscp-inbound (\d+) phb (\w+)")


def diffserv(text: str) -> Reading:
    """``dscp_to_tc`` and ``class_to_queue``, by domain where there are several."""
    _, found = sections(text, _DOMAIN)
    maps: dict[str, Json] = {}
    for section in found:
        rows = (m for line in section.lines if (m := _INBOUND.match(line)))
        maps[section.head[1]] = {
            m[1]: _PHBS.index(m[2].lower()) for m in rows if m[2].lower() in _PHBS
        }
    if not maps:
        return Reading()
    whole = next(iter(maps.values())) if len(maps) == 1 else maps
    return Reading({"dscp_to_tc": whole, "class_to_queue": {p: n for n, p in enumerate(_PHBS)}})
