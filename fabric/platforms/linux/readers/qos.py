"""``mlnx_qos -i`` and ``dcb pfc show``: trust, maps, PFC and scheduling of a NIC."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading

if TYPE_CHECKING:
    from fabric.model.reading import Json

_TRUST = re.compile(r"^\s*Priority trust state: (\S+)", re.MULTILINE)
_DCBX = re.compile(r"^\s*DCBX mode: (.+?)\s*$", re.MULTILINE)
_CABLE = re.compile(r"^\s*Cable len: (\d+)", re.MULTILINE)
_BUFFERS = re.compile(r"^\s*Receive buffer size \(bytes\): ((?:\d+,)+)", re.MULTILINE)
_DSCPS = re.compile(r"^\s*prio:(?P<priority>[0-7]) dscp:(?P<dscps>(?:\d+,?)+)", re.MULTILINE)
_ENABLED = re.compile(r"^\s*enabled:?\s+(?P<bits>[01](?:\s+[01]){7})\s*$", re.MULTILINE)
_CLASS = re.compile(
    r"\s*tc: (?P<tc>[0-7]) ratelimit: (?P<limit>[^,]+), tsa: (?P<tsa>\w+)(?:, bw: (?P<bw>\d+)%)?"
)
_MEMBER = re.compile(r"\s*priority:\s*(?P<priority>[0-7])\s*")


def mlnx_qos(text: str) -> Reading:
    """``trust``, ``dscp_to_priority``, ``lossless``, ``priority_to_tc``, ``tc``, ``cable_len``."""
    trust, enabled = _TRUST.search(text), _ENABLED.search(text)
    if not trust and not (enabled and "PFC configuration:" in text):
        return Reading()
    facts: dict[str, Json] = {}
    if trust:
        facts["trust"] = trust[1]
    if dcbx := _DCBX.search(text):
        facts["dcbx"] = dcbx[1]
    dscps: dict[str, Json] = {
        str(int(dscp)): int(found["priority"])
        for found in _DSCPS.finditer(text)
        for dscp in found["dscps"].split(",")
        if dscp
    }
    if dscps:
        facts["dscp_to_priority"] = dscps
    if cable := _CABLE.search(text):
        facts["cable_len"] = int(cable[1])
    if buffers := _BUFFERS.search(text):
        facts["buffer_bytes"] = [int(size) for size in buffers[1].rstrip(",").split(",")]
    if enabled:
        facts["lossless"] = [n for n, bit in enumerate(enabled["bits"].split()) if bit == "1"]
    return Reading(facts | _classes(text))


def _classes(text: str) -> dict[str, Json]:
    classes: dict[str, Json] = {}
    members: dict[str, Json] = {}
    current: int | None = None
    for line in text.split("\n"):
        found = _CLASS.match(line)
        if found:
            current = int(found["tc"])
            one: dict[str, Json] = {"tsa": found["tsa"]}
            if found["bw"]:
                one["bw_percent"] = int(found["bw"])
            if found["limit"] != "unlimited":
                one["rate_limit"] = found["limit"]
            classes[found["tc"]] = one
        elif current is not None and (member := _MEMBER.fullmatch(line)):
            members[member["priority"]] = current
    return {"tc": classes, "priority_to_tc": members} if classes else {}


_PFC_CAP = re.compile(r"^\s*pfc-cap (\d+)", re.MULTILINE)
_DELAY = re.compile(r"\bdelay (\d+)")
_PRIO_PFC = re.compile(r"^\s*prio-pfc((?: [0-7]:(?:on|off))+)", re.MULTILINE)
_COUNTS = {
    "tx": re.compile(r"\brequests((?: [0-7]:\d+)+)"),  # asked the far end to pause
    "rx": re.compile(r"\bindications((?: [0-7]:\d+)+)"),  # was asked to pause
}


def dcb_pfc(text: str) -> Reading:
    """``lossless``, ``delay``, and with ``-s`` the frames as ``pfc``."""
    switches = _PRIO_PFC.search(text)
    if not switches:
        return Reading()
    pairs = [pair.split(":") for pair in switches[1].split()]
    facts: dict[str, Json] = {"lossless": [int(n) for n, state in pairs if state == "on"]}
    for key, pattern in (("pfc_cap", _PFC_CAP), ("delay", _DELAY)):
        if found := pattern.search(text):
            facts[key] = int(found[1])
    pfc: dict[str, Json] = {}
    for way, pattern in _COUNTS.items():
        if counts := pattern.search(text):
            pfc[way] = {n: int(value) for n, value in (c.split(":") for c in counts[1].split())}
    return Reading(facts | ({"pfc": pfc} if pfc else {}))
