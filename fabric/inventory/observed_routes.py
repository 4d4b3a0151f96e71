"""Routes of an observed device: what the schema cannot say of them."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import TYPE_CHECKING

from fabric.model.finding import Problem
from fabric.model.observed import CONNECTED, NextHop, ObservedRoute

if TYPE_CHECKING:
    from fabric.files.yaml_build import Path
    from fabric.inventory.schema.observed import HopSection, RouteSection

_ONE_OF = ("connected", "next_hops", "discard")


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
        return "is no network prefix such as 10.0.0.0/24"
    return f"is no network prefix: bits are set behind it; write {network}"


@lru_cache(maxsize=1 << 18)
def _version(address: str) -> int:
    """4 or 6; 0 for what is no address."""
    try:
        return ipaddress.ip_address(address).version
    except ValueError:
        return 0


class Routes:
    """Reads one table; ``problems`` are about paths below ``path``."""

    def __init__(self, device: str, path: Path) -> None:
        self._device, self._path = device, path
        self.problems: list[Problem] = []
        self._hops: dict[tuple[tuple[str | None, str | None], ...], tuple[NextHop, ...]] = {}

    def read(self, written: dict[str, RouteSection]) -> tuple[ObservedRoute, ...]:
        """The routes; those with a problem are left out."""
        found: dict[str, ObservedRoute] = {}
        for text, section in written.items():
            prefix, version = _network(text)
            if not version:
                self._problem("RCE006", (text,), f"prefix {text} {prefix}")
                continue
            if prefix in found:
                message = f"{text} is the prefix {prefix}, which stands there already"
                self._problem("RCE004", (text,), message, "keep the route that is in use")
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
            self._problem(
                "RCE006", (text,), f"route {text} {found}", f"give one of {', '.join(_ONE_OF)}"
            )
            return None
        protocol = section.protocol
        if section.connected is not None:
            hops = self._shared(((section.connected, None),))
            return ObservedRoute(self._device, prefix, protocol or CONNECTED, hops)
        if section.discard:
            return ObservedRoute(self._device, prefix, protocol or "discard", discard=True)
        hops = self._next_hops(text, version, section.next_hops or [])
        return ObservedRoute(self._device, prefix, protocol or "unknown", hops) if hops else None

    def _next_hops(
        self, text: str, version: int, written: list[HopSection]
    ) -> tuple[NextHop, ...]:
        if not written:
            message = f"route {text} has an empty list of next hops"
            self._problem("RCE006", (text, "next_hops"), message, "write discard: true, if so")
        good = True
        for number, hop in enumerate(written):
            path = (text, "next_hops", number)
            if hop.via is not None:
                good &= self._fits((*path, "via"), hop, version)
            elif hop.interface is None:
                message = f"next hop {number + 1} of {text} has neither interface nor via"
                self._problem("RCE007", path, message, "add interface: …")
                good = False
        if not good:
            return ()
        return self._shared(tuple((hop.interface, hop.via) for hop in written))

    def _fits(self, path: Path, hop: HopSection, version: int) -> bool:
        """IPv4 over an IPv6 next hop is RFC 8950; the reverse is nothing."""
        via = hop.via or ""
        found = _version(via)
        if not found:
            self._problem("RCE006", path, f"via {via} is no IP address")
        elif version == 6 and found == 4:  # noqa: PLR2004 — versions of IP
            self._problem("RCE006", path, f"via {via} is IPv4, but the prefix is IPv6")
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
