"""FRR: ``show interface brief``, ``show interface`` (``vrf all``) and its JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.json_output import json_of, listing, mapping, number_of, text_of
from fabric.reading.numbers import up_or_down
from fabric.reading.sections import sections
from fabric.reading.tables import header_place, is_rule

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.reading.sections import Section

# The name fills 16 places; a longer one leaves no blank before the state.
_BRIEF = re.compile(
    r"(?P<name>\S+?)\s*(?P<oper>up|down)\s+(?P<vrf>\S+)"
    r"(?:\s+(?:\+ )?(?P<address>[0-9a-fA-F.:]+/\d+))?"
)
_MORE = re.compile(r"\s+(?:\+ )?(?P<address>[0-9a-fA-F.:]+/\d+)")
_HEAD = re.compile(
    r"Interface (?P<name>\S+) is (?P<admin>up|down)"
    r"(?:, line protocol (?:is (?P<oper>up|down)|detection is disabled))?"
)
_INDEX = re.compile(r"\bmtu (?P<mtu>\d+)(?:.*?\bspeed (?P<speed>\d+))?")
_FLAGS = re.compile(r"^\s*flags: <(?P<flags>[^>]*)>", re.MULTILINE)
_INET = re.compile(r"^\s+inet6? (?P<address>\S+/\d+)", re.MULTILINE)
_LABELS = {
    "vrf": re.compile(r"^\s+vrf: (.+)$", re.MULTILINE),
    "description": re.compile(r"^\s+Description: (.+)$", re.MULTILINE),
}
_UNKNOWN_SPEEDS = (0, 2**32 - 1)


def interface_brief(text: str) -> Reading:
    """``interfaces`` with ``oper``, ``vrf``, the first ``address`` and all ``addresses``."""
    lines = text.split("\n")
    if header_place(lines, "Interface", "Status", "VRF", "Addresses") is None:
        return Reading()
    found: dict[str, dict[str, Json]] = {}
    addresses: list[Json] = []
    unparsed: list[str] = []
    for line in (raw.rstrip() for raw in lines):
        row, more = _BRIEF.fullmatch(line), _MORE.fullmatch(line)
        if row:
            addresses = []
            found[row["name"]] = {"oper": row["oper"], "vrf": row["vrf"], "addresses": addresses}
            more = row if row["address"] else None
        if more and found:
            addresses.append(more["address"])
            found[next(reversed(found))].setdefault("address", more["address"])
        elif not (row or is_rule(line) or not line or line.startswith("Interface")):
            unparsed.append(line.strip())
    return Reading({"interfaces": dict(found)}, tuple(unparsed))


def interfaces(text: str) -> Reading:
    """``interfaces`` with ``admin``, ``oper``, ``mtu``, ``speed_mbps`` where it is known."""
    before, found = sections(text, _HEAD)
    if not found:
        return Reading()
    return Reading(
        {"interfaces": {section.head["name"]: _interface(section) for section in found}},
        tuple(line.strip() for line in before if line.strip()),
    )


def _interface(section: Section) -> Json:
    head, text = section.head, section.text
    flags = _FLAGS.search(text)
    oper = head["oper"]
    if oper is None:  # the state of the line is not followed: the kernel's flags tell
        running = bool(flags) and "RUNNING" in flags["flags"].split(",") if flags else False
        oper = "up" if head["admin"] == "up" and running else "down"
    fact: dict[str, Json] = {"admin": head["admin"], "oper": oper}
    index = _INDEX.search(text)
    if index:
        fact["mtu"] = int(index["mtu"])
        if index["speed"] and int(index["speed"]) not in _UNKNOWN_SPEEDS:
            fact["speed_mbps"] = int(index["speed"])
    for key, label in _LABELS.items():
        if said := label.search(text):
            fact[key] = said[1].strip()
    addresses: list[Json] = [match["address"] for match in _INET.finditer(text)]
    if addresses:
        fact["addresses"] = addresses
    return fact


def interfaces_json(text: str) -> Reading:
    """``interfaces`` of the JSON, for one interface or all."""
    value = mapping(json_of(text))
    found: dict[str, Json] = {}
    for name, inner in value.items():
        interface = mapping(inner)
        if (admin := up_or_down(text_of(interface.get("administrativeStatus")))) is not None:
            found[name] = _of_json(interface, admin)
    return Reading({"interfaces": found}) if found or text.strip() == "{}" else Reading()


def _of_json(interface: dict[str, Json], admin: str) -> Json:
    # The state is not said of an interface that is administratively down.
    oper = up_or_down(text_of(interface.get("operationalStatus"))) or "down"
    fact: dict[str, Json] = {"admin": admin, "oper": oper}
    if (mtu := number_of(interface.get("mtu"))) is not None:
        fact["mtu"] = mtu
    speed = number_of(interface.get("speed"))
    if speed is not None and speed > 0 and speed not in _UNKNOWN_SPEEDS:
        fact["speed_mbps"] = speed
    for key, name in (("vrf", "vrfName"), ("description", "description")):
        if (said := text_of(interface.get(name))) is not None:
            fact[key] = said
    listed = [text_of(mapping(one).get("address")) for one in listing(interface.get("ipAddresses"))]
    addresses: list[Json] = [address for address in listed if address]
    if addresses:
        fact["addresses"] = addresses
    return fact
