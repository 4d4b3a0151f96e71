"""Longest-prefix match of many tables at once.

Addresses that the same prefixes cover are treated alike by every table, so a prefix stands for its
addresses that no longer prefix takes (its *atom*): a default counts for what nothing else covers.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.analysis.network import Bools, Ints, Table

NONE = -1


@dataclass(frozen=True, eq=False)
class Atoms:
    """Prefixes 0 … N−1, each with the longest other one around it.

    ``parent`` (N): −1 for none. ``has_addresses`` (N): whether longer prefixes leave it any.
    ``levels``: prefixes by depth, outermost first. ``children`` (N): prefixes directly inside.
    """

    prefixes: tuple[str, ...]
    number: dict[str, int]
    parent: Ints
    levels: tuple[Ints, ...]
    has_addresses: Bools
    children: Ints

    @classmethod
    def of(cls, prefixes: Iterable[str]) -> Atoms:
        """``prefixes``: canonical texts of IPv4 and IPv6 networks.

        Raises:
            ValueError: one is no network.
        """
        names = tuple(dict.fromkeys(prefixes))
        parsed = [ipaddress.ip_network(name) for name in names]
        spans = [(n.version, int(n.network_address), n.prefixlen, n.max_prefixlen) for n in parsed]
        size = len(names)
        parent, depth = np.full(size, NONE, np.int64), np.zeros(size, np.int64)
        children = np.zeros(size, np.int64)
        covered = [0] * size  # addresses of direct children, beyond 64 bits
        around: list[int] = []  # networks that hold the present one, outermost first
        for n in sorted(range(size), key=spans.__getitem__):
            version, start, length, bits = spans[n]
            while around and not _inside(spans[around[-1]], version, start):
                around.pop()
            if around:
                parent[n], depth[n] = around[-1], len(around)
                covered[around[-1]] += 1 << (bits - length)
                children[around[-1]] += 1
            around.append(n)
        levels = [np.flatnonzero(depth == d) for d in range(int(depth.max(initial=-1)) + 1)]
        left = [covered[n] < 1 << (spans[n][3] - spans[n][2]) for n in range(size)]
        number = {name: n for n, name in enumerate(names)}
        return cls(names, number, parent, tuple(levels), np.array(left, np.bool_), children)

    def matched(self, own: Table) -> Table:
        """What each table does with the addresses of each atom.

        ``own`` (tables, N): number of the table's route for exactly that prefix, or −1. The
        result has that of the longest prefix around, or −1 where the table has no route.
        """
        found = own.copy()
        for level in self.levels[1:]:
            above = found[:, self.parent[level]]
            here = found[:, level]
            found[:, level] = np.where(here == NONE, above, here)
        return found

    def text(self, number: int) -> str:
        """An atom for a reader."""
        inside = int(self.children[number])
        if not inside:
            return self.prefixes[number]
        many = "one longer prefix" if inside == 1 else f"{inside:,} longer prefixes"
        return f"{self.prefixes[number]} (less {many})"


def _inside(span: tuple[int, int, int, int], version: int, start: int) -> bool:
    around, first, length, bits = span
    return around == version and start >> (bits - length) == first >> (bits - length)


class Lookup:
    """Longest-prefix match of single addresses in one table."""

    def __init__(self, prefixes: Iterable[str]) -> None:
        self._by_length: dict[tuple[int, int], dict[int, str]] = {}
        for name in prefixes:
            n = ipaddress.ip_network(name)
            kind = (n.version, n.prefixlen)
            self._by_length.setdefault(kind, {})[int(n.network_address)] = name

    def longest(self, address: str) -> str | None:
        """The longest prefix that holds an address; ``None``: there is none.

        Raises:
            ValueError: it is no address.
        """
        wanted = ipaddress.ip_address(address.partition("%")[0])
        lengths = [n for version, n in self._by_length if version == wanted.version]
        for length in sorted(lengths, reverse=True):
            shift = wanted.max_prefixlen - length
            found = self._by_length[wanted.version, length].get(int(wanted) >> shift << shift)
            if found is not None:
                return found
        return None
