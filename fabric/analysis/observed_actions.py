"""What each switch does with packets of each of its routes: deliver, drop, or over which cables."""

from __future__ import annotations

import ipaddress
from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from fabric.analysis.longest_match import Lookup
from fabric.model.observed import LOCAL, NextHop
from fabric.model.observed_names import is_loopback

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.observed import ObservedDevice, ObservedRoute
    from fabric.model.observed_names import Ports

NO_ROUTE, HOSTS, OWN, DROP, AWAY, FIRST_SET = range(-1, 5)
_DEPTH = 8  # next hops that are found through other routes
# Never forwarded, or on every port alike.
_SKIPPED = tuple(
    ipaddress.ip_network(text)
    for text in ("127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "::1/128", "fe80::/10", "ff00::/8")
)


@lru_cache(maxsize=1 << 16)
def is_skipped(prefix: str) -> bool:
    """Whether packets to a prefix stay on a link: loopback, link-local and multicast."""
    network = ipaddress.ip_network(prefix)
    return any(
        network.version == other.version and network.subnet_of(other)  # type: ignore[arg-type]
        for other in _SKIPPED
    )


@lru_cache(maxsize=1 << 16)
def _is_one_address(prefix: str) -> bool:
    return prefix.endswith("/128" if ":" in prefix else "/32")


class Actions:
    """Codes of one device's routes, and what they mean.

    ``codes``: by prefix ``HOSTS``, ``OWN`` (the switch itself or a cable's subnet), ``DROP``,
    ``AWAY`` (to what does not report) or ``FIRST_SET + n``: over the arcs ``sets[n]``. ``partly``:
    codes whose packets also leave to what does not report. ``unknown``: interfaces of routed
    next hops behind which nobody is known, with their routes.
    """

    def __init__(
        self, device: ObservedDevice, ports: Ports, arcs: Mapping[tuple[str, str], int]
    ) -> None:
        self._device, self._ports, self._arcs = device, ports, arcs
        self._routes = {r.prefix: r for r in device.routes.routes if not is_skipped(r.prefix)}
        self._arcs_of: dict[str, tuple[int, ...]] = {}
        self._known: dict[tuple[NextHop, ...], int] = {}
        self._set_code: dict[tuple[tuple[int, ...], bool], int] = {}
        self.sets: list[tuple[int, ...]] = []
        self.partly: set[int] = set()
        self.unknown: Counter[str] = Counter()
        self.management: Counter[str] = Counter()
        self.unresolved: Counter[str] = Counter()
        connected = [r for r in self._routes.values() if r.is_connected]
        self._subnets = {
            hop.interface
            for r in connected
            if r.protocol != LOCAL and not _is_one_address(r.prefix)
            for hop in r.next_hops
        }
        self.codes = {r.prefix: self._connected(r) for r in connected}
        self.host_interfaces = {
            hop.interface for r in connected if self.codes[r.prefix] == HOSTS for hop in r.next_hops
        }
        for route in self._routes.values():
            if not route.is_connected:
                self.codes[route.prefix] = self._routed(route)

    @property
    def host_prefixes(self) -> int:
        """Prefixes with hosts."""
        return sum(code == HOSTS for code in self.codes.values())

    @property
    def outside(self) -> int:
        """Interfaces to routers that did not report, which packets may come in by as well."""
        return 0 if self._device.is_leaf is False else len(self.unknown)

    def arcs_of(self, interface: str) -> tuple[int, ...]:
        """Arcs that packets of an interface leave over; none where nobody is known behind it."""
        found = self._arcs_of.get(interface)
        if found is None:
            keys = ((self._device.name, port) for port in self._ports.below(interface))
            found = tuple(sorted({self._arcs[key] for key in keys if key in self._arcs}))
            self._arcs_of[interface] = found
        return found

    def _connected(self, route: ObservedRoute) -> int:
        if route.protocol == LOCAL or self._device.is_leaf is False:
            return OWN
        interfaces = [hop.interface or "" for hop in route.next_hops]
        if all(self._is_own(interface, route.prefix) for interface in interfaces):
            return OWN
        return HOSTS

    def _is_own(self, interface: str, prefix: str) -> bool:
        """Whether no host is in a connected prefix: a loopback, a cable, management."""
        if is_loopback(interface) or self._ports.ignores(interface):
            return True
        if _is_one_address(prefix) and interface in self._subnets:
            return True  # the switch's own address in the subnet of the interface
        return bool(self.arcs_of(interface)) and not self._has_host_ports(interface)

    def _has_host_ports(self, interface: str) -> bool:
        """Whether a VLAN has members besides those that lead to switches."""
        below = self._ports.below(interface)
        name = self._device.name
        return interface not in below and any((name, port) not in self._arcs for port in below)

    def _routed(self, route: ObservedRoute) -> int:
        if route.discard:
            return DROP
        code = self._known.get(route.next_hops)
        if code is None:
            code = self._known[route.next_hops] = self._code(route.next_hops)
        return code

    def _code(self, hops: tuple[NextHop, ...]) -> int:
        found: set[int] = set()
        elsewhere: set[int] = set()
        for hop in hops:
            arcs, code = self._hop(hop, _DEPTH)
            found.update(arcs)
            if code is not None:
                elsewhere.add(code)
        if not found:
            return min(elsewhere, default=DROP)
        key = (tuple(sorted(found)), bool(elsewhere))
        code = self._set_code.get(key)
        if code is None:
            code = self._set_code[key] = FIRST_SET + len(self.sets)
            self.sets.append(key[0])
            if elsewhere:
                self.partly.add(code)
        return code

    def _hop(self, hop: NextHop, depth: int) -> tuple[tuple[int, ...], int | None]:
        """The arcs of one next hop, and what happens to packets that take none of them."""
        if hop.interface is None:
            return self._through(hop.address or "", depth)
        arcs = self.arcs_of(hop.interface)
        if arcs:
            return arcs, None
        if is_loopback(hop.interface):
            return (), DROP
        if self._ports.ignores(hop.interface):
            self.management[hop.interface] += 1
            return (), AWAY
        if hop.address is None and self._device.is_leaf is not False:
            return (), HOSTS  # the addresses themselves are on the interface
        if hop.interface not in self.host_interfaces:
            self.unknown[hop.interface] += 1
        return (), AWAY

    def _through(self, address: str, depth: int) -> tuple[tuple[int, ...], int | None]:
        """A next hop without an interface, by the route to its address."""
        prefix = self._lookup.longest(address) if depth else None
        if prefix is None:
            self.unresolved[address] += 1
            return (), DROP
        route = self._routes[prefix]
        if route.discard:
            return (), DROP
        arcs: set[int] = set()
        code: int | None = None
        for hop in route.next_hops:
            more, code = self._hop(NextHop(hop.interface, hop.address or address), depth - 1)
            arcs.update(more)
        return tuple(sorted(arcs)), None if arcs else code

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self._routes)
