"""``display interface``, ``display interface brief``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.huawei_vrp.readers.rows import body, columns, named, number
from fabric.reading.numbers import speed_mbps, up_or_down
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.reading.sections import Section

_HEAD = re.compile(r"\s*(\S+) current state\s*:\s*(\S.*?)\s*$")
_PROTOCOL = re.compile(r"\s*Line protocol current state\s*:\s*(\S+)")
_UNIT = re.compile(r"The (?:Maximum Transmit Unit|MTU) is (\d+)")
_FRAME = re.compile(r"The Maximum Frame Length is (\d+)")
_SPEED = re.compile(r"\bSpeed\s*:\s*(\w+)")
_PORT_SPEED = re.compile(r"\bPort BW\s*:\s*(\w+)")  # on routers in place of Speed
_FEC = re.compile(r"\bFec\s*:\s*(\S+)", re.IGNORECASE)
_WAY = re.compile(r"\s*(Input|Output)\s*:")
_COUNTER = re.compile(r"\b(Discard|Total Error|CRC|Pause|Overruns?)\s*:\s*(\d+)")
_ERRORS = re.compile(r"(?:^|,)\s*(\d+) errors\b")
_NAMES = {"Discard": "drops", "Total Error": "errors", "Pause": "pause"}
_FECS = {"rs-fec": "rs", "base-r": "base-r", "base-r-fec": "base-r", "none": "none"}
_BRIEF = ("Interface", "PHY", "Protocol", "InUti", "OutUti", "inErrors", "outErrors")


def interface(text: str) -> Reading:
    """``interfaces`` with state, MTU, frame length, speed and error counters where printed."""
    _, found = sections(text, _HEAD)
    known = [s for s in found if any(_PROTOCOL.match(line) for line in s.lines)]
    if not known:
        return Reading()
    return Reading({"interfaces": {s.head[1]: _one(s) for s in known}})


def _one(section: Section) -> dict[str, Json]:
    facts: dict[str, Json] = dict(_state(section.head[2]))
    protocol = next((m for line in section.lines if (m := _PROTOCOL.match(line))), None)
    if protocol:
        facts["protocol"] = up_or_down(protocol[1])
    for name, pattern in (("mtu", _UNIT), ("max_frame", _FRAME)):
        match = pattern.search(section.text)
        if match:
            facts[name] = int(match[1])
    speed = _SPEED.search(section.text) or _PORT_SPEED.search(section.text)
    mbps = speed_mbps(speed[1]) if speed else None
    if mbps is not None:
        facts["speed_mbps"] = mbps
    fec = _FEC.search(section.text)
    if fec and fec[1] != "-":
        facts["fec"] = _FECS.get(fec[1].lower(), fec[1].lower())
    return {**facts, **_counters(section.lines)}


def _state(word: str) -> dict[str, Json]:
    """``UP``, ``UP (ifindex: 9)``, ``DOWN``, ``Administratively DOWN``, ``*down``."""
    closed = word.lower().startswith(("administratively", "*"))
    last = word.lower().replace("administratively", "").strip().split(" ")[0]
    return {"oper": up_or_down(last) or "down", "admin": "down" if closed else "up"}


def _counters(lines: tuple[str, ...]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    way = ""
    for line in lines:
        match = _WAY.match(line)
        if match:
            way = "in" if match[1] == "Input" else "out"
        if not way or "utilization" in line:
            continue
        for name, count in _COUNTER.findall(line):
            if name == "CRC":
                found.setdefault("crc_errors", int(count))
            elif name in _NAMES:
                found.setdefault(f"{way}_{_NAMES[name]}", int(count))
        errors = _ERRORS.search(line)
        if errors:
            found.setdefault(f"{way}_errors", int(errors[1]))
    return found


def brief(text: str) -> Reading:
    """``interfaces`` with state and errors; members of a trunk are indented below it."""
    table = body(text, "Interface", "PHY", "Protocol", "InUti")
    if table is None:
        return Reading()
    names = columns(table.header, _BRIEF)
    found: dict[str, Json] = {}
    unparsed = []
    for line in table.lines:
        row = named(line.split(), names)
        oper, protocol = up_or_down(row.get("PHY")), up_or_down(row.get("Protocol"))
        if oper is None or protocol is None:
            unparsed.append(line.strip())
            continue
        facts: dict[str, Json] = {"oper": oper, "protocol": protocol}
        facts["admin"] = "down" if row["PHY"].startswith("*") else "up"
        for column, key in (("inErrors", "in_errors"), ("outErrors", "out_errors")):
            count = number(row.get(column))
            if count is not None:
                facts[key] = count
        found[row["Interface"]] = facts
    return Reading({"interfaces": found}, tuple(unparsed))
