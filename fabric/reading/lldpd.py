"""lldpd's words: ``lldpctl`` and ``lldpcli show neighbors``, in each of its formats.

A neighbour: ``local_port``, ``remote_host`` (``None``: it sends no name), ``remote_port`` (its port
id, which for a NIC is often the MAC address) and, where sent, ``remote_port_description``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.clean import outdented
from fabric.reading.lldpd_json import neighbours_json
from fabric.reading.sections import sections

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.reading.sections import Section

__all__ = ["neighbours_json", "neighbours_keyvalue", "neighbours_text"]

_TITLE = re.compile(r"^LLDP neighbors:\s*$", re.MULTILINE)
_INTERFACE = re.compile(r"Interface:\s+(?P<port>.+?), via: (?P<via>[^,\s]+)")
# A description of several lines goes on further to the right.
_FIELD = re.compile(
    r"^ {1,8}(?P<name>SysName|PortID|PortDescr):[ \t]*(?P<value>.*?)\s*$", re.MULTILINE
)
# What a port id can be; the rest of the line is the id itself.
_ID = re.compile(r"(?P<kind>ifname|ifalias|local|mac|ip|component|agent|unhandled|\w+) +(?P<id>.+)")
_KEY = re.compile(
    r"lldp\.(?P<port>.+?)\.(?P<key>(?:via|rid|age)|"
    r"(?:chassis|port|vlan|pvid|ppvid|pi|lldp-med|unknown-tlvs?|unknown)(?:\.[^=]*)?)=(?P<value>.*)"
)
_PORT_IDS = ("ifname", "local", "mac", "ifalias", "ip", "component", "agent", "unhandled")


def neighbours_text(text: str) -> Reading:
    """``neighbors`` of the plain format, whole or as a summary."""
    text = outdented(text)
    before, found = sections(text, _INTERFACE)
    if not found:
        return Reading({"neighbors": []} if _TITLE.search(text) else {})
    known = re.compile(r"-+|LLDP neighbors:|")
    return Reading(
        {"neighbors": [_neighbour(section) for section in found]},
        tuple(line.strip() for line in before if not known.fullmatch(line.strip())),
    )


def _neighbour(section: Section) -> Json:
    fields: dict[str, str] = {}
    for match in _FIELD.finditer(section.text):
        fields.setdefault(match["name"], match["value"])
    port = _ID.fullmatch(fields.get("PortID", ""))
    return _fact(
        section.head["port"],
        fields.get("SysName"),
        port["id"] if port else fields.get("PortID"),
        fields.get("PortDescr"),
    )


def _fact(port: str, host: str | None, remote: str | None, description: str | None) -> Json:
    found: dict[str, Json] = {"local_port": port, "remote_host": host or None}
    if remote:
        found["remote_port"] = remote
    if description:
        found["remote_port_description"] = description
    return found


def neighbours_keyvalue(text: str) -> Reading:
    """``neighbors`` of ``lldp.PORT.KEY=VALUE`` lines; each neighbour begins with its ``via``."""
    found: list[tuple[str, dict[str, str]]] = []
    unparsed: list[str] = []
    in_text = False  # a system description may have several lines
    for line in text.split("\n"):
        match = _KEY.fullmatch(line)
        if match is None:
            if line.strip() and not in_text:
                unparsed.append(line.strip())
            continue
        in_text = match["key"].endswith("descr")
        if match["key"] == "via" or not found or found[-1][0] != match["port"]:
            found.append((match["port"], {}))
        found[-1][1].setdefault(match["key"], match["value"])
    if not found:
        return Reading()
    return Reading({"neighbors": [_of_keys(port, keys) for port, keys in found]}, tuple(unparsed))


def _of_keys(port: str, keys: dict[str, str]) -> Json:
    remote = next((keys[f"port.{kind}"] for kind in _PORT_IDS if keys.get(f"port.{kind}")), None)
    return _fact(port, keys.get("chassis.name"), remote, keys.get("port.descr"))
