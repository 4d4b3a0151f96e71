"""What the chip of one switch offers to lossless traffic: rows, pools, sizes.

Two ways exist to hold headroom. *Shared*: the pool carries an ``xoff`` size, all priority groups
draw their headroom from it and reserve only ``size``. *Private*: each priority group reserves its
own headroom (``size`` = xon + xoff) and the pools are what is left of the chip: on the NVIDIA
tables chip ≥ ingress pools + everything reserved (SN5600 t1: 158,229,504 − 2 · 52,161,690 leaves
53.9 MB, 64 ports of 800G with 40 m and two priorities reserve 52.6 MB).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.units import bytes_text

if TYPE_CHECKING:
    from fabric.model.hardware import Asic, BufferPool, BufferTable, HeadroomRow, Sku
    from fabric.model.intent import DeviceHardware


PUBLISHED, RECORDED = "published row", "recorded row"


@dataclass(frozen=True, slots=True)
class Silicon:
    """One model with one SKU in one place. Bytes; ``None``: not known.

    ``shared_bytes`` is B of T(n), see ``ecn``: the shared pool without headroom.
    """

    asic: Asic
    model: str
    sku: str | None
    place: str  # t0, t1 or a recorded table
    rows: tuple[HeadroomRow, ...]
    chip_bytes: int | None
    headroom_pool_bytes: int | None
    shared_bytes: int | None
    shared_text: str  # how B was found
    room_bytes: int | None  # private headroom: what the pools leave of the chip
    source: str  # of the rows
    rows_basis: str  # published row or recorded row

    @property
    def shares_headroom(self) -> bool:
        """Whether the pool carries the xoff."""
        return self.headroom_pool_bytes is not None


def place_of(tier: int) -> str:
    """Which published table a switch takes: ``t0`` with hosts, ``t1`` above."""
    return "t0" if tier == 0 else "t1"


def buffer_table(hardware: DeviceHardware, place: str) -> BufferTable | None:
    """The box's recorded table, else the SKU's for that place, else its ``t0``, else any.

    ``None``: none is recorded or published.
    """
    if hardware.facts is not None and hardware.facts.buffers is not None:
        return hardware.facts.buffers
    sku = hardware.model.sku(hardware.sku)
    if sku is None or not sku.buffers:
        return None
    by_place = {table.place: table for table in sku.buffers}
    return by_place.get(place) or by_place.get("t0") or sku.buffers[0]


def silicon_of(hardware: DeviceHardware, place: str) -> Silicon:
    """What a switch of this hardware offers in that place."""
    model = hardware.model
    sku = model.sku(hardware.sku)
    table = buffer_table(hardware, place)
    pools = table.pools if table else ()
    chip = model.buffer_limit_bytes or model.asic.buffer_bytes
    lossless = _ingress_lossless(pools)
    headroom_pool = lossless.xoff_bytes or None if lossless else None
    shared, shared_text = _shared(lossless, chip)
    rows, source, basis = _rows(hardware, sku)
    return Silicon(
        asic=model.asic,
        model=model.name,
        sku=sku.name if sku else None,
        place=table.place if table else place,
        rows=rows,
        chip_bytes=chip,
        headroom_pool_bytes=headroom_pool,
        shared_bytes=shared,
        shared_text=shared_text,
        room_bytes=None if headroom_pool else _room(pools, chip),
        source=source,
        rows_basis=basis,
    )


def _rows(hardware: DeviceHardware, sku: Sku | None) -> tuple[tuple[HeadroomRow, ...], str, str]:
    """Headroom rows, the box's own before published ones, with their source and basis."""
    model, facts = hardware.model, hardware.facts
    if facts is not None and facts.headroom:
        return facts.headroom, f"recorded from the box, {facts.source}", RECORDED
    origin = f", {model.source.text}" if model.source else ""
    if sku is None:
        return (), f"model {model.name}{origin}", PUBLISHED
    return sku.headroom, f"table of SKU {sku.name}{origin}", PUBLISHED


def _ingress_lossless(pools: tuple[BufferPool, ...]) -> BufferPool | None:
    ingress = [pool for pool in pools if pool.direction in ("ingress", "both")]
    named = [pool for pool in ingress if "lossless" in pool.name]
    return next(iter(named or ingress), None)


def _shared(pool: BufferPool | None, chip: int | None) -> tuple[int | None, str]:
    """B and how it was found.

    Where pool and headroom together exceed the chip, the headroom is carved out of it
    (Broadcom); otherwise the pool's size already excludes it (NVIDIA).
    """
    if pool is None:
        return None, "pool unknown"
    headroom = pool.xoff_bytes or 0
    if chip is not None and pool.size_bytes + headroom > chip > headroom:
        text = f"{bytes_text(chip)} of chip − {bytes_text(headroom)} of headroom pool in it"
        return chip - headroom, text
    return pool.size_bytes, f"size of {pool.name}, headroom excluded"


def _room(pools: tuple[BufferPool, ...], chip: int | None) -> int | None:
    if chip is None or not pools:
        return None
    taken = sum(pool.size_bytes for pool in pools if pool.direction in ("ingress", "both"))
    return chip - taken if chip > taken else None
