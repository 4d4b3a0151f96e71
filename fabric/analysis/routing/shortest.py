"""``spf``: every switch uses all neighbours that are one hop nearer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits
from fabric.analysis.forwarding import Forwarding, Twins, expanded
from fabric.analysis.routing.levels import Search, flood

if TYPE_CHECKING:
    from fabric.analysis.network import Network


def spf(network: Network) -> Forwarding:
    """Fewest hops, all of them: OSPF, IS-IS, or eBGP with an ASN for each switch."""
    twins = Twins.of(network, np.zeros(len(network.names), dtype=np.int64))
    search = Search(network, twins.firsts)
    flood(search, search.reached.copy(), np.ones(len(network.tail), dtype=np.bool_))
    return expanded(network, twins, search.matrix())


def l2_flood(network: Network) -> Forwarding:
    """``spf``, and leaves flood packets for their own hosts, uplinks included.

    That is what a leaf does with a lossless packet while the ARP entry of the host lives and its
    MAC entry is gone (SIGCOMM'16, RDMA over Commodity Ethernet at Scale, 4.2). Cables are taken one
    by one, since no packet goes back over its own: a rule of rising levels must be made for the
    network of the result.
    """
    routed = spf(network)
    single, old = network.apart()
    bit_of = np.full(len(network.names), -1, dtype=np.int64)
    bit_of[routed.destinations] = np.arange(len(routed.destinations))
    arcs = np.flatnonzero((single.count > 0) & (bit_of[single.tail] >= 0))
    rows = routed.rows[old]
    bits.set_bits(rows, arcs, bit_of[single.tail[arcs]])
    return Forwarding(single, routed.destinations, rows, floods=True)
