"""How many hosts, what they are called and where they may stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.inventory.ranges import HINT, MAX_NAMES, RangeError, expand, numbered
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.files.yaml import Path
    from fabric.inventory.schema import HostsSection
    from fabric.topologies import DefaultHosts

_NOT_SAID = "how many hosts there are is not said"


@dataclass(frozen=True, slots=True)
class Room:
    """What the topology takes: its own hosts where none are named, its switches with hosts.

    ``spread``: switches that each host is cabled to.
    """

    defaults: tuple[DefaultHosts, ...]
    leaves: int
    spread: int = 1


@dataclass(frozen=True, slots=True)
class Batch:
    """Hosts of one group. ``suffix``: of its name, where one entry yields several groups."""

    names: tuple[str, ...]
    on: tuple[str, ...]
    suffix: str = ""


@dataclass(frozen=True)
class Naming:
    """One entry of ``hosts:`` with its number of NICs."""

    section: HostsSection
    path: Path
    nics: int
    problems: list[Problem]

    def batches(self, room: Room | None) -> tuple[Batch, ...]:
        """From ``names``, from ``count``, from ``per_leaf``, or what the topology takes."""
        section = self.section
        on = self._expanded("on", section.on or ())
        if section.names is not None:
            for key in ("count", "name"):
                if getattr(section, key) is not None:
                    self._say("RCE006", key, f"{key} and names exclude each other")
            return (Batch(self._expanded("names", section.names), on),)
        count = section.count
        if count is None and section.per_leaf is not None and room is not None:
            count = section.per_leaf * max(1, (len(on) or room.leaves) // room.spread)
        if count is not None:
            return (Batch(self._numbered(section.name or "host-{n}", count), on),)
        return self._defaults(room) if room is not None else ()

    def _defaults(self, room: Room) -> tuple[Batch, ...]:
        section = self.section
        if section.name is not None or section.on is not None or not room.defaults:
            self._say("RCE007", "count", _NOT_SAID, "add count or names")
            return ()
        if self.nics > room.spread:
            own = "one NIC" if room.spread == 1 else f"{room.spread} NICs"
            message = f"{_NOT_SAID}: the topology's own have {own} each"
            self._say("RCE007", "nics", message, "add count or names")
            return ()
        alone = len(room.defaults) == 1
        return tuple(
            Batch(
                self._numbered(default.name_pattern, default.count),
                default.on,
                "" if alone else f"-{'-'.join(default.on) or number}",
            )
            for number, default in enumerate(room.defaults)
        )

    def _expanded(self, key: str, patterns: Iterable[str]) -> tuple[str, ...]:
        names: list[str] = []
        for pattern in patterns:
            try:
                names.extend(expand(pattern))
            except RangeError as error:
                self._say("RCE019", key, str(error), HINT)
            if len(names) > MAX_NAMES:
                self._say("RCE019", key, f"{key} has more than {MAX_NAMES:,} names")
                return ()
        return tuple(names)

    def _numbered(self, pattern: str, count: int) -> tuple[str, ...]:
        try:
            return numbered(pattern, count)
        except RangeError as error:
            self._say("RCE019", "name", str(error), HINT)
            return ()

    def _say(self, rule: str, key: str, message: str, fix: str = "") -> None:
        self.problems.append(Problem(rule, (*self.path, key), message, fix))
