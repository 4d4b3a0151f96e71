"""Routes of an observed device: what the schema cannot say of them."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import TYPE_CHECKING

from fabric.inventory.translate import nearest
from fabric.model.finding import Problem
from fabric.model.observed import CONNECTED, NextHop, ObservedRoute

if TYPE_CHECKING:
    from fabric.files.yaml_build import Path
    from fabric.inventory.schema.observed import HopSection, RouteSection

_ONE_OF = ("connected", "next_hops", "group", "discard")


@lru_cache(maxsize=1 << 18)
def _network(text: str) -> tuple[str, int]:
    """Canonical text and version of a prefix, or (what is wrong, 0)."""
    try:
        network = ipaddress.ip_network(text)
    except ValueError:
        return _hint(text), 0
    if "/" not in text:
        return f"is no prefix: write {network}", 0
    return str(network), network.version


def _hint(text: str) -> str:
    try:
        network = ipaddress.ip_network(text, strict=False)
    except ValueError:
        if text == "default":
            return "is no network prefix: write 0.0.0.0/0 or ::/0"
        return "is no network prefix such as 10.0.0.0/24"
    return f"is no network prefix: bits are set behind it; write {network}"


@lru_cache(maxsize=1 << 18)
def _version(address: str) -> int:
    """4 or 6; 0 for what is no address."""
    try:
        return ipaddress.ip_address(address).version
    except ValueError:
        return 0


def _label(path: Path) -> str:
    """What holds next hops, in words."""
    kind, name = path[:2]
    return f"route {name}" if kind == "routes" else f"group {name}"


class Routes:
    """Reads one table; ``problems`` are about paths below ``path``, that of the device."""

    def __init__(self, device: str, path: Path, groups: dict[str, list[HopSection]]) -> None:
        self._device, self._path, self._groups = device, path, groups
        self.problems: list[Problem] = []
        self._hops: dict[tuple[tuple[str | None, str | None], ...], tuple[NextHop, ...]] = {}
        self._of_group: dict[tuple[str, int], tuple[NextHop, ...]] = {}

    def read(self, written: dict[str, RouteSection]) -> tuple[ObservedRoute, ...]:
        """The routes; those with a problem are left out."""
        found: dict[str, ObservedRoute] = {}
        for text, section in written.items():
            prefix, version = _network(text)
            if not version:
                self._problem("RCE006", ("routes", text), f"prefix {text} {prefix}")
                continue
            if prefix in found:
                message = f"{text} is the prefix {prefix}, which stands there already"
                self._problem("RCE004", ("routes", text), message, "keep the route that is in use")
                continue
            route = self._route(text, prefix, version, section)
            if route is not None:
                found[prefix] = route
        return tuple(found.values())

    def _route(
        self, text: str, prefix: str, version: int, section: RouteSection
    ) -> ObservedRoute | None:
        given = [key for key in _ONE_OF if getattr(section, key) is not None]
        if len(given) != 1:
            found = f"has {' and '.join(given)}" if given else "says not where packets go"
            fix = f"give one of {', '.join(_ONE_OF)}"
            self._problem("RCE006", ("routes", text), f"route {text} {found}", fix)
            return None
        protocol = section.protocol
        if section.connected is not None:
            hops = self._shared(((section.connected, None),))
            return ObservedRoute(self._device, prefix, protocol or CONNECTED, hops)
        if section.discard:
            return ObservedRoute(self._device, prefix, protocol or "discard", discard=True)
        if section.group is not None:
            hops = self._group(text, version, section.group)
        else:
            listed = section.next_hops or []
            hops = self._next_hops(("routes", text, "next_hops"), version, listed)
        return ObservedRoute(self._device, prefix, protocol or "unknown", hops) if hops else None

    def _group(self, text: str, version: int, name: str) -> tuple[NextHop, ...]:
        written = self._groups.get(name)
        if written is None:
            message = f"route {text}: there is no group of next hops {name}"
            path = ("routes", text, "group")
            self._problem("RCE009", path, message, nearest(name, self._groups))
            return ()
        key = (name, version)
        if key not in self._of_group:
            self._of_group[key] = self._next_hops(("next_hop_groups", name), version, written)
        return self._of_group[key]

    def _next_hops(
        self, path: Path, version: int, written: list[HopSection]
    ) -> tuple[NextHop, ...]:
        if not written:
            fix = "list them, or write discard: true for the route"
            self._problem("RCE006", path, f"{_label(path)} has no next hops", fix)
        good = True
        for number, hop in enumerate(written):
            if hop.via is not None:
                good &= self._fits((*path, number, "via"), hop, version)
            elif hop.interface is None:
                message = f"next hop {number + 1} of {_label(path)} has neither interface nor via"
                self._problem("RCE007", (*path, number), message, "add interface: …")
                good = False
        if not good:
            return ()
        return self._shared(tuple((hop.interface, hop.via) for hop in written))

    def _fits(self, path: Path, hop: HopSection, version: int) -> bool:
        """IPv4 over an IPv6 next hop is RFC 8950; the reverse is nothing."""
        via = hop.via or ""
        found = _version(via)
        if not found:
            fix = f"name an interface as interface: {via}; packets that are dropped: discard: true"
            self._problem("RCE006", path, f"via {via} is no IP address", fix)
        elif version == 6 and found == 4:  # noqa: PLR2004 — versions of IP
            message = f"via {via} is IPv4, but the prefix of the route is IPv6"
            self._problem("RCE006", path, message)
        elif hop.interface is None and ipaddress.ip_address(via).is_link_local:
            fix = "add the interface: a link-local address is on every one"
            self._problem("RCE007", path, f"via {via} lacks its interface", fix)
        else:
            return True
        return False

    def _shared(self, hops: tuple[tuple[str | None, str | None], ...]) -> tuple[NextHop, ...]:
        """Equal sets of next hops are one object: tables have few of them."""
        found = self._hops.get(hops)
        if found is None:
            found = self._hops[hops] = tuple(NextHop(*hop) for hop in hops)
        return found

    def _problem(self, rule: str, path: Path, message: str, fix: str = "") -> None:
        self.problems.append(Problem(rule, (*self._path, *path), message, fix))
