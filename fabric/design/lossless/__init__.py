"""The lossless numbers: headroom, thresholds, fit and the chain of every port.

Read in this order: ``wire`` and ``formulas`` (bytes in flight), ``silicon`` (what the chip
offers), ``headroom`` (row or formula), ``fit``, ``ecn``, ``profiles`` (who shares what),
``chains`` (what is bound to a port), ``rise`` (where a class changes on the way).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.lossless.ecn import pause_threshold, ports_until_below
from fabric.design.lossless.fit import shared_headroom_pool
from fabric.design.lossless.notes import notes_of
from fabric.design.lossless.profiles import (
    Kinds,
    fits_of,
    headrooms_of,
    limits_of,
    names_of,
    profiles_of,
)
from fabric.design.lossless.rise import rise_problems
from fabric.model.qos import Lossless, PortLossless

if TYPE_CHECKING:
    from fabric.model.intent import Intent
    from fabric.model.topology import Topology

__all__ = [
    "derive",
    "pause_threshold",
    "ports_until_below",
    "rise_problems",
    "shared_headroom_pool",
]


def derive(topology: Topology, intent: Intent) -> Lossless:
    """Everything lossless of a design.

    Each port of a system with PFC gets a profile, the unused ones by their speed and the default
    cable; only ports with a cable count towards the fit. Systems without PFC get a note.
    """
    roce = intent.roce
    kinds = Kinds(topology, intent)
    names = names_of(kinds.in_order())
    headrooms = headrooms_of(kinds, roce)
    fits = fits_of(kinds, names, headrooms, len(roce.class_map.lossless))
    profiles = profiles_of(kinds, names, headrooms, limits_of(kinds, headrooms, fits), roce)
    return Lossless(
        class_map=roce.class_map,
        profiles=profiles,
        ports=tuple(
            PortLossless(device, port, names[kind])
            for (device, port), kind in kinds.of_port.items()
        ),
        fits=tuple(fits.values()),
        watchdog=roce.watchdog,
        notes=notes_of(topology, intent, profiles, fits.values()),
    )
