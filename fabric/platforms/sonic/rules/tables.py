"""Tables and values as such: known tables, no empty ones, all values text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.sonic.database import ConfigDb

# Tables that fabric writes, and some that a box has besides; each has a YANG model.
_KNOWN_TEXT = """
AAA ACL_RULE ACL_TABLE AS_PATH_SET BGP_DEVICE_GLOBAL BGP_GLOBALS BGP_GLOBALS_AF
BGP_GLOBALS_AF_NETWORK BGP_NEIGHBOR BGP_NEIGHBOR_AF BREAKOUT_CFG BUFFER_PG BUFFER_POOL
BUFFER_PORT_EGRESS_PROFILE_LIST BUFFER_PORT_INGRESS_PROFILE_LIST BUFFER_PROFILE BUFFER_QUEUE
CABLE_LENGTH COMMUNITY_SET COPP_GROUP COPP_TRAP CRM DEFAULT_LOSSLESS_BUFFER_PARAMETER
DEVICE_METADATA DEVICE_NEIGHBOR DEVICE_NEIGHBOR_METADATA DNS_NAMESERVER DOT1P_TO_TC_MAP
DSCP_TO_TC_MAP FEATURE FLEX_COUNTER_TABLE INTERFACE KDUMP LLDP LLDP_PORT LOOPBACK
LOOPBACK_INTERFACE LOSSLESS_TRAFFIC_PATTERN MAP_PFC_PRIORITY_TO_QUEUE MGMT_INTERFACE MGMT_PORT
MGMT_VRF_CONFIG NTP NTP_SERVER PASSW_HARDENING PFC_PRIORITY_TO_PRIORITY_GROUP_MAP PFC_WD PORT
PORTCHANNEL PORTCHANNEL_INTERFACE PORTCHANNEL_MEMBER PORT_QOS_MAP PREFIX PREFIX_SET QUEUE
ROUTE_MAP ROUTE_MAP_SET ROUTE_REDISTRIBUTE SCHEDULER SNMP SNMP_COMMUNITY STATIC_ROUTE
SYSLOG_SERVER TACPLUS TACPLUS_SERVER TC_TO_DSCP_MAP TC_TO_PRIORITY_GROUP_MAP TC_TO_QUEUE_MAP
VERSIONS VLAN VLAN_INTERFACE VLAN_MEMBER VRF WRED_PROFILE
"""
_KNOWN = frozenset(_KNOWN_TEXT.split())


def unknown_tables(config: ConfigDb) -> Iterator[str]:
    """`config reload` aborts on a table without a model."""
    yield from (f"{t}: there is no such table" for t in config if t not in _KNOWN)


def empty_tables(config: ConfigDb) -> Iterator[str]:
    """CONFIG_DB cannot hold a table without rows."""
    yield from (f"{table}: the table is empty" for table, rows in config.items() if not rows)


def only_text(config: ConfigDb) -> Iterator[str]:
    """All values are text, or lists of text."""
    for table, rows in config.items():
        for key, row in rows.items():
            if not isinstance(row, dict):
                yield f"{table}|{key}: is no row"
                continue
            for field, value in row.items():
                parts = value if isinstance(value, list) else [value]

                if not all(isinstance(part, str) for part in parts):
                    yield f"{table}|{key}: {field} {value!r} is no text"


RULES = (unknown_tables, empty_tables, only_text)
