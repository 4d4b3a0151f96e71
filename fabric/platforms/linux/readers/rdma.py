"""RDMA devices: ``show_gids``, ``ibv_devinfo``, ``ibdev2netdev``, ``rdma link``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.sections import sections
from fabric.reading.tables import is_rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.reading import Json

_GID_HEAD = re.compile(r"^DEV\s+PORT\s+INDEX\s+GID\s", re.MULTILINE)
_GID = re.compile(
    r"(?P<device>\S+)\s+(?P<port>\d+)\s+(?P<index>\d+)\s+(?P<gid>\S+:\S*)"
    r"(?:\s+(?P<ipv4>\d+\.\d+\.\d+\.\d+))?\s+(?P<version>[vV]\d\S*)(?:\s+(?P<netdev>\S+))?\s*"
)


def show_gids(text: str) -> Reading:
    """``gids``; ``roce_v2_ipv4_index``: by device the first one of RoCE v2 with an IPv4 address."""
    if not _GID_HEAD.search(text):
        return Reading()
    gids: list[Json] = []
    first: dict[str, Json] = {}
    unparsed: list[str] = []
    for line in text.split("\n"):
        found = _GID.fullmatch(line)
        if found is None:
            if line.strip() and not (is_rule(line) or re.match(r"DEV\s|n_gids_found=", line)):
                unparsed.append(line.strip())
            continue
        words = {key: value for key, value in found.groupdict().items() if value}
        index = int(found["index"])
        gids.append({**words, "port": int(found["port"]), "index": index})
        if found["ipv4"] and found["version"].lower() == "v2":
            first.setdefault(found["device"], index)
    return Reading({"gids": gids, "roce_v2_ipv4_index": first}, tuple(unparsed))


_HCA = re.compile(r"\s*hca_id:\s*(?P<device>\S+)")
_PORT = re.compile(r"\s*port:\s*(?P<port>\d+)\s*$")
_FIELD = re.compile(r"^\s*(?P<name>[a-z_]+):\s+(?P<value>\S.*?)\s*$", re.MULTILINE)
_CODE = re.compile(r"\s+\(\d+\)$")
_OF_DEVICE = ("fw_ver", "vendor_part_id", "board_id", "hw_ver", "phys_port_cnt", "transport")
_OF_PORT = ("state", "max_mtu", "active_mtu", "link_layer", "active_width", "active_speed",
            "phys_state")  # fmt: skip


def ibv_devinfo(text: str) -> Reading:
    """``devices``, each with its ``ports``."""
    _, found = sections(text, _HCA)
    if not found:
        none = "No IB devices found" in text
        return Reading({"devices": {}}) if none else Reading()
    devices: dict[str, Json] = {}
    for section in found:
        own, ports = sections(section.text, _PORT)
        device = _fields("\n".join(own), _OF_DEVICE)
        device["ports"] = {port.head["port"]: _fields(port.text, _OF_PORT) for port in ports}
        devices[section.head["device"]] = device
    return Reading({"devices": devices})


def _fields(text: str, wanted: Iterable[str]) -> dict[str, Json]:
    said = {found["name"]: _CODE.sub("", found["value"]) for found in _FIELD.finditer(text)}
    found = {name: _number(said[name]) for name in wanted if name in said}
    return {  # a port that never was up: invalid MTU (0)
        name: value
        for name, value in found.items()
        if isinstance(value, int) or not name.endswith("_mtu")
    }


def _number(text: str) -> Json:
    return int(text) if text.isascii() and text.isdecimal() else text


_NETDEV = re.compile(
    r"(?:[0-9a-fA-F:.]+ )?(?P<device>[^\s()]+) (?:\(.*\) )?(?:.* )?port (?P<port>\d+) "
    r"(?:\([^)]*\) )?==> (?P<netdev>\S+) \((?P<state>[^)]*)\)\s*"
)


def ibdev2netdev(text: str) -> Reading:
    """``devices``; further ports of a device under ``DEVICE/PORT``."""
    devices: dict[str, Json] = {}
    unparsed: list[str] = []
    for line in text.split("\n"):
        found = _NETDEV.fullmatch(line.strip())
        if found is None:
            unparsed += [line.strip()] if line.strip() else []
            continue
        name = found["device"]
        key = f"{name}/{found['port']}" if name in devices else name
        devices[key] = {
            "port": int(found["port"]),
            "netdev": found["netdev"],
            "state": found["state"],
        }
    return Reading({"devices": devices}, tuple(unparsed)) if devices else Reading()


_LINK = re.compile(r"(?:link |\d+/\d+: )(?P<name>[^\s:]+/\d+):? (?P<words>.*\bstate \S+.*)")
_WORDS = re.compile(r"(?:^| )(?P<key>state|physical_state|netdev|netdev_index) (?P<value>\S+)")


def rdma_link(text: str) -> Reading:
    """``links`` by ``DEVICE/PORT``."""
    links: dict[str, Json] = {}
    unparsed: list[str] = []
    for line in text.split("\n"):
        found = _LINK.fullmatch(line.strip())
        if found:
            links[found["name"]] = {m["key"]: m["value"] for m in _WORDS.finditer(found["words"])}
        elif line.strip():
            unparsed.append(line.strip())
    return Reading({"links": links}, tuple(unparsed)) if links else Reading()
