"""Pools must not meet each other, nor the management network."""

from __future__ import annotations

import ipaddress
from itertools import combinations
from typing import TYPE_CHECKING

from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.design.addressing.pools import Pool
    from fabric.model.intent import ManagementPolicy

_FIX = "give each its own prefix"


def pool_overlaps(pools: Sequence[Pool]) -> list[Problem]:
    """A problem for each pair of pools that share addresses."""
    return [
        Problem(
            "RCE202",
            second.path,
            f"{second.kind.key} pool {second.prefix} overlaps {first.kind.key} pool {first.prefix}",
            _FIX,
        )
        for first, second in combinations(pools, 2)
        if _overlap(first, second.base, second.length, second.bits)
    ]


def management_overlaps(pools: Sequence[Pool], management: ManagementPolicy) -> list[Problem]:
    """A problem for each management network (and the gateway) that shares addresses with a pool.

    A switch with both would reach its own management network through the fabric.
    """
    problems: list[Problem] = []
    seen: set[str] = set()
    named: list[tuple[tuple[str, ...], str, str]] = [
        (("management", "addresses", device), device, address)
        for device, address in management.addresses
    ]
    if management.gateway is not None:
        named.append((("management", "gateway"), "the gateway", management.gateway))
    for path, owner, address in named:
        try:
            network = ipaddress.ip_interface(address).network
        except ValueError:
            message = f"management address '{address}' of {owner} is not an address"
            problems.append(Problem("RCE006", path, message, "write it like 192.0.2.1/24"))
            continue
        if str(network) in seen:
            continue
        seen.add(str(network))
        problems += [
            Problem(
                "RCE202",
                path,
                f"management network {network} of {owner} overlaps "
                f"{pool.kind.key} pool {pool.prefix}",
                _FIX,
            )
            for pool in pools
            if _overlap(pool, int(network[0]), network.prefixlen, network.max_prefixlen)
        ]
    return problems


def _overlap(pool: Pool, base: int, length: int, bits: int) -> bool:
    """Two prefixes share addresses when the longer one lies in the shorter one."""
    if pool.bits != bits:
        return False
    shift = bits - min(pool.length, length)
    return pool.base >> shift == base >> shift
