"""FRR's and lldpd's words, which Cumulus Linux prints unchanged."""

from __future__ import annotations

from fabric.reading.frr import (
    interfaces,
    interfaces_json,
    neighbours_json,
    routes_json,
    routes_text,
    summary_json,
    summary_text,
    version,
)
from fabric.reading.lldpd import neighbours_json as lldp_json
from fabric.reading.lldpd import neighbours_text as lldp_text

__all__ = [
    "interfaces",
    "interfaces_json",
    "lldp_json",
    "lldp_text",
    "neighbours_json",
    "routes_json",
    "routes_text",
    "summary_json",
    "summary_text",
    "version",
]
