"""``show interface status`` and ``show interface counters``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.dell_sonic.lines import is_port
from fabric.reading.numbers import speed_mbps, up_or_down, whole
from fabric.reading.tables import gapped, header_place, is_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.model.reading import Facts, Json

_STATES = {"U": "up", "D": "down", "X": "down"}  # X: admin down
_AUTONEG = frozenset({"", "on", "off", "-", "n/a"})
_LAG = re.compile(r"PortChannel ?\d+")


def _port(name: str) -> bool:
    return is_port(name) or _LAG.fullmatch(name) is not None


def status(text: str) -> Reading:
    """One line a port; releases have ``Admin`` or ``Reason`` beside ``Oper``.

    Cells may be empty, so a line is cut where its headers stand. Where a long description has moved
    them, cells are counted from the right.
    """
    found = _table(text, "description", "oper", "speed", "mtu")
    if found is None:
        return Reading()
    header, names, rows = found
    interfaces: Facts = {}
    unparsed: list[str] = []
    for line in rows:
        cells = _cut(line, header, names) or _counted(line, names)
        if cells is None:
            unparsed.append(line.strip())
        else:
            interfaces[cells[names[0]]] = _status(cells)
    return Reading({"interfaces": interfaces}, tuple(unparsed))


def _table(text: str, *words: str) -> tuple[str, list[str], list[str]] | None:
    """Header line, its words in lower case, and the lines below it that say something."""
    lines = text.split("\n")
    place = header_place(lines, *words)
    if place is None:
        return None
    rows = [line for line in lines[place + 1 :] if line.strip() and not is_rule(line)]
    return lines[place], [name.lower() for name in gapped(lines[place])], rows


def _sane(cells: dict[str, str], names: list[str]) -> bool:
    states = [cells[name] for name in ("admin", "oper") if cells.get(name)]
    return (
        _port(cells[names[0]])
        and all(up_or_down(state) for state in states)
        and cells.get("autoneg", "").lower() in _AUTONEG
        and whole(cells["mtu"]) is not None
    )


def _counted(line: str, names: list[str]) -> dict[str, str] | None:
    tail = names[2:]
    first, *cells = line.rsplit(None, len(tail))
    if len(cells) != len(tail) or not first.strip():
        return None
    name, _, description = first.strip().partition(" ")
    found = dict(zip(names, (name, description.strip(), *cells), strict=True))
    return found if description.strip() and _sane(found, names) else None


def _cut(line: str, header: str, names: list[str]) -> dict[str, str] | None:
    starts = [match.start() for match in re.finditer(r"(?<!\S)\S+(?: \S+)*", header)]
    ends = [*starts[1:], len(line)]
    if len(starts) != len(names):
        return None
    cells = [line[a:b].strip() for a, b in zip(starts, ends, strict=True)]
    found = dict(zip(names, cells, strict=True))
    clean = all(line[a - 1 : a] in ("", " ") for a in starts[1:])
    return found if clean and _sane(found, names) else None


def _status(cells: dict[str, str]) -> Facts:
    oper, reason = up_or_down(cells["oper"]), cells.get("reason", "")
    down = reason.lower().startswith("admin")
    admin = up_or_down(cells.get("admin")) or ("down" if down else "up" if oper == "up" else None)
    known: Facts = {
        "oper": oper,
        "admin": admin,
        "speed_mbps": speed_mbps(cells["speed"]),
        "mtu": whole(cells["mtu"]),
    }
    return {key: value for key, value in known.items() if value is not None}


_COUNTERS: dict[str, tuple[str, Callable[[str], Json]]] = {
    "state": ("oper", lambda cell: _STATES.get(cell[:1].upper())),
    "rx_ok": ("rx_packets", whole),
    "rx_err": ("in_errors", whole),
    "rx_drp": ("in_drops", whole),
    "tx_ok": ("tx_packets", whole),
    "tx_err": ("out_errors", whole),
    "tx_drp": ("out_drops", whole),
}


def counters(text: str) -> Reading:
    """One line a port; what is too large is counted in a column of its own, which is left out."""
    found = _table(text, "state", "rx_ok", "tx_ok")
    if found is None:
        return Reading()
    header, _, rows = found
    names = header.lower().split()
    interfaces: Facts = {}
    unparsed: list[str] = []
    for line in rows:
        cells = line.split()
        if len(cells) == len(names) and _port(cells[0]):
            interfaces[cells[0]] = dict(_known(dict(zip(names, cells, strict=True))))
        else:
            unparsed.append(line.strip())
    return Reading({"interfaces": interfaces}, tuple(unparsed))


def _known(cells: dict[str, str]) -> Iterator[tuple[str, Json]]:
    for column, (fact, read) in _COUNTERS.items():
        value = read(cells[column]) if column in cells else None
        if value is not None:
            yield fact, value
