"""Which ports a switch must have: one want for each end of a cable, in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fabric.design.port_panel import Place

DOWN, ACROSS, UP = "down", "across", "up"
WAYS = (DOWN, ACROSS, UP)  # in the order in which they are placed


class Kept(NamedTuple):
    """A place that the lock keeps, in a bay of so many children."""

    place: Place
    children: int


class Want(NamedTuple):
    """One port. Equal lists of wants get equal ports.

    ``slot``: its place among the ports of the same way, hosts before cables. ``port``: the
    user's own choice.
    """

    way: str
    host: bool
    speed_gbps: int
    slot: int | None = None
    port: str | None = None
    kept: Kept | None = None

    @property
    def group(self) -> Group:
        """Wants of one group may share cages."""
        return (self.way, self.speed_gbps)


Group = tuple[str, int]  # way, speed in Gb/s
Splits = dict[Group, int]  # children of the cages that a group takes


def group_order(group: Group) -> tuple[int, int]:
    """Sort key: down, across, up; slower first."""
    return (WAYS.index(group[0]), group[1])
