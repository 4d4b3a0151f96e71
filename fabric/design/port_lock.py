"""What the lock keeps of the ports: of every cable whose port the user did not name.

Pool ``port``, two kinds of rows. ``leaf-[0-3]/2x``: ports of these switches in cages of two
children; place n stands for child n mod 2 of bay n div 2, its member is what is plugged in:
``spine-0``, or ``spine-0:2`` for the second cable between the two. Switches that have the same at
the same places share a row. ``leaf/nvidia-sn3700/down/100G``: new cages of this role and model are
split into ``size`` children for ports of that way and speed.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from fabric.design.members import read_members, write_members
from fabric.design.port_panel import Place
from fabric.design.port_wants import Kept
from fabric.model.addressing import LockRow
from fabric.model.finding import Problem
from fabric.model.names import link_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from fabric.design.port_wants import Splits
    from fabric.model.addressing import Lock

POOL = "port"
_PLACES = re.compile(r"(?P<devices>[^/]+)/(?P<children>[1-9]\d?)x")
_SPLIT = re.compile(r"(?P<kind>.+/.+)/(?P<way>down|across|up)/(?P<speed>[1-9]\d*)G")
_MOST_DEVICES = 100_000  # more than any plan has

Plug = tuple[str, str]  # device, member
Run = tuple[int, int, tuple[str, ...]]  # children of the cages, first place, members


def member_of(device: str, link: str) -> str:
    """The far end of a link, with its number from the second cable between the two on."""
    first, second, ordinal = link.split(":")
    far = second if first == device else first
    return far if ordinal == "1" else f"{far}:{ordinal}"


def kept_places(lock: Lock | None) -> dict[Plug, Kept]:
    """By device and member."""
    kept: dict[Plug, Kept] = {}
    for row in _rows(lock):
        found = _PLACES.fullmatch(row.key)
        if found:
            children = int(found["children"])
            for device in _devices(found["devices"]):
                for unit, member in enumerate(row.members, row.start):
                    if member:
                        place = Place(*divmod(unit, children))
                        kept[device, _as_member(device, member)] = Kept(place, children)
    return kept


def _devices(text: str) -> Sequence[str]:
    try:
        return read_members(text, _MOST_DEVICES)
    except ValueError:
        return ()


def _as_member(device: str, member: str) -> str:
    """Older locks name the whole link."""
    return member_of(device, member) if member.count(":") == 2 else member  # noqa: PLR2004 — a:b:n


def place_rows(places: Mapping[str, Mapping[str, Kept]]) -> list[LockRow]:
    """Rows for the members of each device; a row is a run of neighbouring ports."""
    alike: dict[Run, list[str]] = {}
    for device, of in places.items():
        for run in _runs(of):
            alike.setdefault(run, []).append(device)
    return [
        LockRow(POOL, f"{write_members(devices)}/{children}x", start, len(members), members)
        for (children, start, members), devices in alike.items()
    ]


def _runs(places: Mapping[str, Kept]) -> Iterator[Run]:
    by_children = sorted(
        (kept.children, kept.place.bay * kept.children + kept.place.child, member)
        for member, kept in places.items()
    )
    # Neighbours have the same distance to their number in the sorted list.
    numbered = enumerate(by_children)
    for (children, _), run in groupby(numbered, key=lambda x: (x[1][0], x[1][1] - x[0])):
        units = [item for _, item in run]
        yield children, units[0][1], tuple(member for _, _, member in units)


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


def lock_problems(kept: Mapping[Plug, Kept], live: Iterable[Plug]) -> list[Problem]:
    """RCE206 where the lock gives one port to two links that exist."""
    holder: dict[tuple[str, int, float], str] = {}
    problems: list[Problem] = []
    for device, member in live:
        where = kept.get((device, member))
        if where is None:
            continue
        # Half of a cage is the same port however far the cage is split.
        port = (device, where.place.bay, where.place.child / where.children)
        other = holder.setdefault(port, member)
        if other != member:
            one, two = (_link(device, some) for some in (other, member))
            message = f"the lock gives one port of {device} to {one} and to {two}"
            fix = "take one of the two out of the lock; it gets a port of its own"
            problems.append(Problem("RCE206", (), message, fix, subject=device))
    return problems


def _link(device: str, member: str) -> str:
    far, _, ordinal = member.partition(":")
    return link_id(device, far, int(ordinal or 1))


def _rows(lock: Lock | None) -> Iterable[LockRow]:
    return () if lock is None else (row for row in lock.rows if row.pool == POOL)
