"""Global cables of dragonflies: which unit (router, spine) of a group leads to which other group.

A group has units·h global ports, numbered q = 0 … unit by unit, h each. An arrangement gives
group i an order of the other groups; place s of that order is port s:

``consecutive`` (also: absolute)
    groups by their number, the own one left out.
``palm-tree`` (also: relative)
    groups i − 1, i − 2, … modulo g.
``circulant``
    groups i + 1, i − 1, i + 2, i − 2, … modulo g.
``round-robin``
    groups by their number as in consecutive, but the cables are dealt to the units in turn: cable
    c of place s is the (s·links + c)-th of the group, in port ⌊n / units⌋ of unit n mod units.

Sources: Camarero, Vallejo, Beivide, "Topological Characterization of Hamming and Dragonfly
Networks and Its Implications on Routing" (ACM TACO 11:4, 2015: consecutive, palm tree); Hastings
et al., "Comparing Global Link Arrangements for Dragonfly Networks" (IEEE Cluster 2015: absolute,
relative, circulant). With several cables a group pair they leave open which units take them (Alzaid
et al., "Global link arrangement for practical Dragonfly", ICS 2020). Here the port list is parted
into as many stretches as there are cables a pair, and cable c of place s is in port
⌊c·units·h / links⌋ + s at both ends:

* one cable a pair is the arrangement of the literature, ports filled from the first unit on;
* the cables of a pair spread over min(links, units) units of either group: stretches are at least
  h long when links ≤ units, and at most h otherwise;
* the port does not depend on g, so with ``consecutive`` more groups move no cable. With palm tree
  and circulant the places count around the circle of groups: more groups re-cable.

Round-robin is in none of these papers. It too spreads the cables of a pair over min(links, units)
units and moves no cable for more groups, and gives each unit as many cables as the others (± 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.topologies._parts.placement import nearest
from fabric.topologies._parts.shape import problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.finding import Problem

CONSECUTIVE, PALM_TREE, CIRCULANT = "consecutive", "palm-tree", "circulant"
ROUND_ROBIN = "round-robin"
ARRANGEMENTS = (CONSECUTIVE, PALM_TREE, CIRCULANT, ROUND_ROBIN)
_BY_NUMBER = (CONSECUTIVE, ROUND_ROBIN)
LINKS = "links_per_group_pair"


@dataclass(frozen=True, slots=True)
class GlobalEnd:
    """One end of a global cable; ``port``: of the unit's h global ports, from 0."""

    group: int
    unit: int
    port: int


@dataclass(frozen=True, slots=True)
class GlobalLinks:
    """``units`` with ``h`` global ports each in each of ``g`` groups, ``links`` cables a pair."""

    units: int
    h: int
    g: int
    links: int
    arrangement: str

    def ends(self) -> Iterator[tuple[GlobalEnd, GlobalEnd]]:
        """Both ends of every cable, the lower group first; ordered by groups, then cables."""
        for low in range(self.g):
            for high in range(low + 1, self.g):
                for cable in range(self.links):
                    yield self._end(low, high, cable), self._end(high, low, cable)

    @property
    def a_group(self) -> int:
        """Global cables of one group."""
        return self.links * (self.g - 1)

    @property
    def cables(self) -> int:
        """Global cables in all."""
        return self.g * self.a_group // 2

    @property
    def turns(self) -> bool:
        """Whether moving every group on by one (unit by unit) leaves the cabling as it is."""
        return self.arrangement not in _BY_NUMBER or self.g == 2  # noqa: PLR2004 - two groups swap

    def _end(self, group: int, other: int, cable: int) -> GlobalEnd:
        if self.arrangement == ROUND_ROBIN:
            port, unit = divmod(self._place(group, other) * self.links + cable, self.units)
            return GlobalEnd(group, unit, port)
        start = cable * self.units * self.h // self.links
        unit, port = divmod(start + self._place(group, other), self.h)
        return GlobalEnd(group, unit, port)

    def _place(self, group: int, other: int) -> int:
        """Place of the other group in the order of this one, 0 … g − 2."""
        if self.arrangement in _BY_NUMBER:
            return other if other < group else other - 1
        ahead, behind = (other - group) % self.g, (group - other) % self.g
        if self.arrangement == PALM_TREE:
            return behind - 1
        return 2 * (ahead - 1) if ahead <= behind else 2 * (behind - 1) + 1


def links_of(written: int | None, units: int, h: int, g: int) -> int:
    """Cables a group pair: as written, else as many as the ports allow."""
    return units * h // (g - 1) if written is None else written


def global_problems(
    written: int | None, arrangement: str, units: tuple[str, int], h: int, g: int
) -> list[Problem]:
    """RCE011 for global cables that the ports of a group cannot take.

    ``units``: the parameter's name and value. All counts are at least 1, g at least 2.
    """
    name, count = units
    problems: list[Problem] = []
    if arrangement not in ARRANGEMENTS:
        message = f"there is no arrangement {arrangement}: known are {', '.join(ARRANGEMENTS)}"
        fix = nearest(arrangement, ARRANGEMENTS) or f"arrangement: {CONSECUTIVE}"
        problems.append(problem("arrangement", message, fix))
    ports = count * h
    if g > ports + 1:
        message = (
            f"g is {g}; a group has {name}·h = {count}·{h} = {ports} global ports, which reach "
            f"{ports} other groups"
        )
        problems.append(problem("g", message, f"g: {ports + 1}, or more {name} or h"))
    elif written is not None and written * (g - 1) > ports:
        need = written * (g - 1)
        message = (
            f"{LINKS} is {written}; {written} to each of {g - 1} other groups are {need}, and a "
            f"group has {name}·h = {count}·{h} = {ports} global ports"
        )
        problems.append(problem(LINKS, message, f"{LINKS}: {ports // (g - 1)}"))
    return problems
