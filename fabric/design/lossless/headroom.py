"""Headroom of one kind of port: the SKU's published row where there is one, else a formula."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from fabric.design.lossless.formulas import KIB, xoff_by_formula
from fabric.model.qos import Derived, Term
from fabric.model.units import PROPAGATION_M_PER_S, bytes_text, speed_text

if TYPE_CHECKING:
    from fabric.design.lossless.silicon import Silicon
    from fabric.design.lossless.wire import Wire
    from fabric.model.hardware import HeadroomRow

INVENTORY = "inventory"
XON_UNKNOWN = "not known"
WIDE_LANES = 8  # NVIDIA ports of eight lanes: twice the pipeline, one MTU more (same lua)
DEFAULT_DYNAMIC_TH = 0  # alpha 1: what most published rows have
# Lengths that the tables of SKUs have (168 to 181 of 195 pg_profile_lookup.ini of
# sonic-net/sonic-buildimage 086b03bd): a box finds no headroom for any other.
COMMON_CABLES_M = (5, 40, 300)
_DYNAMIC_TH = range(-8, 8)  # outside it a published threshold is a static one, in bytes


@dataclass(frozen=True, slots=True)
class Headroom:
    """What one lossless priority of a port reserves; see ``LosslessProfile``."""

    wire: Wire
    xoff: Derived
    xon: Derived
    size: Derived
    xon_offset_bytes: int | None
    dynamic_th: int
    configured_cable_m: int
    published: bool


def headroom_of(
    silicon: Silicon, wire: Wire, *, xoff_bytes: int | None = None, dynamic_th: int | None = None
) -> Headroom:
    """Headroom of a port. ``xoff_bytes`` and ``dynamic_th``: the user's own, over everything.

    The row is the one of the port's speed with the next cable length at or above the real one.
    Above the longest row, or without rows, the ASIC's formula takes over. Where the box's own
    table decides, because none is known here, the length is rounded up to one it will have.
    """
    same_speed = [row for row in silicon.rows if row.speed_gbps == wire.speed_gbps]
    row = min(
        (row for row in same_speed if row.cable_m >= wire.cable_m),
        key=lambda row: row.cable_m,
        default=None,
    )
    longest = max(same_speed, key=lambda row: row.cable_m, default=None)
    like = row or longest or _nearest_speed(silicon.rows, wire.speed_gbps)
    xoff = _xoff(silicon, wire, row, same_speed, xoff_bytes)
    xon = _xon(silicon, wire, like)
    size = _size(silicon, wire, like, xoff, xon)
    threshold = _threshold(like) if dynamic_th is None else dynamic_th
    return Headroom(
        wire=wire,
        xoff=xoff,
        xon=xon,
        size=size,
        xon_offset_bytes=like.xon_offset_bytes if like else None,
        dynamic_th=threshold,
        configured_cable_m=_configured_cable_m(silicon, wire, row),
        published=row is not None
        and (row.size_bytes, row.xoff_bytes, row.threshold) == (size.value, xoff.value, threshold),
    )


def _configured_cable_m(silicon: Silicon, wire: Wire, row: HeadroomRow | None) -> int:
    if row is not None:
        return row.cable_m
    if not silicon.rows and silicon.shared_bytes is None:
        for common_m in COMMON_CABLES_M:
            if common_m >= wire.cable_m:
                return common_m
    return max(1, ceil(wire.cable_m))


def _threshold(like: HeadroomRow | None) -> int:
    if like is not None and like.threshold in _DYNAMIC_TH:
        return like.threshold
    return DEFAULT_DYNAMIC_TH


def _nearest_speed(rows: tuple[HeadroomRow, ...], speed_gbps: int) -> HeadroomRow | None:
    return min(rows, key=lambda row: (abs(row.speed_gbps - speed_gbps), row.cable_m), default=None)


def _row_text(row: HeadroomRow, cable_m: float) -> str:
    text = f"row {speed_text(row.speed_gbps)}, {row.cable_m} m"
    return text if row.cable_m == cable_m else f"{text} (cable of {cable_m:g} m rounded up)"


def _xoff(
    silicon: Silicon,
    wire: Wire,
    row: HeadroomRow | None,
    same_speed: list[HeadroomRow],
    own_bytes: int | None,
) -> Derived:
    if own_bytes is not None:
        term = Term("xoff", own_bytes, "B", "roce.xoff_bytes as written", INVENTORY)
        return Derived(own_bytes, "B", INVENTORY, (term,), INVENTORY)
    if row is not None:
        term = Term("xoff", row.xoff_bytes, "B", _row_text(row, wire.cable_m), silicon.source)
        return Derived(row.xoff_bytes, "B", silicon.rows_basis, (term,), silicon.source)
    if same_speed and not _formula_covers(silicon, wire, same_speed):
        return _beyond(silicon, wire, same_speed)
    return xoff_by_formula(silicon.asic, wire)


def _formula_covers(silicon: Silicon, wire: Wire, rows: list[HeadroomRow]) -> bool:
    """Whether the formula yields no less than the longest row: a longer cable never needs less."""
    longest = max(rows, key=lambda row: row.cable_m)
    there = replace(wire, cable_m=float(longest.cable_m))
    return xoff_by_formula(silicon.asic, there).value >= longest.xoff_bytes


def _beyond(silicon: Silicon, wire: Wire, rows: list[HeadroomRow]) -> Derived:
    """The last two rows drawn out: headroom is linear in the length, never flatter than 2·R/v."""
    *_, last = ordered = sorted(rows, key=lambda row: row.cable_m)
    per_metre = 2 * wire.bytes_per_s / PROPAGATION_M_PER_S * silicon.asic.xoff_model.expansion
    if len(ordered) > 1:
        before = ordered[-2]
        slope = (last.xoff_bytes - before.xoff_bytes) / (last.cable_m - before.cable_m)
        per_metre = max(per_metre, slope)
    beyond_m = wire.cable_m - last.cable_m
    value = ceil(last.xoff_bytes + per_metre * beyond_m)
    source = silicon.source
    terms = (
        Term("longest row", last.xoff_bytes, "B", _row_text(last, last.cable_m), source),
        Term(
            "beyond it",
            value - last.xoff_bytes,
            "B",
            f"{beyond_m:g} m · {per_metre:,.0f} B/m",
            source,
        ),
    )
    return Derived(value, "B", "longest published row, drawn out", terms, source)


def _doubles(silicon: Silicon, wire: Wire) -> bool:
    return silicon.asic.xon_doubles_on_8_lanes and wire.lanes == WIDE_LANES


def _xon(silicon: Silicon, wire: Wire, like: HeadroomRow | None) -> Derived:
    if like is not None and (like.speed_gbps == wire.speed_gbps or silicon.asic.xon_bytes is None):
        term = Term("xon", like.xon_bytes, "B", _row_text(like, like.cable_m), silicon.source)
        return Derived(like.xon_bytes, "B", silicon.rows_basis, (term,), silicon.source)
    if silicon.asic.xon_bytes is None:
        return Derived(0, "B", XON_UNKNOWN, (), f"no figure for {silicon.asic.name}")
    factor = 2 if _doubles(silicon, wire) else 1
    value = silicon.asic.xon_bytes * factor
    source = silicon.asic.source.text if silicon.asic.source else silicon.asic.name
    text = "pipeline latency" + (" · 2 on eight lanes" if factor > 1 else "")
    term = Term("xon", value, "B", text, source)
    return Derived(value, "B", f"ASIC {silicon.asic.name}", (term,), source)


def _size(
    silicon: Silicon, wire: Wire, like: HeadroomRow | None, xoff: Derived, xon: Derived
) -> Derived:
    """What is reserved: with a shared headroom pool without the xoff, else with it."""
    if (
        like is not None
        and xoff.basis == silicon.rows_basis
        and not _leans_on_nothing(silicon, like)
    ):
        text = _row_text(like, like.cable_m)
        term = Term("size", like.size_bytes, "B", text, silicon.source)
        return Derived(like.size_bytes, "B", silicon.rows_basis, (term,), silicon.source)
    if silicon.shares_headroom:
        value = max(xon.value, like.size_bytes if like else 0)
        term = Term("size", value, "B", "xoff comes from the shared headroom pool", xon.source)
        return Derived(value, "B", "shared headroom", (term,), xon.source)
    extra = _private_extra(silicon, wire, like)
    terms = [
        Term("xon", xon.value, "B", "", xon.source),
        Term("xoff", xoff.value, "B", "", xoff.source),
    ]
    if extra:
        terms.append(Term("eight lanes", extra, "B", "one MTU for the wider pipeline", xon.source))
    parts = " + ".join(bytes_text(int(term.value)) for term in terms)
    value = xon.value + xoff.value + extra
    terms.append(Term("size", value, "B", parts, xoff.source))
    return Derived(value, "B", "own headroom", tuple(terms), xoff.source)


def _leans_on_nothing(silicon: Silicon, row: HeadroomRow) -> bool:
    """A row without its own headroom in a table without a pool for it; rows round to a KiB."""
    own = row.xon_bytes + row.xoff_bytes - KIB
    pools_known = silicon.shared_bytes is not None
    return pools_known and not silicon.shares_headroom and row.size_bytes < own


def _private_extra(silicon: Silicon, wire: Wire, like: HeadroomRow | None) -> int:
    """What rows reserve beyond xon + xoff: on ports of eight lanes an MTU, in whole KiB."""
    if like is not None and like.speed_gbps == wire.speed_gbps:
        return max(0, like.size_bytes - like.xon_bytes - like.xoff_bytes)
    return ceil(wire.mtu_bytes / KIB) * KIB if _doubles(silicon, wire) else 0
