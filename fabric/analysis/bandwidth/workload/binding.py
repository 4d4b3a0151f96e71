"""The name of what is full first: a NIC, or a cable in one direction."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fabric.model.workload_answer import Binding

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Floats, Plant

_CLOSE = 1e-6


def binding_of(plant: Plant, load: Floats | None, nics: Floats) -> Binding:
    """``load`` (A): what each cable carries, in NIC rates; ``nics`` (2 N): part of its rate.

    A NIC binds where no cable is fuller: the cables then could carry as much or more.
    """
    capacity = plant.capacity
    used = np.zeros(len(capacity))
    if load is not None:
        np.divide(load, capacity, out=used, where=capacity > 0)
    fullest, busiest = float(used.max(initial=0.0)), float(nics.max(initial=0.0))
    if busiest >= fullest * (1 - _CLOSE):
        ends = np.flatnonzero(nics >= busiest * (1 - _CLOSE))
        first = link_binding(plant, len(capacity) + int(ends[0]))
        return replace(first, alike=len(np.unique(ends % len(plant))))
    arcs = np.flatnonzero(used >= fullest * (1 - _CLOSE))
    return Binding("cable", arc_name(plant, int(arcs[0])), len(arcs), fullest / busiest)


def link_binding(plant: Plant, link: int) -> Binding:
    """A link as ``flows.Flows`` numbers them: cables, NICs sending, NICs receiving."""
    end = link - len(plant.capacity)
    if end < 0:
        return Binding("cable", arc_name(plant, link), 1)
    if end >= 2 * len(plant):  # a leg of a bond: two for each endpoint
        leg = end - 2 * len(plant)
        way = "sending" if leg < 2 * len(plant) else "receiving"
        return Binding("nic", f"one port of {plant.names[leg % (2 * len(plant)) // 2]} {way}", 1)
    way = "sending" if end < len(plant) else "receiving"
    return Binding("nic", f"{plant.names[end % len(plant)]} {way}", 1)


def arc_name(plant: Plant, arc: int) -> str:
    """Cable and direction: ``leaf-0 Ethernet248 → spine-0 Ethernet0``."""
    network = plant.network
    cable = network.cables[arc // 2][0]
    ends = ((cable.a, cable.a_port), (cable.b, cable.b_port))
    here, there = ends if cable.a == network.names[network.tail[arc]] else ends[::-1]
    return f"{' '.join(filter(None, here))} → {' '.join(filter(None, there))}"
