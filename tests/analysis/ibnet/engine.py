"""OpenSM's cables and tables handed to our own exact path."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits
from fabric.analysis.forwarding import Forwarding, of_tables
from fabric.analysis.network import Cable, Network, Node

if TYPE_CHECKING:
    from fabric.analysis.deadlock import Proof
    from tests.analysis.ibnet.tables import Channel, Subnet


def network(subnet: Subnet) -> Network:
    """The cables that OpenSM found; the n-th of two switches is of kind n, an arc of its own.

    A switch ``g.n`` is in group ``g``.
    """
    seen: Counter[tuple[str, str]] = Counter()
    cables = []
    for a, b, port in sorted(subnet.channels.values()):
        seen[a, b] += 1
        if a < b:
            kind = f"cable {seen[a, b]}"
            cables.append(Cable(f"{a}:{port}", a, b, kind, str(port), str(_far(subnet, a, port))))
    standing = Counter(route.at for route in subnet.routes.values())
    names = subnet.names.values()
    return Network.of((Node(n, standing[n], group=n.partition(".")[0]) for n in names), cables)


def _far(subnet: Subnet, switch: str, port: int) -> int:
    return subnet.ends[switch, port][1]


def arcs(made: Network) -> dict[tuple[str, int], int]:
    """Arc of each (switch, port); every cable has a kind of its own between its switches."""
    found = {}
    for bundle, (cable,) in enumerate(made.cables):
        forward = 2 * bundle + (made.names[made.tail[2 * bundle]] != cable.a)
        found[cable.a, int(cable.a_port)] = forward
        found[cable.b, int(cable.b_port)] = forward ^ 1
    return found


def drawn_ports(forwarding: Forwarding, subnet: Subnet, seed: int) -> dict[tuple[str, int], int]:
    """For each (switch, LID) the port of one of the ways that a forwarding of ours has."""
    draw = random.Random(seed)  # noqa: S311 — a hash of a flow
    made = forwarding.network
    out: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for (switch, port), arc in sorted(arcs(made).items()):
        out[switch].append((port, arc))
    bit = {made.names[n]: d for d, n in enumerate(forwarding.destinations.tolist())}
    has = bits.unpacked(forwarding.rows, len(bit))
    return {
        (switch, lid): draw.choice([port for port, arc in out[switch] if has[arc, bit[route.at]]])
        for lid, route in subnet.routes.items()
        for switch in route.ways
    }


def by_cable(subnet: Subnet) -> Forwarding:
    """To each LID over the one cable that OpenSM chose."""
    made = network(subnet)
    arc = arcs(made)
    rows = bits.empty(len(made.tail), len(subnet.routes))
    at = np.array([made.number[route.at] for route in subnet.routes.values()], dtype=np.int64)
    for number, route in enumerate(subnet.routes.values()):
        out = [arc[c.tail, c.port] for ways in route.ways.values() for c in ways]
        bits.set_bits(rows, np.array(out, dtype=np.int64), np.full(len(out), number))
    return Forwarding(made, at, rows)


def by_switch(subnet: Subnet) -> Forwarding:
    """The same from next switches alone, as a report of next hops has them: any of their cables."""
    tables: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    for lid, route in subnet.routes.items():
        for switch, ways in route.ways.items():
            tables[switch][str(lid)] = [way.head for way in ways]
    at = {str(lid): route.at for lid, route in subnet.routes.items()}
    return of_tables(network(subnet), tables, at)


def used(proof: Proof) -> dict[int, int]:
    """How many arcs carry packets for how many destinations; idle ones are left out."""
    forwarding = proof.graph.traffic.forwarding
    rows = bits.unpacked(proof.graph.traffic.rows[0], len(forwarding.destinations))
    counts = Counter(rows.sum(axis=1).tolist())
    return {destinations: arcs for destinations, arcs in counts.items() if destinations}


def on_a_cycle(proof: Proof, channels: list[Channel]) -> bool:
    """Whether one component of ours holds all these channels."""
    number = arcs(proof.graph.traffic.forwarding.network)
    component = dict(zip(proof.graph.arc.tolist(), proof.cyclic.tolist(), strict=True))
    held = {component[number[c.tail, c.port]] for c in channels}
    return len(held) == 1 and held != {-1}
