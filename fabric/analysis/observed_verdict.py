"""The deadlock proof on observed tables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from fabric.analysis import cycle, deadlock, priorities
from fabric.analysis.observed import network_of
from fabric.model.deadlock import ASSUMED, CHECKED, Assumption, DeadlockVerdict

if TYPE_CHECKING:
    from fabric.analysis.network import Network
    from fabric.analysis.observed import ObservedForwarding
    from fabric.analysis.priorities import Rising
    from fabric.model.observed import ObservedFabric, RoutingLoop

ROUTING = "observed"
_NAMED = 10  # unreachable pairs that are named


class LackingError(ValueError):
    """The facts lack what is asked for; ``fix``: what to add to the file."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


class ObservedVerdict(NamedTuple):
    """The proof, and the routing loops in the tables. ``priorities``: 802.1p number by level."""

    verdict: DeadlockVerdict
    loops: tuple[RoutingLoop, ...]
    priorities: tuple[int, ...]


def verdict(observed: ObservedFabric, rise: str | None = None) -> ObservedVerdict:
    """Whether the tables as they are hold a CBD. ``rise``: none unless given.

    Raises:
        LackingError: no switch has hosts, or the rule needs tiers or groups that are not given.
    """
    network, forwarding, notes = network_of(observed)
    if not len(network.leaves):
        msg = "no switch has hosts: no traffic, so there is nothing to prove"
        raise LackingError(msg, "include connected routes, or set leaf: true where hosts are")
    numbers = priorities.numbers([observed.priority])
    rule = _rising(network, rise)
    rising = replace(rule, levels=min(rule.levels, len(numbers)))
    proof = deadlock.prove(forwarding, rising)
    lost = forwarding.unreachable
    found = DeadlockVerdict(
        routing=ROUTING,
        cbd=proof.cbd,
        edges=proof.edges,
        largest_scc=proof.largest_scc,
        priorities=proof.priorities,
        unreachable_pairs=len(lost),
        cycle=cycle.shortest(proof, numbers.__getitem__),
        unreachable=tuple((network.names[a], network.names[b]) for a, b in lost[:_NAMED]),
        assumptions=_assumptions(observed, forwarding),
        notes=notes,
    )
    return ObservedVerdict(found, forwarding.loops, numbers)


def _rising(network: Network, rise: str | None) -> Rising:
    match rise:
        case "bounce":
            _need(network, (network.tier < 0).tolist(), "bounce", "tier")
            return priorities.bounce(network)
        case "global-hop":
            _need(network, (network.group < 0).tolist(), "global-hop", "dragonfly_group")
            return priorities.global_hop(network)
        case _:
            return priorities.none(network)


def _need(network: Network, lacking: list[bool], rule: str, key: str) -> None:
    names = [name for name, lacks in zip(network.names, lacking, strict=True) if lacks]
    if names:
        msg = f"{rule} goes by the {key} of each switch, and {names[0]} has none"
        raise LackingError(msg, f"give every device of the file its {key}")


def _assumptions(
    observed: ObservedFabric, forwarding: ObservedForwarding
) -> tuple[Assumption, ...]:
    times = sorted({e for d in observed.devices if (e := d.routes.evidence.taken_at)})
    taken = f"tables of {times[0]} to {times[-1]}" if times else "the file says no times"
    followed = f"{len(forwarding.destinations):,} classes of addresses, those of nobody too"
    return (
        Assumption("routing has converged, and the tables are of one moment", ASSUMED, taken),
        Assumption(f"priority {observed.priority} is not flooded", ASSUMED),
        Assumption("hosts do not forward", ASSUMED),
        Assumption("what leaves to devices that did not report does not come back", ASSUMED),
        Assumption("default routes and aggregates", CHECKED, followed),
    )
