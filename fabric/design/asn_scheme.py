"""Which ASN scheme is in force and which switches share a number under it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from fabric.design.addressing.loopbacks import block_of
from fabric.design.space import Demand
from fabric.model.names import natural_sorted

if TYPE_CHECKING:
    from collections.abc import Collection

    from fabric.model.topology import Link, Switch, Topology

TOP = "/top"  # labels of groups have a slash, which no name of a switch has


@dataclass(frozen=True, slots=True)
class Choice:
    """The scheme in force, why, and the label of each switch: one number a label."""

    scheme: str
    why: str
    labels: dict[str, str]


def choose(topology: Topology, wanted: str, written: Collection[str]) -> Choice:
    """The scheme for ``wanted`` (auto, rfc7938, unique, explicit).

    ``written``: the switches that have an ASN in the inventory.
    """
    names = {switch.name: switch.name for switch in topology.switches}
    if wanted == "explicit":
        return Choice("explicit", "the inventory gives every switch its ASN", names)
    if wanted == "auto" and len(written) == len(names):
        return Choice("explicit", "every switch has its ASN in the inventory", names)
    odd = _odd_cable(topology) if wanted == "auto" else None
    if odd is not None:
        why = f"{odd.id} does not join adjacent tiers, so every switch has its own ASN"
        return Choice("unique", why, names)
    if wanted == "unique":
        return Choice("unique", "asked for: every switch has its own ASN", names)
    cause = "every cable joins adjacent tiers" if wanted == "auto" else "asked for"
    labels = _tier_labels(topology)
    return Choice("rfc7938", f"{cause}: {_shares(topology, labels)}", labels)


def demands(
    topology: Topology, labels: dict[str, str], wanted: Collection[str], leaves_from: int
) -> list[Demand]:
    """The ``wanted`` labels in blocks: upper tiers from the top down, then the leaves."""
    of: dict[tuple[int, str], set[str]] = {}
    for switch in topology.switches:
        label = labels[switch.name]
        if label in wanted:
            of.setdefault(_block(switch, label), set()).add(label)
    found: list[Demand] = []
    for (tier, owner), members in sorted(of.items(), key=_block_order(topology)):
        lowest = leaves_from if tier == 0 else 0 if owner == "top" else 1
        found.append(Demand(owner, tuple(natural_sorted(members)), lowest))
    return found


def _block(switch: Switch, label: str) -> tuple[int, str]:
    tier = switch.position.tier
    if label == TOP:
        return (tier, "top")
    return (tier, f"tier {tier}" if "/" in label else block_of(switch))


def _block_order(topology: Topology) -> ...: ...


def _odd_cable(topology: Topology) -> Link | None:
    """The first cable that does not join adjacent tiers."""
    tier = {switch.name: switch.position.tier for switch in topology.switches}
    return next(
        (x for x in topology.fabric_links if abs(tier[x.a.device] - tier[x.b.device]) != 1), None
    )


def _tier_labels(topology: Topology) -> dict[str, str]:
    """RFC 7938: the top tier shares a number, so does each group between; leaves do not.

    A switch between that is in no group has its own: sharing across pods would make every
    route from pod to pod one with the own ASN in it, refused with nothing failed.
    """
    top = max(switch.position.tier for switch in topology.switches)
    return {switch.name: _tier_label(switch, top) for switch in topology.switches}


def _tier_label(switch: Switch, top: int) -> str:
    tier = switch.position.tier
    if tier == 0:
        return switch.name
    if tier == top:
        return TOP
    group = switch.group_name if switch.group_name is not None else switch.position.group
    return switch.name if group is None else f"{tier}/{quote(str(group), safe='')}"
