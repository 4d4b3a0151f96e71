"""What switches say of themselves: routes and LLDP neighbours, as any system's reader fills them.

A fact is of one device, with the time it was taken and the digest of the raw text it was read from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

CONNECTED = "connected"
LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a fact comes from: ISO 8601 time and sha256 of the raw text; ``None``: not said."""

    taken_at: str | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class NextHop:
    """One next hop. ``interface`` ``None``: found by looking ``address`` up in the same table.

    ``address`` ``None``: on the interface itself. A link-local one (unnumbered) says nothing
    without its interface.
    """

    interface: str | None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class ObservedRoute:
    """A route that packets follow (the one in the FIB), default VRF, all its ECMP next hops.

    ``prefix``: canonical text of an IPv4 or IPv6 network. ``protocol``: as the system calls it, or
    ``connected``; ``local``: the switch's own address. ``discard``: packets are dropped here
    (blackhole, null or reject routes), and there are no next hops. Connected routes have one next
    hop without an address.
    """

    device: str
    prefix: str
    protocol: str
    next_hops: tuple[NextHop, ...] = ()
    discard: bool = False

    @property
    def is_connected(self) -> bool:
        """Whether the prefix is on an interface of the device, or its own address."""
        return self.protocol in {CONNECTED, LOCAL}


@dataclass(frozen=True, slots=True)
class ObservedNeighbour:
    """What LLDP says of one port. ``neighbour`` ``None``: it sends no name.

    ``neighbour_port``: name, alias or description, as the neighbour sends it; ``None``: nothing.
    """

    device: str
    port: str
    neighbour: str | None
    neighbour_port: str | None


@dataclass(frozen=True, slots=True)
class ObservedRoutes:
    """The routing table of one device. ``other_vrfs``: VRFs besides the default that it has."""

    device: str
    routes: tuple[ObservedRoute, ...]
    evidence: Evidence = Evidence()
    other_vrfs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ObservedNeighbours:
    """The LLDP table of one device."""

    device: str
    neighbours: tuple[ObservedNeighbour, ...]
    evidence: Evidence = Evidence()


@dataclass(frozen=True, slots=True)
class PortNames:
    """How the ports of one device hang together.

    ``aliases``: another name → the port. ``members``: interface above ports (port-channel, VLAN) →
    the ports that its packets leave by. ``ignored``: ports without fabric traffic.
    """

    aliases: tuple[tuple[str, str], ...] = ()
    members: tuple[tuple[str, tuple[str, ...]], ...] = ()
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True)
class ObservedDevice:
    """The facts of one switch.

    ``is_leaf`` ``None``: as its connected prefixes say. ``tier``, ``group``: where known.
    """

    name: str
    routes: ObservedRoutes
    neighbours: ObservedNeighbours
    ports: PortNames = PortNames()
    is_leaf: bool | None = None
    tier: int | None = None
    group: str | None = None


@dataclass(frozen=True)
class ObservedFabric:
    """The facts of all switches that reported, one a name.

    ``priority``: 802.1p number of the lossless class.
    """

    devices: tuple[ObservedDevice, ...]
    name: str = ""
    priority: int = 3
    _of: Mapping[str, ObservedDevice] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        of = {device.name: device for device in self.devices}
        if len(of) < len(self.devices):
            msg = "two observed devices have one name"
            raise ValueError(msg)
        object.__setattr__(self, "_of", of)

    def device(self, name: str) -> ObservedDevice:
        """The facts of one switch.

        Raises:
            KeyError: it did not report.
        """
        return self._of[name]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Devices that reported, in order of the file or of collection."""
        return tuple(self._of)


@dataclass(frozen=True, slots=True)
class LoopStep:
    """One cable of a routing loop, in the direction of the packets."""

    link: str
    sender: str
    sender_port: str
    receiver: str
    receiver_port: str


@dataclass(frozen=True, slots=True)
class RoutingLoop:
    """Next hops that lead round in a circle.

    ``prefixes``: the first few of ``of`` that go round. ``dead``: no switch has any of them.
    ``lossless``: packets of hosts can get into it, so it is a cyclic buffer dependency by itself;
    ``False``: only packets for switches themselves, or none at all.
    """

    steps: tuple[LoopStep, ...]
    prefixes: tuple[str, ...]
    of: int
    dead: bool
    lossless: bool
