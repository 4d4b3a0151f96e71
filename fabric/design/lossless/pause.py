"""How fast a peer obeys a pause frame, and how long one pause lasts (IEEE 802.3 annex 31B)."""

from __future__ import annotations

from fabric.catalog import UnknownSpeedError, pause_quanta
from fabric.model.units import QUANTUM_BYTES

SOURCE = "IEEE 802.3 31B.3.7, as in sonic-net/sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
MAX_QUANTA = 65_535  # a pause frame counts in 16 bits
_STEPS_GBPS = (10, 25, 40, 50, 100, 200, 400, 800)


def nearest_quanta(speed_gbps: int) -> tuple[int, int]:
    """Response time in quanta, and the speed that the standard's table has it for.

    A speed without an entry takes that of the next higher one, above the table that of the
    highest.
    """
    try:
        return pause_quanta(speed_gbps), speed_gbps
    except UnknownSpeedError:
        higher = (step for step in _STEPS_GBPS if step > speed_gbps)
        known = next(higher, _STEPS_GBPS[-1])
        return pause_quanta(known), known


def longest_pause_us(speed_gbps: float) -> float:
    """Microseconds that one pause frame stops a port for at most: 65,535 quanta."""
    return MAX_QUANTA * QUANTUM_BYTES * 8 / (speed_gbps * 1e3)
