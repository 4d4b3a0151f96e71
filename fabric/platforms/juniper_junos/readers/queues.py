"""``show interfaces queue``: what each egress queue sent, dropped and marked."""

from __future__ import annotations

import re

from fabric.model.reading import Facts, Reading
from fabric.platforms.juniper_junos.readers.noise import said
from fabric.reading.sections import Section, sections

# Queues of a port, or of one logical interface with queues of its own.
_HEAD = re.compile(
    r"\s*(?:Physical interface: (?P<name>[^\s,]+),|Logical interface (?P<unit>\S+\.\d+) \().*"
)
_QUEUE = re.compile(r"\s*Queue: (\d+), Forwarding classes: (.*?)\s*$")
_SIDE = re.compile(r"\s*(Egress|Ingress) queues: ")
_BLOCK = re.compile(r"\s*(Queued|Transmitted):\s*$")
_COUNTER = re.compile(r"\s*([A-Z][\w -]*?)\s*: *(\d+)\b.*")
_SENT = {
    "Packets": "tx_packets",
    "Bytes": "tx_bytes",
    "Tail-dropped packets": "tail_drop_packets",
    "RL-dropped packets": "rate_drop_packets",
    "RED-dropped packets": "red_drop_packets",
    "RED-dropped bytes": "red_drop_bytes",
}
_MARKED = "ECN-CE packets"


def queues(text: str) -> Reading:
    """``queues`` and, where the box counts them, ``ecn_marked``; ingress queues are left out."""
    before, found = sections(text, _HEAD)
    if not found or not any("Forwarding classes" in section.text for section in found):
        return Reading()
    sent: Facts = {}
    marked: Facts = {}
    for section in found:
        own, ecn = _port(section)
        name = section.head["name"] or section.head["unit"]
        sent[name] = own
        if ecn:
            marked[name] = ecn
    facts: Facts = {"queues": sent}
    if marked:
        facts["ecn_marked"] = marked
    return Reading(facts, said(before))


def _port(section: Section) -> tuple[Facts, Facts]:
    found: Facts = {}
    marked: Facts = {}
    queue: Facts | None = None
    number, egress, transmitted = "", True, False
    for line in section.lines:
        if side := _SIDE.match(line):
            egress, queue = side[1] == "Egress", None
        elif head := _QUEUE.fullmatch(line):
            number, transmitted = head[1], False
            queue = {"forwarding_class": head[2]} if egress else None
            if queue is not None:
                found[number] = queue
        elif block := _BLOCK.fullmatch(line):
            transmitted = block[1] == "Transmitted"
        elif queue is not None and transmitted and (row := _COUNTER.fullmatch(line)):
            if row[1] in _SENT:
                queue.setdefault(_SENT[row[1]], int(row[2]))
            elif row[1] == _MARKED:
                queue.setdefault("ecn_marked_packets", int(row[2]))
                marked.setdefault(number, int(row[2]))
    return found, marked
