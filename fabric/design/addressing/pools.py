"""Address pools: a prefix cut into units (addresses or point-to-point subnets)."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from fabric.model.finding import Problem

_V4_BITS = 32
_SUBNET_BITS = 64  # of an IPv6 subnet, as RFC 4291 has it
_TOP_ANYCAST = 128  # RFC 2526: the highest interface ids of a subnet


@dataclass(frozen=True, slots=True)
class PoolKind:
    """What a pool is for. ``key``: as in the inventory; ``row``: as in the lock.

    ``unit_bits``: a unit has 2^unit_bits addresses (/32: 0, /31: 1; /128 and /127 alike; /64: 64).
    ``version``: 4 or 6.
    """

    key: str
    row: str
    title: str
    unit: str
    unit_bits: int
    version: int = 4


LOOPBACKS = PoolKind("loopbacks", "loopback", "loopback pool", "switches", 0)
LINKS = PoolKind("links", "link", "p2p pool", "links", 1)
HOSTS = PoolKind("hosts", "host", "host pool", "NICs", 1)
LOOPBACKS_V6 = PoolKind("loopbacks_v6", "loopback_v6", "IPv6 loopback pool", "switches", 0, 6)
LINKS_V6 = PoolKind("links_v6", "link_v6", "IPv6 p2p pool", "links", 1, 6)
HOSTS_V6 = PoolKind("hosts_v6", "host_v6", "IPv6 host pool", "/64s (one a leaf)", 64, 6)


@dataclass(frozen=True, slots=True)
class Pool:
    """A prefix as whole numbers. ``base``: first address; ``bits``: 32 or 128."""

    kind: PoolKind
    prefix: str
    base: int
    length: int
    bits: int

    @property
    def path(self) -> tuple[str, ...]:
        """Where the inventory says it."""
        return ("addressing", "pools", self.kind.key)

    @property
    def capacity(self) -> int:
        """Units that the pool holds."""
        return (1 << (self.bits - self.length)) >> self.kind.unit_bits

    @property
    def usable(self) -> range:
        """Units without an address that is somebody else's in a /64 (RFC 6164 section 5.1).

        The interface id of zeros is the anycast address of all routers, the highest 128 ones are
        reserved anycast addresses. Units of a whole /64 have room for both. Of a pool wider than a
        /64 the last /64 alone is looked at: no fabric fills the one before.
        """
        if self.bits == _V4_BITS or self.kind.unit_bits >= _SUBNET_BITS:
            return range(self.capacity)
        subnet = (1 << _SUBNET_BITS) - 1
        end = self.base + (1 << (self.bits - self.length))
        top = _TOP_ANYCAST >> self.kind.unit_bits if end & subnet == 0 else 0
        low = 0 if self.base & subnet else 1
        return range(low, max(low, self.capacity - top))

    @property
    def free(self) -> int:
        """Units that may be handed out."""
        return self.usable.stop - self.usable.start

    def first(self, unit: int) -> int:
        """First address of a unit."""
        return self.base + (unit << self.kind.unit_bits)

    def text(self, address: int) -> str:
        """An address as people write it."""
        if self.bits == _V4_BITS:
            return ".".join(str(address >> shift & 255) for shift in (24, 16, 8, 0))
        return str(ipaddress.IPv6Address(address))

    def widened(self, length: int) -> Pool:
        """The pool of that length around this one."""
        host_bits = self.bits - length
        base = self.base >> host_bits << host_bits
        return Pool(self.kind, f"{self.text(base)}/{length}", base, length, self.bits)

    def length_for(self, units: int) -> int:
        """Longest prefix length of a pool that holds so many units."""
        return self.bits - self.kind.unit_bits - (units - 1).bit_length()

    def prefixes(self, start: int, size: int) -> tuple[str, ...]:
        """The fewest prefixes that cover exactly the units ``start`` … ``start + size − 1``."""
        found: list[str] = []
        while size:
            power = size.bit_length() - 1
            if start:
                power = min(power, (start & -start).bit_length() - 1)
            length = self.bits - self.kind.unit_bits - power
            found.append(f"{self.text(self.first(start))}/{length}")
            start, size = start + (1 << power), size - (1 << power)
        return tuple(found)


def read_pool(kind: PoolKind, prefix: str) -> Pool | Problem:
    """The pool of a prefix, or what is wrong with it."""
    path = ("addressing", "pools", kind.key)
    try:
        network = ipaddress.ip_network(prefix, strict=False)
    except ValueError:
        example = "10.254.0.0/16" if kind.version == 4 else "fd12:3456:789a::/64"  # noqa: PLR2004
        return Problem(
            "RCE006", path, f"{kind.key} pool '{prefix}' is not a prefix", f"such as {example}"
        )
    written = prefix.partition("/")[0]
    if ipaddress.ip_address(written) != network.network_address:
        message = f"{kind.key} pool {prefix} has bits set behind its length"
        return Problem("RCE006", path, message, f"write {network}")
    special = _special_use(network)
    if special:
        message = f"{kind.key} pool {prefix} lies in {special}, which no router forwards"
        private = "10.0.0.0/8" if network.version == 4 else "fd00::/8"  # noqa: PLR2004
        return Problem("RCE006", path, message, f"take a private prefix, such as {private}")
    if network.version != kind.version:
        message = f"{kind.key} pool {prefix} is not of IPv{kind.version}"
        return Problem("RCE006", path, message, f"write an IPv{kind.version} prefix")
    base = int(network.network_address)
    return Pool(kind, str(network), base, network.prefixlen, network.max_prefixlen)


def _special_use(network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> str | None:
    """The range of IANA's special-purpose registry that makes a prefix useless here."""
    if network.version == 4:  # noqa: PLR2004 — the version's own number
        ranges = ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4")
        return next((r for r in ranges if network.overlaps(ipaddress.IPv4Network(r))), None)
    v6 = ("::/8", "100::/64", "fe80::/10", "fec0::/10", "ff00::/8")
    return next((r for r in v6 if network.overlaps(ipaddress.IPv6Network(r))), None)
