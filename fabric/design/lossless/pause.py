"""How fast a peer obeys a pause frame, and how long one pause lasts (IEEE 802.3 annex 31B)."""

from __future__ import annotations

from fabric.model.units import QUANTUM_BYTES

SOURCE = "IEEE 802.3 31B.3.7, as in sonic-net/sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
MAX_QUANTA = 65_535  # a pause frame counts in 16 bits

_QUANTA: dict[int, int] = {
    1: 2,
    10: 67,
    25: 80,
    40: 118,
    50: 147,
    100: 394,
    200: 453,
    400: 905,
    800: 905,
}


def pause_quanta(speed_gbps: int) -> tuple[int, int]:
    """Response time in quanta, and the speed that the table has it for.

    A speed without an entry takes that of the next higher one, above the table that of the
    highest.
    """
    higher = [speed for speed in _QUANTA if speed >= speed_gbps]
    speed = min(higher) if higher else max(_QUANTA)
    return _QUANTA[speed], speed


def response_bytes(speed_gbps: int) -> int:
    """Bytes that still arrive while the peer reacts: quanta of 512 bit times."""
    return pause_quanta(speed_gbps)[0] * QUANTUM_BYTES


def longest_pause_us(speed_gbps: float) -> float:
    """Microseconds that one pause frame stops a port for at most: 65,535 quanta."""
    return MAX_QUANTA * QUANTUM_BYTES * 8 / (speed_gbps * 1e3)
