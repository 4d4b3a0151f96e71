"""``show lldp neighbors`` as text and as XML."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.tables import gapped, is_rule
from fabric.reading.xml_output import elements, text_at

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from fabric.model.reading import Json

_COLUMNS = ("Loc PortID", "Rem Host Name", "Rem Port Id", "Rem Chassis Id")
_HEADER = re.compile(r"\s+".join(_COLUMNS), re.IGNORECASE)
_PORT = re.compile(r"[a-z][a-z-]*\d+(?:/\d+)*(?::\d+)?", re.IGNORECASE)
_NO_HOST = "not advertised"
_SLACK = 1  # a column may begin that much before its header
_MAC_BYTES = 6


def neighbours(text: str) -> Reading:
    """``neighbors``. A host name may have blanks; the switch shortens a long one itself."""
    lines = text.split("\n")
    place = next((n for n, line in enumerate(lines) if _HEADER.search(line)), None)
    if place is None:
        return Reading()
    folded = lines[place].lower()
    starts = [folded.index(word.lower()) for word in _COLUMNS]
    found: list[Json] = []
    left = [line.strip() for line in lines[:place] if line.strip() and not is_rule(line)]
    for line in lines[place + 1 :]:
        cells = _cells(line, starts)
        if cells:
            found.append(_neighbour(*cells))
        elif line.strip() and not is_rule(line):
            left.append(line.strip())
    return Reading({"neighbors": found}, tuple(left))


def _cells(line: str, starts: list[int]) -> tuple[str, str, str] | None:
    """Local port, host and remote port: cells at gaps, else by place, else by their order."""
    words = line.split()
    if len(words) < len(starts) or not _PORT.fullmatch(words[0]):
        return None
    cells = gapped(line)
    if len(cells) != len(starts):
        cells = ["" for _ in starts]
        for word in re.finditer(r"\S+", line):
            column = max(n for n, s in enumerate(starts) if n == 0 or s <= word.start() + _SLACK)
            cells[column] = f"{cells[column]} {word[0]}".strip()
        if not all(cells) or cells[0] != words[0]:
            cells = [words[0], " ".join(words[1:-2]), words[-2], words[-1]]
    return cells[0], cells[1], cells[2]


def _neighbour(local: str, host: str | None, port: str | None) -> dict[str, Json]:
    found: dict[str, Json] = {
        "local_port": local,
        "remote_host": None if not host or host.lower() == _NO_HOST else host,
    }
    return found | ({"remote_port": port} if port and port.lower() != _NO_HOST else {})


def neighbours_xml(text: str) -> Reading:
    """``neighbors``. Ids are base64 of what the neighbour sent."""
    found: list[Json] = []
    seen = False
    for element in elements(text, "interface"):
        name = text_at(element, "name")
        info = element.find("lldp-rem-neighbor-info")
        if name is None or info is None:
            continue
        seen = True
        found += [
            _neighbour(name, text_at(entry, "rem-system-name"), _port_id(entry))
            for entry in info.iterfind("info")
        ]
    return Reading({"neighbors": found}) if seen else Reading()


def _port_id(entry: Element) -> str | None:
    sent = text_at(entry, "rem-lldp-port-id")
    if sent is None:
        return None
    try:
        raw = b64decode("".join(sent.split()), validate=True)
        if "mac" in (text_at(entry, "rem-lldp-port-subtype") or "") and len(raw) == _MAC_BYTES:
            return raw.hex(":")
        return raw.decode("utf-8").strip("\x00 ") or None
    except (binascii.Error, ValueError):
        return sent
