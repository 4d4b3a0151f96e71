"""Names of ports and devices as several systems and LLDP spell them."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabric.model.observed import ObservedDevice

# Short and long spellings of one kind of port: Et1 (EOS), Eth1/1 (NX-OS), XGE1/0/1 (Comware).
_SPELLINGS = {
    "et": "ethernet",
    "eth": "ethernet",
    "po": "portchannel",
    "gi": "gigabitethernet",
    "ge": "gigabitethernet",
    "te": "tengigabitethernet",
    "xge": "tengigabitethernet",
    "fge": "fortygige",
    "hge": "hundredgige",
    "lo": "loopback",
    "ma": "management",
    "vl": "vlan",
}
_PARTS = re.compile(r"([A-Za-z][A-Za-z_ -]*?)[ -]?(\d.*)")
_UNIT = re.compile(r"(.+)\.\d+")
_LOOPBACK = re.compile(r"(lo|loopback|inloop|inloopback|null|discard|dummy|system)[\d/]*(\.\d+)?")
# Management ports and bridges of containers: EOS, NX-OS, Junos, SONiC, Cumulus, VRP, Comware.
_MANAGEMENT = re.compile(
    r"(eth0|mgmt[\d/-]*|management[\d/]*|ma\d[\d/]*|fxp\d|em\d|me\d|vme|mgmt_junos"
    r"|meth[\d/]*|m-gigabitethernet[\d/]*|mge[\d/]+|docker\d+|bridge-nf)(\.\d+)?"
)


@lru_cache(maxsize=1 << 16)
def port_key(name: str) -> str:
    """The same text for the spellings of one port: ``Et1`` and ``Ethernet1``."""
    text = name.strip()
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return text.lower()
    word = re.sub(r"[ _-]", "", parts[1]).lower()
    if word == "eth" and "/" not in parts[2]:
        return text.lower()  # eth0 of Linux is not Ethernet0
    return _SPELLINGS.get(word, word) + parts[2].lower()


@lru_cache(maxsize=1 << 16)
def is_loopback(interface: str) -> bool:
    """Whether an interface has no cable by its name."""
    return _LOOPBACK.fullmatch(interface.lower()) is not None


@lru_cache(maxsize=1 << 16)
def is_management(interface: str) -> bool:
    """Whether an interface is apart from the fabric by its name."""
    return _MANAGEMENT.fullmatch(interface.lower()) is not None


class DeviceNames:
    """Devices that report, found by name with or without domain, in either case."""

    def __init__(self, names: Iterable[str]) -> None:
        self._exact = set(names)
        self._short: dict[str, set[str]] = {}
        for name in self._exact:
            for key in {name.lower(), name.lower().partition(".")[0]}:
                self._short.setdefault(key, set()).add(name)

    def find(self, name: str | None) -> str | None:
        """The device that is meant; ``None`` when it did not report, or two could be meant."""
        if name is None or name in self._exact:
            return name
        for key in (name.lower(), name.lower().partition(".")[0]):
            found = self._short.get(key, set())
            if found:
                return next(iter(found)) if len(found) == 1 else None
        return None

    def confused(self) -> list[tuple[str, ...]]:
        """Groups of names that are one but for case or domain."""
        return sorted({tuple(sorted(n)) for n in self._short.values() if len(n) > 1})


class Ports:
    """The ports of one device: those with an LLDP neighbour, and interfaces that stand on them."""

    def __init__(self, device: ObservedDevice) -> None:
        self._device = device
        self._aliases = dict(device.ports.aliases)
        self._members = dict(device.ports.members)
        self._ignored = {port_key(p) for p in device.ports.ignored}

    @cached_property
    def _known(self) -> frozenset[str]:
        """Ports of the LLDP table, and interfaces that routes go by."""
        seen = {n.port for n in self._device.neighbours.neighbours}
        hops = {h.interface for r in self._device.routes.routes for h in r.next_hops}
        return frozenset(seen | {i for i in hops if i is not None})

    @cached_property
    def _by_key(self) -> Mapping[str, str | None]:
        found: dict[str, str | None] = {}
        for port in sorted(self._known):
            key = port_key(port)
            found[key] = None if key in found else port  # two ports: the spelling decides nothing
        return found

    def find(self, name: str | None) -> str | None:
        """The port that goes by this name, alias or spelling."""
        if name is None:
            return None
        name = self._aliases.get(name, name)
        return name if name in self._known else self._by_key.get(port_key(name))

    def ignores(self, interface: str) -> bool:
        """Whether it carries no fabric traffic."""
        return port_key(interface) in self._ignored or is_management(interface)

    def below(self, interface: str) -> tuple[str, ...]:
        """The ports that packets of an interface may leave by: its members, else itself.

        A subinterface (``Ethernet1.10``, ``et-0/0/1.0``) stands for its port as well.
        """
        members = self._members.get(interface)
        if members is not None:
            return tuple(self.find(port) or port for port in members)
        found = self.find(interface) or interface
        unit = _UNIT.fullmatch(interface)
        return (found, *self.below(unit[1])) if unit else (found,)
