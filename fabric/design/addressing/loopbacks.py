"""Loopbacks: one address a switch, in a block per role and group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.groups import block_of
from fabric.design.space import Demand

if TYPE_CHECKING:
    from fabric.design.addressing.placing import Filled
    from fabric.model.topology import Topology


def loopback_demands(topology: Topology) -> list[Demand]:
    """Switches of one role and pod side by side.

    The block is the next power of two, which leaves room for a pod or a tier to grow a little
    without a further row: 5 leaves take 8 addresses.
    """
    of: dict[str, list[str]] = {}
    for switch in topology.switches_in_order():
        of.setdefault(block_of(switch), []).append(switch.name)
    return [Demand(owner, tuple(members)) for owner, members in of.items()]


def loopback_addresses(topology: Topology, filled: Filled | None) -> dict[str, str]:
    """Address by switch, with /32 or /128; none without a pool."""
    if filled is None:
        return {}
    pool, units = filled.pool, filled.units
    return {
        s.name: f"{pool.text(pool.first(units[block_of(s), s.name]))}/{pool.bits}"
        for s in topology.switches
    }
