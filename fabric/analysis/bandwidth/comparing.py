"""The same load on a design as on others, and what the design is made of."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabric.analysis.bandwidth.answer import answer
from fabric.model.comparison import Compared
from fabric.model.names import natural_key

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.answer import Asked
    from fabric.model.design import Design
    from fabric.model.topology import Link

COPPER_M = 3.0  # passive copper at 100G a lane and below: NVIDIA and IEEE 802.3ck give 2 to 3 m
_COPPER, _ACTIVE = ("dac", "acc", "copper"), ("aoc",)


def compared(design: Design, inventory: str, asked: Asked) -> Compared:
    """One line of the comparison.

    Raises:
        ValueError: fewer than two endpoints.
    """
    intent, topology = design.intent, design.topology
    models = Counter(intent.hardware.of(s.name, s.role).model.name for s in topology.switches)
    optical = [link for link in topology.links if _is_optical(link)]
    pluggable = [link for link in optical if not _is(link, _ACTIVE)]
    return Compared(
        inventory=inventory,
        fabric=intent.name,
        title=topology.shape.title,
        switches=tuple(sorted(models.items(), key=lambda item: natural_key(item[0]))),
        cables=len(topology.links),
        long_cables=len(optical),
        optics=2 * len(pluggable),
        length_m=sum(link.length_m for link in topology.links),
        failed=tuple(sorted((*asked.cables, *asked.switches), key=natural_key)),
        bandwidth=answer(design, asked),
    )


def _is_optical(link: Link) -> bool:
    """What the user says of the cable; else by its length."""
    if _is(link, _COPPER):
        return False
    return bool(link.cable_type) or link.length_m > COPPER_M


def _is(link: Link, words: tuple[str, ...]) -> bool:
    return any(word in link.cable_type.lower() for word in words)
