"""Port-channels and VLANs: who is in them, and that nobody stands in two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.sonic.database import rows
from fabric.platforms.sonic.rules import missing, unlike

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.sonic.database import ConfigDb

_TAGGING = frozenset({"tagged", "untagged", "priority_tagged"})


def port_channels(config: ConfigDb) -> Iterator[str]:
    """A port-channel without status stays down; a port is a member of one, and no interface."""
    lags, ports = rows(config, "PORTCHANNEL"), rows(config, "PORT")
    for name, row in lags.items():
        yield from missing(f"PORTCHANNEL|{name}", row, "admin_status")
    owner: dict[str, str] = {}
    for key in rows(config, "PORTCHANNEL_MEMBER"):
        where = f"PORTCHANNEL_MEMBER|{key}"
        lag, _, port = key.partition("|")
        if lag not in lags:
            yield f"{where}: there is no PORTCHANNEL|{lag}"
        if ports and port not in ports:
            yield f"{where}: there is no port {port}"
        if port in owner:
            yield f"{where}: {port} is a member of {owner[port]} too"
        if port in rows(config, "INTERFACE"):
            yield f"{where}: {port} is a router interface"
        owner[port] = lag


def vlans(config: ConfigDb) -> Iterator[str]:
    """Members exist, are no router interface, and have no tag in one VLAN at most."""
    members = {key.partition("|")[2] for key in rows(config, "PORTCHANNEL_MEMBER")}
    routed = {*rows(config, "INTERFACE"), *rows(config, "PORTCHANNEL_INTERFACE")}
    known = {*rows(config, "PORT"), *rows(config, "PORTCHANNEL")}
    untagged: dict[str, str] = {}
    for name, row in rows(config, "VLAN").items():
        if name != f"Vlan{row.get('vlanid')}":
            yield f"VLAN|{name}: vlanid {row.get('vlanid')!r} is another"
    for key, row in rows(config, "VLAN_MEMBER").items():
        where = f"VLAN_MEMBER|{key}"
        vlan, _, port = key.partition("|")
        yield from missing(where, row, "tagging_mode")
        yield from unlike(where, row, "tagging_mode", _TAGGING)
        if vlan not in rows(config, "VLAN"):
            yield f"{where}: there is no VLAN|{vlan}"
        if rows(config, "PORT") and port not in known:
            yield f"{where}: there is no port {port}"
        if port in routed:
            yield f"{where}: {port} is a router interface"
        if port in members:
            yield f"{where}: {port} is a member of a port-channel"
        if row.get("tagging_mode") == "untagged":
            if port in untagged:
                yield f"{where}: {port} is untagged in {untagged[port]} too"
            untagged[port] = vlan


def interfaces(config: ConfigDb) -> Iterator[str]:
    """An address needs the row of its interface, and that what it names."""
    for table, owner in (("VLAN_INTERFACE", "VLAN"), ("PORTCHANNEL_INTERFACE", "PORTCHANNEL")):
        named = rows(config, table)
        for key in named:
            name, _, address = key.partition("|")
            if address and name not in named:
                yield f"{table}|{key}: there is no row {name}"
            if name not in rows(config, owner):
                yield f"{table}|{key}: there is no {owner}|{name}"


RULES = (port_channels, vlans, interfaces)
