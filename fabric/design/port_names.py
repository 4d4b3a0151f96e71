"""What a system calls its ports: patterns, filled in and recognised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.intent import DeviceHardware

# Where neither the switch model nor the system's manifest says otherwise. SONiC: N of EthernetN
# is the first lane of the port within the numbering of the panel. Linux with FRR: switch ports
# as Cumulus Linux and most switchdev rules name them, from 1, children from 0.
_DEFAULTS = {"sonic": "Ethernet{number}", "frr": "swp{c}|swp{c}s{n0}"}

# Linux takes any interface name of up to 15 characters; the other systems only their own form.
_FREE_FORM = {"frr": re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,14}")}

_FIELD = re.compile(r"\{(\w+)\}")
_SHOWN = {"number": "<number>", "c": "<cage>", "n": "<child>", "n0": "<child>", "s": "<letter>"}


@dataclass(frozen=True, slots=True)
class PortNames:
    """Patterns with ``{number}``, ``{c}`` cage, ``{n}``/``{n0}`` child from 1/0, ``{s}`` letter."""

    system: str
    unsplit: str
    split: str

    def of(self, cage: int, child: int, children: int, number: int | None) -> str:
        """The name of a port."""
        pattern = self.split if children > 1 else self.unsplit
        return fill(pattern, cage, child, number)

    def number_in(self, name: str) -> int | None:
        """N of ``Ethernet{number}``, where the name has this form."""
        found = _recognise(self.unsplit).fullmatch(name)
        return int(found["number"]) if found and "number" in found.groupdict() else None

    def takes(self, name: str) -> bool:
        """Whether the system can have a port of that name."""
        if self.system in _FREE_FORM:
            return bool(_FREE_FORM[self.system].fullmatch(name))
        return any(_recognise(pattern).fullmatch(name) for pattern in (self.unsplit, self.split))

    @property
    def shown(self) -> str:
        """The form for people: ``Ethernet<number>``."""
        return _FIELD.sub(lambda found: _SHOWN.get(found[1], "<n>"), self.unsplit)


def port_names(hardware: DeviceHardware) -> PortNames | None:
    """The model's names under its system, else the system's; ``None``: nobody says."""
    system = hardware.platform.name
    text = (
        dict(hardware.model.naming).get(system)
        or hardware.platform.port_naming
        or _DEFAULTS.get(system)
    )
    if not text:
        return None
    unsplit, _, split = text.partition("|")
    return PortNames(system, unsplit, split or unsplit)


def fill(pattern: str, cage: int, child: int, number: int | None = None) -> str:
    """Put cage, child and number into a pattern of names or aliases."""
    values = {"c": cage, "n": child + 1, "n0": child, "s": chr(ord("a") + child), "number": number}
    return _FIELD.sub(lambda found: str(values[found[1]]), pattern)


def _recognise(pattern: str) -> re.Pattern[str]:
    parts: list[str] = []
    for place, part in enumerate(_FIELD.split(pattern)):
        if place % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append("[a-z]" if part == "s" else rf"(?P<{part}>\d+)")
    return re.compile("".join(parts))
