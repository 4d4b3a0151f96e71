"""``show version`` as text and as XML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.xml_output import elements, text_at

if TYPE_CHECKING:
    from fabric.model.reading import Facts

_FIELD = re.compile(r"(?m)^\s*(OS Version|System Type)\s*:\s*(\S.*?)\s*$")
_KEYS = {"OS Version": "version", "System Type": "model"}


def version(text: str) -> Reading:
    """``version``, ``model``. The other lines (build, uptime, architecture) are not asked for."""
    facts: Facts = {_KEYS[name]: value for name, value in _FIELD.findall(text)}
    return Reading(facts) if "version" in facts else Reading()


def version_xml(text: str) -> Reading:
    """``version``, ``model``, ``hostname``."""
    facts: Facts = {}
    for element in elements(text, "sw-version"):
        if number := text_at(element, "sw-version"):
            facts["version"] = number
        if model := text_at(element, "sw-platform"):
            facts["model"] = model
    for element in elements(text, "system-status"):
        if name := text_at(element, "hostname"):
            facts["hostname"] = name
    return Reading(facts) if "version" in facts else Reading()
