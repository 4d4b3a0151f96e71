"""Default IPv6 pools: unique local prefixes that follow from the fabric's name."""

from __future__ import annotations

import hashlib
import ipaddress

_GLOBAL_ID_BYTES = 5


def default_pools(fabric: str) -> dict[str, str]:
    """Prefixes by pool, all in one /48 of fd00::/8.

    RFC 4193 section 3.2 wants a 40-bit global id that nobody else is likely to have, by its sample
    algorithm the last 40 bits of a hash. Drawn from the name, it differs between fabrics and is the
    same on each run: an inventory plans alike everywhere, which a random one would not.
    Subnet 0 has the loopbacks, subnet 1 the links, the upper half (32,768 /64s) the hosts.
    """
    digest = hashlib.sha256(fabric.encode()).digest()
    base = int.from_bytes(b"\xfd" + digest[-_GLOBAL_ID_BYTES:]) << 80
    return {
        "loopbacks_v6": _prefix(base, 0, 64),
        "links_v6": _prefix(base, 1, 64),
        "hosts_v6": _prefix(base, 1 << 15, 49),
    }


def _prefix(base: int, subnet: int, length: int) -> str:
    return str(ipaddress.IPv6Network((base + (subnet << 64), length)))
