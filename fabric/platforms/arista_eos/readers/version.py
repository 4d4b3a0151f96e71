"""``show version``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.json_output import json_of, mapping, text_of

if TYPE_CHECKING:
    from fabric.model.reading import Json

_MODEL = re.compile(r"^Arista (?P<model>\S.*?)\s*$", re.MULTILINE)
_VERSION = re.compile(r"^Software image version:\s*(?P<version>\S+)", re.MULTILINE)
_SERIAL = re.compile(r"^Serial number:[ \t]*(?P<serial>\S+)", re.MULTILINE)


def text(output: str) -> Reading:
    """``version``, ``model``, ``serial``."""
    found = _VERSION.search(output)
    if found is None:
        return Reading()
    facts: dict[str, Json] = {"version": found["version"]}
    if model := _MODEL.search(output):
        facts["model"] = model["model"]
    if serial := _SERIAL.search(output):
        facts["serial"] = serial["serial"]
    return Reading(facts)


def json(output: str) -> Reading:
    """``version``, ``model``, ``serial``, ``hostname`` where it is told."""
    value = mapping(json_of(output))
    if not {"version", "modelName"} <= value.keys():
        return Reading()
    names = {"version": "version", "model": "modelName", "serial": "serialNumber"}
    facts: dict[str, Json] = {
        key: said
        for key, name in names.items()
        if (said := text_of(value[name]) if name in value else None)
    }
    return Reading(facts)
