"""``show interface priority-flow-control`` and ``show queuing pfc-queue detail``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Facts, Reading
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.reading.sections import Section

_TABLE = re.compile(r"Port\s+Mode\s+Oper\s*\(VL bmap\)\s+RxPPP\s+TxPPP", re.IGNORECASE)
_ROW = re.compile(
    r"([A-Za-z][\w/.-]*\d)\s+(auto|on|off)\s+(on|off)\s*(?:\(([0-9a-f]+)\))?\s+(\d+)\s+(\d+)(?:\s.*)?",
    re.IGNORECASE,
)
_RULE = re.compile(r"[=+-]*|(?:slot|module)\s+\d+", re.IGNORECASE)
_CODES = 8

_PORT = re.compile(r"\s*(\S+) Interface PFC watchdog:\s*\[(\w+)\]")
_ACTION = re.compile(r"Disable-action\s*:\s*(\w+)", re.IGNORECASE)
_MULTIPLIER = re.compile(r"interface-multiplier\s*:\s*(\d+)", re.IGNORECASE)
_POLL = re.compile(r"poll interval\s*:\s*(\d+)\s*ms", re.IGNORECASE)
_GROUP = re.compile(r"\|?\s*QOS GROUP (\d+) \[(\w[\w -]*)\]")
_COUNT = re.compile(r"\|?\s*(.*?)\s*\|\s*(\d+)\s*\|?")
_COUNTS = {
    "shutdown": "shutdown",
    "restored": "restored",
    "total pkts drained": "drained",
    "total pkts dropped": "dropped",
    "aggregate pkts dropped": "aggregate_dropped",
    "total ingress pkts dropped": "ingress_dropped",
    "aggregate ingress pkts dropped": "aggregate_ingress_dropped",
}


def priority_flow_control(text: str) -> Reading:
    """``pfc``: mode, on or off, counts of frames; ``ports``: priorities, out of the bitmap."""
    if not _TABLE.search(text):
        return Reading()
    found: dict[str, Json] = {}
    ports: dict[str, Json] = {}
    unparsed = []
    for line in text.split("\n"):
        row = _ROW.fullmatch(line.strip())
        if row:
            found[row[1]] = _pfc(row)
            ports |= _lossless(row)
        elif not _RULE.fullmatch(line.strip()) and not _TABLE.search(line):
            unparsed.append(line.strip())
    facts: Facts = {"pfc": found}
    return Reading(facts | ({"ports": ports} if ports else {}), tuple(unparsed))


def _pfc(row: re.Match[str]) -> Facts:
    facts: Facts = {
        "mode": row[2].lower(),
        "oper": row[3].lower(),
        "rx_total": int(row[5]),
        "tx_total": int(row[6]),
    }
    return facts | ({"vl_bitmap": row[4]} if row[4] is not None else {})


def _lossless(row: re.Match[str]) -> Facts:
    """Priorities of the port: none where PFC is off, else those of the hexadecimal bitmap."""
    if row[3].lower() == "off":
        return {row[1]: {"lossless": []}}
    if row[4] is None:
        return {}
    bits = int(row[4], 16)
    return {row[1]: {"lossless": [code for code in range(_CODES) if bits >> code & 1]}}


def pfc_queue_detail(text: str) -> Reading:
    """``watchdog``: by port whether it is on, and by qos-group its state and counts.

    ``queues``, by ``port:queue``: the storms among them, as other systems tell them.
    """
    before, ports = sections(text, _PORT)
    found: dict[str, Json] = {}
    unparsed: list[str] = []
    for section in ports:
        found[section.head[1]] = _watchdog(section, unparsed)
    poll = _POLL.search("\n".join(before))
    facts: Facts = {"watchdog": found} if found else {}
    storms = _storms(found)
    facts |= {"queues": storms} if storms else {}
    return Reading(facts | ({"polling_interval_ms": int(poll[1])} if poll else {}), tuple(unparsed))


def _watchdog(section: Section, unparsed: list[str]) -> Facts:
    facts: Facts = {"enabled": section.head[2].lower() == "enabled"}
    action, multiplier = _ACTION.search(section.text), _MULTIPLIER.search(section.text)
    if action:
        facts["disable_action"] = action[1].lower() == "yes"
    if multiplier:
        facts["interface_multiplier"] = int(multiplier[1])
    group: Facts = {}
    for line in section.lines:
        head, count = _GROUP.match(line.strip()), _COUNT.fullmatch(line.strip())
        if head:
            group = {"state": head[2].lower()}
            facts[head[1]] = group
        elif count and count[1].lower() in _COUNTS:
            group[_COUNTS[count[1].lower()]] = int(count[2])
        elif count and "drained + dropped" not in count[1]:
            unparsed.append(line.strip())
    return facts


def _storms(watchdog: Facts) -> Facts:
    found: Facts = {}
    for port, said in watchdog.items():
        for group, counts in said.items() if isinstance(said, dict) else ():
            if isinstance(counts, dict):
                found[f"{port}:{group}"] = {
                    "status": counts.get("state"),
                    "storms_detected": counts.get("shutdown"),
                    "storms_restored": counts.get("restored"),
                }
    return found
