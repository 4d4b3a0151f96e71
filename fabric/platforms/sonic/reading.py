"""From CONFIG_DB to the QoS chain of each port: DSCP → TC → queue and PG → PFC → buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabric.model.names import natural_sorted
from fabric.model.qos import GroupBuffer, QosChain, QueueSettings, Watchdog
from fabric.platforms import CODES, DSCPS
from fabric.platforms.sonic.database import (
    by_port,
    integer,
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
SEED = "seed of the ECMP hash (type)"
_NOTHING: dict[str, object] = {}
_COMPUTED = "NULL"  # buffermgrd computes the profile (dynamic buffer model)


def chains_of(config: ConfigDb, device: str) -> tuple[QosChain, ...]:
    """One chain a port, in natural order of the ports.

    A map that is missing yields ``None``. The switch's own DSCP map (``PORT_QOS_MAP|global``)
    serves a port that names none.
    """
    tables = _Tables(config)
    names = {*tables.ports, *tables.bindings, *tables.groups, *tables.queue_rows} - {_GLOBAL}
    return tuple(_chain(tables, device, name) for name in natural_sorted(names))


def settings_of(config: ConfigDb) -> dict[str, str]:
    """The type, from which the ECMP hash takes its seed."""
    return {SEED: str(rows(config, "DEVICE_METADATA").get("localhost", {}).get("type", "none"))}


class _Headroom(NamedTuple):
    """Priority groups that have headroom, or get it from buffermgrd; its bytes by group."""

    groups: tuple[int, ...]
    xoff_bytes: tuple[int | None, ...]
    buffers: tuple[GroupBuffer | None, ...]


class _Tables:
    """The tables of one CONFIG_DB, each taken apart once.

    Ports of one kind name the same objects, so what these mean is looked up once for all of them.
    """

    def __init__(self, config: ConfigDb) -> None:
        self._config = config
        self.ports = rows(config, "PORT")
        self.bindings = per_port_rows(config, "PORT_QOS_MAP")
        self.switch = self.bindings.get(_GLOBAL, {})
        self.groups = by_port(config, "BUFFER_PG")
        self.queue_rows = by_port(config, "QUEUE")
        self.queue_buffers = by_port(config, "BUFFER_QUEUE")
        self.watched = per_port_rows(config, "PFC_WD")
        self._profiles = rows(config, "BUFFER_PROFILE")
        metadata = rows(config, "DEVICE_METADATA").get("localhost", {})
        self._dynamic = metadata.get("buffer_model") == "dynamic"
        self._cables = {
            port: length
            for row in rows(config, "CABLE_LENGTH").values()
            for port, length in row.items()
        }
        self._schedulers = rows(config, "SCHEDULER")
        self._wred = rows(config, "WRED_PROFILE")
        self._maps: dict[tuple[str, object], tuple[int | None, ...]] = {}
        self._queues: dict[tuple[object, ...], QueueSettings] = {}
        self._headroom: dict[tuple[object, ...], _Headroom] = {}
        self._watchdogs: dict[tuple[object, ...], Watchdog] = {}

    def values(self, table: str, reference: object, size: int) -> tuple[int | None, ...]:
        """A map as a tuple by the value mapped; all ``None`` where there is no such map."""
        name = plain_name(reference)
        if (table, name) not in self._maps:
            entries = rows(self._config, table).get(name or "", {})
            found = tuple(number(entries.get(str(n), "")) for n in range(size))
            self._maps[table, name] = found
        return self._maps[table, name]

    def headroom(self, port: str, enabled: tuple[int, ...]) -> _Headroom:
        """What the rows of BUFFER_PG reserve; ``enabled``: priorities with PFC."""
        rows_of = {**self._given_back(port, enabled), **self.groups.get(port, {})}
        named = tuple((group, row.get("profile")) for group, row in rows_of.items())
        key = (named, enabled)
        if key not in self._headroom:
            profiles = {group: plain_name(profile) or "" for group, profile in named}
            self._headroom[key] = self._headroom_of(profiles, enabled)
        return self._headroom[key]

    def _given_back(self, port: str, enabled: tuple[int, ...]) -> dict[int, Row]:
        """Rows that buffermgrd takes from a port that is down, and gives it again when it is up.

        On some chips, and in the traditional model alone (sonic-swss, cfgmgr/buffermgr.cpp).
        """
        row = self.ports.get(port, {})
        if self._dynamic or row.get("admin_status", "down") != "down" or not enabled:
            return {}
        profile = f"pg_lossless_{row.get('speed')}_{self._cables.get(port)}_profile"
        known = profile in self._profiles
        return {group: {"profile": profile} for group in enabled} if known else {}

    def _headroom_of(self, profiles: dict[int, str], enabled: tuple[int, ...]) -> _Headroom:
        rows_of = {group: self._profiles.get(name, {}) for group, name in profiles.items()}
        xoff = {group: number(row.get("xoff", "")) for group, row in rows_of.items()}
        computed = {g for g, name in profiles.items() if name == _COMPUTED and g in enabled}
        return _Headroom(
            groups=tuple(sorted({group for group, size in xoff.items() if size} | computed)),
            xoff_bytes=tuple(xoff.get(group) or None for group in range(CODES)),
            buffers=tuple(
                _group_buffer(rows_of[group], profiles[group]) if xoff.get(group) else None
                for group in range(CODES)
            ),
        )

    def queue(self, queue: int, row: Row, buffer: Row) -> QueueSettings:
        """What the rows of QUEUE and BUFFER_QUEUE make of a queue."""
        key = (queue, row.get("scheduler"), row.get("wred_profile"), buffer.get("profile"))
        if key not in self._queues:
            self._queues[key] = self._queue(*key)
        return self._queues[key]

    def _queue(self, queue: int, scheduler: object, wred: object, buffer: object) -> QueueSettings:
        shares = self._schedulers.get(plain_name(scheduler) or "")
        curve = self._wred.get(plain_name(wred) or "", {})
        marks = curve.get("ecn") in _MARKS_GREEN and curve.get("wred_green_enable") == "true"
        # WRR with weight 1 is what SONiC's model says of a scheduler that states nothing.
        kind = None if shares is None else str(shares.get("type", "WRR")).lower()
        return QueueSettings(
            queue=queue,
            scheduler=kind,
            weight=number(shares.get("weight", "")) if shares else None,
            max_rate_bytes_per_s=number(shares.get("pir", "")) if shares else None,
            ecn=marks,
            kmin_bytes=number(curve.get("green_min_threshold", "")) if marks else None,
            kmax_bytes=number(curve.get("green_max_threshold", "")) if marks else None,
            pmax_percent=number(curve.get("green_drop_probability", "")) if marks else None,
            lossless_buffer="lossless" in (plain_name(buffer) or ""),
        )

    def watchdog(self, port: str) -> Watchdog | None:
        """The timers of a port's watchdog; ``None``: it has none, or one without its timers."""
        row = self.watched.get(port, {})
        poll = self.watched.get("GLOBAL", {}).get("POLL_INTERVAL")
        key = (poll, row.get("detection_time"), row.get("restoration_time"), row.get("action"))
        if key not in self._watchdogs:
            poll_ms, detect_ms, restore_ms = (number(value) for value in key[:3])
            if poll_ms is None or detect_ms is None or restore_ms is None:
                return None
            action = str(key[3] or "drop")  # SONiC's own default
            self._watchdogs[key] = Watchdog(
                enabled=True,
                poll_ms=poll_ms,
                detect_ms=detect_ms,
                restore_ms=restore_ms,
                action=action,
            )
        return self._watchdogs[key]


def _group_buffer(row: Row, name: str) -> GroupBuffer:
    return GroupBuffer(
        size_bytes=number(row.get("size", "")),
        xon_bytes=number(row.get("xon", "")),
        xon_offset_bytes=number(row.get("xon_offset", "")),
        dynamic_th=integer(row.get("dynamic_th", "")),
        name=name,
    )


def _chain(tables: _Tables, device: str, name: str) -> QosChain:
    binding = {**tables.switch, **tables.bindings.get(name, {})}
    enabled = numbers(binding.get("pfc_enable"))
    # The watchdog runs where both the port's row and its priorities are there.
    watched = numbers(binding.get("pfcwd_sw_enable")) if name in tables.watched else ()
    headroom = tables.headroom(name, enabled)
    queues, buffers = tables.queue_rows.get(name, {}), tables.queue_buffers.get(name, {})
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
        watchdog_priorities=watched,
        lossless_pgs=headroom.groups,
        xoff_bytes=headroom.xoff_bytes,
        queues=tuple(
            tables.queue(queue, queues.get(queue, _NOTHING), buffers.get(queue, _NOTHING))
            for queue in range(CODES)
        ),
        mtu_bytes=number(tables.ports.get(name, {}).get("mtu", "")),
        buffers=headroom.buffers,
        watchdog=tables.watchdog(name) if watched else None,
        tc_to_dscp=tables.values("TC_TO_DSCP_MAP", binding.get("tc_to_dscp_map"), CODES),
    )
