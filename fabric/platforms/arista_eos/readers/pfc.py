"""PFC: state as text, counters and watchdog events as JSON; ECN marks and queue drops as JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.json_output import json_of, mapping, number_of

if TYPE_CHECKING:
    from fabric.model.reading import Json

_GLOBAL = re.compile(r"^Global PFC\s*: (?P<word>Enabled|Disabled)", re.MULTILINE)
_SUPPORTS = re.compile(r"^The hardware supports PFC on priorities", re.MULTILINE)
_ACTION = re.compile(r"^The PFC watchdog action is (?P<word>\S+)", re.MULTILINE)
_TIMES = {
    "timeout_s": re.compile(r"^The PFC watchdog timeout is (?P<value>[\d.]+) second", re.MULTILINE),
    "recovery_s": re.compile(
        r"^The PFC watchdog recovery-time is (?P<value>[\d.]+) second", re.MULTILINE
    ),
    "polling_s": re.compile(
        r"^The PFC watchdog polling-interval is (?P<value>[\d.]+) second", re.MULTILINE
    ),
}
_TABLE = re.compile(r"^Port\s+(?:Status|Enabled)\s+Priorities", re.MULTILINE)
_ROW = re.compile(
    r"(?P<port>[A-Z][A-Za-z-]*\d\S*)\s+(?P<flags>[EDAW](?:[\s,]*[EDAW])*|Yes|No)\s+"
    r"(?P<priorities>-|N/A|[0-7](?:[\s,-]*[0-7])*)(?=\s|$)(?P<rest>.*)"
)
_NOISE = re.compile(
    r"\s*$|The |PFC receive |Global PFC|E: PFC|Port\s|\s+Interval/Mode|\s*-{3,}|\s+Config/Oper"
)


def state(output: str) -> Reading:
    """``pfc_global``, ``watchdog_action``, times of ``watchdog``, ``ports``."""
    word = _GLOBAL.search(output)
    if not word and not (_SUPPORTS.search(output) and _TABLE.search(output)):
        return Reading()
    facts: dict[str, Json] = {}
    if word:
        facts["pfc_global"] = word["word"] == "Enabled"
    if action := _ACTION.search(output):
        facts["watchdog_action"] = action["word"]
    times: dict[str, Json] = {}
    for key, pattern in _TIMES.items():
        if (found := pattern.search(output)) and found["value"].count(".") <= 1:
            times[key] = float(found["value"])
    if times:
        facts["watchdog"] = times
    ports: dict[str, Json] = {}
    unparsed: list[str] = []
    for line in output.split("\n"):
        row = _ROW.fullmatch(line.rstrip())
        if row:
            ports[row["port"]] = _port(row)
        elif not _NOISE.match(line):
            unparsed.append(line.strip())
    return Reading({**facts, "ports": ports}, tuple(unparsed))


def _port(row: re.Match[str]) -> Json:
    enabled = row["flags"] == "Yes" or "E" in row["flags"]
    listed: list[Json] = [int(digit) for digit in re.findall(r"[0-7]", row["priorities"])]
    fact: dict[str, Json] = {"pfc": enabled, "lossless": listed if enabled else []}
    if row["flags"] not in ("Yes", "No"):
        fact["active"] = "A" in row["flags"]
        fact["watchdog"] = "W" in row["flags"]
    return fact


def counters(output: str) -> Reading:
    """``pfc`` by port: ``rx_total`` and ``tx_total`` frames."""
    value = mapping(json_of(output))
    ports = value.get("interfaceCounters")
    if not isinstance(ports, dict):
        return Reading()
    found: dict[str, Json] = {}
    for port, inner in ports.items():
        rx, tx = (number_of(mapping(inner).get(name)) for name in ("rxFrames", "txFrames"))
        if rx is not None and tx is not None:
            found[port] = {"rx_total": rx, "tx_total": tx}
    return Reading({"pfc": found}) if found or not ports else Reading()


def counters_detail(output: str) -> Reading:
    """``pfc`` by port: ``rx`` and ``tx`` frames by priority."""
    ports = mapping(mapping(json_of(output)).get("interfaces"))
    found: dict[str, Json] = {}
    for port, inner in ports.items():
        ways: dict[str, dict[str, Json]] = {"rx": {}, "tx": {}}
        for priority, counts in mapping(mapping(inner).get("priorities")).items():
            for way, name in (("rx", "rxFrames"), ("tx", "txFrames")):
                if (count := number_of(mapping(counts).get(name))) is not None:
                    ways[way][priority] = count
        if ways["rx"] or ways["tx"]:
            found[port] = {way: dict(counts) for way, counts in ways.items()}
    return Reading({"pfc": found}) if found else Reading()


def watchdog_events(output: str) -> Reading:
    """``queues`` by ``port:queue``; a port is absent until its first storm."""
    value = mapping(json_of(output))
    ports = value.get("interfaces")
    if not isinstance(ports, dict) or len(value) != 1:
        return Reading()
    found: dict[str, Json] = {}
    for port, inner in ports.items():
        for queue, counts in mapping(mapping(inner).get("txQueues")).items():
            stuck = number_of(mapping(counts).get("stuckCount"))
            recovered = number_of(mapping(counts).get("recoveryCount"))
            if stuck is not None:
                found[f"{port}:{queue}"] = {
                    "storms_detected": stuck,
                    "storms_restored": recovered if recovered is not None else 0,
                }
    return Reading({"queues": found}) if found or not ports else Reading()


def ecn_marked(output: str) -> Reading:
    """``ecn_marked`` packets by port and queue (``None``: not counted), and ``queues`` of them."""
    value = mapping(json_of(output))
    ports = value.get("intfQueueCounters")
    if not isinstance(ports, dict):
        return Reading()
    marked: dict[str, Json] = {}
    queues: dict[str, Json] = {}
    for port, inner in ports.items():
        counts = {
            queue: number_of(count)
            for queue, count in mapping(mapping(inner).get("queueCounters")).items()
        }
        marked[port] = dict(counts)
        queues[port] = {
            queue: {"ecn_marked_packets": count}
            for queue, count in counts.items()
            if count is not None
        }
    return Reading({"ecn_marked": marked, "queues": queues})


_CLASS = re.compile(r"TC(\d+)")


def egress_drops(output: str) -> Reading:
    """``egress_drops`` by port: ``unicast_drops`` and ``multicast_drops`` by traffic class."""
    value = mapping(mapping(json_of(output)).get("egressQueueCounters"))
    ports = value.get("interfaces")
    if not isinstance(ports, dict):
        return Reading()
    found: dict[str, Json] = {
        port: {
            "unicast_drops": _drops(mapping(inner).get("ucastQueues")),
            "multicast_drops": _drops(mapping(inner).get("mcastQueues")),
        }
        for port, inner in ports.items()
    }
    return Reading({"egress_drops": found})


def _drops(queues: Json) -> Json:
    """Dropped packets by class, summed over drop precedences."""
    found: dict[str, Json] = {}
    for name, inner in mapping(mapping(queues).get("trafficClasses")).items():
        number = _CLASS.fullmatch(name)
        precedences = mapping(mapping(inner).get("dropPrecedences")).values()
        counts = [number_of(mapping(one).get("droppedPackets")) for one in precedences]
        if number and counts:
            found[number[1]] = sum(count or 0 for count in counts)
    return found
