"""Throughput of a traffic matrix: the greatest θ such that θ times the matrix can be carried.

Max concurrent flow by linear program, any paths (validation 2.1), and the same when every switch
splits evenly over its next hops. Neither is capped by the NICs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fabric.analysis import bits
from fabric.analysis.bandwidth.carriers import Carriers
from fabric.analysis.bandwidth.plant import NOWHERE
from fabric.analysis.bandwidth.program import Program, optimum

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from fabric.analysis.bandwidth.demand import Demand, Matrix
    from fabric.analysis.bandwidth.paths import Ways
    from fabric.analysis.bandwidth.plant import Floats, Plant
    from fabric.analysis.network import Ints

    Flags = np.ndarray[tuple[int], np.dtype[np.bool_]]

MOST_VARIABLES = 4_000_000
_BLOCK_CELLS = 4_000_000


class TooLargeError(ValueError):
    """The program has more variables than are solved; ``count`` of them."""

    def __init__(self, count: int) -> None:
        super().__init__(f"the linear program has {count:,} variables, {MOST_VARIABLES:,} at most")
        self.count = count


def best_theta(plant: Plant, demand: Demand, *, time_limit_s: float) -> float:
    """θ over any paths. Infinite where nothing crosses a cable; 0 where something has no way.

    Cables of NICs set no limit, and nothing passes through a host.

    Raises:
        TooLargeError: more than ``MOST_VARIABLES``.
        ProgramError: no optimum in time.
    """
    demand = _crossing(demand)
    if not demand.amount.any():
        return float("inf")
    net = _unlimited(plant, demand)
    senders = np.flatnonzero(demand.amount.any(axis=1))
    count = len(senders) * len(net.tail) + 1
    if count > MOST_VARIABLES:
        raise TooLargeError(count)
    return optimum(_program(net, demand, senders), time_limit_s=time_limit_s)


def _crossing(demand: Demand) -> Demand:
    """Without what two bonds can send over a leaf that both hang on: that costs no cable."""
    ends = demand.places.leaves
    shared = np.zeros(demand.amount.shape, dtype=np.bool_)
    for one in (0, 1):
        for other in (0, 1):
            leaf = ends[:, one]
            shared |= (leaf[:, None] == ends[:, other]) & (leaf[:, None] != NOWHERE)
    return replace(demand, amount=np.where(shared, 0.0, demand.amount))


class _Net(NamedTuple):
    """``node``, ``sink`` (P): where each place sends from, where it receives."""

    nodes: int
    tail: Ints
    head: Ints
    capacity: Floats
    node: Ints
    sink: Ints
    legs: Flags  # arcs between a bond and its leaves


def _unlimited(plant: Plant, demand: Demand) -> _Net:
    """Cables of bonds without a limit, a bond's two ways apart: nothing passes through a host."""
    net = Carriers.of(plant, demand.places)
    switches = len(plant.network.names)
    bonds = net.nodes - switches
    legs = (net.tail >= switches) | (net.head >= switches)
    head = np.where(net.head >= switches, net.head + bonds, net.head)
    capacity = np.where(legs, plant.capacity.sum() + plant.rate.sum(), net.capacity)
    sink = np.where(net.node >= switches, net.node + bonds, net.node)
    return _Net(net.nodes + bonds, net.tail, head, capacity, net.node, sink, legs)


def _program(net: _Net, demand: Demand, senders: Ints) -> Program:
    """One variable for each sending place and arc, θ last.

    At each node but the sender's: what comes in − what goes out − θ · demand = 0. On each arc: the
    sum over senders ≤ capacity.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415

    arcs, nodes, places = len(net.tail), net.nodes, len(senders)
    variable = np.arange(places * arcs)
    sender, arc = np.divmod(variable, arcs)
    wanted = np.zeros((places, nodes))
    np.add.at(wanted.T, net.sink, demand.amount[senders].T)
    into, out = sender * nodes + net.head[arc], sender * nodes + net.tail[arc]
    asks = np.flatnonzero(wanted.reshape(-1))
    theta = places * arcs
    row = np.concatenate((into, out, asks, places * nodes + arc))
    column = np.concatenate((variable, variable, np.full(len(asks), theta), variable))
    value = np.concatenate(
        (np.ones(theta), -np.ones(theta), -wanted.reshape(-1)[asks], np.ones(theta))
    )
    shape = (places * nodes + arcs, theta + 1)
    rows = csr_array((value, (row, column)), shape=shape)
    origin = np.arange(places) * nodes + net.node[senders]
    kept = np.setdiff1d(np.arange(shape[0]), origin)
    cost = np.zeros(theta + 1)
    cost[theta] = 1.0
    bound = np.concatenate((np.zeros(places * nodes), net.capacity))
    upper = np.arange(shape[0]) >= places * nodes
    return Program(rows[kept], bound[kept], upper[kept], cost)


def even_theta(ways: Ways, demand: Demand) -> float:
    """θ when every switch splits evenly over its next hops. 0 where something has no way."""
    load = even_load(ways, demand)
    if load is None:
        return 0.0
    live = load > 0
    capacity = ways.plant.capacity
    return float((capacity[live] / load[live]).min(initial=np.inf))


def even_load(ways: Ways, demand: Demand) -> Floats | None:
    """A: what each cable carries of the matrix; ``None``: something has no way."""
    forwarding, plant = ways.forwarding, ways.plant
    bundled = plant.bundled
    at = _by_leaf(demand, len(bundled.names))
    total = np.zeros(len(bundled.tail))
    count = len(forwarding.destinations)
    step = max(1, _BLOCK_CELLS // max(1, len(bundled.tail)))
    for start in range(0, count, step):
        block = np.arange(start, min(start + step, count))
        wanted = at[:, forwarding.destinations[block]]
        known = bits.unpacked(forwarding.known, count)[:, block]
        if (wanted * ~known).any():
            return None
        total += _carried(ways, block, wanted)
    reached = np.zeros(len(bundled.names), dtype=np.bool_)
    reached[forwarding.destinations] = True
    if at[:, ~reached].any():
        return None
    each = np.divide(total, bundled.count, out=np.zeros_like(total), where=bundled.count > 0)
    return each[plant.bundle] * (plant.network.count > 0)


def _by_leaf(demand: Demand, switches: int) -> Matrix:
    """(V, V): the matrix by switch; a bond to two leaves sends and receives half over each.

    What leaves by a leaf that its target hangs on too is there already: nothing of it crosses.
    """
    ends = demand.places.leaves
    double = ends[:, 1] != NOWHERE
    share = np.where(double, 0.5, 1.0)
    found = np.zeros((switches, switches))
    weighted = demand.amount * share[:, None] * share[None, :]
    for one in (0, 1):
        for other in (0, 1):
            sending = np.flatnonzero(ends[:, one] != NOWHERE)
            receiving = np.flatnonzero(ends[:, other] != NOWHERE)
            at = np.ix_(sending, receiving)
            away = (ends[sending, one][:, None, None] != ends[receiving][None]).all(axis=2)
            where = (ends[sending, one][:, None], ends[receiving, other])
            np.add.at(found, where, weighted[at] * away)
    np.fill_diagonal(found, 0.0)
    return found


def _carried(ways: Ways, block: Ints, wanted: Matrix) -> Floats:
    """Bundled arcs: what each carries until all of ``wanted`` (V, block) has arrived.

    Raises:
        ValueError: a packet may go round for ever.
    """
    forwarding, network = ways.forwarding, ways.plant.bundled
    used = bits.unpacked(forwarding.rows, len(forwarding.destinations))[:, block]
    weight = used * network.count[:, None].astype(np.float64)
    leaving, arriving = (
        _incidence(network.tail, len(network.names)),
        _incidence(network.head, len(network.names)),
    )
    out = (leaving @ weight)[network.tail]
    share = np.divide(weight, out, out=np.zeros_like(weight), where=out > 0)
    ends = forwarding.destinations[block]
    amount = wanted.copy()
    carried = np.zeros(len(network.tail))
    for _ in range(2 * len(network.names) + 1):
        if not amount.any():
            return carried
        moved = share * amount[network.tail]
        carried += moved.sum(axis=1)
        amount = np.asarray(arriving @ moved)
        amount[ends, np.arange(len(ends))] = 0
    msg = "a packet may go round for ever"
    raise ValueError(msg)


def _incidence(ends: Ints, nodes: int) -> csr_array[np.float64, tuple[int, int]]:
    from scipy.sparse import csr_array  # noqa: PLC0415

    return csr_array((np.ones(len(ends)), (ends, np.arange(len(ends)))), shape=(nodes, len(ends)))


def volumetric_bound(plant: Plant, demand: Demand) -> float:
    """θ ≤ Σ capacity / Σ demand · hops over the fewest cables between switches (validation 2.1)."""
    from scipy.sparse import csr_array  # noqa: PLC0415
    from scipy.sparse.csgraph import shortest_path  # noqa: PLC0415

    net = _unlimited(plant, demand)
    graph = csr_array((np.ones(len(net.tail)), (net.tail, net.head)), shape=(net.nodes, net.nodes))
    hops = shortest_path(graph, unweighted=True, indices=net.node)[:, net.sink]
    bonded = (net.node >= len(plant.network.names)).astype(np.float64)
    hops = hops - bonded[:, None] - bonded[None, :]  # their own cables are not counted
    asked = demand.amount > 0
    if not np.isfinite(hops[asked]).all():
        return 0.0
    volume = float((demand.amount[asked] * hops[asked]).sum())
    return float(net.capacity[~net.legs].sum()) / volume if volume else float("inf")
