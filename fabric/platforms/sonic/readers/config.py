"""CONFIG_DB or a part of it: pools, profiles, maps, WRED, PFC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.sonic.database import integer, numbers, per_port_rows, plain_name, rows
from fabric.reading.json_output import json_of, mapping

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.reading import Facts, Json
    from fabric.platforms.sonic.database import ConfigDb, Row

_MAPS = {
    "dscp_to_tc": "DSCP_TO_TC_MAP",
    "tc_to_queue": "TC_TO_QUEUE_MAP",
    "tc_to_pg": "TC_TO_PRIORITY_GROUP_MAP",
}
_PORT_LISTS = {"pfc_enable": "pfc_enable", "pfcwd_enable": "pfcwd_sw_enable"}


def config(text: str) -> Reading:
    """Tables that are there; sizes in bytes. Other tables than those of QoS are left aside."""
    database: ConfigDb = {
        name: table for name, table in mapping(json_of(text)).items() if isinstance(table, dict)
    }
    if not any(name.isupper() for name in database):
        return Reading()
    facts: Facts = {}
    name = rows(database, "DEVICE_METADATA").get("localhost", {}).get("hostname")
    if isinstance(name, str):
        facts["hostname"] = name
    for fact, table in _MAPS.items():
        if table in database:
            facts[fact] = {name: _numbers(row) for name, row in rows(database, table).items()}
    for fact, column in _PORT_LISTS.items():
        listed = _lists(database, column)
        if listed:
            facts[fact] = listed
    for fact, table, read in _TABLES:
        if table in database:
            facts[fact] = {name: read(row) for name, row in rows(database, table).items()}
    others = tuple(name for name in database if name not in _KNOWN)
    return Reading(facts, others) if facts else Reading()


def _numbers(row: Row) -> Json:
    return {key: integer(value) for key, value in row.items() if integer(value) is not None}


def _lists(database: ConfigDb, column: str) -> Facts:
    return {
        port: list(numbers(row[column]))
        for port, row in per_port_rows(database, "PORT_QOS_MAP").items()
        if column in row
    }


def _sized(row: Row) -> Json:
    """A pool or a profile: numbers as numbers, references as names."""
    return {
        key: plain_name(value) if key == "pool" else _number_or_text(value)
        for key, value in row.items()
    }


def _plain(row: Row) -> Json:
    return {key: _number_or_text(value) for key, value in row.items()}


def _number_or_text(value: object) -> Json:
    number = integer(value)
    return str(value) if number is None else number


_TABLES: tuple[tuple[str, str, Callable[[Row], Json]], ...] = (
    ("buffer_pools", "BUFFER_POOL", _sized),
    ("buffer_profiles", "BUFFER_PROFILE", _sized),
    ("wred", "WRED_PROFILE", _plain),
)
_KNOWN = {"DEVICE_METADATA", *_MAPS.values(), "PORT_QOS_MAP", *(table for _, table, _ in _TABLES)}
