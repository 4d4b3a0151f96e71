"""How long a port may take to obey a pause frame: IEEE 802.3 annex 31B.3.7."""

from __future__ import annotations

# Quanta of 512 bit times (64 bytes) by port speed in Gb/s, as sonic-net/sonic-swss e6b0c5b5
# cfgmgr/buffer_headroom_mellanox.lua lists them.
_QUANTA = {
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


class UnknownSpeedError(ValueError):
    """The standard's table, as far as it was read, has no such speed."""

    def __init__(self, speed_gbps: float) -> None:
        known = ", ".join(map(str, _QUANTA))
        super().__init__(f"no pause response time is known for {speed_gbps:g}G; known: {known}")
        self.speed_gbps = speed_gbps


def pause_quanta(speed_gbps: int) -> int:
    """Pause response time of a port in quanta of 64 bytes at its own speed.

    Raises:
        UnknownSpeedError: no entry for this speed.
    """
    try:
        return _QUANTA[speed_gbps]
    except KeyError:
        raise UnknownSpeedError(speed_gbps) from None
