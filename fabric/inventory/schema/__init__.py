"""The inventory as the user writes it, one module a section. Defaults are part of the schema."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from fabric.inventory.schema.base import Name, Section
from fabric.inventory.schema.connection import ConnectionSection, DeviceConnectionSection
from fabric.inventory.schema.hardware import (
    CablesSection,
    HardwareSection,
    LinksSection,
    SonicSection,
)
from fabric.inventory.schema.hosts import HostsSection
from fabric.inventory.schema.network import (
    AddressingSection,
    ManagementSection,
    SuppressSection,
)
from fabric.inventory.schema.roce import ClassSection, RaisedSection, RoceSection
from fabric.inventory.schema.targets import TargetsSection

__all__ = [
    "AddressingSection",
    "CablesSection",
    "ClassSection",
    "ConnectionSection",
    "DeviceConnectionSection",
    "HardwareSection",
    "HostsSection",
    "Inventory",
    "ManagementSection",
    "RaisedSection",
    "RoceSection",
    "Section",
    "SuppressSection",
    "TargetsSection",
]


class Inventory(Section):
    """A RoCEv2 fabric. ``fabric`` and ``topology`` suffice; everything else has a default."""

    fabric: Name = Field(description="name of the fabric, also the folder of its plan")
    topology: dict[str, Any] = Field(description="kind and its parameters")
    platforms: dict[str, HardwareSection] = Field(
        default_factory=dict,
        description="hardware by selector: default, a role, a device or a range leaf-[0-3]",
    )
    hosts: list[HostsSection] | None = Field(
        default=None, description="one group of hosts or a list; absent: what the topology takes"
    )
    links: LinksSection = Field(default=LinksSection(), description="cables between switches")
    cables: CablesSection = Field(default=CablesSection(), description="lengths in metres")
    roce: RoceSection = Field(default=RoceSection(), description="the lossless policy")
    addressing: AddressingSection = Field(default=AddressingSection())
    management: ManagementSection = Field(default=ManagementSection())
    connection: ConnectionSection = Field(default=ConnectionSection())
    load_balancing: Literal["ecmp", "dlb", "spray", "adaptive"] = Field(default="ecmp")
    targets: TargetsSection = Field(
        default=TargetsSection(), description="bandwidth that the design is meant to have"
    )
    sonic: SonicSection = Field(default=SonicSection())
    racks: dict[str, str] = Field(default_factory=dict, description="device or range: rack")
    suppress: list[SuppressSection] = Field(
        default_factory=list, description="findings that are accepted, with the reason"
    )
