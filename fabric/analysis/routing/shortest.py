"""``spf``: every switch uses all neighbours that are one hop nearer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits
from fabric.analysis.forwarding import Forwarding, Twins, expanded
from fabric.analysis.routing.levels import Search, flood

if TYPE_CHECKING:
    from fabric.analysis.bits import Rows
    from fabric.analysis.network import Ints, Network
    from fabric.analysis.routing.levels import Ends


def spf(network: Network) -> Forwarding:
    """Fewest hops, all of them: OSPF, IS-IS, or eBGP with an ASN for each switch."""
    twins = Twins.of(network, np.zeros(len(network.names), dtype=np.int64))
    return expanded(network, twins, searched(network, twins.firsts).matrix())


def searched(network: Network, starts: Ints, ends: Ends | None = None) -> Search:
    """Shortest ways to some leaves."""
    search = Search(network, starts, ends)
    flood(search, search.reached.copy(), np.ones(len(network.tail), dtype=np.bool_))
    return search


def l2_flood(network: Network) -> Forwarding:
    """``spf``, and leaves flood packets for their own hosts, uplinks included.

    That is what a leaf does with a lossless packet while the ARP entry of the host lives and its
    MAC entry is gone (SIGCOMM'16, RDMA over Commodity Ethernet at Scale, 4.2). Cables are taken one
    by one, since no packet goes back over its own: a rule of rising levels must be made for the
    network of the result.
    """
    routed = spf(network)
    single, old = network.apart()
    rows = routed.rows[old]
    add_floods(single, routed.destinations, rows)
    return Forwarding(single, routed.destinations, rows, floods=True)


def add_floods(network: Network, destinations: Ints, rows: Rows) -> None:
    """Let the leaves flood packets for themselves, in place."""
    bit_of = np.full(len(network.names), -1, dtype=np.int64)
    bit_of[destinations] = np.arange(len(destinations))
    arcs = np.flatnonzero((network.count > 0) & (bit_of[network.tail] >= 0))
    bits.set_bits(rows, arcs, bit_of[network.tail[arcs]])
