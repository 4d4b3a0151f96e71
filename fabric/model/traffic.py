"""A traffic matrix as a user gives it: NICs, and how much they send to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

RATE, GBPS, BYTES = "rate", "gbps", "bytes"
UNITS = (RATE, GBPS, BYTES)


@dataclass(frozen=True, slots=True)
class TrafficPhase:
    """One matrix. ``source``, ``target``: numbers of NICs; ``amount``: in the file's unit.

    ``name``: empty where the file has one matrix without a name. Pairs are distinct, and no NIC
    sends to itself.
    """

    name: str
    source: Sequence[int]
    target: Sequence[int]
    amount: Sequence[float]


@dataclass(frozen=True, slots=True)
class TrafficMatrix:
    """What a file says. ``nics``: "host netdev", by number. ``unit``: rate, gbps or bytes."""

    file: str
    unit: str
    nics: tuple[str, ...]
    phases: tuple[TrafficPhase, ...]
