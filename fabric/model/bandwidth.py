"""Bandwidth as reports and JSON show it. Rates in NIC rates unless a name says Gb/s."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bisection:
    """``links``: the cut, one direction, in NIC rates; of an interval its upper end.

    ``ratio``: to what half the endpoints can send. ``kind``: ``closed-form``, ``exact`` or
    ``bounds``; then the truth lies between ``lower`` and ``upper``.
    """

    links: float
    lower: float
    ratio: float
    kind: str
    upper: float
    nic_gbps: float

    @property
    def gbps(self) -> float:
        """The cut in Gb/s."""
        return self.links * self.nic_gbps
