"""Ports for the wants of one switch, with given splits: pure, and the same for equal switches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby
from typing import TYPE_CHECKING

from fabric.design.port_bays import Bays
from fabric.design.port_panel import Place, runs
from fabric.design.port_wants import UP, WAYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fabric.design.port_panel import Panel
    from fabric.design.port_wants import Group, Splits, Want
    from fabric.model.hardware import BreakoutMode
    from fabric.model.topology import Port


@dataclass(frozen=True, slots=True)
class Pins:
    """Ports that the user named: places by number of the want, modes by bay."""

    places: Mapping[int, Place]
    modes: Mapping[int, BreakoutMode]


@dataclass(frozen=True, slots=True)
class Filled:
    """Places by number of the want (``None``: no room), and the modes of the bays in use.

    ``refused``: how many places of the lock could not be kept, because what the user wrote about
    the port, its speed or its switch is no longer the same.
    """

    places: tuple[Place | None, ...]
    modes: Mapping[int, BreakoutMode]
    refused: int = 0

    @property
    def missing(self) -> int:
        """Wants without a port."""
        return self.places.count(None)


class Effort(IntEnum):
    """What may be done to find room. ``AFRESH``: where places could not be kept, none is."""

    PLAIN, RESPLIT, AFRESH = range(3)


def fill(
    panel: Panel,
    wants: Sequence[Want],
    pins: Pins,
    splits: Splits,
    effort: Effort = Effort.PLAIN,
) -> Filled:
    """First the user's ports, then those that the lock keeps, then the rest in order.

    Down and across climb from the first bay, up falls from the last; on a switch of which the
    lock keeps nothing a gap in the slots leaves its port free. A bay carries one group; only when
    no bay is left, a free child of another, then (``RESPLIT``) a bay in use is split further.
    """
    filling = _Filling(panel, wants, pins, splits)
    held = [n for n, want in enumerate(wants) if want.kept and n not in pins.places]
    refused = sum(not filling.keep(n) for n in held)
    if effort is Effort.AFRESH and refused:
        filling, held = _Filling(panel, wants, pins, splits), []
    rest = sorted(set(range(len(wants))) - set(filling.bays.places()))
    rest.sort(key=lambda number: _order(number, wants[number]))
    fresh = len(held) == refused if effort is not Effort.AFRESH else not held
    for _, same in groupby(rest, key=lambda number: (wants[number].way, wants[number].host)):
        last = -1
        for number in same:
            slot = wants[number].slot
            if slot is not None and fresh:
                filling.skip(wants[number].group, slot - last - 1)
                last = slot
            filling.put(number, split=effort > Effort.PLAIN)
    places = filling.bays.places()
    return Filled(tuple(map(places.get, range(len(wants)))), filling.bays.modes, refused)


def _order(number: int, want: Want) -> tuple[int, bool, bool, int, int]:
    return (WAYS.index(want.way), not want.host, want.slot is None, want.slot or 0, number)


class _Filling:
    """Ports for the wants of one switch, one after the other."""

    def __init__(self, panel: Panel, wants: Sequence[Want], pins: Pins, splits: Splits) -> None:
        self._panel, self._wants, self._splits = panel, wants, splits
        self._pinned = pins.modes.keys()
        self.bays = Bays(panel)
        self.bays.modes.update(pins.modes)
        self._open: defaultdict[Group, list[int]] = defaultdict(list)
        self._group_of: dict[int, Group] = {}
        self._next: dict[Group, Iterator[int]] = {}
        for number, place in pins.places.items():
            self.bays.take(place, number, wants[number].speed_gbps)

    def keep(self, number: int) -> bool:
        """Honour the lock where the panel still can."""
        want = self._wants[number]
        if want.kept is None or not self.bays.keep(number, want):
            return False
        bay = want.kept.place.bay
        if bay not in self._group_of and bay not in self._pinned:
            self._group_of[bay] = want.group
            self._open[want.group].append(bay)
        return True

    def put(self, number: int, *, split: bool) -> None:
        """The next port of the wanted group, if there is one."""
        group = self._wants[number].group
        place = self._next_place(group) or self._anywhere(group)
        if place is None and split:
            place = self._split(group)
        if place is not None:
            self.bays.take(place, number, group[1])

    def skip(self, group: Group, count: int) -> None:
        """Leave ports of the group free."""
        for _ in range(count):
            place = self._next_place(group)
            if place is not None:
                self.bays.leave_free(place)

    def _next_place(self, group: Group) -> Place | None:
        open_bays = self._open[group]
        while open_bays:
            free = self.bays.free_child(open_bays[0])
            if free is not None:
                return free
            open_bays.pop(0)
        modes = self._panel.modes_for(self._splits[group], group[1])
        for bay in self._bays(group):
            mode = modes[bay]
            if mode is not None and bay not in self.bays.modes:
                self.bays.modes[bay] = mode
                self._group_of[bay] = group
                open_bays.append(bay)
                return Place(bay, 0)
        return None

    def _bays(self, group: Group) -> Iterator[int]:
        if group not in self._next:
            self._next[group] = iter(self._way(group))
        return self._next[group]

    def _way(self, group: Group) -> Sequence[int]:
        return self._panel.falling if group[0] == UP else self._panel.climbing

    def _anywhere(self, group: Group) -> Place | None:
        """A free child in a bay that is split the right way for another group."""
        for bay in self._way(group):
            mode = self.bays.modes.get(bay)
            if mode is not None and runs(mode, group[1]):
                free = self.bays.free_child(bay)
                if free is not None:
                    return free
        return None

    def _split(self, group: Group) -> Place | None:
        """Split a bay in use as little further as gives a port, the group's own bays first."""
        order = sorted(self._way(group), key=lambda bay: self._group_of.get(bay) != group)
        for children in self._panel.splits_for(group[1]):
            if children > self._splits[group]:
                break
            for bay in order:
                mode = self.bays.modes.get(bay)
                if mode is None or mode.children >= children or bay in self._pinned:
                    continue
                place = self.bays.widen(bay, children, group[1])
                if place is not None:
                    self._open[group].append(bay)
                    return place
        return None


def ports_of(panel: Panel, wants: Sequence[Want], filled: Filled) -> tuple[Port, ...]:
    """All ports in panel order; a generic switch has only those in use."""
    speeds: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for want, place in zip(wants, filled.places, strict=True):
        if place is not None:
            speeds[place.bay][place.child] = want.speed_gbps
    ports = panel.side_ports()
    for bay in range(len(panel.bays)):
        used = speeds.get(bay)
        if used:
            ports += _bay_ports(panel, bay, filled.modes[bay], used)
        elif not panel.model.generic:
            ports += panel.idle_bay(bay)
    return tuple(sorted(ports, key=lambda port: (port.cage, port.child)))


def _bay_ports(
    panel: Panel, bay: int, mode: BreakoutMode, speeds: Mapping[int, int]
) -> Iterator[Port]:
    """Ports of a bay in use; a child with nothing in it runs at the speed of the slowest other."""
    for child in range(mode.children):
        if child in speeds:
            yield panel.port(bay, mode, child, speeds[child])
        else:
            yield panel.idle_port(bay, mode, child, min(speeds.values()))


def names_of(panel: Panel, filled: Filled) -> tuple[str, ...]:
    """Names of the ports by number of the want; every want has one."""
    return tuple(
        panel.name(place.bay, filled.modes[place.bay], place.child)
        for place in filled.places
        if place is not None
    )
