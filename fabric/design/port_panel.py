"""The front panel of a switch: its cages in the order in which they are taken, and its ports."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from fabric.design.port_names import fill
from fabric.model.hardware import BreakoutMode, Cage
from fabric.model.names import natural_sorted
from fabric.model.topology import Port

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fabric.design.port_names import PortNames
    from fabric.model.hardware import SwitchModel
    from fabric.model.intent import DeviceHardware

# A generic switch has as many ports as are used, of any speed. Its ports come in zones of 32, by
# turns for cables that lead down and for cables that lead up, so that neither pushes the other.
ZONE_PORTS = 32
GENERIC_STRIDE = 8  # EthernetN of neighbouring ports; the lanes come from the box
_ANY_SPEED = BreakoutMode("", 1, (), 0, "", switchable=False)


class Place(NamedTuple):
    """A port by the number of its bay (from 0, usable cages in panel order) and its child."""

    bay: int
    child: int


class _Use(NamedTuple):
    speed_gbps: int
    used: bool = True
    side: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """Cages of a panel.

    ``bays`` may carry hosts and fabric links, ``side`` cages may not. ``climbing``: the order of
    bays for ports that lead down or sideways; ``falling``: for those that lead up. ``named``:
    names of bays whose name follows from no pattern.
    """

    bays: Sequence[Cage]
    climbing: Sequence[int]
    falling: Sequence[int]
    side: Sequence[Cage] = ()
    named: Mapping[int, str] = field(default_factory=dict)


class Panel:
    """The front panel of one switch; its bays are numbered from 0."""

    def __init__(self, hardware: DeviceHardware, names: PortNames, layout: Layout) -> None:
        self.model, self.names = hardware.model, names
        self.bays, self.climbing, self.falling = layout.bays, layout.climbing, layout.falling
        self._side, self._named = layout.side, layout.named
        self._lanes = dict(hardware.facts.lanes) if hardware.facts else {}
        self._modes: dict[tuple[int, int], tuple[BreakoutMode | None, ...]] = {}
        self._idle: dict[int, tuple[Port, ...]] = {}

    def modes_for(self, most: int, speed_gbps: int) -> tuple[BreakoutMode | None, ...]:
        """By bay: of the modes with ports of that speed the one with ``most`` ports or next below.

        ``None``: the bay cannot do the speed, or only with more ports.
        """
        key = (most, speed_gbps)
        if key not in self._modes:
            self._modes[key] = tuple(_mode(bay, most, speed_gbps) for bay in self.bays)
        return self._modes[key]

    def splits_for(self, speed_gbps: int) -> list[int]:
        """Numbers of children that give ports of that speed, ascending."""
        found = {m.children for bay in self.bays for m in bay.modes if runs(m, speed_gbps)}
        return sorted(found)

    def name(self, bay: int, mode: BreakoutMode, child: int) -> str:
        """What the system calls a port."""
        if bay in self._named:
            return self._named[bay]
        cage = self.bays[bay]
        number = _number(cage, mode, child)
        return self.names.of(cage, mode, child, number)

    def port(self, bay: int, mode: BreakoutMode, child: int, speed_gbps: int) -> Port:
        """A port in use."""
        return self._port(bay, mode, child, _Use(speed_gbps))

    def idle_port(self, bay: int, mode: BreakoutMode, child: int, speed_gbps: int) -> Port:
        """A port that nothing is plugged into."""
        return self._port(bay, mode, child, _Use(speed_gbps, used=False))

    def idle_bay(self, bay: int) -> tuple[Port, ...]:
        """The ports of a bay that nobody needs, split as little as it goes."""
        if bay not in self._idle:
            mode = unsplit(self.bays[bay])
            speed = mode.speeds_gbps[0]
            children = range(mode.children)
            self._idle[bay] = tuple(self.idle_port(bay, mode, n, speed) for n in children)
        return self._idle[bay]

    def side_ports(self) -> list[Port]:
        """Ports of the management cages, which are on the box as well."""
        ports: list[Port] = []
        for cage in self._side:
            mode = unsplit(cage)
            number = _number(cage, mode, 0)
            name = self.names.of(cage, mode, 0, number)
            use = _Use(mode.speeds_gbps[0], used=False, side=True)
            ports.append(_port(cage, mode, (0, name), cage.lanes[: mode.lanes_each], use))
        return ports

    def _port(self, bay: int, mode: BreakoutMode, child: int, use: _Use) -> Port:
        cage, name = self.bays[bay], self.name(bay, mode, child)
        first = child * mode.lanes_each
        lanes = self._lanes.get(name, cage.lanes[first : first + mode.lanes_each])
        return _port(cage, mode, (child, name), lanes, use)


def panel_of(
    hardware: DeviceHardware, names: PortNames, most: int, user_names: Iterable[str], *, top: bool
) -> Panel:
    """The panel of a switch.

    ``most``, ``user_names``: for a generic switch, how many ports lead the same way, and the
    ports that the user named. ``top``: nothing is above it, so its ports need no zones.
    """
    model = hardware.model
    if not model.generic:
        return Panel(hardware, names, _layout(model))
    if hardware.facts and hardware.facts.lanes:
        return Panel(hardware, names, _recorded(hardware.facts.lanes, names))
    return Panel(hardware, names, _generic(names, most, user_names, top=top))


def unsplit(cage: Cage) -> BreakoutMode:
    """The mode with the fewest ports; of several, the one stated first."""
    return min(cage.modes, key=lambda mode: mode.children)


def runs(mode: BreakoutMode, speed_gbps: int) -> bool:
    """Whether each port of the mode can run at that speed."""
    return not mode.speeds_gbps or speed_gbps in mode.speeds_gbps


def _port(
    cage: Cage, mode: BreakoutMode, which: tuple[int, str], lanes: tuple[int, ...], use: _Use
) -> Port:
    """``which``: number of the child and its name."""
    child, name = which
    return Port(
        name=name,
        alias=fill(mode.alias, cage.number, child) if mode.alias else name,
        cage=cage.number,
        child=child,
        children=mode.children,
        breakout=mode.text if mode.switchable else None,
        speed_gbps=use.speed_gbps,
        lane_numbers=lanes,
        number=_number(cage, mode, child),
        used=use.used,
        side=use.side,
    )


def _mode(cage: Cage, most: int, speed_gbps: int) -> BreakoutMode | None:
    fitting = [m for m in cage.modes if m.children <= most and runs(m, speed_gbps)]
    # Of two with as many ports the one made for this speed (1x400G before 1x800G[400G]).
    return max(
        fitting,
        key=lambda m: (m.children, m.speeds_gbps[:1] == (speed_gbps,)),
        default=None,
    )


def _number(cage: Cage, mode: BreakoutMode, child: int) -> int | None:
    """SONiC: the number of the unsplit port and the lanes before this one in the cage."""
    first = cage.first_port_number
    return None if first is None else first + child * mode.lanes_each


def _fixed(cage: Cage) -> Cage:
    """A cage of which no mode is stated: one port of its own speed."""
    mode = BreakoutMode("", 1, (cage.speed_gbps,), cage.lane_count, "", switchable=False)
    return replace(cage, modes=(mode,))


def _layout(model: SwitchModel) -> Layout:
    usable = set(model.usable_cages)
    cages = [cage if cage.modes else _fixed(cage) for cage in model.cages]
    bays = [cage for cage in cages if cage.number in usable]
    side = [cage for cage in cages if cage.number not in usable]
    return Layout(bays, range(len(bays)), range(len(bays) - 1, -1, -1), side)


def _recorded(lanes: Iterable[tuple[str, tuple[int, ...]]], names: PortNames) -> Layout:
    """A generic switch of which the box's own list of ports was recorded."""
    lanes_of = dict(lanes)
    recorded = natural_sorted(lanes_of)
    bays = [
        _bare_bay(n + 1, names.number_in(name), lanes_of[name]) for n, name in enumerate(recorded)
    ]
    named = dict(enumerate(recorded))
    return Layout(bays, range(len(bays)), range(len(bays) - 1, -1, -1), named=named)


def _generic(names: PortNames, most: int, user_names: Iterable[str], *, top: bool) -> Layout:
    zones = -(-most // ZONE_PORTS)
    count = zones * ZONE_PORTS * (1 if top else 2)
    bays = [_bare_bay(n + 1, GENERIC_STRIDE * n) for n in range(count)]
    down = [n for n in range(count) if top or n // ZONE_PORTS % 2 == 0]
    up = [n for n in range(count) if top or n // ZONE_PORTS % 2 == 1]
    made = {names.of(bay, bay.modes[0], 0, bay.first_port_number) for bay in bays}
    named: dict[int, str] = {}
    for name in natural_sorted(set(user_names) - made):
        if names.takes(name):
            named[len(bays)] = name
            bays.append(_bare_bay(_cage_of(names, name), names.number_in(name)))
    return Layout(bays, down, up, named=named)


def _bare_bay(cage: int, number: int | None, lanes: tuple[int, ...] = ()) -> Cage:
    mode = replace(_ANY_SPEED, lanes_each=len(lanes))
    return Cage(cage, "", 0, len(lanes), lanes, number, (mode,))


def _cage_of(names: PortNames, name: str) -> int:
    """A cage number for a port that the user named on a generic switch; 0: nothing tells."""
    number = names.number_in(name)
    if number is not None:
        return number // GENERIC_STRIDE + 1
    last = re.search(r"\d+$", name)
    return int(last[0]) if last else 0
