"""What the lock keeps of the ports.

Pool ``port``, two kinds of rows. ``leaf-0/2x``: the ports of one device in cages of two children;
place n stands for child n mod 2 of bay n div 2, its member is the id of the link. Only graphs
without natural positions need these. ``leaf/nvidia-sn3700/down/100G``: switches of this role and
model give cages of ``size`` children to ports of that way and speed.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from fabric.design.port_panel import Place
from fabric.design.port_wants import Kept
from fabric.model.addressing import LockRow
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabric.design.port_wants import Splits
    from fabric.model.addressing import Lock

POOL = "port"
_PLACES = re.compile(r"(?P<device>[^/]+)/(?P<children>[1-9]\d?)x")
_SPLIT = re.compile(r"(?P<kind>.+/.+)/(?P<way>down|across|up)/(?P<speed>[1-9]\d*)G")


def kept_places(lock: Lock | None) -> dict[tuple[str, str], Kept]:
    """By device and link id."""
    kept: dict[tuple[str, str], Kept] = {}
    for row in _rows(lock):
        found = _PLACES.fullmatch(row.key)
        if found:
            children = int(found["children"])
            for unit, member in enumerate(row.members, row.start):
                if member:
                    place = Place(*divmod(unit, children))
                    kept[found["device"], member] = Kept(place, children)
    return kept


def place_rows(device: str, places: Mapping[str, Kept]) -> list[LockRow]:
    """Rows for one device's links; a row is a run of neighbouring ports."""
    rows: list[LockRow] = []
    by_children = sorted(
        (kept.children, kept.place.bay * kept.children + kept.place.child, link)
        for link, kept in places.items()
    )
    # Neighbours have the same distance to their number in the sorted list.
    numbered = enumerate(by_children)
    for (children, _), run in groupby(numbered, key=lambda x: (x[1][0], x[1][1] - x[0])):
        units = [item for _, item in run]
        links = tuple(link for _, _, link in units)
        rows.append(LockRow(POOL, f"{device}/{children}x", units[0][1], len(links), links))
    return rows


def held_splits(lock: Lock | None, kind: str) -> Splits:
    """Splits of one kind of switch, ``role/model``."""
    held: Splits = {}
    for row in _rows(lock):
        found = _SPLIT.fullmatch(row.key)
        if found and found["kind"] == kind:
            held[found["way"], int(found["speed"])] = row.size
    return held


def split_rows(kind: str, splits: Splits, least: Splits) -> list[LockRow]:
    """A row for each group that is split further than an empty panel would ask for."""
    return [
        LockRow(POOL, f"{kind}/{way}/{speed}G", 0, children)
        for (way, speed), children in splits.items()
        if children > least[way, speed]
    ]


def lock_problems(kept: Mapping[tuple[str, str], Kept], links: Iterable[str]) -> list[Problem]:
    """RCE206 where the lock gives one port to two links that exist."""
    live = set(links)
    holder: dict[tuple[str, Kept], str] = {}
    problems: list[Problem] = []
    for (device, link), where in kept.items():
        if link not in live:
            continue
        other = holder.setdefault((device, where), link)
        if other != link:
            message = f"the lock gives one port of {device} to {other} and to {link}"
            fix = "take one of the two out of the lock; it gets a port of its own"
            problems.append(Problem("RCE206", (), message, fix, subject=device))
    return problems


def _rows(lock: Lock | None) -> Iterable[LockRow]:
    return () if lock is None else (row for row in lock.rows if row.pool == POOL)
