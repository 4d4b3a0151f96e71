"""Maps and their binding: DSCP → TC → queue and PG, PFC and the watchdog of every port."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.platforms import CODES, DSCPS
from fabric.platforms.sonic.database import number, numbers, per_port_rows, rows
from fabric.platforms.sonic.reading import chains_of
from fabric.platforms.sonic.rules import missing, outside, unlike

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.qos import QosChain
    from fabric.platforms.sonic.database import ConfigDb, Row

_LAST = CODES - 1
# Table → highest key, highest value. TC 8..15 and queue 8 and 9 pass YANG, no chip here has them.
_MAPS = {
    "DSCP_TO_TC_MAP": (DSCPS - 1, _LAST),
    "TC_TO_QUEUE_MAP": (_LAST, _LAST),
    "TC_TO_PRIORITY_GROUP_MAP": (_LAST, _LAST),
    "MAP_PFC_PRIORITY_TO_QUEUE": (_LAST, _LAST),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": (_LAST, _LAST),
    "TC_TO_DSCP_MAP": (_LAST, DSCPS - 1),
}
_REFERENCES = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "tc_to_dscp_map": "TC_TO_DSCP_MAP",
}
_OPTIONAL = frozenset({"pfc_to_pg_map", "tc_to_dscp_map"})
_GLOBAL = "global"
_NAME = re.compile(r"[a-zA-Z0-9][-a-zA-Z0-9_]{0,31}")
_PRIORITIES = re.compile(r"([0-7](,[0-7])*)?")
_ACTIONS = frozenset({"drop", "forward", "alert"})
_POLL_MS, _DETECT_MS, _RESTORE_MS = (100, 1000), (100, 5000), (100, 60000)


def map_entries(config: ConfigDb) -> Iterator[str]:
    """Names without dots, numbers without leading zeros, all 64 DSCPs, all classes re-marked.

    A class that a TC_TO_DSCP_MAP lacks keeps its DSCP on some chips and leaves with 0 on others
    (opencomputeproject/SAI#2349).
    """
    for table, (top_key, top_value) in _MAPS.items():
        for name, entries in rows(config, table).items():
            where = f"{table}|{name}"
            if not _NAME.fullmatch(name):
                yield f"{where}: the name has other signs than letters, digits, - and _, or over 32"
            keys = {str(n) for n in range(top_key + 1)}
            yield from (f"{where}: no {key!r} from 0 to {top_key}" for key in entries.keys() - keys)
            for key in entries:
                yield from outside(where, entries, key, 0, top_value)
            if table == "DSCP_TO_TC_MAP" and len(keys & entries.keys()) < DSCPS:
                yield f"{where}: {len(keys - entries.keys())} of 64 DSCPs have no class"
            if table == "TC_TO_DSCP_MAP" and keys - entries.keys():
                lacking = ", ".join(sorted(keys - entries.keys()))
                yield f"{where}: class {lacking} is not named, which some chips mark with DSCP 0"


def bindings(config: ConfigDb) -> Iterator[str]:
    """Every port, used or not, names maps that exist; the enables are bare lists."""
    bound = per_port_rows(config, "PORT_QOS_MAP")
    for key, row in rows(config, "PORT_QOS_MAP").items():
        where = f"PORT_QOS_MAP|{key}"
        if "," in key:
            yield f"{where}: one row names one port"
        for field, table in _REFERENCES.items():
            yield from _reference(where, row, field, table, config)
        for field in ("pfc_enable", "pfcwd_sw_enable"):
            if not _PRIORITIES.fullmatch(str(row.get(field, ""))):
                yield f"{where}: {field} {row[field]!r} is no list like 3,4 without blanks"
    yield from (f"PORT_QOS_MAP: no row for {p}" for p in rows(config, "PORT") if p not in bound)


def _reference(where: str, row: Row, field: str, table: str, config: ConfigDb) -> Iterator[str]:
    value = row.get(field)
    if value is None:
        if field not in _OPTIONAL and not where.endswith(f"|{_GLOBAL}"):
            yield f"{where}: {field} is missing"
    elif str(value).startswith("["):
        yield f"{where}: {field} {value!r} is in brackets, which images since 2021 refuse"
    elif value not in rows(config, table):
        yield f"{where}: {field} {value} does not exist"


def port_chains(config: ConfigDb) -> Iterator[str]:
    """Each PFC priority stops its own queue and group; no other class shares that group.

    Where a port re-marks, what it holds for a priority is the class that leaves with its DSCP.
    """
    for chain in chains_of(config, ""):
        for priority in chain.pfc_priorities:
            if priority < CODES:
                yield from _priority(chain, priority)
        if chain.remarks:
            yield from _remarking(chain)


def _priority(chain: QosChain, priority: int) -> Iterator[str]:
    where = f"PORT_QOS_MAP|{chain.port}"
    group, queue = chain.tc_to_pg[priority], chain.tc_to_queue[priority]
    stops, fills = chain.pfc_priority_to_queue[priority], chain.pfc_priority_to_pg[priority]
    if group != priority:
        yield f"{where}: class {priority} has PFC but fills priority group {group}"
    if fills is not None and fills != group:
        yield f"{where}: PFC {priority} pauses for group {fills}, class {priority} fills {group}"
    if stops is not None and stops != queue and not chain.remarks:
        yield f"{where}: PFC {priority} stops queue {stops}, class {priority} is in queue {queue}"
    others = [tc for tc, pg in enumerate(chain.tc_to_pg) if pg == group and tc != priority]
    if group is not None and others:
        yield f"{where}: lossless group {group} carries classes {others} too"


def _remarking(chain: QosChain) -> Iterator[str]:
    """The neighbour, with this switch's maps, pauses what stands in the queue that PFC stops."""
    where = f"PORT_QOS_MAP|{chain.port}"
    for tc, dscp in enumerate(chain.tc_to_dscp):
        met = chain.dscp_to_tc[dscp] if dscp is not None and dscp < DSCPS else None
        if met is None or met >= CODES or met not in chain.pfc_priorities:
            continue
        stops, queue = chain.pfc_priority_to_queue[met], chain.tc_to_queue[tc]
        if stops is not None and stops != queue:
            yield (
                f"{where}: class {tc} leaves with DSCP {dscp} from queue {queue}, PFC {met} stops "
                f"queue {stops}"
            )


def watchdog(config: ConfigDb) -> Iterator[str]:
    """Watched are ports with a row and priorities; times lie in range and above the poll."""
    watched = rows(config, "PFC_WD")
    bound = per_port_rows(config, "PORT_QOS_MAP")
    poll = number(watched.get("GLOBAL", {}).get("POLL_INTERVAL", "")) or 0
    for key, row in watched.items():
        where = f"PFC_WD|{key}"
        if key == "GLOBAL":
            yield from outside(where, row, "POLL_INTERVAL", *_POLL_MS)
            continue
        if "POLL_INTERVAL" in row or key == _GLOBAL:
            yield f"{where}: POLL_INTERVAL stands in the row GLOBAL alone"
        yield from missing(where, row, "action", "detection_time")
        yield from unlike(where, row, "action", _ACTIONS)
        yield from outside(where, row, "detection_time", *_DETECT_MS)
        yield from outside(where, row, "restoration_time", *_RESTORE_MS)
        for field in ("detection_time", "restoration_time"):
            if (number(row.get(field, poll)) or 0) < poll:
                yield f"{where}: {field} {row[field]} is below the poll interval {poll}"
        if not bound.get(key, {}).get("pfcwd_sw_enable"):
            yield f"{where}: no pfcwd_sw_enable, so nothing is watched"
    for port, row in bound.items():
        armed, pausing = numbers(row.get("pfcwd_sw_enable")), numbers(row.get("pfc_enable"))
        if armed and port not in watched:
            yield f"PORT_QOS_MAP|{port}: pfcwd_sw_enable without a row in PFC_WD"
        if set(armed) - set(pausing):
            yield f"PORT_QOS_MAP|{port}: the watchdog is on for a priority without PFC"


RULES = (map_entries, bindings, port_chains, watchdog)
