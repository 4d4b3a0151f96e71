"""One design among others: what it carries under the same load, and what it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.bandwidth import Bandwidth


@dataclass(frozen=True, slots=True)
class Compared:
    """``switches``: (model, count). ``cables`` between all devices, ``optics``: transceivers.

    ``long_cables``: above copper's reach, or said to be optical. ``failed``: what is down; it is
    counted among switches and cables all the same.
    """

    inventory: str
    fabric: str
    title: str
    switches: tuple[tuple[str, int], ...]
    cables: int
    long_cables: int
    optics: int
    length_m: float
    failed: tuple[str, ...]
    bandwidth: Bandwidth
