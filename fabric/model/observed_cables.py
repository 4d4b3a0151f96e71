"""Who is cabled to whom, by what both ends see; and where the two contradict each other."""

from __future__ import annotations

import ipaddress
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from fabric.model.names import natural_key
from fabric.model.observed_names import DeviceNames, Ports, is_loopback

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.observed import ObservedFabric

_POINT_TO_POINT = {4: 30, 6: 126}  # shortest prefix that only two ends share
LLDP, ONE_END, BY_ORDER, SUBNET = "lldp", "one end", "by order", "subnet"


class PortEnd(NamedTuple):
    """A port of a device that reports."""

    device: str
    port: str

    def __str__(self) -> str:
        return f"{self.device} {self.port}"


class ObservedCable(NamedTuple):
    """A cable. ``told_by``: ``lldp`` of both ends, or how else it is known."""

    a: PortEnd
    b: PortEnd
    told_by: str = LLDP


class Contradiction(NamedTuple):
    """Entries of the LLDP tables that cannot all be true. ``entry``: number in ``device``'s."""

    device: str
    entry: int
    message: str
    fix: str


class _Seen(NamedTuple):
    """What a port says: the device behind it, and the port there as it was sent."""

    device: str
    port: str | None
    entry: int


@dataclass(frozen=True)
class Cabling:
    """``silent``: neighbours that did not report, by port."""

    cables: tuple[ObservedCable, ...]
    contradictions: tuple[Contradiction, ...]
    silent: tuple[tuple[PortEnd, str], ...]
    ports: dict[str, Ports] = field(repr=False)


def cabling(fabric: ObservedFabric) -> Cabling:
    """The cables between devices that report.

    A cable is one that both ends see. Where one end alone sees the other, it is believed; where
    neither does, two that share a point-to-point subnet are joined (``told_by`` says so).
    """
    matching = _Matching(fabric)
    matching.both_ends()
    matching.leftovers()
    matching.subnets(fabric)
    cables = sorted(
        matching.cables, key=lambda c: tuple(natural_key(str(end)) for end in (c.a, c.b))
    )
    return Cabling(
        tuple(cables), tuple(matching.contradictions), tuple(matching.silent), matching.ports
    )


class _Matching:
    def __init__(self, fabric: ObservedFabric) -> None:
        self.ports = {device.name: Ports(device) for device in fabric.devices}
        self.cables: list[ObservedCable] = []
        self.contradictions: list[Contradiction] = []
        self.silent: list[tuple[PortEnd, str]] = []
        self._seen: dict[PortEnd, _Seen] = {}
        self._done: set[PortEnd] = set()
        names = DeviceNames(fabric.names)
        for device in fabric.devices:
            for number, entry in enumerate(device.neighbours.neighbours):
                if entry.neighbour is None or self.ports[device.name].ignores(entry.port):
                    continue
                far = names.find(entry.neighbour)
                end = PortEnd(device.name, entry.port)
                if far is None:
                    self.silent.append((end, entry.neighbour))
                elif far != device.name:  # a port that sees its own device is looped for a test
                    self._note(end, _Seen(far, entry.neighbour_port, number))

    def _note(self, end: PortEnd, seen: _Seen) -> None:
        first = self._seen.setdefault(end, seen)
        if first[:2] == seen[:2]:
            return
        first_port, second_port = (f"{s.device} {s.port or '(no port)'}" for s in (first, seen))
        self._contradict(
            end.device,
            seen.entry,
            f"{end} sees {first_port} and {second_port}",
            "one cable has one far end: remove the entry that is old, or list the port under "
            "ignored_ports if it is no port of the fabric",
        )

    def _contradict(self, device: str, entry: int, message: str, fix: str) -> None:
        self.contradictions.append(Contradiction(device, entry, message, fix))

    def _join(self, one: PortEnd, two: PortEnd, told_by: str = LLDP) -> None:
        self._done |= {one, two}
        a, b = sorted((one, two), key=lambda end: natural_key(end.device))
        self.cables.append(ObservedCable(a, b, told_by))

    def both_ends(self) -> None:
        """Cables of which one end names the other's port and the other sees the first device."""
        for end, seen in self._seen.items():
            far_port = self.ports[seen.device].find(seen.port)
            far = PortEnd(seen.device, far_port) if far_port else None
            back = self._seen.get(far) if far else None
            if end in self._done or far is None or back is None:
                continue
            back_port = self.ports[end.device].find(back.port)
            if back.device == end.device and back_port in {None, end.port}:
                if far not in self._done:
                    self._join(end, far)
            else:
                told = f"{back.device} {back.port or '(no port)'}"
                self._contradict(
                    end.device,
                    seen.entry,
                    f"{end} sees {far}, which sees {told}",
                    "one of the two tables is old or was taken from another device: take both anew",
                )
                self._done |= {end}

    def leftovers(self) -> None:
        """Names that lead nowhere: pair what two devices have left in order, else believe one."""
        left: dict[tuple[str, str], list[PortEnd]] = defaultdict(list)
        for end, seen in self._seen.items():
            if end not in self._done:
                left[end.device, seen.device].append(end)
        for near, far in {tuple(sorted(pair)) for pair in left}:
            ends, theirs = (_ordered(left.get(pair, [])) for pair in ((near, far), (far, near)))
            for one, two in zip(ends, theirs, strict=False):
                self._join(one, two, BY_ORDER)
            for end in (*ends[len(theirs) :], *theirs[len(ends) :]):
                seen = self._seen[end]
                known = self.ports[seen.device].find(seen.port) or seen.port or f"(behind {end})"
                self._join(end, PortEnd(seen.device, known), ONE_END)

    def subnets(self, fabric: ObservedFabric) -> None:
        """Ports without LLDP that are alone with one other in a point-to-point subnet.

        Only where routes go by one of them: two leaves may have the same small host prefix.
        """
        routed = _routed(fabric)
        shared: dict[str, set[PortEnd]] = defaultdict(set)
        for prefix, end in _connected(fabric):
            if not self.ports[end.device].ignores(end.port):
                shared[prefix].add(end)
        for ends in shared.values():
            free = [end for end in ends if not self._is_cabled(end)]
            if len(ends) == len(free) == 2 and routed & ends:  # noqa: PLR2004 — the two ends of a cable
                one, two = _ordered(free)
                if one.device != two.device:
                    self._join(one, two, SUBNET)

    def _is_cabled(self, end: PortEnd) -> bool:
        ports = self.ports[end.device].below(end.port)
        return any(PortEnd(end.device, port) in self._done for port in (*ports, end.port))


def _connected(fabric: ObservedFabric) -> Iterator[tuple[str, PortEnd]]:
    """Point-to-point subnets with the interfaces that are in them."""
    for device in fabric.devices:
        for route in device.routes.routes:
            if not route.is_connected or "/" not in route.prefix:
                continue
            for hop in route.next_hops:
                if hop.interface and not is_loopback(hop.interface) and _is_pair(route.prefix):
                    yield route.prefix, PortEnd(device.name, hop.interface)


def _routed(fabric: ObservedFabric) -> set[PortEnd]:
    """Interfaces that routes to other prefixes go by."""
    return {
        PortEnd(device.name, hop.interface)
        for device in fabric.devices
        for route in device.routes.routes
        if not route.is_connected
        for hop in route.next_hops
        if hop.interface
    }


def _is_pair(prefix: str) -> bool:
    network = ipaddress.ip_network(prefix)
    return _POINT_TO_POINT[network.version] <= network.prefixlen < network.max_prefixlen


def _ordered(ends: list[PortEnd]) -> list[PortEnd]:
    return sorted(ends, key=lambda end: natural_key(str(end)))
