"""Bytes on the wire: what arrives after a switch has decided to pause, whatever it does."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.model.qos import Term
from fabric.model.units import PROPAGATION_M_PER_S, bytes_per_second, short_bytes_text

LIGHT_M_PER_S = 299_792_458
PROPAGATION_SOURCE = "propagation in fibre and copper: 0.66 c"


@dataclass(frozen=True, slots=True)
class Wire:
    """What the bytes in flight depend on. ``lanes`` of the port; ``None``: not known."""

    speed_gbps: int
    cable_m: float
    mtu_bytes: int
    lanes: int | None = None

    @property
    def bytes_per_s(self) -> float:
        """Line rate R."""
        return bytes_per_second(self.speed_gbps)

    def round_trip_bytes(self, metres_per_s: float = PROPAGATION_M_PER_S) -> float:
        """2·L·R/v: there and back at the line rate."""
        return 2 * self.cable_m * self.bytes_per_s / metres_per_s

    @property
    def floor_bytes(self) -> int:
        """MTU + 2·L·R/v: the physical floor of headroom, nothing can stop those bytes."""
        return int(self.mtu_bytes + self.round_trip_bytes())

    def round_trip_term(self, metres_per_s: float, speed_text: str) -> Term:
        """The term 2·L·R/v with its arithmetic."""
        return Term(
            "on the cable",
            self.round_trip_bytes(metres_per_s),
            "B",
            f"2 · {self.cable_m:g} m · {short_bytes_text(self.bytes_per_s)}/s / {speed_text}",
            PROPAGATION_SOURCE,
        )
