"""``show version``."""

from __future__ import annotations

import re

from fabric.model.reading import Facts, Reading

_JUNOS = re.compile(r"^ *Junos: *(\S+)", re.MULTILINE)
# Other boxes list packages alone; of those in brackets the first that is a release counts.
_PACKAGE = re.compile(r"^ *JUNOS [^\[\n]*\[(\d{2}\.\d[RXFSIB][^\]\n]*)\]", re.MULTILINE)
_JUNOS_SAYS = re.compile(r"^ *(?:Junos: |JUNOS .*\[[^\]\n]+\])", re.MULTILINE)
_FIELDS = (
    ("hostname", re.compile(r"^ *Hostname: *(\S+)", re.MULTILINE)),
    ("model", re.compile(r"^ *Model: *(\S+)", re.MULTILINE)),
)


def version(text: str) -> Reading:
    """``version``, ``hostname``, ``model``: of the first member that speaks.

    A box that lists builds alone has no version here.
    """
    if not _JUNOS_SAYS.search(text):
        return Reading()
    found = _JUNOS.search(text) or _PACKAGE.search(text)
    facts: Facts = {"version": found[1]} if found else {}
    for key, pattern in _FIELDS:
        match = pattern.search(text)
        if match:
            facts[key] = match[1]
    return Reading(facts)
