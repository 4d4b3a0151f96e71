"""FRR's words, as vtysh prints them on FRR itself, SONiC, Cumulus and Linux hosts.

Each function takes the cleaned text of one command and gives its facts; none for text that is not
FRR's. Where a table has several VRFs, facts of the default one are given.
"""

from __future__ import annotations

from fabric.reading.frr_bgp import neighbours_json, summary_json, summary_text
from fabric.reading.frr_config import running_config
from fabric.reading.frr_interfaces import interface_brief, interfaces, interfaces_json
from fabric.reading.frr_routes import routes_json, routes_text
from fabric.reading.frr_version import version

__all__ = [
    "interface_brief",
    "interfaces",
    "interfaces_json",
    "neighbours_json",
    "routes_json",
    "routes_text",
    "running_config",
    "summary_json",
    "summary_text",
    "version",
]
