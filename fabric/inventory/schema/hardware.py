"""``platforms:``, ``links:``, ``cables:`` and ``sonic:`` — what the fabric is made of."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from fabric.inventory.schema.base import Metres, Section, Speed


class HardwareSection(Section):
    """Hardware and system of the switches that a selector names; the rest is inherited."""

    platform: str | None = Field(default=None, description="switch system; default: sonic")
    model: str | None = Field(
        default=None, description="switch model of the catalogue; default: generic"
    )
    sku: str | None = Field(
        default=None, description="hardware SKU (headroom and pools belong to it)"
    )
    os_version: str | None = Field(default=None, description="release of the switch system")
    syntax: str | None = Field(
        default=None,
        description="family of the system's commands that the box takes, where the model says none",
    )
    extra: str | None = Field(default=None, description="text appended to the configuration")


class LinksSection(Section):
    """Cables between switches."""

    speed: Speed | None = Field(
        default=None, description="Gb/s; default: the fastest NIC's (explicit: 400)"
    )


class CablesSection(Section):
    """Cable lengths in metres by kind of link; headroom grows with them."""

    default: Metres = Field(default=5.0, description="every kind that is not named")
    host: Metres | None = Field(default=None, description="host to switch")
    leaf_spine: Metres | None = Field(default=None, alias="leaf-spine")
    edge_agg: Metres | None = Field(default=None, alias="edge-agg")
    agg_core: Metres | None = Field(default=None, alias="agg-core")
    spine_core: Metres | None = Field(default=None, alias="spine-core")
    local: Metres | None = Field(default=None, description="within a dragonfly group")
    global_: Metres | None = Field(
        default=None, alias="global", description="between dragonfly groups"
    )
    same_tier: Metres | None = Field(default=None, alias="same-tier")
    cable: Metres | None = Field(default=None, description="cables of an explicit topology")


class SonicSection(Section):
    """What only SONiC asks."""

    routing_mode: Literal["split", "unified"] = Field(
        default="split",
        description="who writes the BGP configuration: our frr.conf, or CONFIG_DB's BGP tables",
    )
