"""Which ASN scheme is in force and which switches share a number under it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from fabric.design.groups import block_of, group_of
from fabric.design.space import Demand
from fabric.model.names import natural_key, natural_sorted

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
    own = {switch.name: switch.name for switch in topology.switches}
    if wanted == "explicit":
        return Choice("explicit", "the inventory gives every switch its ASN", own)
    if wanted == "auto" and len(written) == len(own):
        return Choice("explicit", "every switch has its ASN in the inventory", own)
    odd = _odd_cable(topology) if wanted == "auto" else None
    if odd is not None:
        why = f"{odd.id} does not join adjacent tiers, so every switch has its own ASN"
        return Choice("unique", why, own)
    if wanted == "unique":
        return Choice("unique", "asked for: every switch has its own ASN", own)
    cause = "every cable joins adjacent tiers" if wanted == "auto" else "asked for"
    labels = _tier_labels(topology)
    return Choice("rfc7938", f"{cause}: {_sharing(labels)}", labels)


def asn_demands(
    topology: Topology, labels: dict[str, str], wanted: Collection[str], leaves_from: int
) -> list[Demand]:
    """The ``wanted`` labels in blocks: the leaves, then upper tiers from the top down.

    The top tier's one number is the base itself; the tiers between leave it free.
    """
    blocks: dict[tuple[int, str], set[str]] = {}
    for switch in topology.switches:
        label = labels[switch.name]
        if label in wanted:
            where = (-switch.position.tier, _owner(switch, label))
            blocks.setdefault(where, set()).add(label)
    shared = TOP in labels.values()
    return [
        Demand(
            owner,
            tuple(natural_sorted(blocks[tier, owner])),
            leaves_from if tier == 0 else int(shared and owner != TOP),
        )
        for tier, owner in sorted(blocks, key=lambda block: (block[0], natural_key(block[1])))
    ]


def _owner(switch: Switch, label: str) -> str:
    if label == TOP:
        return TOP
    return f"tier {switch.position.tier}" if "/" in label else block_of(switch)


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
    top = max((switch.position.tier for switch in topology.switches), default=0)
    return {switch.name: _tier_label(switch, top) for switch in topology.switches}


def _tier_label(switch: Switch, top: int) -> str:
    tier = switch.position.tier
    if tier == 0:
        return switch.name
    if tier == top:
        return TOP
    group = group_of(switch)
    return switch.name if group is None else f"{tier}/{quote(group, safe='')}"


def _sharing(labels: dict[str, str]) -> str:
    """Who shares a number, in words."""
    between = any("/" in label and label != TOP for label in labels.values())
    parts = [
        "one ASN for the top tier" if TOP in labels.values() else "",
        "one per group in the middle" if between else "",
        "one per leaf",
    ]
    return ", ".join(filter(None, parts))
