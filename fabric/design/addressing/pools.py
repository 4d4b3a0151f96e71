"""Address pools: a prefix cut into units (addresses or point-to-point subnets)."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from fabric.model.finding import Problem

_V4_BITS = 32


@dataclass(frozen=True, slots=True)
class PoolKind:
    """What a pool is for. ``key``: as in the inventory; ``row``: as in the lock.

    ``unit_bits``: a unit has 2^unit_bits addresses (/32: 0, /31: 1; /128 and /127 alike).
    """

    key: str
    row: str
    title: str
    unit: str
    unit_bits: int


LOOPBACKS = PoolKind("loopbacks", "loopback", "loopback pool", "switches", 0)
LINKS = PoolKind("links", "link", "p2p pool", "links", 1)
HOSTS = PoolKind("hosts", "host", "host pool", "NICs", 1)


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

    def first(self, unit: int) -> int:
        """First address of a unit."""
        return self.base + (unit << self.kind.unit_bits)

    def text(self, address: int) -> str:
        """An address as people write it."""
        if self.bits == _V4_BITS:
            return ".".join(str(address >> shift & 255) for shift in (24, 16, 8, 0))
        return str(ipaddress.IPv6Address(address))

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
        return Problem(
            "RCE006", path, f"{kind.key} pool '{prefix}' is not a prefix", "such as 10.254.0.0/16"
        )
    written = prefix.partition("/")[0]
    if ipaddress.ip_address(written) != network.network_address:
        message = f"{kind.key} pool {prefix} has bits set behind its length"
        return Problem("RCE006", path, message, f"write {network}")
    special = _special_use(network)
    if special:
        message = f"{kind.key} pool {prefix} lies in {special}, which no router forwards"
        return Problem("RCE006", path, message, "take a private prefix, such as 10.0.0.0/8")
    base = int(network.network_address)
    return Pool(kind, str(network), base, network.prefixlen, network.max_prefixlen)


def _special_use(network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> str | None:
    """The range of IANA's special-purpose registry that makes a prefix useless here."""
    if network.version == 4:  # noqa: PLR2004 — the version's own number
        ranges = ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4")
        return next((r for r in ranges if network.overlaps(ipaddress.IPv4Network(r))), None)
    v6 = ("::/127", "fe80::/10", "ff00::/8")
    return next((r for r in v6 if network.overlaps(ipaddress.IPv6Network(r))), None)
