"""``show interface``, ``show interface status``, ``show interface counters errors``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Facts, Reading
from fabric.reading.numbers import speed_mbps, whole
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.reading.sections import Section

_HEAD = re.compile(r"\s*([A-Za-z][\w-]*\d[\w/.:]*) is (?:(administratively) )?(up|down)\b(.*)")
_ADMIN = re.compile(
    r"^\s*admin state is (up|down)|^\s+Admin State: (up|down)", re.MULTILINE | re.IGNORECASE
)
_ADMIN_DOWN = re.compile(r"administratively down", re.IGNORECASE)
# A VLAN interface's description goes on with it in the same line.
_MTU = re.compile(r"(?:^\s*|  )MTU (\d+) bytes", re.MULTILINE)
_BANDWIDTH = re.compile(r"\bBW (\d+) Kbit")
_FEC = re.compile(r"\bFEC mode is (\S+)")
_COUNTERS = {
    "crc_errors": re.compile(r"\b(\d+) CRC(?:/FCS)?\b"),
    "no_buffer": re.compile(r"\b(\d+) no buffer\b"),
    "in_errors": re.compile(r"\b(\d+) input errors?\b"),
    "in_discards": re.compile(r"\b(\d+) input discard\b"),
    "in_pause": re.compile(r"\b(\d+) Rx pause\b"),
    "out_errors": re.compile(r"\b(\d+) output errors?\b"),
    "out_discards": re.compile(r"\b(\d+) output discard\b"),
    "out_pause": re.compile(r"\b(\d+) Tx pause\b"),
    "resets": re.compile(r"\b(\d+) interface resets\b"),
}

_STATUS_HEAD = re.compile(r"Port\s+Name\s+Status\s+Vlan\s+Duplex\s+Speed\s+Type", re.IGNORECASE)
_OTHER_HEAD = re.compile(r"(?:Port|Interface)\s+Name\s+Status\s+Reason\b", re.IGNORECASE)
_STATUS_ROW = re.compile(
    r"([A-Za-z]+[\w/.-]*\d)\s+(?:(.*?)\s+)?([A-Za-z][\w-]*)\s+(\S+)\s+"
    r"(full|half|auto|a-full|a-half|--)\s+(\S+)(?:\s+.*)?"
)
_REASON_ROW = re.compile(r"([A-Za-z]+[\w/.-]*\d)\s+(?:.*?\s)?(connected|down|up|disabled)\s+.*")
_UP = {"connected", "up"}

_ERROR_COLUMNS = {
    "align-err": "align_errors",
    "fcs-err": "fcs_errors",
    "xmit-err": "out_errors",
    "rcv-err": "in_errors",
    "undersize": "undersize",
    "outdiscards": "out_discards",
    "indiscards": "in_discards",
    "runts": "runts",
    "giants": "giants",
    "symbol-err": "symbol_errors",
    "stomped-crc": "stomped_crc",
}


def interface(text: str) -> Reading:
    """``interfaces``: states, speed (from the bandwidth), MTU and error counters of each."""
    before, found = sections(text, _HEAD)
    interfaces: dict[str, Json] = {section.head[1]: _interface(section) for section in found}
    unparsed = tuple(line.strip() for line in before if line.strip())
    return Reading({"interfaces": interfaces} if interfaces else {}, unparsed)


def _interface(section: Section) -> Facts:
    head, text = section.head, section.text
    admin = _ADMIN.search(text)
    facts: Facts = {"oper": head[3]}
    if admin:
        facts["admin"] = (admin[1] or admin[2]).lower()
    elif head[2] or _ADMIN_DOWN.search(head[4]):
        facts["admin"] = "down"
    mtu, bandwidth, fec = _MTU.search(text), _BANDWIDTH.search(text), _FEC.search(text)
    if mtu:
        facts["mtu"] = int(mtu[1])
    if bandwidth and int(bandwidth[1]) >= 1000:  # noqa: PLR2004 - less than 1 Mb/s is no speed
        facts["speed_mbps"] = int(bandwidth[1]) // 1000
    if fec:
        facts["fec"] = fec[1].lower()
    for key, pattern in _COUNTERS.items():
        counter = pattern.search(text)
        if counter:
            facts[key] = int(counter[1])
    return facts


def status(text: str) -> Reading:
    """``interfaces``: the system's word for the state, up or down, and the speed unless auto."""
    if not _STATUS_HEAD.search(text):
        return Reading()
    interfaces: dict[str, Json] = {}
    unparsed = []
    for line in text.split("\n"):
        row = line.strip().expandtabs()
        found = _STATUS_ROW.fullmatch(row) or _REASON_ROW.fullmatch(row)
        if found is None:
            if row and not row.startswith("--") and not _is_head(row):
                unparsed.append(row)
            continue
        word = found[3] if found.re is _STATUS_ROW else found[2]
        facts: Facts = {"oper": "up" if word.lower() in _UP else "down", "status": word}
        speed = speed_mbps(found[6]) if found.re is _STATUS_ROW else None
        interfaces[found[1]] = facts | ({"speed_mbps": speed} if speed else {})
    return Reading({"interfaces": interfaces}, tuple(unparsed))


def _is_head(row: str) -> bool:
    return bool(_STATUS_HEAD.match(row) or _OTHER_HEAD.match(row))


def counters_errors(text: str) -> Reading:
    """``interfaces``: errors and discards out of the tables that follow each other."""
    interfaces: dict[str, Json] = {}
    unparsed = []
    columns: list[str] = []
    for line in text.split("\n"):
        cells = line.split()
        if not cells or set(line.strip()) <= {"-"}:
            continue
        if cells[0] == "Port" and len(cells) > 1:
            columns = [cell.lower() for cell in cells[1:]]
        elif columns and len(cells) == len(columns) + 1 and _is_counted(cells[1:]):
            known = zip(columns, cells[1:], strict=True)
            values = {_ERROR_COLUMNS.get(name): whole(cell) for name, cell in known}
            facts: Facts = {key: n for key, n in values.items() if key and n is not None}
            before = interfaces.get(cells[0])
            interfaces[cells[0]] = (before if isinstance(before, dict) else {}) | facts
        else:
            unparsed.append(line.strip())
    return Reading({"interfaces": interfaces} if columns else {}, tuple(unparsed))


def _is_counted(cells: list[str]) -> bool:
    return all(cell == "--" or whole(cell) is not None for cell in cells)
