"""Pools, profiles, priority groups and queues in the buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms import CODES
from fabric.platforms.sonic.database import by_port, number, numbers, per_port_rows, rows
from fabric.platforms.sonic.reading import chains_of
from fabric.platforms.sonic.rules import missing, outside, stopped_queue, unlike
from fabric.platforms.sonic.rules.schedulers import spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.sonic.database import ConfigDb, Row

_DIRECTIONS = frozenset({"ingress", "egress", "both"})
_MODES = frozenset({"dynamic", "static"})
_ALPHA = (-8, 7)
_COMPUTED = "NULL"
_LISTS = ("BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST")
_UINT64 = 2**64 - 1


def pool_rows(config: ConfigDb) -> Iterator[str]:
    """A pool has type and mode, in the traditional model a size and no percentage."""
    metadata = rows(config, "DEVICE_METADATA").get("localhost", {})
    traditional = metadata.get("buffer_model", "traditional") == "traditional"
    for name, row in rows(config, "BUFFER_POOL").items():
        where = f"BUFFER_POOL|{name}"
        yield from missing(where, row, "type", "mode")
        yield from unlike(where, row, "type", _DIRECTIONS)
        yield from unlike(where, row, "mode", _MODES)
        yield from outside(where, row, "size", 0, _UINT64)
        if traditional:
            yield from missing(where, row, "size")
            if "percentage" in row:
                yield f"{where}: percentage belongs to the dynamic buffer model"


def profile_rows(config: ConfigDb) -> Iterator[str]:
    """A profile has a pool that exists, a size, and one threshold."""
    pools = rows(config, "BUFFER_POOL")
    for name, row in rows(config, "BUFFER_PROFILE").items():
        where = f"BUFFER_PROFILE|{name}"
        yield from missing(where, row, "pool", "size")
        if "pool" in row and row["pool"] not in pools:
            yield f"{where}: pool {row['pool']} does not exist"
        for field in ("size", "xon", "xoff", "xon_offset", "static_th"):
            yield from outside(where, row, field, 0, _UINT64)
        yield from _threshold(where, row, pools.get(str(row.get("pool")), {}))


def _threshold(where: str, row: Row, pool: Row) -> Iterator[str]:
    kinds = [kind for kind in ("dynamic_th", "static_th") if kind in row]
    if len(kinds) != 1 and row.get("headroom_type") != "dynamic":
        yield f"{where}: has {' and '.join(kinds) or 'no threshold'}; a profile has one"
    alpha = str(row.get("dynamic_th", "0"))
    if not alpha.removeprefix("-").isdigit() or not _ALPHA[0] <= int(alpha) <= _ALPHA[1]:
        yield f"{where}: dynamic_th {alpha!r} is not a number from {_ALPHA[0]} to {_ALPHA[1]}"
    # Stock lossy profiles of some chips do mix the kinds; a headroom profile never does.
    mode = pool.get("mode")
    if "xoff" in row and mode and f"{mode}_th" not in row:
        yield f"{where}: its pool is {mode}, its threshold is not"


def group_rows(config: ConfigDb) -> Iterator[str]:
    """Each priority group and queue once, with a profile that exists."""
    profiles = rows(config, "BUFFER_PROFILE")
    for table in ("BUFFER_PG", "BUFFER_QUEUE"):
        for key, row in rows(config, table).items():
            profile = row.get("profile")
            where = f"{table}|{key}"
            if profile is None:
                yield f"{where}: profile is missing"
            elif profile == _COMPUTED:
                if table == "BUFFER_QUEUE":
                    yield f"{where}: NULL is for priority groups alone"
            elif profile not in profiles:
                yield f"{where}: profile {profile} does not exist"
        yield from spans(config, table)


def every_port(config: ConfigDb) -> Iterator[str]:
    """Where buffers are written at all, no port and no breakout child goes without."""
    for table in ("BUFFER_PG", "BUFFER_QUEUE", "QUEUE"):
        if rows(config, table):
            having = by_port(config, table)
            yield from (f"{table}: no row for {p}" for p in rows(config, "PORT") if p not in having)


def lossless_groups(config: ConfigDb) -> Iterator[str]:
    """A priority with PFC has a group with headroom and a queue of its own kind."""
    if not rows(config, "BUFFER_PG"):
        return
    groups = by_port(config, "BUFFER_PG")
    pausing = {
        port: numbers(row.get("pfc_enable"))
        for port, row in per_port_rows(config, "PORT_QOS_MAP").items()
    }
    for chain in chains_of(config, ""):
        for priority in pausing.get(chain.port, ()):
            if priority >= CODES:
                continue
            if priority not in groups.get(chain.port, {}):
                yield f"BUFFER_PG|{chain.port}|{priority}: no row for a priority with PFC"
            elif priority not in chain.lossless_pgs:
                yield f"BUFFER_PG|{chain.port}|{priority}: the profile has no xoff: no headroom"
            queue = stopped_queue(chain, priority)
            if queue is not None and queue < CODES and not chain.queues[queue].lossless_buffer:
                yield f"BUFFER_QUEUE|{chain.port}|{queue}: the lossless queue has no such profile"


def profile_lists(config: ConfigDb) -> Iterator[str]:
    """Lists of a port name profiles that exist."""
    profiles = rows(config, "BUFFER_PROFILE")
    for table in _LISTS:
        for port, row in rows(config, table).items():
            for name in str(row.get("profile_list", "")).split(","):
                if name not in profiles:
                    yield f"{table}|{port}: profile {name!r} does not exist"


def pool_fit(config: ConfigDb) -> Iterator[str]:
    """A profile reserves no more than its pool holds."""
    pools = rows(config, "BUFFER_POOL")
    for name, row in rows(config, "BUFFER_PROFILE").items():
        size = number(pools.get(str(row.get("pool")), {}).get("size", ""))
        if size is not None and (number(row.get("size", "0")) or 0) > size:
            yield f"BUFFER_PROFILE|{name}: size is above the {size} bytes of its pool"


RULES = (
    pool_rows,
    profile_rows,
    group_rows,
    every_port,
    lossless_groups,
    profile_lists,
    pool_fit,
)
