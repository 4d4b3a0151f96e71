"""From CONFIG_DB to the QoS chain of each port: DSCP → TC → queue and PG → PFC → buffer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import CODES, DSCPS
from fabric.platforms.sonic.database import (
    by_port,
    number,
    numbers,
    per_port_rows,
    plain_name,
    rows,
)

if TYPE_CHECKING:
    from fabric.platforms.sonic.database import ConfigDb, Row

# Modes of WRED_PROFILE's `ecn` that mark packets of the only colour that a fabric without
# policers knows.
_MARKS_GREEN = frozenset({"ecn_green", "ecn_green_yellow", "ecn_green_red", "ecn_all"})
_GLOBAL = "global"
_COMPUTED = "NULL"  # buffermgrd computes the profile (dynamic buffer model)


def chains_of(config: ConfigDb, device: str) -> tuple[QosChain, ...]:
    """One chain a port, in natural order of the ports.

    A map that is missing yields ``None``. The switch's own DSCP map (``PORT_QOS_MAP|global``)
    serves a port that names none.
    """
    tables = _Tables(config)
    bindings = per_port_rows(config, "PORT_QOS_MAP")
    ports = rows(config, "PORT")
    names = {*ports, *bindings, *tables.groups, *tables.queue_rows} - {_GLOBAL}
    switch = bindings.get(_GLOBAL, {})
    return tuple(
        _chain(tables, device, name, {**switch, **bindings.get(name, {})}, ports.get(name, {}))
        for name in natural_sorted(names)
    )


@dataclass(frozen=True)
class _Tables:
    """The tables of one CONFIG_DB, each taken apart once."""

    config: ConfigDb

    @cached_property
    def groups(self) -> dict[str, dict[int, Row]]:
        return by_port(self.config, "BUFFER_PG")

    @cached_property
    def queue_rows(self) -> dict[str, dict[int, Row]]:
        return by_port(self.config, "QUEUE")

    @cached_property
    def queue_buffers(self) -> dict[str, dict[int, Row]]:
        return by_port(self.config, "BUFFER_QUEUE")

    @cached_property
    def profiles(self) -> dict[str, Row]:
        return rows(self.config, "BUFFER_PROFILE")

    @cached_property
    def schedulers(self) -> dict[str, Row]:
        return rows(self.config, "SCHEDULER")

    @cached_property
    def wred(self) -> dict[str, Row]:
        return rows(self.config, "WRED_PROFILE")

    def values(self, table: str, reference: object, size: int) -> tuple[int | None, ...]:
        """A map as a tuple by the value mapped; all ``None`` where there is no such map."""
        entries = rows(self.config, table).get(plain_name(reference) or "", {})
        return tuple(number(entries.get(str(n), "")) for n in range(size))


def _chain(tables: _Tables, device: str, name: str, binding: Row, port: Row) -> QosChain:
    enabled = numbers(binding.get("pfc_enable"))
    headroom = {group: _headroom(tables, row) for group, row in tables.groups.get(name, {}).items()}
    lossless = {
        group: xoff
        for group, (profile, xoff) in headroom.items()
        if xoff or (profile == _COMPUTED and group in enabled)
    }
    return QosChain(
        device=device,
        port=name,
        dscp_to_tc=tables.values("DSCP_TO_TC_MAP", binding.get("dscp_to_tc_map"), DSCPS),
        tc_to_queue=tables.values("TC_TO_QUEUE_MAP", binding.get("tc_to_queue_map"), CODES),
        tc_to_pg=tables.values("TC_TO_PRIORITY_GROUP_MAP", binding.get("tc_to_pg_map"), CODES),
        pfc_priority_to_queue=tables.values(
            "MAP_PFC_PRIORITY_TO_QUEUE", binding.get("pfc_to_queue_map"), CODES
        ),
        pfc_priority_to_pg=tables.values(
            "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", binding.get("pfc_to_pg_map"), CODES
        ),
        pfc_priorities=enabled,
        watchdog_priorities=_watched(tables.config, name, binding),
        lossless_pgs=tuple(sorted(lossless)),
        xoff_bytes=tuple(lossless.get(group) for group in range(CODES)),
        queues=tuple(_queue(tables, name, queue) for queue in range(CODES)),
        mtu_bytes=number(port.get("mtu", "")),
    )


def _watched(config: ConfigDb, name: str, binding: Row) -> tuple[int, ...]:
    """The watchdog runs where both the port's row and its priorities are there."""
    watching = name in rows(config, "PFC_WD")
    return numbers(binding.get("pfcwd_sw_enable")) if watching else ()


def _headroom(tables: _Tables, row: Row) -> tuple[str | None, int | None]:
    """Profile of a priority group and its xoff in bytes."""
    profile = plain_name(row.get("profile"))
    xoff = tables.profiles.get(profile or "", {}).get("xoff", "")
    return profile, number(xoff)


def _queue(tables: _Tables, port: str, queue: int) -> QueueSettings:
    row = tables.queue_rows.get(port, {}).get(queue, {})
    scheduler = tables.schedulers.get(plain_name(row.get("scheduler")) or "")
    wred = tables.wred.get(plain_name(row.get("wred_profile")) or "", {})
    marks = wred.get("ecn") in _MARKS_GREEN and wred.get("wred_green_enable") == "true"
    buffer = plain_name(tables.queue_buffers.get(port, {}).get(queue, {}).get("profile"))
    # WRR with weight 1 is what SONiC's model says of a scheduler that states nothing.
    kind = None if scheduler is None else str(scheduler.get("type", "WRR")).lower()
    return QueueSettings(
        queue=queue,
        scheduler=kind,
        weight=number(scheduler.get("weight", "")) if scheduler else None,
        max_rate_bytes_per_s=number(scheduler.get("pir", "")) if scheduler else None,
        ecn=marks,
        kmin_bytes=number(wred.get("green_min_threshold", "")) if marks else None,
        kmax_bytes=number(wred.get("green_max_threshold", "")) if marks else None,
        pmax_percent=number(wred.get("green_drop_probability", "")) if marks else None,
        lossless_buffer=buffer is not None and "lossless" in buffer,
    )
