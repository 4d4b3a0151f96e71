"""What a reader must know of an observed network: what was inferred, left out or not reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.model.observed_cables import BY_ORDER, ONE_END, SUBNET

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.analysis.observed import ObservedForwarding
    from fabric.analysis.observed_actions import Actions
    from fabric.model.observed import ObservedFabric
    from fabric.model.observed_cables import Cabling

_SHOWN = 3


def all_notes(
    observed: ObservedFabric,
    cables: Cabling,
    actions: list[Actions],
    forwarding: ObservedForwarding,
    own_classes: int,
) -> tuple[str, ...]:
    """One sentence each, most weighty first."""
    return (
        *_unseen(observed, actions),
        *_silent(cables),
        *_told(cables),
        *_destinations(forwarding, own_classes),
        *_left_out(observed),
    )


def _listed(names: Iterable[str]) -> str:
    """The first few of some names, and how many more."""
    ordered = natural_sorted(names)
    more = f" and {len(ordered) - _SHOWN:,} more" if len(ordered) > _SHOWN else ""
    return ", ".join(ordered[:_SHOWN]) + more


def _unseen(observed: ObservedFabric, actions: list[Actions]) -> list[str]:
    """Next hops that lead to nobody known: a cycle through them would not be seen."""
    notes = []
    pairs = list(zip(observed.names, actions, strict=True))
    unknown = [f"{name} {port}" for name, own in pairs for port in own.unknown]
    if unknown:
        notes.append(
            f"next hops over {_listed(unknown)} have no LLDP neighbour that reports: what goes "
            "there is taken to leave the fabric for good"
        )
    unresolved = [f"{name} via {hop}" for name, own in pairs for hop in own.unresolved]
    if unresolved:
        notes.append(
            f"next hops without an interface and without a route to them ({_listed(unresolved)}): "
            "packets are taken to be dropped"
        )
    management = [f"{name} {port}" for name, own in pairs for port in own.management]
    if management:
        notes.append(f"routes lead out of the fabric over management: {_listed(management)}")
    return notes


def _silent(cables: Cabling) -> list[str]:
    """LLDP neighbours that are no hosts of a leaf are told with the hosts: both did not report."""
    names = {name for _, name in cables.silent}
    if not names:
        return []
    return [f"LLDP neighbours that did not report are taken for hosts: {_listed(names)}"]


def _told(cables: Cabling) -> list[str]:
    words = {
        ONE_END: "seen by LLDP from one end alone",
        BY_ORDER: "whose port names do not agree, paired in order of ports",
        SUBNET: "without LLDP, joined because two ports alone share a point-to-point subnet",
    }
    notes = []
    for how, text in words.items():
        found = [f"{c.a}–{c.b}" for c in cables.cables if c.told_by == how]
        if found:
            cable = "cable" if len(found) == 1 else "cables"
            notes.append(f"{len(found):,} {cable} {text}: {_listed(found)}")
    return notes


def _destinations(forwarding: ObservedForwarding, own_classes: int) -> list[str]:
    notes = []
    names = [name for n in forwarding.nobodys for name in forwarding.prefixes[n]]
    if names:
        notes.append(f"prefixes that no switch has are followed too: {_listed(names)}")
    if own_classes:
        notes.append(
            "addresses of switches and of cables between them are left out: "
            "hosts send nothing lossless there"
        )
    return notes


def _left_out(observed: ObservedFabric) -> list[str]:
    vrfs = {vrf for device in observed.devices for vrf in device.routes.other_vrfs}
    return [f"routes of other VRFs are left out: {_listed(vrfs)}"] if vrfs else []
