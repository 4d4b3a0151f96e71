"""Ports, their addresses and their cables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.platforms.sonic.database import number, per_port_rows, rows
from fabric.platforms.sonic.rules import missing, outside, unlike

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.sonic.database import ConfigDb

_FIELDS_TEXT = """
alias lanes speed index subport mtu fec autoneg admin_status description link_training
adv_speeds adv_interface_types interface_type mode role asic_port_name dhcp_rate_limit
dom_polling pfc_asym tpid mux_cable macsec tx_power laser_freq fast_linkup
"""
_FIELDS = frozenset(_FIELDS_TEXT.split())
_MANDATORY = ("lanes", "speed", "mtu", "fec", "admin_status")
_FEC = frozenset({"rs", "fc", "none", "auto"})
_STATUS = frozenset({"up", "down"})
_ON_OFF = frozenset({"on", "off"})
_CABLE = re.compile(r"[0-9]+m")
_MAX_SPEED_MBPS = 1_600_000
_MTU_BYTES = (68, 9216)
_MAX_SUBPORT = 8
_MAX_DESCRIPTION = 255


def port_rows(config: ConfigDb) -> Iterator[str]:
    """A port has what the driver needs, in the model's words; a port without status stays down."""
    for name, row in rows(config, "PORT").items():
        where = f"PORT|{name}"
        yield from missing(where, row, *_MANDATORY)
        yield from (f"{where}: a port has no {field}" for field in row if field not in _FIELDS)
        yield from outside(where, row, "speed", 1, _MAX_SPEED_MBPS)
        yield from outside(where, row, "mtu", *_MTU_BYTES)
        yield from outside(where, row, "subport", 0, _MAX_SUBPORT)
        yield from unlike(where, row, "fec", _FEC)
        yield from unlike(where, row, "admin_status", _STATUS)
        yield from unlike(where, row, "autoneg", _ON_OFF)
        if row.get("pfc_asym", "off") != "off":
            yield f"{where}: asymmetric PFC is on: the port hears pauses that no watchdog sees"
        if len(str(row.get("description", ""))) > _MAX_DESCRIPTION:
            yield f"{where}: the description is longer than {_MAX_DESCRIPTION} characters"


def lanes(config: ConfigDb) -> Iterator[str]:
    """A lane belongs to one port."""
    owner: dict[str, str] = {}
    for name, row in rows(config, "PORT").items():
        for lane in str(row.get("lanes", "")).split(","):
            if lane in owner:
                yield f"PORT|{name}: lane {lane} belongs to {owner[lane]} too"
            owner[lane] = name


def interface_rows(config: ConfigDb) -> Iterator[str]:
    """An address needs the row of its interface, and that needs its port."""
    ports = rows(config, "PORT")
    for table in ("INTERFACE", "LOOPBACK_INTERFACE"):
        named = rows(config, table)
        for key in named:
            name, _, address = key.partition("|")
            if address and name not in named:
                yield f"{table}|{key}: there is no row {name}"
            if table == "INTERFACE" and ports and name not in ports:
                yield f"{table}|{key}: there is no port {name}"


def cable_rows(config: ConfigDb) -> Iterator[str]:
    """Whole metres with an `m`; a port with PFC and 0m gets no lossless priority group."""
    cables = {
        port: (name, length)
        for name, row in rows(config, "CABLE_LENGTH").items()
        for port, length in row.items()
    }
    pausing = {
        port for port, row in per_port_rows(config, "PORT_QOS_MAP").items() if row.get("pfc_enable")
    }
    for port, (name, length) in cables.items():
        if not _CABLE.fullmatch(str(length)):
            yield f"CABLE_LENGTH|{name}: {port} {length!r} is no whole number of metres with m"
        elif number(str(length)[:-1]) == 0 and port in pausing:
            yield f"CABLE_LENGTH|{name}: {port} has 0m, so it gets no lossless priority group"
    for port in sorted(pausing - cables.keys()):
        yield f"CABLE_LENGTH: {port} has no length"


RULES = (port_rows, lanes, interface_rows, cable_rows)
