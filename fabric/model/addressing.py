"""Addresses, ASNs and the lock that keeps them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LockRow:
    """One block of a pool; ``size`` in its units: addresses, /31s, subnets, ASNs, slots."""

    pool: str  # loopback, link, host, their like with _v6, nic, nic_v6, asn, port
    key: str  # device, group or bundle that owns the block
    start: int
    size: int
    members: tuple[str, ...] = ()  # whose place n of the block is; "" is a free place


@dataclass(frozen=True, slots=True)
class Lock:
    """What was handed out once and stays: rows in order of (pool, start)."""

    fabric: str
    rows: tuple[LockRow, ...] = ()
    pools: tuple[tuple[str, str], ...] = ()  # pool → the prefix it was cut from


@dataclass(frozen=True, slots=True)
class InterfaceAddress:
    """Addresses of one port, with prefix length. Unnumbered, or in a VLAN: both ``None``."""

    device: str
    port: str
    v4: str | None
    v6: str | None
    unnumbered: bool = False
    vlan: int | None = None  # a switch port that sits in this VLAN


@dataclass(frozen=True, slots=True)
class HostSubnet:
    """A host prefix that a leaf announces. ``rail`` None where rails do not matter.

    ``of_port``: the network of one port, announced as long as the port is up. Otherwise the prefix
    is announced whole, whatever its ports do.
    """

    leaf: str
    prefix: str
    rail: int | None
    vlan: int | None  # set where hosts sit in a VLAN with an SVI
    gateway: str | None  # SVI address with prefix length
    of_port: bool = False


@dataclass(frozen=True)
class Addressing:
    """All addresses of a design."""

    loopbacks: tuple[tuple[str, str | None, str | None], ...]  # device, v4 /32, v6 /128
    interfaces: tuple[InterfaceAddress, ...]  # switch ports and host NICs
    host_subnets: tuple[HostSubnet, ...]
    host_aggregates: tuple[str, ...]  # cover every host prefix
    asns: tuple[tuple[str, int], ...]
    asn_scheme: str  # the one in force
    asn_reason: str  # why, in one sentence
    pools: tuple[tuple[str, str, int, int], ...]  # pool, prefix, used, size (in the pool's units)
    lock: Lock
    notes: tuple[str, ...] = ()
    router_ids: tuple[tuple[str, str], ...] = ()  # device, 32 bits; empty: the v4 loopbacks
    rail_aggregates: tuple[tuple[int, str], ...] = ()  # rail, prefix over all its host prefixes
    _by_port: dict[tuple[str, str], InterfaceAddress] = field(init=False, repr=False, compare=False)
    _loopback: dict[str, tuple[str | None, str | None]] = field(
        init=False, repr=False, compare=False
    )
    _asn: dict[str, int] = field(init=False, repr=False, compare=False)
    _router_id: dict[str, str] = field(init=False, repr=False, compare=False)
    valleys_refused: bool = False  # no route that has been down goes up again: own ASN in the path

    def __post_init__(self) -> None:
        by_port = {(x.device, x.port): x for x in self.interfaces}
        object.__setattr__(self, "_by_port", by_port)
        object.__setattr__(self, "_loopback", {d: (v4, v6) for d, v4, v6 in self.loopbacks})
        object.__setattr__(self, "_asn", dict(self.asns))
        ids = self.router_ids or [(d, v4.partition("/")[0]) for d, v4, _ in self.loopbacks if v4]
        object.__setattr__(self, "_router_id", dict(ids))

    def at(self, device: str, port: str) -> InterfaceAddress | None:
        """Addresses of a port, if it has any."""
        return self._by_port.get((device, port))

    def loopback(self, device: str) -> tuple[str | None, str | None]:
        """Loopback of a switch: (v4/32, v6/128)."""
        return self._loopback[device]

    def router_id(self, device: str) -> str:
        """BGP identifier of a switch: its v4 loopback, or with IPv6 alone what would be it."""
        return self._router_id[device]

    def asn(self, device: str) -> int:
        """ASN of a switch."""
        return self._asn[device]
