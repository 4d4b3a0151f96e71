"""Ports that the user named: which cage, and how the cage must be split for them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fabric.design.port_fill import Pins
from fabric.design.port_panel import Place, runs
from fabric.model.units import speed_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.design.port_panel import Panel
    from fabric.design.port_wants import Want
    from fabric.model.hardware import BreakoutMode

Refusal = tuple[int, str, str, str]  # number of the want, rule, message, fix
Named = tuple[str, int]  # port and its speed in Gb/s


def pin(panel: Panel, device: str, wants: Sequence[Want]) -> tuple[Pins, list[Refusal]]:
    """Find the named ports; of the modes that hold all those of a cage the least split one.

    Refusals: RCE014 no such port, RCE103 a speed or split that the cage cannot do. (RCE102, a
    port named twice, is seen before there are ports.)
    """
    places: dict[int, Place] = {}
    modes: dict[int, BreakoutMode] = {}
    refusals: list[Refusal] = []
    if not any(want.port for want in wants):
        return Pins(places, modes), refusals
    index = _Index(panel)
    by_bay: defaultdict[int, list[int]] = defaultdict(list)
    for number, want in enumerate(wants):
        if want.port is None:
            continue
        if want.port in index.bay_of:
            by_bay[index.bay_of[want.port]].append(number)
        else:
            refusals.append((number, *index.unknown(device, want.port, want.speed_gbps)))
    for bay, numbers in by_bay.items():
        named = {n: (wants[n].port or "", wants[n].speed_gbps) for n in numbers}
        mode = _mode_for(panel, bay, named.values())
        if mode is None:
            refusals.append((numbers[-1], *_impossible(panel, device, bay, named.values())))
            continue
        modes[bay] = mode
        for number, (name, _) in named.items():
            child = next(c for c in range(mode.children) if panel.name(bay, mode, c) == name)
            places[number] = Place(bay, child)
    return Pins(places, modes), refusals


class _Index:
    """Every name that a port of the panel can bear."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self.bay_of: dict[str, int] = {}
        for bay, cage in enumerate(panel.bays):
            for mode in cage.modes:
                for child in range(mode.children):
                    self.bay_of.setdefault(panel.name(bay, mode, child), bay)

    def unknown(self, device: str, port: str, speed_gbps: int) -> tuple[str, str, str]:
        """Rule, message and fix for a name that no port bears."""
        if any(port == side.name for side in self._panel.side_ports()):
            message = f"{port} of {device} is a management port: it carries no fabric link"
            return "RCE103", message, f"ports: {_span(self._panel)}"
        if self._panel.model.generic:
            system = self._panel.names.system
            message = (
                f"port {port} does not exist on {device}: {system} calls its ports "
                f"{self._panel.names.shown}"
            )
            return "RCE014", message, f"write the port as {system} calls it"
        message = f"port {port} does not exist on {device} ({_span(self._panel)})"
        close = _nearest(port, self._at(speed_gbps) or list(self.bay_of))
        fix = f"did you mean {close}? `fabric show ports {device}` lists them"
        return "RCE014", message, fix

    def _at(self, speed_gbps: int) -> list[str]:
        """Names of ports that can run at that speed."""
        panel = self._panel
        return [
            panel.name(bay, mode, child)
            for bay, cage in enumerate(panel.bays)
            for mode in cage.modes
            if runs(mode, speed_gbps)
            for child in range(mode.children)
        ]


def _span(panel: Panel) -> str:
    """``64 ports of 800G: Ethernet0 … Ethernet504``, unsplit."""
    first, last = panel.bays[0], panel.bays[-1]
    names = [panel.name(bay, panel.bays[bay].modes[0], 0) for bay in (0, len(panel.bays) - 1)]
    speeds = sorted({first.speed_gbps, last.speed_gbps})
    speed = " and ".join(speed_text(value) for value in speeds)
    return f"{len(panel.bays)} ports of {speed}: {names[0]} … {names[1]}"


def _nearest(port: str, known: Sequence[str]) -> str:
    """The name with the nearest number after the same text, else the most similar one."""
    stem = port.rstrip("0123456789")
    wanted = port[len(stem) :]
    tails = {name[len(stem) :]: name for name in known if name.startswith(stem)}
    numbers = [int(tail) for tail in tails if tail.isdigit()]
    if stem and wanted and numbers:
        best = min(numbers, key=lambda number: (abs(number - int(wanted)), number))
        return tails[str(best)]
    import difflib  # noqa: PLC0415 — only on the way to an error

    return (difflib.get_close_matches(port, known, n=1, cutoff=0.0) or [""])[0]


def _mode_for(panel: Panel, bay: int, named: Iterable[Named]) -> BreakoutMode | None:
    """The least split mode that has all these ports at their speeds."""
    wanted = list(named)
    fitting = [m for m in panel.bays[bay].modes if _holds(panel, bay, m, wanted)]
    speeds = {speed for _, speed in wanted}
    # Of two modes with as many ports the one made for this speed (1x400G before 1x800G[400G]).
    return min(
        fitting, key=lambda m: (m.children, not speeds.issuperset(m.speeds_gbps[:1])), default=None
    )


def _holds(panel: Panel, bay: int, mode: BreakoutMode, named: Iterable[Named]) -> bool:
    names = {panel.name(bay, mode, child) for child in range(mode.children)}
    return all(name in names and runs(mode, speed) for name, speed in named)


def _impossible(
    panel: Panel, device: str, bay: int, named: Iterable[Named]
) -> tuple[str, str, str]:
    """RCE103: a port that never runs at its speed, or ports that no split gives together."""
    wanted = list(named)
    cage = panel.bays[bay]
    modes = ", ".join(mode.text for mode in cage.modes if mode.text)
    for name, speed in wanted:
        if _mode_for(panel, bay, [(name, speed)]) is None:
            message = f"{name} of {device} cannot run at {speed_text(speed)}"
            return "RCE103", message, f"cage {cage.number} can be {modes}"
    ports = " and ".join(f"{name} at {speed_text(speed)}" for name, speed in wanted)
    message = f"{device}: no split of cage {cage.number} gives {ports} together"
    return "RCE103", message, f"cage {cage.number} can be {modes}"
