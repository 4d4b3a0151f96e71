"""Small fabrics for the event model, and a study of one in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.analysis import priorities
from fabric.analysis.forwarding import of_tables
from fabric.analysis.network import Network, Node, numbered
from fabric.analysis.storm import traffic
from fabric.analysis.storm.ground import Ground
from fabric.analysis.storm.question import across
from fabric.analysis.storm.study import Trial, study

if TYPE_CHECKING:
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.priorities import Rising
    from fabric.model.storm import StormModel, StormRun


def ring(size: int, endpoints: int = 1) -> Network:
    names = [f"r{n}" for n in range(size)]
    pairs = [(names[n], names[(n + 1) % size], "cable") for n in range(size)]
    return Network.of((Node(name, endpoints) for name in names), numbered(pairs))


def clockwise(network: Network) -> Forwarding:
    names = network.names
    tables = {
        name: {other: [names[(n + 1) % len(names)]] for other in names if other != name}
        for n, name in enumerate(names)
    }
    return of_tables(network, tables, {name: name for name in names})


def leaf_spine(leaves: int, spines: int, endpoints: int = 1) -> Network:
    nodes = [Node(f"l{n}", endpoints, 0) for n in range(leaves)]
    nodes += [Node(f"s{n}", 0, 1) for n in range(spines)]
    pairs = [(f"l{a}", f"s{b}", "leaf-spine") for a in range(leaves) for b in range(spines)]
    return Network.of(nodes, numbered(pairs))


def ground(forwarding: Forwarding, rising: Rising | None = None) -> Ground:
    network = forwarding.network
    rule = priorities.none(network) if rising is None else rising
    return Ground(network, forwarding, rule, traffic.nics_of(network))


def ring_runs(  # noqa: PLR0913 — the parameters of validation 1.6
    size: int,
    hops: int,
    loads: tuple[float, ...],
    model: StormModel,
    *,
    seeds: tuple[int, ...] = (1, 2, 3),
    paused: int | None = None,
    dateline: bool = False,
) -> tuple[StormRun, ...]:
    """Every switch sends clockwise so many hops; dateline: one up from the last to the first."""
    network = ring(size)
    rising = across(network, [(f"r{size - 1}", "r0")]) if dateline else None
    over = ground(clockwise(network), rising)
    demand = traffic.shift(over.nics, network.leaves, hops)
    return study(over, lambda _: demand, Trial(loads, seeds, model, paused)).runs
