"""How full cables are when every switch splits equally over its next hops (validation 2.1).

Uniform traffic: every endpoint sends 1 in all, as much to each other endpoint. Exact for even-split
ECMP; what a hash does to single flows is not in it, nor are the cables to the endpoints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis import bits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scipy.sparse import csr_array

    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Ints, Network

    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
    Amounts = np.ndarray[tuple[int, int], np.dtype[np.float64]]

MOST_CELLS = 20_000_000  # arcs × destinations; beyond that it is not measured
_BLOCK_CELLS = 2_000_000  # at once


class EvenSplit(NamedTuple):
    """``hops``: cables between switches on average. ``load``: of the fullest cable."""

    hops: float
    load: float
    cable: str  # id of the first of the fullest; empty: no traffic between switches


def even_split(forwarding: Forwarding, capacity: Mapping[str, float] | None = None) -> EvenSplit:
    """Load under uniform traffic between the pairs of leaves that have a way.

    ``capacity``: of each cable by id, in line rates of an endpoint; 1 where nothing is said. Of
    parallel cables the slowest counts.

    Raises:
        ValueError: a packet may go round for ever.
    """
    network = forwarding.network
    total = np.zeros(len(network.tail), dtype=np.float64)
    sent = 0.0
    count = len(forwarding.destinations)
    step = max(1, _BLOCK_CELLS // max(1, len(network.tail)))
    endpoints = network.endpoints.astype(np.float64)
    others = max(1.0, float(endpoints[network.leaves].sum()) - 1)
    for start in range(0, count, step):
        block = np.arange(start, min(start + step, count))
        at = forwarding.destinations[block]
        share = _shares(forwarding, block)
        amount = np.zeros((len(network.names), len(block)), dtype=np.float64)
        amount[network.leaves] = np.outer(endpoints[network.leaves], endpoints[at] / others)
        amount[at, np.arange(len(block))] = 0
        amount *= bits.unpacked(forwarding.known, count)[:, block]
        sent += float(amount.sum())
        total += _carried(network, share, amount, at)
    load = _per_cable(network, total, capacity)
    if not len(load) or not load.max():
        return EvenSplit(0.0, 0.0, "")
    fullest = int(np.argmax(load))
    cables = network.cables[fullest // 2]
    return EvenSplit(float(total.sum() / sent), float(load[fullest]), cables[0].id)


def _shares(forwarding: Forwarding, block: Ints) -> Amounts:
    """(A, block): part of what a switch has for a destination that it sends over an arc."""
    network = forwarding.network
    used = bits.unpacked(forwarding.rows, len(forwarding.destinations))[:, block]
    weight = used * network.count[:, None].astype(np.float64)
    out = (_incidence(network, network.tail) @ weight)[network.tail]
    return np.divide(weight, out, out=np.zeros_like(weight), where=out > 0)


def _carried(
    network: Network,
    share: Amounts,
    amount: Amounts,
    at: Ints,
) -> Floats:
    """A: what each arc carries until all of ``amount`` (V, block) has arrived."""
    carried = np.zeros(len(network.tail), dtype=np.float64)
    arriving = _incidence(network, network.head)
    for _ in range(2 * len(network.names) + 1):
        if not amount.any():
            return carried
        moved = share * amount[network.tail]
        carried += moved.sum(axis=1)
        amount = np.asarray(arriving @ moved)
        amount[at, np.arange(len(at))] = 0
    msg = "a packet may go round for ever"
    raise ValueError(msg)


def _incidence(network: Network, ends: Ints) -> csr_array[np.float64, tuple[int, int]]:
    """(V, A): 1 where an arc has that end."""
    from scipy.sparse import csr_array  # noqa: PLC0415 — as deadlock does

    size = (len(network.names), len(ends))
    return csr_array((np.ones(len(ends)), (ends, np.arange(len(ends)))), shape=size)


def _per_cable(network: Network, total: Floats, capacity: Mapping[str, float] | None) -> Floats:
    live = network.count > 0
    load = np.divide(total, network.count, out=np.zeros_like(total), where=live)
    if not capacity:
        return load
    slowest = [min((capacity.get(c.id, 1.0) for c in part), default=1.0) for part in network.cables]
    return load / np.repeat(np.array(slowest, dtype=np.float64), 2)
