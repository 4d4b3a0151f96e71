"""``show lldp neighbors`` and its detail, as text and JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.json_output import json_of, listing, mapping, text_of
from fabric.reading.sections import sections
from fabric.reading.tables import gapped, is_rule

if TYPE_CHECKING:
    from fabric.model.reading import Json

_HEAD = re.compile(r"^Port\s+Neighbor Device ID\s+Neighbor Port ID\s+TTL", re.MULTILINE)
_ROW = re.compile(r"(?P<cells>[A-Z][A-Za-z-]*\d\S*\s.*\S)\s+(?P<ttl>\d+)\s*")
_CELLS = 3  # before the TTL: port, name, port of the other side
_COUNTS = re.compile(r"(?:Last table change time|Number of table [\w-]+)\s*:")


def table(output: str) -> Reading:
    """``neighbors`` of the table."""
    head = _HEAD.search(output)
    if head is None:
        return Reading()
    third = head[0].index("Neighbor Port ID")
    found: list[Json] = []
    unparsed: list[str] = []
    for line in output.split("\n"):
        row = _ROW.fullmatch(line)
        cells = _cells(row["cells"], third) if row else []
        if len(cells) == _CELLS:
            found.append(_fact(cells[0], cells[1], cells[2], None))
        elif line.strip() and not (_HEAD.match(line) or is_rule(line) or _COUNTS.match(line)):
            unparsed.append(line.strip())
    return Reading({"neighbors": found}, tuple(unparsed))


def _cells(text: str, third: int) -> list[str]:
    """The cells before the TTL; the name is empty where only the third column begins.

    ``third``: where that column's header begins, which the device centres over its cells.
    """
    cells = gapped(text)
    if len(cells) == _CELLS:
        return cells
    port, *rest = text.split()
    if len(rest) == 1 and text.rindex(rest[0]) > third - len("Neighbor Port ID"):
        return [port, "", rest[0]]
    return [port, " ".join(rest[:-1]), rest[-1]] if len(rest) > 1 else cells  # a long name


_INTERFACE = re.compile(r"Interface (?P<port>\S+) detected \d+ LLDP neighbors?\b")
_NEIGHBOUR = re.compile(r"\s+Neighbor \S+.*, age ")
_PORT_ID = re.compile(r"^[ \t]+Port ID[ \t]*: *\"?(?P<value>[^\"\n]*?)\"? *$", re.MULTILINE)
_NAME = re.compile(r"^[ \t]*- System Name: *\"?(?P<value>[^\"\n]*?)\"? *$", re.MULTILINE)
_DESCRIPTION = re.compile(
    r"^[ \t]*- Port Description: *\"?(?P<value>[^\"\n]*?)\"? *$", re.MULTILINE
)


def detail(output: str) -> Reading:
    """``neighbors`` of the detail."""
    _, ports = sections(output, _INTERFACE)
    if not ports:
        return Reading()
    found: list[Json] = []
    for port in ports:
        _, neighbours = sections(port.text, _NEIGHBOUR)
        found += [_of_text(port.head["port"], one.text) for one in neighbours]
    return Reading({"neighbors": found})


def _of_text(port: str, text: str) -> Json:
    name, remote, description = (p.search(text) for p in (_NAME, _PORT_ID, _DESCRIPTION))
    return _fact(
        port,
        name["value"] if name else None,
        remote["value"] if remote else None,
        description["value"] if description else None,
    )


def _fact(port: str, host: str | None, remote: str | None, description: str | None) -> Json:
    found: dict[str, Json] = {"local_port": port, "remote_host": host or None}
    if remote:
        found["remote_port"] = remote
    if description:
        found["remote_port_description"] = description
    return found


def table_json(output: str) -> Reading:
    """``neighbors`` of the table's JSON."""
    value = mapping(json_of(output))
    rows = value.get("lldpNeighbors")
    if not isinstance(rows, list):
        return Reading()
    found: list[Json] = []
    for row in map(mapping, rows):
        if port := text_of(row.get("port")):
            host, remote = text_of(row.get("neighborDevice")), text_of(row.get("neighborPort"))
            found.append(_fact(port, host, remote, None))
    return Reading({"neighbors": found})


def detail_json(output: str) -> Reading:
    """``neighbors`` of the detail's JSON."""
    value = mapping(json_of(output))
    ports = value.get("lldpNeighbors")
    if not isinstance(ports, dict):
        return Reading()
    return Reading(
        {
            "neighbors": [
                _of_json(port, mapping(one))
                for port, inner in ports.items()
                for one in listing(mapping(inner).get("lldpNeighborInfo"))
            ]
        }
    )


def _of_json(port: str, info: dict[str, Json]) -> Json:
    far = mapping(info.get("neighborInterfaceInfo"))
    remote = text_of(far.get("interfaceId_v2")) or text_of(far.get("interfaceId"))
    return _fact(
        port,
        text_of(info.get("systemName")),
        remote.strip('"') if remote else None,
        text_of(far.get("interfaceDescription")),
    )
