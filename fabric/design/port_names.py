"""What a system calls its ports: patterns, filled in and recognised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.hardware import BreakoutMode, Cage, SwitchModel
    from fabric.model.intent import DeviceHardware
    from fabric.model.platform import PlatformSpec

# Where neither the switch model nor the system's manifest says otherwise. SONiC: N of EthernetN
# is the first lane of the port within the numbering of the panel. Linux with FRR: switch ports
# as Cumulus Linux and most switchdev rules name them, from 1, children from 0.
_DEFAULTS = {"sonic": "Ethernet{number}", "frr": "swp{c}|swp{c}s{n0}"}

# Linux takes any interface name of up to 15 characters; the other systems only their own form.
_FREE_FORM = {"frr": re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,14}")}

_FIELD = re.compile(r"\{(\w+)\}")
_SHOWN = {
    "number": "<number>",
    "c": "<cage>",
    "n": "<child>",
    "n0": "<child>",
    "s": "<letter>",
    "l": "<lane>",
}


@dataclass(frozen=True, slots=True)
class PortNames:
    """Patterns with ``{number}``, ``{c}`` cage, ``{n}``/``{n0}`` child from 1/0, ``{s}`` letter.

    ``{l}``: first lane of the child within its cage, from 1; ``{whole}``, in ``split``: the name of
    the unsplit port. A cage that has a name of its own for the system bears that one.
    """

    system: str
    unsplit: str
    split: str
    single_lane: str = ""  # of cages with one lane, where they are named otherwise

    def of(self, cage: Cage, mode: BreakoutMode, child: int, number: int | None) -> str:
        """The name of a port of a cage that is split so."""
        pattern = self.split if mode.children > 1 else self.unsplit
        if self.single_lane and cage.lane_count == 1:
            pattern = self.single_lane
        own = dict(cage.names).get(self.system) if cage.names else None
        if own and mode.children == 1:
            return own
        if "{whole}" in pattern:
            whole = own or fill(self.unsplit, cage.number, 0, number)
            pattern = pattern.replace("{whole}", whole)
        return fill(pattern, cage.number, child, number, mode.lanes_each)

    def number_in(self, name: str) -> int | None:
        """N of ``Ethernet{number}``, where the name has this form."""
        found = _recognise(self.unsplit).fullmatch(name)
        return int(found["number"]) if found and "number" in found.groupdict() else None

    def takes(self, name: str) -> bool:
        """Whether the system can have a port of that name."""
        if self.system in _FREE_FORM:
            return bool(_FREE_FORM[self.system].fullmatch(name))
        patterns = (self.unsplit, self.split, self.single_lane)
        written = (pattern.replace("{whole}", self.unsplit) for pattern in patterns if pattern)
        return any(_recognise(pattern).fullmatch(name) for pattern in written)

    @property
    def shown(self) -> str:
        """The form for people: ``Ethernet<number>``."""
        return _FIELD.sub(lambda found: _SHOWN.get(found[1], "<n>"), self.unsplit)


def port_names(hardware: DeviceHardware) -> PortNames | None:
    """The model's names under its system, else the system's; ``None``: nobody says."""
    system, model = hardware.platform.name, hardware.model
    if hardware.platform.naming_is_generic and not _has_names(model, hardware.platform):
        return None
    text = dict(model.naming).get(system) or hardware.platform.port_naming or _DEFAULTS.get(system)
    unnumbered = any(cage.first_port_number is None for cage in model.cages)
    if not text or ("{number}" in text and unnumbered):
        return None
    unsplit, split, single_lane, *_ = (*text.split("|"), "", "")
    return PortNames(system, unsplit, split or unsplit, single_lane)


def _has_names(model: SwitchModel, system: PlatformSpec) -> bool:
    """Whether the model names the ports of each cage; a foreign box is refused elsewhere."""
    if model.generic or (system.vendors and model.vendor not in system.vendors):
        return True
    named = system.name in dict(model.naming)
    return named or all(system.name in dict(cage.names) for cage in model.cages)


def fill(
    pattern: str, cage: int, child: int, number: int | None = None, lanes_each: int = 1
) -> str:
    """Put cage, child, number and first lane into a pattern of names or aliases."""
    values = {
        "c": cage,
        "n": child + 1,
        "n0": child,
        "s": chr(ord("a") + child),
        "number": number,
        "l": child * lanes_each + 1,
    }
    return _FIELD.sub(lambda found: str(values[found[1]]), pattern)


def _recognise(pattern: str) -> re.Pattern[str]:
    parts: list[str] = []
    for place, part in enumerate(_FIELD.split(pattern)):
        if place % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append("[a-z]" if part == "s" else rf"(?P<{part}>[0-9]{{1,6}})")
    return re.compile("".join(parts))
