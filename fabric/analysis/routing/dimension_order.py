"""``dor``: one neighbour for each destination, the first by port: dimension after dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits
from fabric.analysis.forwarding import Forwarding
from fabric.analysis.routing.shortest import spf

if TYPE_CHECKING:
    from fabric.analysis.network import Network


def dor(network: Network) -> Forwarding:
    """Of the neighbours one hop nearer the one on the lowest port; all cables to it (OpenSM dor).

    Ports are numbered neighbour after neighbour, in the order in which the network's cables come
    to them (failed ones keep their ports). Where the cables of the first dimension come first, a
    packet travels all of its way in that dimension, then in the next. A tie between two ways round
    goes to the lower port: with the cables of a ring in order, 0–1, 1–2 … (n−1)–0, both ways
    through the ring of 4 stay open chains; with the same port for the same direction on every
    switch they close. Source: OpenSM osm_switch.c, osm_switch_recommend_path.
    """
    every = spf(network)
    used = bits.unpacked(every.rows, len(every.destinations))
    arc, bit = np.nonzero(used)  # in the order of arcs
    _, first, place = np.unique(
        network.tail[arc] * used.shape[1] + bit, return_index=True, return_inverse=True
    )
    other = network.head[arc] != network.head[arc[first[place.reshape(-1)]]]
    used[arc[other], bit[other]] = False
    return Forwarding(network, every.destinations, bits.packed(used))
