"""From which switches up/down routing is best: nobody parted, then the least load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.analysis.even_split import MOST_CELLS, even_split
from fabric.analysis.routing.up_down import default_roots, up_down

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Network

_ROOTS_TRIED = 64


def best_roots(
    network: Network, capacity: Mapping[str, float] | None = None
) -> tuple[tuple[str, ...], Forwarding]:
    """The top tier where it parts nobody, else the root that parts fewest and loads least."""
    plain = default_roots(network)
    first = up_down(network, plain)
    alone = [name for name, alive in zip(network.names, network.alive, strict=True) if alive]
    cells = len(network.tail) * len(network.leaves)
    if len(alone) > _ROOTS_TRIED or cells > MOST_CELLS // _ROOTS_TRIED:
        return plain, first
    if network.is_tiered and not first.unreachable:
        return plain, first
    tried = [((name,), up_down(network, (name,))) for name in alone]
    return min([(plain, first), *tried], key=lambda one: _rank(one[1], capacity))


def _rank(forwarding: Forwarding, capacity: Mapping[str, float] | None) -> tuple[int, float]:
    load = even_split(forwarding, capacity).load
    return (len(forwarding.unreachable), round(load, 9))
