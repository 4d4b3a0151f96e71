"""``show queuing interface`` as Nexus 5000 and its kin print it: a list for each qos-group."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.reading import Facts, Json

_RX = re.compile(r"\s*RX Queuing\s*")
_TX_ROW = re.compile(r"\s*(\d)\s+([A-Za-z]+)\s+(\d+)\s*")
_GROUP = re.compile(r"\s*qos-group (\d)\s*")
_SIZES = re.compile(r"q-size:\s*(\d+)(?:,\s*HW MTU:\s*(\d+))?", re.IGNORECASE)
_KIND = re.compile(
    r"drop-type:\s*([\w-]+)(?:,\s*xon:\s*(\d+))?(?:,\s*xoff:\s*(\d+))?", re.IGNORECASE
)
_DISCARDS = re.compile(r"Pkts discarded on ingress\s*:\s*(\d+)", re.IGNORECASE)


def legacy_port(lines: tuple[str, ...]) -> tuple[Facts, Facts]:
    """What is received by qos-group, and the queues of what is sent."""
    groups: dict[str, Json] = {}
    queues: dict[str, Json] = {}
    group: Facts = {}
    received = False
    for line in lines:
        received = received or bool(_RX.fullmatch(line))
        row, head = _TX_ROW.fullmatch(line), _GROUP.fullmatch(line)
        if row and not received:
            queues[row[1]] = {"schedule": row[2].lower(), "bandwidth_percent": int(row[3])}
        elif head:
            group = {}
            groups[head[1]] = group
        else:
            group |= _of_group(line)
    return groups, queues


def _of_group(line: str) -> Facts:
    sizes, kind, discards = _SIZES.search(line), _KIND.search(line), _DISCARDS.search(line)
    facts: Facts = {}
    if sizes:
        facts["queue_size"] = int(sizes[1])
        facts |= {"hw_mtu": int(sizes[2])} if sizes[2] else {}
    if kind:
        facts["drop_type"] = kind[1].lower()
        facts |= {"xon": int(kind[2])} if kind[2] else {}
        facts |= {"xoff": int(kind[3])} if kind[3] else {}
    if discards:
        facts["ingress_discards"] = int(discards[1])
    return facts
