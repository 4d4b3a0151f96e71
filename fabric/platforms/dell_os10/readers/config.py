"""``show running-configuration``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.dell_os10.lines import config_of, numbers, port_lines, texts_below
from fabric.reading.numbers import whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.reading import Facts, Json
    from fabric.reading.sections import Line

_CODES, _DSCPS = 8, 64
# What no other system's configuration has: ports in lower case or after a blank, maps of trust.
_SIGN = re.compile(
    r"(?m)^\s*(?:interface (?:range )?(?:ethernet|[Ee]thernet )\d+/\d+/\d+"
    r"|interface mgmt\d+/\d+/\d+|interface breakout \d+/\d+/\d+|trust (?:dscp|dot1p)-map \S+$"
    r"|qos-map traffic-class \S+$|! Version 10\.)"
)
_COLOUR = re.compile(
    r"random-detect color (\w+) minimum-threshold (\d+) maximum-threshold (\d+) "
    r"drop-probability (\d+)"
)
_ECN = "random-detect ecn"


def running(text: str) -> Reading:
    """What the QoS, the ports and BGP are configured to."""
    if not _SIGN.search(text):
        return Reading()
    config = config_of(text)
    facts: Facts = {"interfaces": _ports(config), "lossless": _lossless(config)}
    hostname = next((rest for rest, _ in config.all("hostname")), None)
    if hostname:
        facts["hostname"] = hostname
    facts |= _system(config) | _maps(config) | _queues(config) | _bgp(config)
    return Reading(facts)


def _system(config: Line) -> Facts:
    facts: Facts = {}
    if config.has("dcbx enable"):
        facts["dcbx"] = True
    system = [text for _, section in config.all("system qos") for text in texts_below(section)]
    if "ets mode on" in system:
        facts["ets"] = True
    trusted = [text.split() for text in system if text.startswith("trust-map ")]
    if trusted and len(trusted[-1]) > 1:
        facts["trust"] = trusted[-1][1]
    return facts


def _ports(config: Line) -> dict[str, Json]:
    return {name: _port(texts) for name, texts in port_lines(config).items()}


def _port(texts: list[str]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for text in texts:
        word, _, rest = text.partition(" ")
        if text in ("shutdown", "no shutdown"):
            found["admin"] = "down" if word == "shutdown" else "up"
        elif word == "mtu" and whole(rest) is not None:
            found["mtu"] = whole(rest)
        elif word == "priority-flow-control" and rest.startswith("mode "):
            found["pfc_mode"] = rest.removeprefix("mode ")
            found["pfc"] = found["pfc_mode"] == "on"
        elif word == "trust-map" and rest:
            found["trust"] = rest.split()[0]
        elif text.startswith("service-policy input type network-qos "):
            found["qos_policy"] = text.split()[-1]
    return found


def _lossless(config: Line) -> list[Json]:
    """Priorities of all classes that pause, whichever port has their policy."""
    found: set[int] = set()
    for _, policy in config.all("policy-map type network-qos"):
        for _, entry in policy.all("class"):
            if any(line.text.split()[0] == "pause" for line in entry.below):
                for rest, _ in entry.all("pfc-cos"):
                    found |= set(numbers(rest, _CODES) or [])
    return [*sorted(found)]


def _maps(config: Line) -> Facts:
    found: Facts = {}
    for key, head, word, below in (
        ("dot1p_to_qos_group", "trust dot1p-map", "dot1p", _CODES),
        ("dscp_to_qos_group", "trust dscp-map", "dscp", _DSCPS),
    ):
        pairs = _pairs(config, head, "qos-group", word, below)
        if pairs:
            found[key] = {str(code): group for group, code in pairs}
    queues = _pairs(config, "qos-map traffic-class", "queue", "qos-group", _CODES)
    if queues:
        found["qos_group_to_queue"] = {str(group): queue for queue, group in queues}
    return found


def _pairs(config: Line, head: str, one: str, many: str, below: int) -> list[tuple[int, int]]:
    """``<one> 3 <many> 0-2,4`` in all sections of that head → (3, 0), (3, 1) …"""
    form = re.compile(rf"(\d+)\s+{many}\s+([\d,\s-]+?)(?:\s+type .*)?")
    found = []
    for _, section in config.all(head):
        for rest, _ in section.all(one):
            match = form.fullmatch(rest)
            listed = numbers(match[2], below) if match else None
            found += [(int(match[1]), n) for n in listed or []] if match else []
    return found


def _queues(config: Line) -> Facts:
    profiles = dict(_wred(config))
    of_class = {
        name.split()[-1]: line.rest("match queue")
        for name, line in config.all("class-map type queuing")
    }
    found: dict[str, Json] = {}
    for _, policy in config.all("policy-map type queuing"):
        for name, entry in policy.all("class"):
            queue = of_class.get(name)
            if queue:
                found[queue] = _queue(entry, profiles)
    facts: Facts = {"queues": found} if found else {}
    return facts | ({"wred": dict(profiles)} if profiles else {})


def _queue(entry: Line, profiles: dict[str, dict[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    share, profile = whole(entry.rest("bandwidth percent")), entry.rest("random-detect")
    if share is not None:
        found["bandwidth_percent"] = share
    if entry.has("priority"):
        found["schedule"] = "strict"
    if profile in profiles:  # the word is the name of a profile, be it "ecn"
        found["ecn"] = profiles[profile].get("ecn") is True
    return found


def _wred(config: Line) -> Iterator[tuple[str, dict[str, Json]]]:
    """Profiles; of several colours the one of packets that nothing has marked down, green."""
    for name, section in config.all("wred"):
        found: dict[str, Json] = {}
        for line in section.below:
            colour = _COLOUR.fullmatch(line.text)
            if colour and (colour[1] == "green" or "color" not in found):
                found |= {"color": colour[1], "min_kb": int(colour[2]), "max_kb": int(colour[3])}
                found["probability"] = int(colour[4])
        found["ecn"] = section.has(_ECN)
        yield name, found


def _bgp(config: Line) -> Facts:
    facts: Facts = {}
    for number, section in config.all("router bgp"):
        facts["local_as"] = number
        if router_id := section.rest("router-id"):
            facts["router_id"] = router_id
        networks: list[Json] = []
        for _, family in section.all("address-family"):
            networks += [rest for rest, _ in family.all("network")]
        facts["networks"] = networks
        peers: dict[str, Json] = {
            name: {"remote_as": line.rest("remote-as")}
            for name, line in section.all("neighbor")
            if line.rest("remote-as")
        }
        facts["peers"] = peers
    return facts
