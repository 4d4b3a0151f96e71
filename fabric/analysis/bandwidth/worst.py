"""The leaf that is worst off: capacity of its live uplinks over what its NICs send."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Plant


class WorstLeaf(NamedTuple):
    """``ratio``: uplink capacity / NIC rates; with several as bad, the first by name."""

    ratio: float
    name: str


def worst_leaf(plant: Plant) -> WorstLeaf:
    """Of the leaves with endpoints in service. Uplinks are all cables to other switches."""
    network = plant.network
    uplinks = np.zeros(len(network.names))
    np.add.at(uplinks, network.tail, plant.capacity)
    ratios = uplinks[plant.leaves] / plant.leaf_rate[plant.leaves]
    at = int(np.argmin(ratios))
    return WorstLeaf(float(ratios[at]), network.names[int(plant.leaves[at])])
