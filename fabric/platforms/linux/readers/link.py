"""iproute2: ``ip -s -j link show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.json_output import json_of, listing, mapping, number_of, text_of

if TYPE_CHECKING:
    from fabric.model.reading import Json

_STATES = {
    "UP": "up",
    "DOWN": "down",
    "LOWERLAYERDOWN": "down",
    "NOTPRESENT": "down",
    "DORMANT": "down",
}


def link_json(text: str) -> Reading:
    """``interfaces``. A state that the driver does not tell (``UNKNOWN``) is left out."""
    found: dict[str, Json] = {}
    for link in map(mapping, listing(json_of(text))):
        name = text_of(link.get("ifname"))
        if name is not None and "flags" in link:
            found[name] = _link(link)
    return Reading({"interfaces": found}) if found or text.strip() == "[]" else Reading()


def _link(link: dict[str, Json]) -> Json:
    fact: dict[str, Json] = {"admin": "up" if "UP" in listing(link.get("flags")) else "down"}
    oper = _STATES.get(text_of(link.get("operstate")) or "")
    if oper:
        fact["oper"] = oper
    if (mtu := number_of(link.get("mtu"))) is not None:
        fact["mtu"] = mtu
    stats = mapping(link.get("stats64", link.get("stats")))
    for way, name in (("rx", "in"), ("tx", "out")):
        for key, word in (("errors", "errors"), ("dropped", "drops")):
            if (count := number_of(mapping(stats.get(way)).get(key))) is not None:
                fact[f"{name}_{word}"] = count
    return fact
