"""lldpd's JSON, ``-f json`` and ``-f json0``, as of all versions.

``json0`` has a list around each value and each object. ``json`` leaves lists of one out, and names
interfaces and chassis by keys; a chassis without a name is the object itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.json_output import json_of, mapping, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.reading import Json

_CHASSIS_KEYS = {"id", "name", "descr", "mgmt-ip", "mgmt-iface", "capability"}


def neighbours_json(text: str) -> Reading:
    """``neighbors``."""
    value = json_of(text)
    if not isinstance(value, dict) or "lldp" not in value:
        return Reading()
    found: list[Json] = []
    for lldp in _each(value["lldp"]):
        for interface in _each(lldp.get("interface")):
            found += [_neighbour(name, one) for name, one in _interfaces(interface)]
    return Reading({"neighbors": found})


def _each(value: Json) -> Iterator[dict[str, Json]]:
    """The objects of a list, or the one object."""
    yield from map(mapping, value if isinstance(value, list) else [value])


def _interfaces(value: dict[str, Json]) -> Iterator[tuple[str, dict[str, Json]]]:
    name = text_of(value.get("name"))
    if name is not None:
        yield name, value
        return
    for name, inner in value.items():
        for one in _each(inner):
            if one:
                yield name, one


def _neighbour(port: str, interface: dict[str, Json]) -> Json:
    remote = next(_each(interface.get("port")), {})
    found: dict[str, Json] = {"local_port": port, "remote_host": _host(interface.get("chassis"))}
    if identifier := _value(remote.get("id")):
        found["remote_port"] = identifier
    if description := _value(remote.get("descr")):
        found["remote_port_description"] = description
    return found


def _host(value: Json) -> str | None:
    chassis = next(_each(value), {})
    if name := _value(chassis.get("name")):
        return name
    if chassis.keys() & _CHASSIS_KEYS or len(chassis) != 1:
        return None
    return next(iter(chassis)) or None


def _value(value: Json) -> str | None:
    """``x``, ``{"value": "x"}`` and a list of one of these, as text."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("value")
    return text_of(value) or None
