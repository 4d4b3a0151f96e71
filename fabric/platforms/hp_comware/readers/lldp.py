"""``display lldp neighbor-information list`` and ``verbose``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from fabric.model.reading import Json

_COLUMNS = ("System Name", "Local Interface", "Chassis ID", "Port ID")
_OFF = re.compile(r"\s*The LLDP service is not running", re.IGNORECASE)
_LEGEND = re.compile(r"\s*(?:Chassis ID\s*:|#|Default)\s+.*-- -- Nearest|\s*[<\[]\S+[>\]]")
_PORT = re.compile(r"\d*[A-Za-z][A-Za-z-]*\d+(?:/\d+)*(?::\d+)?(?:\.\d+)?")
_HEAD = re.compile(r"\s*LLDP neighbor-information of port \d+\s*\[(?P<port>[^\]]+)\]")
_OTHER_HEAD = re.compile(r"\s*(?:CDP|LLDP) neighbor-information of port")
_INDEX = re.compile(r"\s*(?:LLDP )?neighbor index\s*:", re.IGNORECASE)
_FIELD = re.compile(r"\s*(?P<key>[A-Za-z][^:]*?)\s*:\s*(?P<value>.*?)\s*$")


def listed(text: str) -> Reading:
    """``neighbors``. Columns stand in either order; a long cell goes on in the next line."""
    lines = text.split("\n")
    place = next((n for n, x in enumerate(lines) if all(word in x for word in _COLUMNS)), None)
    if place is None:
        return Reading({"neighbors": []}) if _OFF.search(text) else Reading()
    starts = sorted((lines[place].index(word), word) for word in _COLUMNS)
    rows: list[dict[str, str]] = []
    left = [line.strip() for line in lines[:place] if line.strip() and not _LEGEND.match(line)]
    for line in lines[place + 1 :]:
        cells = _cells(line, starts)
        if _PORT.fullmatch(cells["Local Interface"]):
            rows.append(cells)
        elif rows and line.strip() and not cells["Local Interface"] and not _LEGEND.match(line):
            rows[-1] = {word: rows[-1][word] + cells[word] for word in _COLUMNS}
        elif line.strip() and not _LEGEND.match(line):
            left.append(line.strip())
    return Reading({"neighbors": [_neighbour(row) for row in rows]}, tuple(left))


def _cells(line: str, starts: list[tuple[int, str]]) -> dict[str, str]:
    """Cells by the place of their header; where that cuts a word, by what looks like a port."""
    line = line.expandtabs()
    if all(start == 0 or line[start - 1 : start] in ("", " ") for start, _ in starts):
        ends = [start for start, _ in starts[1:]] + [len(line)]
        return {w: line[a:b].strip() for (a, w), b in zip(starts, ends, strict=True)}
    words = line.split()
    order = [word for _, word in starts]
    before = order.index("Local Interface")
    place = next((n for n, w in enumerate(words) if n >= before and _PORT.fullmatch(w)), None)
    cells = dict.fromkeys(_COLUMNS, "")
    if place is None or len(words) < place + len(order) - before:
        return cells
    if before:
        cells[order[0]] = " ".join(words[:place])
        words = words[place:]
    after = order[before:]
    for name, word in zip(after[:-1], words, strict=False):
        cells[name] = word
    cells[after[-1]] = " ".join(words[len(after) - 1 :])
    return cells


def _neighbour(row: dict[str, str]) -> dict[str, Json]:
    host = row["System Name"]
    found: dict[str, Json] = {
        "local_port": row["Local Interface"],
        "remote_host": None if host in ("", "-", "--") else host,
    }
    if row["Port ID"] not in ("", "-", "--"):
        found["remote_port"] = row["Port ID"]
    return found


def verbose(text: str) -> Reading:
    """``neighbors``: of each section, one for every neighbour index."""
    _, found = sections(text, _OTHER_HEAD)
    if not found:
        return Reading({"neighbors": []}) if _OFF.search(text) else Reading()
    neighbours: list[Json] = []
    left: list[str] = []
    for section in found:
        head = section.head.string.strip()
        named = _HEAD.match(head)
        if named is None:
            left.append(head)  # CDP: another protocol's neighbour
            continue
        for fields in _neighbours(section.lines):
            port, host = fields.get("Port ID", ""), fields.get("System name", "")
            row = dict.fromkeys(_COLUMNS, "") | {"Local Interface": named["port"]}
            neighbours.append(_neighbour(row | {"System Name": host, "Port ID": port}))
    return Reading({"neighbors": neighbours}, tuple(left))


def _neighbours(lines: tuple[str, ...]) -> list[dict[str, str]]:
    """Fields of each neighbour of one port. A long value goes on in lines indented further."""
    found: list[dict[str, str]] = []
    key, column = "", 0
    for line in lines:
        if _INDEX.match(line) or (not found and _FIELD.match(line) and "agent" not in line):
            found.append({})
        field = _FIELD.match(line)
        indent = len(line) - len(line.lstrip())
        if field and found and (not key or indent < column):
            key, column = field["key"], field.start("value")
            found[-1][key] = field["value"]
        elif key and found and indent >= column:
            found[-1][key] += line.strip()
    return [fields for fields in found if fields]
