"""``show interfaces`` and ``show interfaces extensive``: one section a physical interface."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Facts, Json, Reading
from fabric.platforms.juniper_junos.readers.noise import said
from fabric.reading.numbers import speed_mbps, up_or_down, whole
from fabric.reading.sections import Section, sections

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = re.compile(
    r"\s*Physical interface: (?P<name>[^\s,]+), (?P<admin>[^,]+), Physical link is (?P<oper>\w+)"
)
_LOGICAL = re.compile(r"\s*Logical interface ")
_UNIT = re.compile(r"\s*Logical interface (?P<name>\S+\.\d+) \(Index \d+\)")
_FLAGS = re.compile(r"^\s*Flags: (.+)$", re.MULTILINE)
_BANDWIDTH = re.compile(r"^\s*Bandwidth: ([\d.]+ ?[kKmMgG]bps)", re.MULTILINE)
_HEADING = re.compile(r"\s*[A-Z][\w /()-]*:\s*")
_MTU = re.compile(r"\bMTU: (\d+)")
_SPEED = re.compile(r"\bSpeed: ([\d.]+ ?[kKmMgG]bps)")
_ALARMS = re.compile(r"^\s*Active alarms\s*: (.+?)\s*$", re.MULTILINE)
_FEC_MODE = re.compile(r"^\s*Ethernet FEC Mode\s*:\s*(\S+)", re.MULTILINE)
_COUNTER = r"\b{}: (\d+)"
# Under which heading, which word, what it is called here.
_ERRORS = (
    ("Input errors:", "Errors", "in_errors"),
    ("Input errors:", "Drops", "in_drops"),
    ("Output errors:", "Errors", "out_errors"),
    ("Output errors:", "Drops", "out_drops"),
    ("Output errors:", "Carrier transitions", "flaps"),
)
_ROWS = (
    (re.compile(r"^\s*CRC/Align errors\s+(\d+)", re.MULTILINE), ("crc_errors",)),
    (re.compile(r"^\s*MAC pause frames\s+(\d+)\s+(\d+)", re.MULTILINE), ("in_pause", "out_pause")),
    (re.compile(r"^\s*FEC Corrected Errors\s+(\d+)", re.MULTILINE), ("fec_corrected",)),
    (re.compile(r"^\s*FEC Uncorrected Errors\s+(\d+)", re.MULTILINE), ("fec_uncorrected",)),
)
_PFC = re.compile(r"^\s*Priority\s*:\s*([0-7])\s+(\d+)\s+(\d+)\s*$", re.MULTILINE)
_QUEUE = re.compile(r"\s*(\d+)(?:\s+[A-Za-z]\S*)?\s+(\d+)\s+(\d+)\s+(\d+)\s*")
_SHARE = re.compile(r"\s*(\d+)\s+(\S+)\s+(\d+)\s+\d+\s+\S+\s+\S+\s+\S+\s+\S+\s*")


def brief(text: str) -> Reading:
    """``interfaces``: state, speed, MTU, alarms; of a single logical interface what it prints."""
    found = _read(text, extensive=False)
    return found if found.facts else _units(text)


def extensive(text: str) -> Reading:
    """The same with errors, pauses, and PFC counters, queues and shares by port."""
    return _read(text, extensive=True)


def _read(text: str, *, extensive: bool) -> Reading:
    before, found = sections(text, HEAD)
    if not found:
        return Reading()
    interfaces: Facts = {}
    facts: Facts = {"interfaces": interfaces}
    by_port: dict[str, Facts] = {"pfc": {}, "queues": {}, "scheduler_percent": {}}
    for section in found:
        name, physical = section.head["name"], _physical(section)
        own = dict(_states(section.head, physical))
        interfaces[name] = own
        if not extensive:
            continue
        own |= dict(_counters(physical))
        for key, value in (
            ("pfc", _pfc(physical)),
            ("queues", dict(_queues(physical))),
            ("scheduler_percent", dict(_shares(physical))),
        ):
            if value:
                by_port[key][name] = value
    facts |= {key: value for key, value in by_port.items() if value}
    return Reading(facts, said(before))


def _units(text: str) -> Reading:
    """Asked for a logical interface, the switch prints that alone."""
    before, found = sections(text, _UNIT)
    interfaces: Facts = {}
    for section in found:
        own: Facts = {}
        if flags := _FLAGS.search(section.text):
            states = set(re.split(r"[\s-]", flags[1].lower())) & {"up", "down"}
            own |= {"oper": "down" if "down" in states else "up"} if states else {}
        if (mtu := _MTU.search(section.text)) is not None:
            own["mtu"] = int(mtu[1])
        speed = _BANDWIDTH.search(section.text)
        if speed is not None and (mbps := speed_mbps(speed[1])) is not None:
            own["speed_mbps"] = mbps
        interfaces[section.head["name"]] = own
    return Reading({"interfaces": interfaces}, said(before)) if interfaces else Reading()


def _physical(section: Section) -> str:
    """What stands before the first logical interface, the head's rest included."""
    lines = [section.head.string[section.head.end() :].split("\n", 1)[0]]
    for line in section.lines:
        if _LOGICAL.match(line):
            break
        lines.append(line)
    return "\n".join(lines)


def _states(head: re.Match[str], text: str) -> Iterator[tuple[str, Json]]:
    yield "admin", "up" if head["admin"].strip() == "Enabled" else "down"
    oper = up_or_down(head["oper"])
    if oper:
        yield "oper", oper
    if (mtu := _MTU.search(text)) is not None:
        yield "mtu", int(mtu[1])
    speed = _SPEED.search(text)
    if speed is not None and (mbps := speed_mbps(speed[1])) is not None:
        yield "speed_mbps", mbps
    if (alarms := _ALARMS.search(text)) is not None:
        yield "alarms", alarms[1]
    if (mode := _FEC_MODE.search(text)) is not None:
        yield "fec", mode[1].lower()


def _counters(text: str) -> Iterator[tuple[str, Json]]:
    for heading, word, key in _ERRORS:
        found = re.search(_COUNTER.format(word), _under(text, heading))
        if found:
            yield key, int(found[1])
    for pattern, keys in _ROWS:
        row = pattern.search(text)
        if row:
            yield from zip(keys, map(int, row.groups()), strict=True)


def _under(text: str, heading: str) -> str:
    """The lines below a heading, until one that is a heading too: indentation may be lost."""
    lines = iter(text.split("\n"))
    if not any(line.strip() == heading for line in lines):
        return ""
    below: list[str] = []
    for line in lines:
        if not line.strip() or _HEADING.fullmatch(line):
            break
        below.append(line)
    return "\n".join(below)


def _pfc(text: str) -> Facts:
    rows = _PFC.findall(_under(text, "MAC Priority Flow Control Statistics:"))
    if not rows:
        return {}
    received: Facts = {priority: int(rx) for priority, rx, _ in rows}
    sent: Facts = {priority: int(tx) for priority, _, tx in rows}
    return {"rx": received, "tx": sent}


def _queues(text: str) -> Iterator[tuple[str, Json]]:
    for line in _table(text, re.compile(r"\s*Queue counters:.*Transmitted.*Dropped")):
        row = _QUEUE.fullmatch(line)
        if row is None:
            return
        yield row[1], {"tx_packets": int(row[3]), "drop_packets": int(row[4])}


def _shares(text: str) -> Iterator[tuple[str, Json]]:
    """Percent of each class that sends; ``r`` for the rest is no number."""
    for line in _table(text, re.compile(r"\s*CoS transmit queue\s+Bandwidth")):
        row = _SHARE.fullmatch(line)
        if row is not None and (share := whole(row[3])) is not None:
            yield row[2], share


def _table(text: str, head: re.Pattern[str]) -> Iterator[str]:
    """Lines below the first head until a blank one."""
    lines = iter(text.split("\n"))
    for line in lines:
        if head.match(line):
            break
    for line in lines:
        if not line.strip():
            return
        yield line
