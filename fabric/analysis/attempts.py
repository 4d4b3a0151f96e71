"""What may be tried against a CBD, and where each makes sense."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import priorities
from fabric.analysis.dateline import LOOKED_AT, MOST_CABLES, MOST_SWITCHES, dateline
from fabric.analysis.roots import best_roots
from fabric.analysis.routing.bgp import bgp
from fabric.analysis.routing.numbering import has_policies, refuses_valleys, rfc7938, same_plan
from fabric.analysis.routing.shortest import spf
from fabric.analysis.routing.up_down import default_roots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.analysis.cures import State
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Bools, Network
    from fabric.analysis.priorities import Rising

_NAMED = 4
_NO_CONFIG = "fabric writes no configuration for this"
_ROUTES_NOW = "holds for the routes as they are; after further failures it needs another check"


@dataclass(frozen=True, eq=False)
class Attempt:
    """A change to try. ``note_if_cbd``: why it leaves a CBD, where it does."""

    name: str
    title: str
    change: str
    forwarding: Forwarding
    rising: Rising
    survives_failures: bool = False
    note: str = ""
    note_if_cbd: str = ""


def applicable(state: State, forwarding: Forwarding) -> Iterator[Attempt]:
    """What makes sense on this network under this routing, cheap changes first."""
    if forwarding.floods:
        yield _routed_hosts(state)
        return
    yield from _asn_plan(state, forwarding)
    yield from _without_same_tier(state)
    yield from _bounce(state, forwarding)
    yield from _global_hop(state, forwarding)
    yield from _dateline(forwarding)
    yield _up_down(state)


def _routed_hosts(state: State) -> Attempt:
    return Attempt(
        "routed-hosts",
        "no flooding of the lossless class",
        "hosts.port: routed; where hosts stay in a VLAN, drop lossless packets whose ARP entry is "
        "incomplete and let MAC entries outlive ARP entries",
        spf(state.network),
        state.rising,
        note="flooding undoes any up-down order: the other ways out do not hold against it",
        note_if_cbd="the routes have a CBD of their own, without any flooding",
    )


def _asn_plan(state: State, forwarding: Forwarding) -> Iterator[Attempt]:
    network, now = state.network, state.bgp
    rules = rfc7938(network)
    if rules is None or (now is not None and has_policies(now)):
        return
    accepts_own = now is not None and bool(now.own_asn_allowed.any())
    if now is not None and not accepts_own and same_plan(now.asn, rules.asn):
        return
    also = "; no switch accepts its own ASN (allowas-in)" if accepts_own else ""
    over = "" if now is not None else "eBGP in place of this routing, with "
    found = bgp(network, rules)
    lost = len(found.unreachable) - len(forwarding.unreachable)
    yield Attempt(
        "asn-plan",
        "RFC 7938 ASNs",
        f"{over}addressing.asn.scheme: rfc7938, and no asn written at a switch{also}",
        found,
        priorities.none(network),
        survives_failures=refuses_valleys(network, rules.asn),
        note="what went down and up again has no way now: a black hole in place of a CBD"
        if lost > 0
        else "",
    )


def _same_tier(network: Network) -> Bools:
    """A: arcs in service that stay in their tier."""
    level: Bools = network.tier[network.tail] == network.tier[network.head]
    return np.asarray(level & (network.count > 0)) if network.is_tiered else np.zeros_like(level)


def _without_same_tier(state: State) -> Iterator[Attempt]:
    network = state.network
    arcs = _same_tier(network)
    if not arcs.any():
        return
    ids = _cable_ids(network, arcs)
    without = network.without(ids)
    yield Attempt(
        "no-same-tier",
        f"the {len(ids)} {_cables(len(ids))} within a tier out of service",
        f"leave out {_listed(ids)}",
        state.route(without),
        state.rising,
        note="the routing in force stays",
    )


def _bounce(state: State, forwarding: Forwarding) -> Iterator[Attempt]:
    network = state.network
    if not network.is_tiered or state.rising.name == "bounce":
        return
    arcs = _same_tier(network)
    why = (
        f"the cycle runs over {_cables(2)} within a tier ({_listed(_cable_ids(network, arcs))}), "
        "where no packet turns from down to up"
        if arcs.any()
        else ""
    )
    yield Attempt(
        "bounce",
        "one more priority at each turn from down to up (Tagger)",
        "re-mark to the next lossless class where a packet came from above and goes up again; the "
        f"rule depends on both ports, {_NO_CONFIG}",
        forwarding,
        priorities.bounce(network, levels=LOOKED_AT),
        note="further failures may bounce packets more often: beyond the last priority they must "
        "go on as lossy",
        note_if_cbd=why,
    )


def _global_hop(state: State, forwarding: Forwarding) -> Iterator[Attempt]:
    network = state.network
    if (network.group[network.alive] < 0).any():
        return
    across = network.group[network.tail] != network.group[network.head]
    if not (across & (network.count > 0)).any():
        return
    kinds = [network.kinds[k] for k in np.unique(network.kind[across])]
    writes = state.kind == "dragonfly"
    yield Attempt(
        "global-hop",
        "one more priority on each cable between groups",
        f"both ends of every {' and '.join(kinds)} cable send RoCE in the next class; "
        + (
            "kind: dragonfly writes that by itself, for paths of one such cable"
            if writes
            else "kind: dragonfly writes that by itself, this kind is given no rise"
        ),
        forwarding,
        priorities.on_arcs(network, across, "global-hop", levels=LOOKED_AT),
        note=_ROUTES_NOW,
    )


def _dateline(forwarding: Forwarding) -> Iterator[Attempt]:
    network = forwarding.network
    if int(network.alive.sum()) > MOST_SWITCHES:
        return
    found = dateline(forwarding)
    raising = np.zeros(len(network.tail), dtype=np.bool_)
    for bundle in found.bundles:
        raising[2 * bundle : 2 * bundle + 2] = True
    ids = _cable_ids(network, raising)
    across = _listed(_spans(network, found.bundles))
    if found.proof.cbd:
        across = f"a few cables, {MOST_CABLES} at most"
    yield Attempt(
        "dateline",
        f"one more priority across {across} (dateline)",
        f"both ends of {', '.join(ids)} send RoCE in the next class (maps of these ports alone, "
        f"as on a dragonfly's global cables); {_NO_CONFIG}",
        forwarding,
        priorities.on_arcs(network, raising, "dateline", levels=LOOKED_AT),
        note=_ROUTES_NOW,
        note_if_cbd=f"no {MOST_CABLES} cables were found that every cycle crosses",
    )


def _up_down(state: State) -> Attempt:
    network = state.network
    roots, found = best_roots(state.network, state.capacity)
    of_tiers = network.is_tiered and roots == default_roots(network)
    return Attempt(
        "updown",
        f"up/down routing from {_listed(roots)}",
        f"routes that have come down from {_listed(roots)} never go up again; {_NO_CONFIG}: BGP "
        "needs a route policy for it",
        found,
        priorities.none(network),
        survives_failures=True,
        note=""
        if of_tiers or len(roots) > 1
        else "of all single roots the one with the least load on the fullest cable",
    )


def _cable_ids(network: Network, arcs: Bools) -> list[str]:
    bundles = np.unique(np.flatnonzero(arcs & (network.count > 0)) // 2)
    return [cable.id for bundle in bundles.tolist() for cable in network.cables[bundle]]


def _spans(network: Network, bundles: tuple[int, ...]) -> list[str]:
    """Pairs of switches, with their cables where there are several."""
    found = []
    for bundle in bundles:
        ends = (
            f"{network.names[network.tail[2 * bundle]]}–{network.names[network.head[2 * bundle]]}"
        )
        count = len(network.cables[bundle])
        found.append(ends if count == 1 else f"{ends} ({count} cables)")
    return found


def _cables(count: int) -> str:
    return "cable" if count == 1 else "cables"


def _listed(names: list[str] | tuple[str, ...]) -> str:
    if len(names) <= _NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
