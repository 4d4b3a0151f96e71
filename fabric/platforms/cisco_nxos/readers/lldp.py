"""``show lldp neighbors``, with ``detail`` and without."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Facts, Reading
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from fabric.model.reading import Json

_ROW = re.compile(
    r"(?P<host>\S.*?)?(?:^|\s)\s*(?P<port>(?:Eth|mgmt|Po|port-channel|fc|sup-eth|br-)[\w/.-]*\d)\s+"
    r"(?P<hold>\d+)\s+(?:(?P<can>[BRTCWPSO,]+)\s+)?(?P<remote>\S.*)",
    re.IGNORECASE,
)
_TABLE = re.compile(r"Device ID\s+Local Intf\s+Hold-time\s+Capability\s+Port ID")
_SILENT = re.compile(r"Capability codes|\s+\([A-Z]\) |Total entries displayed|Device ID\s+Local")
_RECORD = re.compile(r"\s*Chassis id: (.*)", re.IGNORECASE)
_IN_DETAIL = re.compile(r"^\s*Chassis id:", re.MULTILINE | re.IGNORECASE)
_NONE = re.compile(r"^\s*Total entries displayed:\s*0\s*$", re.MULTILINE)
_FIELDS = {
    "local_port": re.compile(r"^\s*Local Port id:\s*(\S+)\s*$", re.MULTILINE | re.IGNORECASE),
    "remote_host": re.compile(r"^\s*System Name:[ \t]*(.*?)\s*$", re.MULTILINE | re.IGNORECASE),
    "remote_port": re.compile(r"^\s*Port id:[ \t]*(.*?)\s*$", re.MULTILINE | re.IGNORECASE),
}
_NOT_SENT = "not advertised"


def neighbors(text: str) -> Reading:
    """``neighbors``; a long name stands on a line of its own before its row."""
    if not _TABLE.search(text) or _IN_DETAIL.search(text):
        return Reading()
    found: list[Json] = []
    unparsed = []
    name = ""
    for line in text.split("\n"):
        row = _ROW.fullmatch(line.rstrip())
        if row:
            found.append(_neighbor(row["port"], row["host"] or name, row["remote"]))
            name = ""
        elif line.strip() and not _SILENT.match(line):
            unparsed += [name] if name else []
            name = line.strip()
    return Reading({"neighbors": found}, (*unparsed, *([name] if name else ())))


def neighbors_detail(text: str) -> Reading:
    """``neighbors``: one a record, which begins with the chassis."""
    _, records = sections(text, _RECORD)
    found: list[Json] = []
    unparsed = []
    for record in records:
        fields = {key: pattern.search(record.text) for key, pattern in _FIELDS.items()}
        said = {key: match[1] for key, match in fields.items() if match}
        if "local_port" in said:
            host, port = said.get("remote_host", ""), said.get("remote_port", "")
            found.append(_neighbor(said["local_port"], host, port))
        else:
            unparsed.append(record.head[0].strip())
    known = found or _NONE.search(text)
    return Reading({"neighbors": found} if known else {}, tuple(unparsed))


def _neighbor(local: str, host: str, remote: str) -> Facts:
    facts: Facts = {"local_port": local, "remote_host": _sent(host)}
    port = _sent(remote)
    return facts | ({"remote_port": port} if port else {})


def _sent(text: str) -> str | None:
    bare = text.strip()
    return bare if bare and bare.lower() != _NOT_SENT else None
