"""``show version``."""

from __future__ import annotations

import re

from fabric.model.reading import Facts, Reading

_SYSTEM = re.compile(r"^\s*(?:NXOS|system):\s+version (\S+)", re.MULTILINE)
_MODEL = re.compile(
    r"^\s*cisco (?:(?:Nexus\s?\w* )*(\S+)(?: \([^)]*\))? chassis\b|N9K-(C\d\S*) \()",
    re.MULTILINE | re.IGNORECASE,
)
_HOST = re.compile(r"^\s*Device name:\s*(\S+)", re.MULTILINE)


def version(text: str) -> Reading:
    """``version``, ``model``, ``hostname``; licences and packages say nothing more."""
    found = {"version": _SYSTEM, "model": _MODEL, "hostname": _HOST}
    matches = {key: pattern.search(text) for key, pattern in found.items()}
    facts: Facts = {key: match[match.lastindex or 0] for key, match in matches.items() if match}
    return Reading(facts) if "version" in facts else Reading()
