"""Maps, WRED policies and the counters of queues."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.dell_sonic.lines import is_port
from fabric.reading.numbers import whole
from fabric.reading.tables import is_rule

if TYPE_CHECKING:
    from fabric.model.reading import Facts, Json

_PAIR = re.compile(r"\s*(\d+)\s+(\d+)\s*")


def dscp_to_tc(text: str) -> Reading:
    """``show qos map dscp-tc``: by map."""
    return _maps(text, "DSCP-TC-MAP", "dscp_to_tc")


def tc_to_queue(text: str) -> Reading:
    """``show qos map tc-queue``: by map."""
    return _maps(text, "Traffic-Class-Queue-MAP", "tc_to_queue")


def tc_to_pg(text: str) -> Reading:
    """``show qos map tc-pg``: by map."""
    return _maps(text, "Traffic-Class-Priority-Group-MAP", "tc_to_pg")


def pfc_to_queue(text: str) -> Reading:
    """``show qos map pfc-priority-queue``: by map."""
    return _maps(text, "PFC-Priority-Queue-MAP", "pfc_priority_to_queue")


def _maps(text: str, heading: str, fact: str) -> Reading:
    head = re.compile(rf"\s*{heading}\s*:\s*(\S+)\s*")
    found: dict[str, dict[str, Json]] = {}
    unparsed: list[str] = []
    rows: dict[str, Json] | None = None
    for line in text.split("\n"):
        named, pair = head.fullmatch(line), _PAIR.fullmatch(line)
        if named:
            rows = found.setdefault(named[1], {})
        elif pair and rows is not None:
            rows[pair[1]] = int(pair[2])
        elif not is_rule(line) and not _words(line):
            unparsed.append(line.strip())
    return Reading({fact: dict(found)}, tuple(unparsed)) if found else Reading()


def _words(line: str) -> bool:
    """Whether a line is a header or empty: it has no digit."""
    return not re.search(r"\d", line)


_POLICY = re.compile(r"\s*Policy\s*:\s*(\S+)\s*")
_FIELD = re.compile(r"\s*(?P<name>[a-z-]+)\s*:\s*(?P<value>\S+)(?:\s+(?P<unit>KBytes))?\s*")
_KBYTE = 1000


def wred(text: str) -> Reading:
    """``show qos wred-policy``; thresholds come in KBytes of 1000 bytes and are given in bytes."""
    profiles: dict[str, dict[str, Json]] = {}
    unparsed: list[str] = []
    rows: dict[str, Json] | None = None
    for line in text.split("\n"):
        policy, field = _POLICY.fullmatch(line), _FIELD.fullmatch(line)
        if policy:
            rows = profiles.setdefault(policy[1], {})
        elif field and rows is not None:
            rows[field["name"].replace("-", "_")] = _value(field["value"], field["unit"])
        elif line.strip() and not is_rule(line):
            unparsed.append(line.strip())
    return Reading({"profiles": dict(profiles)}, tuple(unparsed)) if profiles else Reading()


def _value(text: str, unit: str | None) -> Json:
    if unit and re.fullmatch(r"\d+(?:\.\d+)?", text):
        return round(float(text) * _KBYTE)
    number = whole(text)
    return text if number is None else number


_RATED = re.compile(r"(?i)^.*\bTxQ\b.*(?:pps|rate)", re.MULTILINE)
_COUNTS = ("packets", "bytes", "drop_packets", "drop_bytes")
_FIELDS = 9  # port, queue, packets, bytes, three rates, dropped packets, dropped bytes


def counters(text: str) -> Reading:
    """``show queue counters``. Community SONiC has the same command without rates."""
    if not _RATED.search(text):
        return Reading()
    queues: dict[str, dict[str, Json]] = {}
    unparsed: list[str] = []
    for line in text.split("\n"):
        cells = line.split()
        if not cells or not is_port(cells[0]):
            continue
        if len(cells) != _FIELDS:
            unparsed.append(line.strip())
            continue
        counts = zip(_COUNTS, (*cells[2:4], *cells[7:]), strict=True)
        facts: Facts = {n: count for n, cell in counts if (count := whole(cell)) is not None}
        queues.setdefault(cells[0], {})[cells[1]] = facts
    return Reading({"queues": dict(queues)}, tuple(unparsed))
