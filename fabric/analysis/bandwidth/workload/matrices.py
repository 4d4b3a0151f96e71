"""Who sends how much to whom: the traffic of groups of ranks that communicate at the same time.

Amounts are for one byte of *bus traffic*: size × ``collectives.bus_factor``, what a rank of a ring
sends. So the time of a matrix is 1 / busbw.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.workload.trees import edges
from fabric.model.workload import ALL_REDUCE, ALLTOALL, RING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.analysis.bandwidth.plant import Floats, Pairs
    from fabric.analysis.bandwidth.workload.placement import Layout
    from fabric.analysis.network import Ints
    from fabric.model.workload import Nccl

MOST_PAIRS = 2_000_000


class TooManyPairsError(ValueError):
    """An alltoall of more pairs of NICs than are looked at."""


@dataclass(frozen=True, eq=False)
class Traffic:
    """Pairs of endpoints, each once: ``amount`` bytes over ``connections``."""

    source: Ints
    target: Ints
    amount: Floats
    connections: Ints

    def __len__(self) -> int:
        """Pairs."""
        return len(self.source)

    @property
    def digest(self) -> bytes:
        """Equal traffics have the same."""
        parts = (self.source, self.target, self.amount, self.connections)
        return blake2b(b"".join(part.tobytes() for part in parts)).digest()

    @classmethod
    def of(cls, parts: Iterable[tuple[Ints, Ints, Floats, Ints]], endpoints: int) -> Traffic:
        """Parts added up."""
        listed = list(parts)
        if not listed:
            none = np.empty(0, dtype=np.int64)
            return cls(none, none, np.empty(0), none)
        source, target = (np.concatenate([part[n] for part in listed]) for n in (0, 1))
        amount: Floats = np.concatenate([part[2] for part in listed])
        connections = np.concatenate([part[3] for part in listed])
        keys, index = np.unique(source * endpoints + target, return_inverse=True)
        total: Floats = np.bincount(index, weights=amount, minlength=len(keys)).astype(np.float64)
        count = np.bincount(index, weights=connections, minlength=len(keys)).astype(np.int64)
        return cls(keys // endpoints, keys % endpoints, total, count)


def of_collective(operation: str, layout: Layout, groups: Pairs, nccl: Nccl) -> Traffic:
    """What ``groups`` (G, n) of ranks send at once.

    Only all_reduce goes by trees; the others by rings, alltoall from each to each.

    Raises:
        TooManyPairsError: an alltoall of more than ``MOST_PAIRS``.
    """
    endpoints = len(layout.rail)
    rows: list[Ints] = list(groups)
    if operation == ALLTOALL:
        return Traffic.of((_alltoall(layout, row, pxn=nccl.pxn) for row in rows), endpoints)
    tree = operation == ALL_REDUCE and nccl.algorithm != RING
    parts = []
    for row in rows:
        servers = nics_by_server(layout, row)
        way = _tree(servers, len(row), nccl.channels) if tree else _ring(servers, nccl.channels)
        parts.append(_arrays(way))
    return Traffic.of(parts, endpoints)


def nics_by_server(layout: Layout, group: Ints) -> list[list[int]]:
    """NICs of a group's ranks, server by server in the order of the ranks."""
    found: dict[int, dict[int, None]] = {}
    for host, endpoint in zip(
        layout.host[group].tolist(), layout.endpoint[group].tolist(), strict=True
    ):
        found.setdefault(host, {})[endpoint] = None
    return [list(nics) for nics in found.values()]


Edge = tuple[int, int, float]


def _ring(servers: list[list[int]], channels: int | None) -> Iterator[Edge]:
    """A ring for each channel, over the c-th NIC of every server; each has its share."""
    count = channels or max(map(len, servers))
    if len(servers) > 1:
        for c in range(count):
            for here, there in zip(servers, (*servers[1:], servers[0]), strict=True):
                yield here[c % len(here)], there[c % len(there)], 1 / count


def _tree(servers: list[list[int]], ranks: int, channels: int | None) -> Iterator[Edge]:
    """Two trees for each channel, half of its share each, up and down."""
    count = channels or max(map(len, servers))
    message = ranks / (2 * (ranks - 1)) if ranks > 1 else 0.0
    for c in range(count):
        nics = [server[c % len(server)] for server in servers]
        for tree in edges(len(servers)):
            for child, above in tree:
                yield nics[child], nics[above], message / count / 2
                yield nics[above], nics[child], message / count / 2


def _alltoall(layout: Layout, group: Ints, *, pxn: bool) -> tuple[Ints, Ints, Floats, Ints]:
    """Each rank to each on another server, 1 / (n − 1) of its bus traffic."""
    nics, ranks = np.unique(
        np.stack((layout.host[group], layout.endpoint[group])), axis=1, return_counts=True
    )
    count = len(ranks)
    if count * count > MOST_PAIRS:
        msg = f"an alltoall of {count:,} NICs has {count * count:,} pairs, {MOST_PAIRS:,} at most"
        raise TooManyPairsError(msg)
    one, other = (part.reshape(-1) for part in np.indices((count, count)))
    apart = nics[0, one] != nics[0, other]
    one, other = one[apart], other[apart]
    pairs = ranks[one] * ranks[other]
    source = nics[1, one]
    if pxn:
        source = _on_rail_of(layout.rail, nics, one, other)
    return source, nics[1, other], pairs / (len(group) - 1), pairs.astype(np.int64)


def _on_rail_of(rail: Ints, nics: Pairs, one: Ints, other: Ints) -> Ints:
    """The NIC of the sender's server on the rail of the receiver's; its own where it has none."""
    at: dict[tuple[int, int], int] = {}
    for host, endpoint in nics.T.tolist():
        at.setdefault((host, int(rail[endpoint])), endpoint)
    found = [
        at.get((host, wanted), own)
        for host, wanted, own in zip(
            nics[0, one].tolist(), rail[nics[1, other]].tolist(), nics[1, one].tolist(), strict=True
        )
    ]
    return np.array(found, dtype=np.int64)


def of_stages(layout: Layout, stages: Pairs) -> Traffic:
    """Pipeline: ``stages`` (pp, width): each rank of a stage sends 1 on and the next 1 back."""
    endpoints = len(layout.rail)
    parts: list[list[Edge]] = [[]]
    for here, there in zip(stages[:-1].reshape(-1), stages[1:].reshape(-1), strict=True):
        if layout.host[here] != layout.host[there]:
            a, b = int(layout.endpoint[here]), int(layout.endpoint[there])
            parts[0] += [(a, b, 1.0), (b, a, 1.0)]
    return Traffic.of((_arrays(part) for part in parts), endpoints)


def _arrays(part: Iterable[Edge]) -> tuple[Ints, Ints, Floats, Ints]:
    listed = list(part)
    table = np.array(listed, dtype=np.float64).reshape(-1, 3)
    ends = table[:, :2].astype(np.int64)
    return ends[:, 0], ends[:, 1], table[:, 2], np.ones(len(listed), dtype=np.int64)
