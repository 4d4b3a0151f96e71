"""``show class-of-service interface``: what each port is bound to."""

from __future__ import annotations

import re

from fabric.model.reading import Facts, Json, Reading
from fabric.platforms.juniper_junos.readers.noise import said
from fabric.reading.sections import Section, sections

_HEAD = re.compile(r"\s*Physical interface: (?P<name>[^\s,]+), Index: \d+")
_SUPPORTED = re.compile(r"Queues supported: (\d+)")
_USABLE = re.compile(r"Maximum usable queues: (\d+)")
_IN_USE = re.compile(r"Queues in use: (\d+)")
_MAP = re.compile(r"^\s*Scheduler map: (.+?)(?:, Index: \d+)?\s*$", re.MULTILINE)
_PAUSE = re.compile(r"^\s*Congestion-notification: (\w+)(?:, Name: ([^\s,]+))?", re.MULTILINE)
_CLASSIFIER = re.compile(r"^\s*Classifier\s+(\S+)\s+\S+", re.MULTILINE)


def interfaces(text: str) -> Reading:
    """``interfaces``: classifiers, scheduler map, queues, congestion notification."""
    before, found = sections(text, _HEAD)
    if not found:
        return Reading()
    ports: Facts = {section.head["name"]: _port(section) for section in found}
    return Reading({"interfaces": ports}, said(before))


def _port(section: Section) -> Facts:
    classifiers: list[Json] = [*dict.fromkeys(_CLASSIFIER.findall(section.text))]
    found: Facts = {"classifiers": classifiers}
    for key, pattern in (
        ("queues_supported", _SUPPORTED),
        ("queues_usable", _USABLE),
        ("queues_in_use", _IN_USE),
    ):
        if (number := pattern.search(section.text)) is not None:
            found[key] = int(number[1])
    if (named := _MAP.search(section.text)) is not None:
        found["scheduler_map"] = named[1]
    if (pause := _PAUSE.search(section.text)) is not None:
        found["congestion_notification"] = pause[1].lower()
        if pause[2]:
            found["congestion_notification_profile"] = pause[2]
    return found
