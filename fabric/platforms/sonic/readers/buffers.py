"""Blocks of ``name  value`` between rules: buffer pools and profiles, WRED profiles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.clean import outdented
from fabric.reading.numbers import whole
from fabric.reading.sections import Section, sections
from fabric.reading.tables import is_rule

if TYPE_CHECKING:
    from fabric.model.reading import Facts, Json

_BLOCK = re.compile(r"(Pool|Profile):\s*\**([^*\s]+)\**\s*$")
_TITLE = re.compile(r"\S.*:\s*$")
_FIELD = re.compile(r"(\S+)\s{2,}(\S.*?)\s*$")
_REFERENCE = re.compile(r"\[[A-Z_]+[:|](.+)\]")  # images until 202111: [BUFFER_POOL:name]


def configuration(text: str) -> Reading:
    """``show buffer configuration`` and ``show buffer information``: pools and profiles, bytes."""
    pools, profiles, unparsed = _blocks(text)
    if not pools and not profiles:
        return Reading()
    return Reading({"pools": pools, "profiles": profiles}, unparsed)


def wred(text: str) -> Reading:
    """``show ecn``: the WRED profiles, bytes and percent."""
    _, profiles, unparsed = _blocks(text)
    return Reading({"profiles": profiles}, unparsed) if profiles else Reading()


def _blocks(text: str) -> tuple[Facts, Facts, tuple[str, ...]]:
    _, found = sections(outdented(text), _BLOCK)
    named: dict[str, Facts] = {"Pool": {}, "Profile": {}}
    unparsed: list[str] = []
    for section in found:
        facts, odd = _fields(section)
        named[section.head[1]][section.head[2]] = facts
        unparsed += odd
    return named["Pool"], named["Profile"], tuple(unparsed)


def _fields(section: Section) -> tuple[Facts, list[str]]:
    facts: Facts = {}
    unparsed = []
    for line in section.lines:
        if not line.strip() or is_rule(line):
            continue
        field = _FIELD.match(line)
        if field is None or _TITLE.fullmatch(line):
            unparsed.append(line.strip())
        else:
            facts[field[1]] = _value(field[2])
    return facts, unparsed


def _value(text: str) -> Json:
    number = whole(text)
    reference = _REFERENCE.fullmatch(text)
    return reference[1] if reference else text if number is None else number
