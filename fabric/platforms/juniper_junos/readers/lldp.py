"""``show lldp neighbors``: text, JSON, XML."""

from __future__ import annotations

import html
import re
from functools import partial
from typing import TYPE_CHECKING

from fabric.model.reading import Facts, Json, Reading
from fabric.platforms.juniper_junos.readers.leaves import elements, has, leaf
from fabric.platforms.juniper_junos.readers.noise import said
from fabric.reading.tables import gapped

if TYPE_CHECKING:
    from collections.abc import Callable

_HEAD = re.compile(
    r"\s*Local Interface\s+(?P<parent>Parent Interface\s+)?Chassis Id\s+Port info\s+System Name"
)
_PORT = re.compile(r"[a-z]{2,6}[-\d]\S*|vme|irb|[a-z]{2,6}\.\d+")
_TOP, _ONE = "lldp-neighbors-information", "lldp-neighbor-information"
_LOCAL = ("lldp-local-port-id", "lldp-local-interface")
_XML_TOP = re.compile(rf"<{_TOP}\b[^>]*>")
_XML_ONE = re.compile(rf"<{_ONE}\b[^>]*>(.*?)(?:</{_ONE}>|\Z)", re.DOTALL)
_XML_VALUE = re.compile(r"<([\w-]+)\b[^>]*>([^<]*)</\1>")


def neighbors(text: str) -> Reading:
    """``neighbors`` of the table; ``remote_host`` is ``None`` for one without a name."""
    lines = text.split("\n")
    place = next((n for n, line in enumerate(lines) if _HEAD.match(line)), None)
    if place is None:
        return Reading()
    head = _HEAD.match(lines[place])
    parent = bool(head and head["parent"])
    names_from = lines[place].index("System Name")
    found: list[Json] = []
    unparsed = list(lines[:place])
    for line in lines[place + 1 :]:
        row = _row(line, parent=parent, names_from=names_from)
        if row is None:
            unparsed.append(line)
        else:
            found.append(row)
    return Reading({"neighbors": found}, said(unparsed))


def _row(line: str, *, parent: bool, names_from: int) -> Facts | None:
    """Cells stand two blanks apart; where one is missing, its place tells which."""
    words = line.split()
    before = 3 if parent else 2  # interface, parent, chassis
    if len(words) <= before or not _PORT.fullmatch(words[0]):
        return None
    cells = gapped(line)
    if len(cells) == before + 2:
        return _neighbor(words[0], cells[-1], cells[-2])
    rest = words[before:]
    if len(rest) > 1:
        return _neighbor(words[0], rest[-1], " ".join(rest[:-1]))
    if line.rindex(rest[0]) >= names_from:
        return _neighbor(words[0], rest[0], None)
    return _neighbor(words[0], None, rest[0])


def _neighbor(local: str, host: str | None, port: str | None) -> Facts:
    found: Facts = {"local_port": local, "remote_host": host}
    if port:
        found["remote_port"] = port
    return found


def neighbors_json(text: str) -> Reading:
    """The same from JSON; a port that is only described is left out."""
    document = has(text, _TOP)
    if document is None:
        return Reading()
    found = [
        one
        for element in elements(document, _ONE)
        if (one := _of_fields(partial(leaf, element))) is not None
    ]
    return Reading({"neighbors": list(found)})


def neighbors_xml(text: str) -> Reading:
    """The same from XML; a port without an id has its description in its place."""
    if not _XML_TOP.search(text):
        return Reading()
    found: list[Json] = []
    for block in _XML_ONE.findall(text):
        values = {name: html.unescape(value).strip() for name, value in _XML_VALUE.findall(block)}
        one = _of_fields(values.get)
        if one is not None:
            described = values.get("lldp-remote-port-description")
            if "remote_port" not in one and described:
                one["remote_port"] = described
            found.append(one)
    return Reading({"neighbors": found})


def _of_fields(field: Callable[[str], str | None]) -> Facts | None:
    local = field(_LOCAL[0]) or field(_LOCAL[1])
    if local is None:
        return None
    return _neighbor(local, field("lldp-remote-system-name") or None, field("lldp-remote-port-id"))
