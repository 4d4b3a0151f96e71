"""QoS in a running configuration: maps, a profile's or port's trust, PFC, watchdog and queues."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.reading import Json
    from fabric.reading.sections import Line

_MAPS = (
    ("dscp_to_tc", re.compile(r"dscp (?P<of>[\d ,-]+) to traffic-class (?P<to>\d+).*"), 64),
    ("cos_to_tc", re.compile(r"cos (?P<of>[\d ,-]+) to traffic-class (?P<to>\d+).*"), 8),
    (
        "tc_to_queue",
        re.compile(r"traffic-class (?P<of>[\d ,-]+) to (?:uc-)?tx-queue (?P<to>\d+)"),
        8,
    ),
)
_LOSSLESS = re.compile(r"priority-flow-control priority (?P<of>[\d ,-]+) (?P<word>no-drop|drop)")
_ON = ("priority-flow-control on", "priority-flow-control mode on")  # the second until 4.13
_TIMER = re.compile(
    r"priority-flow-control pause watchdog port timer timeout (?P<timeout>[\d.]+)"
    r"(?: polling-interval (?P<polling>\S+))?(?: recovery-time (?P<recovery>[\d.]+))?.*"
)
_PORT_ACTION = re.compile(r"priority-flow-control pause watchdog port action (?P<action>\S+)")
_DEFAULT = re.compile(
    r"priority-flow-control pause watchdog default "
    r"(?P<what>timeout|recovery-time|polling-interval) (?P<value>[\d.]+).*"
)
_ACTION = re.compile(r"priority-flow-control pause watchdog action (?P<action>\S+)")
_QUEUE = re.compile(r"(?:uc-)?tx-queue (?P<queue>\d+)")
_PERCENT = re.compile(r"bandwidth percent (?P<percent>\d+)")
_ECN = re.compile(
    r"random-detect ecn minimum-threshold (?P<min>\d+) (?P<min_unit>\w+) "
    r"maximum-threshold (?P<max>\d+) (?P<max_unit>\w+)"
    r"(?: max-mark-probability (?P<max_mark_probability>\d+))?(?: weight (?P<weight>\d+))?.*"
)


def numbers(text: str, below: int) -> list[int]:
    """``0 1 5-7`` or ``0,1,5-7``, those below ``below``."""
    found: list[int] = []
    for low, high in re.findall(r"(\d{1,3})(?:-(\d{1,3}))?", text):
        found += range(int(low), int(high or low) + 1)
    return [number for number in found if number < below]


def qos_maps(tree: Line) -> dict[str, Json]:
    """``dscp_to_tc``, ``cos_to_tc``, ``tc_to_queue``, as far as they are written."""
    facts: dict[str, Json] = {}
    for key, pattern, size in _MAPS:
        found: dict[str, Json] = {}
        for rest, _ in tree.all("qos map"):
            if match := pattern.fullmatch(rest):
                found |= dict.fromkeys(map(str, numbers(match["of"], size)), int(match["to"]))
        if found:
            facts[key] = found
    return facts


def in_force(lines: Iterable[Line]) -> list[Line]:
    """Lines without those that a later ``no …`` or ``default …`` takes back; that one stays."""
    left: list[Line] = []
    for line in lines:
        word, _, rest = line.text.partition(" ")
        if word in ("no", "default"):
            left = [x for x in left if x.text != rest and not x.text.startswith(f"{rest} ")]
        left.append(line)
    return left


def qos_of(section: Line) -> dict[str, Json]:
    """What a profile or a port says of QoS."""
    lines = in_force(section.below)
    fact: dict[str, Json] = {}
    for line in lines:
        words = line.text.split()
        if words[:2] == ["qos", "trust"] and len(words) == 3:  # noqa: PLR2004
            fact["trust"] = words[2]
        elif words[:2] == ["qos", "dscp"] and words[-1].isdecimal():
            fact["dscp"] = int(words[-1])
    return fact | _pfc([line.text for line in lines]) | _queues(lines)


def _pfc(texts: list[str]) -> dict[str, Json]:
    fact: dict[str, Json] = {}
    if any(text in _ON for text in texts):
        fact["pfc"] = True
    elif "no priority-flow-control" in texts:
        fact["pfc"] = False
    if any("priority-flow-control priority" in text for text in texts):
        found: set[int] = set()
        for match in filter(None, map(_LOSSLESS.fullmatch, texts)):
            listed = set(numbers(match["of"], 8))
            found = found | listed if match["word"] == "no-drop" else found - listed
        fact["lossless"] = [*sorted(found)]
    watchdog: dict[str, Json] = {}
    for text in texts:
        if action := _PORT_ACTION.fullmatch(text):
            watchdog["action"] = action["action"]
        elif timer := _TIMER.fullmatch(text):
            times = {"timeout_s": "timeout", "recovery_s": "recovery", "polling_s": "polling"}
            watchdog |= {
                key: value
                for key, name in times.items()
                if (value := _seconds(timer[name])) is not None
            }
    return fact | ({"watchdog": watchdog} if watchdog else {})


def _queues(lines: list[Line]) -> dict[str, Json]:
    percents: dict[str, Json] = {}
    ecn: dict[str, Json] = {}
    for line in lines:
        queue = _QUEUE.fullmatch(line.text)
        if queue is None:
            continue
        for text in (below.text for below in in_force(line.below)):
            if share := _PERCENT.fullmatch(text):
                percents[queue["queue"]] = int(share["percent"])
            elif marks := _ECN.fullmatch(text):
                ecn[queue["queue"]] = _thresholds(marks)
    fact: dict[str, Json] = {}
    if percents:
        fact["bandwidth_percent"] = percents
    if ecn:
        fact["ecn"] = ecn
    return fact


def _thresholds(marks: re.Match[str]) -> Json:
    """Thresholds with their unit in the name: EOS does not say how large a segment is."""
    found: dict[str, Json] = {
        f"min_{marks['min_unit']}": int(marks["min"]),
        f"max_{marks['max_unit']}": int(marks["max"]),
    }
    for key in ("max_mark_probability", "weight"):
        if marks[key]:
            found[key] = int(marks[key])
    return found


def watchdog_defaults(tree: Line) -> dict[str, Json]:
    """``pfc_global`` where PFC is off for all, and the switch's ``watchdog``."""
    watchdog: dict[str, Json] = {}
    facts: dict[str, Json] = {}
    names = {"timeout": "timeout_s", "recovery-time": "recovery_s", "polling-interval": "polling_s"}
    for line in in_force(tree.below):
        if line.text == "priority-flow-control all off":
            facts["pfc_global"] = "off"
        elif default := _DEFAULT.fullmatch(line.text):
            if (value := _seconds(default["value"])) is not None:
                watchdog[names[default["what"]]] = value
        elif action := _ACTION.fullmatch(line.text):
            watchdog["action"] = action["action"]
    return facts | ({"watchdog": watchdog} if watchdog else {})


def _seconds(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"\d+(?:\.\d+)?", text) else None
