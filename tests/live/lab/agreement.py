"""What the kernel forwards, held against ``analysis.forwarding``: port by port, prefix by prefix.

An arc of the model is all cables in service between two switches; under ECMP all of their ports are
in the kernel's set, so ports are what is compared. Destinations are the leaves of the model; each
prefix that the leaf announces must go the same way.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fabric.analysis import bits
from fabric.analysis.network import of_topology
from fabric.analysis.routing.bgp import BgpRules, bgp
from fabric.live.lab import observe, ready
from fabric.live.lab.names import netdev

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.analysis.forwarding import Forwarding
    from fabric.live.lab.layout import Layout
    from fabric.model.design import Design

    Ways = dict[tuple[str, str], frozenset[str]]

SETTLE_S = 40


def as_planned(
    design: Design, down: Iterable[str] = (), switches: Iterable[str] = ()
) -> Forwarding:
    network = of_topology(design.topology).without(down, switches)
    return bgp(network, BgpRules.of(design.underlay, network))


def modelled(forwarding: Forwarding) -> Ways:
    """(switch, leaf) → netdevs, empty where there is no way."""
    network = forwarding.network
    leaves = [network.names[n] for n in forwarding.destinations]
    ways = {(a, b): set[str]() for a in network.names for b in leaves if a != b}
    for arc, row in enumerate(bits.unpacked(forwarding.rows, len(leaves))):
        tail = network.names[network.tail[arc]]
        cables = network.cables[arc // 2]
        ports = {netdev(c.a_port if c.a == tail else c.b_port) for c in cables}
        for leaf, used in zip(leaves, row, strict=True):
            if used and leaf != tail:
                ways[tail, leaf] |= ports
    return {pair: frozenset(ports) for pair, ports in ways.items()}


def differences(layout: Layout, forwarding: Forwarding) -> list[str]:
    """Where kernel and model differ now, one sentence each."""
    wanted = modelled(forwarding)
    found = dict(observe.each(layout.switches, observe.routes))
    by_name = {node.name: routes for node, routes in found.items()}
    told = []
    for (switch, leaf), ports in wanted.items():
        node = layout.node(leaf)
        assert node is not None
        for prefix in node.prefixes:
            seen = by_name[switch].get(prefix, frozenset())
            if seen != ports:
                said = f"kernel {sorted(seen)}, model {sorted(ports)}"
                told.append(f"{switch} → {leaf} ({prefix}): {said}")
    planned = {prefix for node in layout.switches for prefix in node.prefixes}
    for switch, routes in by_name.items():
        told += [f"{switch} has a route to {prefix}" for prefix in routes if prefix not in planned]
    return told


def settled(layout: Layout, forwarding: Forwarding, timeout_s: float = SETTLE_S) -> list[str]:
    """Differences that are left when BGP has had its time."""
    deadline = time.monotonic() + timeout_s
    while (told := differences(layout, forwarding)) and time.monotonic() < deadline:
        time.sleep(0.2)
    return told


def answered(layout: Layout, timeout_s: float = SETTLE_S) -> bool:
    """Whether every host gets an answer from every other one, in the end."""
    deadline = time.monotonic() + timeout_s
    while (lost := ready.unanswered(layout)) and time.monotonic() < deadline:
        time.sleep(0.2)
    return not lost
