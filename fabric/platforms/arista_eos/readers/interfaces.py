"""``show interfaces``, ``show interfaces status``, and the first one's JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.json_output import json_of, mapping, number_of, text_of
from fabric.reading.numbers import speed_mbps
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.reading.sections import Section

_HEAD = re.compile(
    r"(?P<name>[A-Z]\S*) is (?P<state>administratively down|up|down), "
    r"line protocol is (?P<protocol>\w+)(?: \((?P<status>[^)]*)\))?"
)
_OURS = re.compile(r"^\s+(?:IP|Ethernet) MTU \d+ bytes|^\s+Hardware is ", re.MULTILINE)
_DUPLEX = re.compile(r"^\s+\w+-duplex, (?P<speed>\d[\d.]*\s?[A-Za-z/]*)", re.MULTILINE)
_NUMBERS = {
    "mtu": re.compile(r"^\s+(?:IP|Ethernet) MTU (\d+) bytes", re.MULTILINE),
    "in_errors": re.compile(r"\b(\d+) input errors"),
    "crc_errors": re.compile(r"\b(\d+) CRC\b"),
    "in_discards": re.compile(r"\b(\d+) input discards"),
    "in_pause": re.compile(r"\b(\d+) PAUSE input"),
    "out_errors": re.compile(r"\b(\d+) output errors"),
    "out_discards": re.compile(r"\b(\d+) output discards"),
    "out_pause": re.compile(r"\b(\d+) PAUSE output"),
    "flaps": re.compile(r"\b(\d+) link status changes"),
}
_DESCRIPTION = re.compile(r"^\s+Description: (.*?)\s*$", re.MULTILINE)


def text(output: str) -> Reading:
    """``interfaces`` of ``show interfaces``."""
    before, found = sections(output, _HEAD)
    if not found or not _OURS.search(output):
        return Reading()
    return Reading(
        {"interfaces": {section.head["name"]: _of_section(section) for section in found}},
        tuple(line.strip() for line in before if line.strip()),
    )


def _of_section(section: Section) -> Json:
    head, body = section.head, section.text
    fact: dict[str, Json] = {
        "admin": "down" if head["state"] == "administratively down" else "up",
        "oper": "up" if head["protocol"] == "up" else "down",
    }
    if head["status"]:
        fact["status"] = head["status"]
    duplex = _DUPLEX.search(body)
    if duplex and (speed := speed_mbps(duplex["speed"].rstrip(","))) is not None:
        fact["speed_mbps"] = speed
    for key, pattern in _NUMBERS.items():
        if number := pattern.search(body):
            fact[key] = int(number[1])
    if description := _DESCRIPTION.search(body):
        fact["description"] = description[1]
    return fact


_COUNTERS = (
    ("in_errors", ("totalInErrors",)),
    ("out_errors", ("totalOutErrors",)),
    ("in_discards", ("inDiscards",)),
    ("out_discards", ("outDiscards",)),
    ("flaps", ("linkStatusChanges",)),
    ("crc_errors", ("inputErrorsDetail", "fcsErrors")),
    ("in_pause", ("inputErrorsDetail", "rxPause")),
    ("out_pause", ("outputErrorsDetail", "txPause")),
)
_BITS_PER_MBIT = 1_000_000


def json(output: str) -> Reading:
    """``interfaces`` of ``show interfaces | json``. A bandwidth of 0 is not known."""
    value = mapping(json_of(output))
    ports = mapping(value.get("interfaces"))
    found: dict[str, Json] = {}
    for name, inner in ports.items():
        port = mapping(inner)
        if "lineProtocolStatus" in port and "interfaceStatus" in port:
            found[name] = _of_json(port)
    empty = "interfaces" in value and not ports and len(value) == 1
    return Reading({"interfaces": found}) if found or empty else Reading()


def _of_json(port: dict[str, Json]) -> Json:
    status = text_of(port["interfaceStatus"]) or ""
    fact: dict[str, Json] = {
        "admin": "down" if status == "disabled" else "up",
        "oper": "up" if port["lineProtocolStatus"] == "up" else "down",
        "status": status,
    }
    if (mtu := number_of(port.get("mtu"))) is not None:
        fact["mtu"] = mtu
    if bandwidth := number_of(port.get("bandwidth")):
        fact["speed_mbps"] = bandwidth // _BITS_PER_MBIT
    if description := text_of(port.get("description")):
        fact["description"] = description
    counters = mapping(port.get("interfaceCounters"))
    for key, path in _COUNTERS:
        where = counters
        for step in path[:-1]:
            where = mapping(where.get(step))
        if (count := number_of(where.get(path[-1]))) is not None:
            fact[key] = count
    return fact


_STATUS_HEAD = re.compile(r"^Port\s+Name\s+Status\s+Vlan\s+Duplex\s+Speed\s+Type", re.MULTILINE)
# A name may hold any words: the last status that leaves VLAN, duplex and speed behind it counts.
_STATUS_ROW = re.compile(
    r"(?P<port>[A-Z][A-Za-z-]*\d\S*)\s+(?P<name>.*\s|)(?P<status>connected|notconnect|disabled|"
    r"errdisabled|inactive|monitoring|maintenance|unknown)\s+(?P<vlan>in \S+|\S+)\s+"
    r"(?P<duplex>(?:a-)?(?:full|half|auto)|unconf|n/a|N/A)\s+(?P<speed>\S+)(?:\s.*)?"
)
_OTHERS = re.compile(r"^(?:Eth|mgmt|Gi|Te|Fa)\d", re.MULTILINE)  # the same header elsewhere
_LANES = re.compile(r"-\d+$")  # 100G-4: of how many lanes


def status(output: str) -> Reading:
    """``interfaces`` with ``status``, ``oper``, ``vlan`` and, unless it is auto, ``speed_mbps``."""
    if not _STATUS_HEAD.search(output) or _OTHERS.search(output):
        return Reading()
    found: dict[str, Json] = {}
    unparsed: list[str] = []
    for line in output.split("\n"):
        row = _STATUS_ROW.fullmatch(line.strip())
        if row is None:
            if line.strip() and not _STATUS_HEAD.match(line):
                unparsed.append(line.strip())
            continue
        one: dict[str, Json] = {
            "status": row["status"],
            "oper": "up" if row["status"] == "connected" else "down",
            "vlan": row["vlan"],
        }
        speed = speed_mbps(_LANES.sub("", row["speed"].removeprefix("a-")))
        if speed is not None:
            one["speed_mbps"] = speed
        if name := row["name"].strip():
            one["description"] = name
        found[row["port"]] = one
    return Reading({"interfaces": found}, tuple(unparsed))
