"""Observed facts as a file holds them: routes and LLDP neighbours of each switch."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from fabric.inventory.schema.base import Priority, Section

_LONGEST = 255
_DIGEST = r"^[0-9a-f]{64}$"
_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"


def _text(value: str) -> str:
    if not value or len(value) > _LONGEST:
        msg = "must not be empty" if not value else f"is longer than {_LONGEST} characters"
        raise ValueError(msg)
    return value


def _digest(value: str) -> str:
    if not re.match(_DIGEST, value):
        msg = "is no sha256: 64 digits 0-9a-f"
        raise ValueError(msg)
    return value


def _time(value: str) -> str:
    if not re.match(_TIME, value):
        msg = "is no time such as 2026-01-31T12:00:00Z"
        raise ValueError(msg)
    return value


_LENGTHS = {"minLength": 1, "maxLength": _LONGEST}
Text = Annotated[str, AfterValidator(_text), Field(json_schema_extra=_LENGTHS)]
Digest = Annotated[str, AfterValidator(_digest), Field(json_schema_extra={"pattern": _DIGEST})]
Time = Annotated[str, AfterValidator(_time), Field(json_schema_extra={"pattern": _TIME})]


class HopSection(Section):
    """One next hop: the interface, or the address, or both."""

    interface: Text | None = Field(default=None, description="interface that packets leave by")
    via: Text | None = Field(
        default=None, description="address of the next hop; link-local where unnumbered"
    )


class RouteSection(Section):
    """The route that packets to a prefix follow. One of connected, next_hops, group, discard."""

    connected: Text | None = Field(default=None, description="interface that the prefix is on")
    next_hops: list[HopSection] | None = Field(
        default=None, description="all next hops of equal cost"
    )
    group: Text | None = Field(
        default=None, description="name of a group of next hops, instead of next_hops"
    )
    discard: Literal[True] | None = Field(
        default=None, description="packets are dropped: blackhole, null or reject"
    )
    protocol: Text | None = Field(
        default=None,
        description="as the system calls it; local: the switch's own address in a connected prefix",
    )


class NeighborSection(Section):
    """One LLDP neighbour."""

    local_port: Text = Field(description="port of this switch")
    remote_host: Text | None = Field(
        default=None, description="name that the neighbour sends; null: none"
    )
    remote_port: Text | None = Field(
        default=None, description="name, alias or description of the neighbour's port"
    )


class DigestSection(Section):
    """sha256 of the raw text that facts were read from."""

    routes: Digest | None = Field(default=None)
    neighbors: Digest | None = Field(default=None)


class DeviceSection(Section):
    """What one switch reports."""

    routes: dict[str, RouteSection] = Field(
        description="default VRF, by prefix: the routes in use (FIB)"
    )
    neighbors: list[NeighborSection] = Field(description="LLDP neighbours")
    next_hop_groups: dict[str, list[HopSection]] = Field(
        default_factory=dict,
        description="next hops that many routes share, by name: keeps large files small",
    )
    leaf: bool | None = Field(
        default=None,
        description="whether hosts are connected; absent: when a connected prefix is on a port "
        "that leads to no switch",
    )
    tier: Annotated[int, Field(ge=0, le=15)] | None = Field(
        default=None, description="0 for leaves; needed by the rule of priorities bounce"
    )
    dragonfly_group: Text | None = Field(
        default=None, description="group of a dragonfly; needed by the rule global-hop"
    )
    aliases: dict[str, Text] = Field(
        default_factory=dict, description="other names of ports that LLDP sends: alias → port"
    )
    members: dict[str, list[Text]] = Field(
        default_factory=dict,
        description="ports below an interface: of a port-channel or a VLAN",
    )
    ignored_ports: list[Text] = Field(
        default_factory=list,
        description="ports without fabric traffic, besides management ports known by name",
    )
    vrfs: dict[str, Any] = Field(
        default_factory=dict, description="tables of other VRFs, which are left out"
    )
    taken_at: Time | None = Field(default=None, description="when, such as 2026-01-31T12:00:00Z")
    sha256: DigestSection = Field(default=DigestSection())


class ObservedFile(Section):
    """Routes and LLDP neighbours of the switches of a fabric."""

    schema_: Literal[1] = Field(alias="schema", description="version of this format")
    fabric: Text | None = Field(default=None, description="name of the fabric")
    priority: Priority = Field(default=3, description="802.1p number of the lossless class")
    devices: dict[str, DeviceSection] = Field(
        description="by host name, as LLDP sends it (with or without domain)"
    )
