"""ASNs: which scheme, whose number, and what the lock keeps.

RFC 7938 numbering: one ASN for the whole top tier, one for the middle tier of each pod, one for
each leaf. Numbers count from the base B: the upper tiers take B, B+1, … in order, leaves take
B+1000, B+1001, … (B+100 in a short range), so that pods and leaves grow without meeting. Beyond
999 middle groups the upper tiers go on behind the leaves; nothing moves, for the lock holds
every number. A base inside a private range of RFC 6996 never leaves that range.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.design.asn_labels import TOP, Labels, label_switches, valley_words
from fabric.design.asn_written import (
    clashes,
    missing_problem,
    same_number_neighbours,
    usable,
    written_problems,
)
from fabric.design.blocks import PoolFullError, assign
from fabric.design.space import Demand, Space, row_faults, within
from fabric.design.valleys import valley
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.addressing import Lock, LockRow
    from fabric.model.intent import Intent
    from fabric.model.topology import Topology

POOL = "asn"
PRIVATE = ((64_512, 65_534), (4_200_000_000, 4_294_967_294))  # RFC 6996
RESERVED = (0, 23_456, 65_535, 4_294_967_295)  # RFC 7607, 6793, 7300
_LAST = 4_294_967_294
_BASE_PATH = ("addressing", "asn", "base")
_LEAVES_FROM = 1000
_SHORT_LEAVES_FROM = 100
_SHORT_RANGE = 10_000


@dataclass(frozen=True, slots=True)
class AsnPlan:
    """The number of each switch in the order of the topology, or ``problems``."""

    asns: tuple[tuple[str, int], ...]
    scheme: str
    reason: str
    valleys_refused: bool
    base: int
    range_text: str
    used: int  # of the range
    size: int
    rows: tuple[LockRow, ...]
    problems: tuple[Problem, ...] = ()
