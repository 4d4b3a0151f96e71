"""The readers that ``commands.yaml`` names, one function for each form of output."""

from __future__ import annotations

from fabric.reading.frr import (
    interface_brief,
    interfaces,
    interfaces_json,
    neighbours_json,
    routes_json,
    routes_text,
    running_config,
    summary_json,
    summary_text,
    version,
)
from fabric.reading.lldpd import neighbours_json as lldp_json

__all__ = [
    "interface_brief",
    "interfaces",
    "interfaces_json",
    "lldp_json",
    "neighbours_json",
    "routes_json",
    "routes_text",
    "running_config",
    "summary_json",
    "summary_text",
    "version",
]
