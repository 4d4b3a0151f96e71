"""Ports for the wants of one switch, with given splits: pure, and the same for equal switches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

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
    """Places by number of the want (``None``: no room), and the modes of the bays in use."""

    places: tuple[Place | None, ...]
    modes: Mapping[int, BreakoutMode]

    @property
    def missing(self) -> int:
        """Wants without a port."""
        return self.places.count(None)


def fill(
    panel: Panel, wants: Sequence[Want], pins: Pins, splits: Splits, *, resplit: bool = False
) -> Filled:
    """First the user's ports, then those that the lock keeps, then the rest in order.

    Down and across climb from the first bay, up falls from the last; a gap in the slots leaves
    its port free. A bay carries one group; only when no bay is left, a free child of another.
    ``resplit``: what the lock keeps stays in its bay, but the bay may be split further.
    """
    filling = _Filling(panel, pins, splits)
    for number, want in enumerate(wants):
        if number not in pins.places:
            filling.keep(number, want, resplit=resplit)
    rest = [(number, w) for number, w in enumerate(wants) if number not in filling.places]
    rest.sort(key=lambda item: _order(*item))
    for _, same in groupby(rest, key=lambda item: (item[1].way, item[1].host)):
        last = -1
        for number, want in same:
            if want.slot is not None:
                filling.skip(want.group, want.slot - last - 1)
                last = want.slot
            filling.put(number, want.group)
    places = tuple(filling.places.get(number) for number in range(len(wants)))
    return Filled(places, filling.modes)


def _order(number: int, want: Want) -> tuple[int, bool, bool, int, int]:
    return (WAYS.index(want.way), not want.host, want.slot is None, want.slot or 0, number)


class _Filling:
    """The bays while they are filled."""

    def __init__(self, panel: Panel, pins: Pins, splits: Splits) -> None:
        self._panel, self._splits = panel, splits
        self.places: dict[int, Place] = dict(pins.places)
        self.modes: dict[int, BreakoutMode] = dict(pins.modes)
        self._taken = set(self.places.values())
        self._open: defaultdict[Group, list[int]] = defaultdict(list)
        self._next: dict[Group, Iterator[int]] = {}

    def keep(self, number: int, want: Want, *, resplit: bool) -> None:
        """Honour the lock where the panel still can."""
        if want.kept is None:
            return
        place, children = want.kept
        if place in self._taken or place.bay >= len(self._panel.bays):
            return
        most = max(children, self._splits[want.group]) if resplit else children
        mode = self._panel.modes_for(most, want.speed_gbps)[place.bay]
        if mode is None or mode.children < children:
            return
        if self.modes.setdefault(place.bay, mode) != mode:
            return
        if place.bay not in self._open[want.group]:
            self._open[want.group].append(place.bay)
        self._take(number, place)

    def put(self, number: int, group: Group) -> None:
        """The next port of the group, if there is one."""
        place = self._next_place(group) or self._anywhere(group)
        if place is not None:
            self._take(number, place)

    def skip(self, group: Group, count: int) -> None:
        """Leave ports of the group free."""
        for _ in range(count):
            place = self._next_place(group)
            if place is not None:
                self._taken.add(place)

    def _take(self, number: int, place: Place) -> None:
        self.places[number] = place
        self._taken.add(place)

    def _next_place(self, group: Group) -> Place | None:
        open_bays = self._open[group]
        while open_bays:
            free = self._free_child(open_bays[0])
            if free is not None:
                return free
            open_bays.pop(0)
        modes = self._panel.modes_for(self._splits[group], group[1])
        for bay in self._bays(group):
            mode = modes[bay]
            if mode is not None and bay not in self.modes:
                self.modes[bay] = mode
                open_bays.append(bay)
                return Place(bay, 0)
        return None

    def _bays(self, group: Group) -> Iterator[int]:
        if group not in self._next:
            panel = self._panel
            self._next[group] = iter(panel.falling if group[0] == UP else panel.climbing)
        return self._next[group]

    def _free_child(self, bay: int) -> Place | None:
        for child in range(self.modes[bay].children):
            if Place(bay, child) not in self._taken:
                return Place(bay, child)
        return None

    def _anywhere(self, group: Group) -> Place | None:
        """A free child in a bay that is split the right way for another group."""
        order = self._panel.falling if group[0] == UP else self._panel.climbing
        for bay in order:
            mode = self.modes.get(bay)
            if mode is not None and runs(mode, group[1]):
                free = self._free_child(bay)
                if free is not None:
                    return free
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
