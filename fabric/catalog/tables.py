"""Headroom rows and buffer pools of a switch file → values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.hardware import BufferPool, BufferProfile, BufferTable, HeadroomRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.catalog.switch_schema import BuffersData, HeadroomData, PoolData, ProfileData


def headroom_rows(data: HeadroomData) -> tuple[HeadroomRow, ...]:
    """All rows of a table, by cable length, then speed, as the file has them."""
    return tuple(
        HeadroomRow(
            speed_gbps=speed,
            cable_m=cable_m,
            size_bytes=size,
            xon_bytes=xon,
            xoff_bytes=xoff,
            threshold=data.threshold,
            xon_offset_bytes=data.xon_offset,
        )
        for cable_m, by_speed in data.rows.items()
        for speed, (size, xon, xoff) in by_speed.items()
    )


def buffer_table(
    place: str, data: BuffersData, profile_sets: Mapping[str, Mapping[str, ProfileData]]
) -> BufferTable:
    """Pools and profiles of a SKU in one place of the fabric."""
    return BufferTable(
        place=place,
        pools=tuple(_pool(name, pool) for name, pool in data.pools.items()),
        profiles=tuple(
            _profile(name, profile) for name, profile in profile_sets[data.profiles].items()
        ),
    )


def _pool(name: str, data: PoolData) -> BufferPool:
    return BufferPool(name, data.direction, data.mode, data.size, data.xoff)


def _profile(name: str, data: ProfileData) -> BufferProfile:
    return BufferProfile(
        name=name,
        pool=data.pool,
        size_bytes=data.size,
        dynamic_th=data.dynamic_th,
        static_th_bytes=data.static_th,
        xon_bytes=data.xon,
        xoff_bytes=data.xoff,
        xon_offset_bytes=data.xon_offset,
    )
