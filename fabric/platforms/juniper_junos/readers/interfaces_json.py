"""``show interfaces | display json``."""

from __future__ import annotations

from fabric.model.reading import Facts, Reading
from fabric.platforms.juniper_junos.readers.leaves import elements, has, leaf
from fabric.reading.json_output import mapping
from fabric.reading.numbers import speed_mbps, up_or_down, whole

_TOP = "interface-information"


def interfaces(text: str) -> Reading:
    """``interfaces``: state, speed, MTU; those that have neither say so by leaving them out."""
    document = has(text, _TOP)
    if document is None:
        return Reading()
    found: Facts = {}
    for element in elements(document, "physical-interface"):
        name = leaf(element, "name")
        if name is not None:
            own: Facts = {
                "admin": up_or_down(leaf(element, "admin-status")),
                "oper": up_or_down(leaf(element, "oper-status")),
                "mtu": whole(leaf(element, "mtu")),
                "speed_mbps": speed_mbps(leaf(element, "speed")),
            }
            found[name] = {key: value for key, value in mapping(own).items() if value is not None}
    return Reading({"interfaces": found})
