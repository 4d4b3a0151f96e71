"""``show queuing interface``: of Nexus 9000 in boxes, of older switches as a list."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.model.reading import Facts, Reading
from fabric.platforms.cisco_nxos.readers.queuing_lists import legacy_port
from fabric.reading.numbers import whole
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from fabric.model.reading import Json

_BOXED = re.compile(r"\s*(Egress|Ingress) Queuing for (\S+)")
_LISTED = re.compile(r"\s*(\S+) queuing information:")
_GROUP = re.compile(r"\|?\s*QOS GROUP (\d+)\s*\|?", re.IGNORECASE)
_OTHER_GROUP = re.compile(r"\|?\s*[A-Z ]+ QOS GROUP\s*\|?", re.IGNORECASE)
_OF_PORT = re.compile(r"\|?\s*((?:WRED|Ingress MMU) Drop (?:Pkts|Byts|Bytes))\s*\|?\s*(\d+)\s*\|?")
_TOTALS = re.compile(r"TxPPP:\s*(\d+),\s*RxPPP:\s*(\d+)")
_PAUSES = re.compile(r"\s*(\d)\s+\S+\s+\S+\s+(\w+)\s+(\d+)\s+(\w+)\s+(\d+)\s*")
_PORT_KEYS = {
    "wred drop pkts": "wred_drops",
    "ingress mmu drop pkts": "ingress_mmu_drops",
    "ingress mmu drop bytes": "ingress_mmu_drop_bytes",
}
_COUNTED = re.compile(r"\|\s*\d+\s*\|")
_TX = {"tx pkts": "tx_packets", "tx byts": "tx_bytes", "q depth byts": "depth_bytes"}
_DROPPED = re.compile(r"(?:.*drop|dropped) (pkts|byts)", re.IGNORECASE)


@dataclass
class _Found:
    pfc: dict[str, Json] = field(default_factory=dict)
    ports: dict[str, Json] = field(default_factory=dict)
    queues: dict[str, Json] = field(default_factory=dict)
    groups: dict[str, Json] = field(default_factory=dict)
    unparsed: list[str] = field(default_factory=list)

    def facts(self) -> Facts:
        kinds = {"pfc": self.pfc, "ports": self.ports, "queues": self.queues}
        found: Facts = {key: value for key, value in kinds.items() if value}
        return found | ({"qos_groups": self.groups} if self.groups else {})


def interface(text: str) -> Reading:
    """``queues``, ``ports`` and ``pfc`` by port; ``qos_groups`` where the switch lists them so."""
    found = _Found()
    _, boxes = sections(text, _BOXED)
    for section in boxes:
        _boxed_port(section.head[2], section.lines, found)
    _, lists = sections(text, _LISTED)
    for section in lists:
        groups, queues = legacy_port(section.lines)
        found.groups[section.head[1]] = groups
        if queues:
            found.queues[section.head[1]] = queues
    if not found.facts() and boxes:
        found.queues = {section.head[2]: {} for section in boxes}
    return Reading(found.facts(), tuple(found.unparsed))


def _boxed_port(port: str, lines: tuple[str, ...], found: _Found) -> None:
    queues, of_port, pauses = (_at(kind, port) for kind in (found.queues, found.ports, found.pfc))
    group: Facts | None = None
    for line in lines:
        head, single = _GROUP.fullmatch(line.strip()), _OF_PORT.fullmatch(line.strip())
        totals, pause = _TOTALS.search(line), _PAUSES.fullmatch(line)
        if head:
            group = {}
            queues[head[1]] = group
        elif _OTHER_GROUP.fullmatch(line.strip()):
            group = None
        elif single and single[1].lower() in _PORT_KEYS:
            of_port[_PORT_KEYS[single[1].lower()]] = int(single[2])
        elif totals:
            pauses |= {"tx_total": int(totals[1]), "rx_total": int(totals[2])}
        elif pause:
            _at(pauses, "tx")[pause[1]] = int(pause[3])
            _at(pauses, "rx")[pause[1]] = int(pause[5])
        elif group is not None and _COUNTED.search(line):
            cells = _cells(line)
            group |= cells
            found.unparsed += [] if cells else [line.strip()]
    for kind in (found.queues, found.ports, found.pfc):
        if not kind[port]:
            del kind[port]


def _at(values: dict[str, Json], key: str) -> Facts:
    """The object of that key; it is made where there is none."""
    before = values.get(key)
    made: Facts = before if isinstance(before, dict) else {}
    values[key] = made
    return made


def _cells(line: str) -> Facts:
    """Labels of a row of a box with the number that stands next to each: that of unicast."""
    cells = [cell.strip() for cell in line.split("|")]
    facts: Facts = {}
    for label, value in itertools.pairwise(cells):
        number, key = whole(value), _key(label)
        if number is not None and key:
            before = facts.get(key)
            facts[key] = number + (before if isinstance(before, int) else 0)
    return facts


def _key(label: str) -> str | None:
    dropped = _DROPPED.fullmatch(label)
    if dropped:
        return "drop_packets" if dropped[1].lower() == "pkts" else "drop_bytes"
    return _TX.get(label.lower())
