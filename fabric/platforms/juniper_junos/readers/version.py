"""``show version``."""

from __future__ import annotations

import re

from fabric.model.reading import Facts, Reading

_JUNOS = re.compile(r"^Junos: *(\S+)", re.MULTILINE)
# Before 15.1 there is no such line, only packages: JUNOS Base OS boot [12.3R12.4].
_PACKAGE = re.compile(
    r"^JUNOS (?:Base OS|Software Release|OS Kernel)[^\[\n]*\[([^\]\n]+)\]", re.MULTILINE
)
_FIELDS = (
    ("hostname", re.compile(r"^Hostname: *(\S+)", re.MULTILINE)),
    ("model", re.compile(r"^Model: *(\S+)", re.MULTILINE)),
)


def version(text: str) -> Reading:
    """``version``, ``hostname``, ``model``: of the first member that speaks."""
    found = _JUNOS.search(text) or _PACKAGE.search(text)
    if found is None:
        return Reading()
    facts: Facts = {"version": found[1]}
    for key, pattern in _FIELDS:
        match = pattern.search(text)
        if match:
            facts[key] = match[1]
    return Reading(facts)
