"""``show interface | display-xml``.

A reply has each port twice: as configured (without states), and below ``bulk`` as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.numbers import up_or_down, whole
from fabric.reading.xml_output import elements, text_at

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from fabric.model.reading import Facts, Json

_COUNTERS = {
    "in-errors": "in_errors",
    "out-errors": "out_errors",
    "in-discards": "in_discards",
    "out-discards": "out_discards",
    "ether-crc-align-errors": "crc_errors",
    "pause-rx-pkts": "in_pause",
    "pause-tx-pkts": "out_pause",
}
_SWITCHES = {"pfc-mode": "pfc", "ets-mode": "ets"}
_TRUTH = {"true": True, "false": False}
_NEIGHBOURS = "lldp-rem-neighbor-info"  # of `show lldp neighbors`, which names ports too
_BITS = 1_000_000


def interfaces_xml(text: str) -> Reading:
    """``interfaces``; ``queues``: weights of a port's queues, where it has any."""
    ports: dict[str, Json] = {}
    queues: dict[str, Json] = {}
    for element in elements(text, "interface"):
        name = text_at(element, "name")
        state = up_or_down(text_at(element, "oper-status"))
        if name is None or state is None or element.find(_NEIGHBOURS) is not None:
            continue
        ports[name] = _port(element, state)
        weights = _weights(element)
        if weights:
            queues[name] = weights
    if not ports:
        return Reading()
    facts: Facts = {"interfaces": ports}
    return Reading(facts | ({"queues": queues} if queues else {}))


def _port(element: Element, state: str) -> dict[str, Json]:
    found: dict[str, Json] = {"oper": state}
    admin = up_or_down(text_at(element, "admin-status"))
    if admin:
        found["admin"] = admin
    mtu, bits = whole(text_at(element, "mtu")), whole(text_at(element, "speed"))
    if mtu is not None:
        found["mtu"] = mtu
    if bits and bits >= _BITS:
        found["speed_mbps"] = bits // _BITS
    fec = text_at(element, "fec")
    if fec and fec != "not-supported":
        found["fec"] = fec
    for tag, key in _COUNTERS.items():
        number = whole(text_at(element, f"statistics/{tag}"))
        if number is not None:
            found[key] = number
    for tag, key in _SWITCHES.items():
        truth = _TRUTH.get(text_at(element, f"qos-if-params/{tag}") or "")
        if truth is not None:
            found[key] = truth
    return found


def _weights(element: Element) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for entry in element.iterfind("qos-if-params/weight-info"):
        queue, weight = text_at(entry, "queue-id"), whole(text_at(entry, "weight"))
        if queue is not None and weight is not None:
            found[queue] = {"weight": weight}
    return found
