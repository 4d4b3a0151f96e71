"""Does the headroom fit the buffer?

need = Σ over ports that are up · lossless priorities · xoff. Then:

* need ≤ headroom pool: ``ok``; pool < need ≤ chip: ``oversubscribed``, lossless only if not all
  ports overrun at once; need > chip: ``exceeds``.
* Without a shared headroom pool every priority group reserves its own headroom, so nothing is
  oversubscribed by sharing and the need is not taken from the ingress pool a second time. What
  stands for the pool is the room that the published pools leave of the chip (``silicon``), and
  it must hold need and reserved minimum together. ``oversubscribed`` then says that the published
  pools were cut for less headroom and the chip cannot honour both in full.
* Pools unknown: only the chip can be judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabric.model.qos import BufferFit, Term
from fabric.model.units import bytes_text, count_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.design.lossless.headroom import Headroom
    from fabric.design.lossless.silicon import Silicon


class Load(NamedTuple):
    """``ports`` ports that are up and share one profile."""

    profile: str
    ports: int
    headroom: Headroom


def shared_headroom_pool(
    pg_headroom_bytes: int, ports: int, lossless_pgs: int, oversubscription: float
) -> int:
    """Size of a shared headroom pool: headroom · groups · ports / oversubscription.

    Raises:
        ValueError: ``oversubscription`` is below 1.
    """
    if oversubscription < 1:
        msg = f"oversubscription is a ratio of at least 1, not {oversubscription:g}"
        raise ValueError(msg)
    return int(pg_headroom_bytes * ports * lossless_pgs / oversubscription)


def buffer_fit(
    device: str, silicon: Silicon, loads: Sequence[Load], lossless_priorities: int
) -> BufferFit:
    """Need against pools and chip of one device."""
    need = reserved = 0
    terms: list[Term] = []
    for load in loads:
        groups = load.ports * lossless_priorities
        xoff = load.headroom.xoff.value
        need += groups * xoff
        reserved += groups * _minimum(silicon, load.headroom)
        text = f"{load.ports} ports · {lossless_priorities} lossless · {bytes_text(xoff)}"
        terms.append(Term(load.profile, groups * xoff, "B", text, load.headroom.xoff.basis))
    minimum = "the groups' own minimum, size without headroom"
    terms.append(Term("reserved besides", reserved, "B", minimum, ""))
    verdict, note = _verdict(silicon, need, reserved)
    return BufferFit(
        device=device,
        need_bytes=need,
        headroom_pool_bytes=silicon.headroom_pool_bytes,
        pool_bytes=_left(silicon, need + reserved),
        chip_bytes=silicon.chip_bytes,
        verdict=verdict,
        terms=tuple(terms),
        reserved_bytes=reserved,
        room_bytes=silicon.room_bytes,
        note=note,
    )


def _minimum(silicon: Silicon, headroom: Headroom) -> int:
    size = headroom.size.value
    return size if silicon.shares_headroom else max(0, size - headroom.xoff.value)


def _left(silicon: Silicon, taken: int) -> int | None:
    """B, less where private headroom takes more than the published pools leave for it."""
    shared, room, chip = silicon.shared_bytes, silicon.room_bytes, silicon.chip_bytes
    if shared is None or room is None or chip is None or taken <= room:
        return shared
    return max(0, min(shared, chip - taken))


def _verdict(silicon: Silicon, need: int, reserved: int) -> tuple[str, str]:
    chip = silicon.chip_bytes
    if chip is not None and need > chip:
        return "exceeds", f"{bytes_text(need)} of headroom, the chip has {bytes_text(chip)}"
    if silicon.headroom_pool_bytes is not None:
        return _against_pool(silicon.headroom_pool_bytes, need, reserved, chip)
    if silicon.room_bytes is not None and chip is not None:
        return _against_room(silicon.room_bytes, need + reserved, chip)
    bound = f", {need / chip:.1%} of the chip" if chip else ""
    return "unknown", f"{bytes_text(need)} of headroom{bound}; pools not known"


def _against_pool(pool: int, need: int, reserved: int, chip: int | None) -> tuple[str, str]:
    if chip is not None and pool + reserved > chip:
        both = f"{bytes_text(pool)} + {bytes_text(reserved)} reserved"
        return "exceeds", f"headroom pool of {both}: more than the chip's {bytes_text(chip)}"
    if need <= pool:
        return "ok", f"{need / pool:.1%} of the headroom pool of {bytes_text(pool)}"
    return "oversubscribed", (
        f"shared headroom oversubscribed {need / pool:.1f}:1 ({count_text(need)} of "
        f"{bytes_text(pool)}): lossless only if not all ports overrun at once"
    )


def _against_room(room: int, taken: int, chip: int) -> tuple[str, str]:
    share = f"{bytes_text(taken)} reserved, {taken / chip:.1%} of the chip"
    if taken > chip:
        return "exceeds", f"{share}: more than all of it"
    if taken <= room:
        return "ok", f"{share}; the published pools leave {bytes_text(room)}"
    return "oversubscribed", (
        f"{share}; the published pools leave {bytes_text(room)}: cut for less headroom, they "
        "cannot be honoured in full"
    )
