"""The bays of one switch while they are filled: how each is split, and what is plugged in where.

A bay that is split further keeps what is plugged in: each port must be called the same afterwards.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from fabric.design.port_panel import Place, runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.design.port_panel import Panel
    from fabric.design.port_wants import Want
    from fabric.model.hardware import BreakoutMode


class _Plug(NamedTuple):
    """Number of the want, and its speed; a port that stays free has neither."""

    number: int | None
    speed_gbps: int | None


class Bays:
    """Modes of the bays in use, and the children that are taken."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self.modes: dict[int, BreakoutMode] = {}
        self._plugs: defaultdict[int, dict[int, _Plug]] = defaultdict(dict)

    def places(self) -> dict[int, Place]:
        """Places by number of the want."""
        return {
            plug.number: Place(bay, child)
            for bay, plugs in self._plugs.items()
            for child, plug in plugs.items()
            if plug.number is not None
        }

    def take(self, place: Place, number: int, speed_gbps: int) -> None:
        """Plug a want in."""
        self._plugs[place.bay][place.child] = _Plug(number, speed_gbps)

    def leave_free(self, place: Place) -> None:
        """Nobody gets this port."""
        self._plugs[place.bay][place.child] = _Plug(None, None)

    def free_child(self, bay: int) -> Place | None:
        """The first child of a bay in use that nobody has."""
        plugs = self._plugs[bay]
        for child in range(self.modes[bay].children):
            if child not in plugs:
                return Place(bay, child)
        return None

    def keep(self, number: int, want: Want) -> bool:
        """Plug in what the lock keeps, under the name that the port had; whether that can be."""
        if want.kept is None or want.kept.place.bay >= len(self._panel.bays):
            return False
        (bay, child), children = want.kept
        mode = self._panel.modes_for(children, want.speed_gbps)[bay]
        if mode is None or mode.children != children:
            return False  # another speed or another model than before
        name = self._panel.name(bay, mode, child)
        self.modes.setdefault(bay, mode)
        for wider in self._modes(bay, self.modes[bay].children, want.speed_gbps):
            at = self._names(bay, wider).get(name)
            plugs = self._moved(bay, wider)
            if at is not None and plugs is not None and at not in plugs:
                self._split(bay, wider, plugs)
                self.take(Place(bay, at), number, want.speed_gbps)
                return True
        return False

    def widen(self, bay: int, children: int, speed_gbps: int) -> Place | None:
        """Split a bay further, into so many children, for one more port; ``None``: it cannot be."""
        for mode in self._modes(bay, children, speed_gbps):
            if mode.children > children:
                break
            plugs = self._moved(bay, mode)
            if plugs is not None and len(plugs) < mode.children:
                self._split(bay, mode, plugs)
                return self.free_child(bay)
        return None

    def _split(self, bay: int, mode: BreakoutMode, plugs: dict[int, _Plug]) -> None:
        self.modes[bay], self._plugs[bay] = mode, plugs

    def _modes(self, bay: int, least: int, speed_gbps: int) -> Iterator[BreakoutMode]:
        """The present mode, then those of at least so many children that run all speeds."""
        speeds = {plug.speed_gbps for plug in self._plugs[bay].values()} - {None} | {speed_gbps}
        now = self.modes[bay]
        if now.children >= least and _runs_all(now, speeds):
            yield now
        for children in self._panel.splits_for(speed_gbps):
            if children < least:
                continue
            for speed in sorted(filter(None, speeds), reverse=True):
                mode = self._panel.modes_for(children, speed)[bay]
                if mode and mode.children == children and _runs_all(mode, speeds):
                    yield mode

    def _moved(self, bay: int, mode: BreakoutMode) -> dict[int, _Plug] | None:
        """What is plugged in, by the children of that mode; ``None``: a port loses its name."""
        now = self.modes[bay]
        if mode == now:
            return self._plugs[bay]
        at = self._names(bay, mode)
        moved: dict[int, _Plug] = {}
        for child, plug in self._plugs[bay].items():
            name = self._panel.name(bay, now, child)
            if name not in at:
                return None
            moved[at[name]] = plug
        return moved

    def _names(self, bay: int, mode: BreakoutMode) -> dict[str, int]:
        return {self._panel.name(bay, mode, child): child for child in range(mode.children)}


def _runs_all(mode: BreakoutMode, speeds: Iterable[int | None]) -> bool:
    return all(speed is None or runs(mode, speed) for speed in speeds)
