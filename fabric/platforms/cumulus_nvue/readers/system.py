"""The switch itself: release and name; its running configuration."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms import ConfigError
from fabric.platforms.cumulus_nvue.ports import bindings
from fabric.platforms.cumulus_nvue.readers.nvue import shown
from fabric.platforms.cumulus_nvue.reading import class_map, dscp_map
from fabric.platforms.cumulus_nvue.tree import CONFIG_FILE, config_of
from fabric.reading.json_output import json_of, mapping, text_of

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.platforms.cumulus_nvue.ports import Binding
    from fabric.platforms.cumulus_nvue.tree import Node

_RELEASE = re.compile(r"Cumulus Linux (\d\S*)")
_CONFIG = re.compile(r"^(?:nv set |- header:|- set:|header:|set:|[\[{])", re.MULTILINE)
_FAMILIES = ("ipv4-unicast", "ipv6-unicast")


def system(text: str) -> Reading:
    """``hostname``, and ``version`` where this release prints it here."""
    found = shown(text)
    build, product = found.value("build"), found.value("product-name")
    if "Cumulus" not in f"{build} {product}":
        return Reading()
    printed = found.value("version", "product-release") or found.value("product-release")
    return Reading(_identity(found.value("hostname"), build, printed), found.unparsed)


def system_json(text: str) -> Reading:
    """The same of JSON."""
    found = mapping(json_of(text))
    build, product = (text_of(found.get(key)) for key in ("build", "product-name"))
    if "Cumulus" not in f"{build} {product}":
        return Reading()
    printed = mapping(found.get("version")).get("product-release") or found.get("product-release")
    return Reading(_identity(text_of(found.get("hostname")), build, text_of(printed)))


def release(text: str) -> Reading:
    """``version`` of `nv show system version`."""
    found = shown(text)
    version = found.value("product-release")
    return Reading({"version": version} if version else {}, found.unparsed if version else ())


def _identity(name: str | None, build: str | None, release: str | None) -> dict[str, Json]:
    match = _RELEASE.search(build or "")
    version = release or (match[1] if match else None)
    named = {"hostname": name, "version": version}
    return {key: value for key, value in named.items() if value is not None}


def config(text: str) -> Reading:
    """``hostname``, BGP, the maps and each port's QoS; of any form of `nv config show`.

    ``dscp_to_priority`` where all ports that trust DSCP have the same map.
    """
    start = _CONFIG.search(text)
    if start is None:
        return Reading()
    try:
        tree = config_of({CONFIG_FILE: text[start.start() :]})
        ports = list(bindings(tree))
        maps = {port.name: dscp_map(port) for port in ports}
        facts: dict[str, Json] = {
            **_bgp(tree),
            "interfaces": {
                port.name: _port(port, trusts=None not in maps[port.name]) for port in ports
            },
            "priority_to_tc": {str(n): queue for n, queue in enumerate(class_map(tree))},
        }
    except ConfigError:
        return Reading()
    alike = {found for found in maps.values() if None not in found}
    if len(alike) == 1:
        facts["dscp_to_priority"] = {str(dscp): n for dscp, n in enumerate(alike.pop())}
    if (name := tree.value("system", "hostname")) is not None:
        facts["hostname"] = name
    return Reading(facts)


def _port(port: Binding, *, trusts: bool) -> Json:
    fact: dict[str, Json] = {"lossless": [*port.priorities()]}
    if trusts:
        fact["trust"] = "dscp"
    if (mtu := port.node.number("link", "mtu")) is not None:
        fact["mtu"] = mtu
    return fact


def _bgp(tree: Node) -> dict[str, Json]:
    bgp = tree.at("vrf", "default", "router", "bgp")
    facts: dict[str, Json] = {}
    for key, name in (("local_as", "autonomous-system"), ("router_id", "router-id")):
        if (value := bgp.value(name) or tree.value("router", "bgp", name)) is not None:
            facts[key] = value
    peers: dict[str, Json] = {}
    for name in bgp.at("neighbor").below:
        group = bgp.value("neighbor", name, "peer-group") or ""
        remote = bgp.value("neighbor", name, "remote-as")
        peers[name] = {"remote_as": remote or bgp.value("peer-group", group, "remote-as")}
    if peers:
        facts["peers"] = peers
    networks: list[Json] = [
        prefix
        for family in _FAMILIES
        for prefix in bgp.at("address-family", family, "network").below
    ]
    if networks:
        facts["networks"] = networks
    return facts
