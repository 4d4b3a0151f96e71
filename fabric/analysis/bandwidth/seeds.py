"""Hash seeds of the switches as their configs hold them, and what that leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.hashing import seeds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabric.analysis.bandwidth.hashing import Words
    from fabric.model.design import Design
    from fabric.model.topology import Switch

# SONiC takes the seed from the device type: ToRRouter 0, LeafRouter 10, SpineRouter 25 (see
# templates/sonic); its template gives tier 0 the first, odd tiers the second, the others the third.
_OF_TIER = (0, 10, 25)
_NONE, _TIER = "none", "tier"


@dataclass(frozen=True, eq=False)
class Seeds:
    """``words`` (V): a seed for each switch. ``untold``: titles of systems that are told none.

    Switches of those have the plan's seed here; what they have on the box, nobody knows.
    """

    words: Words
    untold: tuple[str, ...]


def rendered(design: Design, names: Sequence[str]) -> Seeds:
    """The seeds of ``names``, in that order."""
    known = {switch.name: switch for switch in design.topology.switches}
    planned = dict(design.intent.hash_seeds)
    numbers: list[int] = []
    untold: dict[str, None] = {}
    for name in names:
        switch = known[name]
        system = design.intent.hardware.of(name, switch.role).platform
        held = system.capabilities.hash_seed
        if held == _NONE:
            untold[system.title] = None
        by_tier = held == _TIER
        numbers.append(_of_tier(switch) if by_tier else planned.get(switch.role, _tier(switch)))
    return Seeds(seeds_of(np.array(numbers, dtype=np.int64)), tuple(sorted(untold)))


def _tier(switch: Switch) -> int:
    return switch.position.tier


def _of_tier(switch: Switch) -> int:
    tier = _tier(switch)
    return _OF_TIER[0 if tier == 0 else 1 if tier % 2 else 2]


def untold(design: Design) -> tuple[str, ...]:
    """Titles of the systems whose configs hold no seed."""
    return rendered(design, [switch.name for switch in design.topology.switches]).untold


def notes(design: Design) -> Iterator[str]:
    """What a figure "as planned" hangs on."""
    mode = design.intent.load_balancing
    if mode == "adaptive":
        yield "load_balancing: adaptive is not modelled; the figures are those of ecmp"
    if mode not in ("ecmp", "adaptive"):
        return
    names = [switch.name for switch in design.topology.switches]
    seeds = rendered(design, names)
    if seeds.untold:
        yield (
            f"the plan's hash seeds are left out on {' and '.join(seeds.untold)} (no source shows "
            "the command), so whether its tiers hash apart is not known: the figures take it that "
            "they do; --hash ecmp-polarised shows the other end"
        )
    alike = _alike(design, dict(zip(names, seeds.words.tolist(), strict=True)))
    if alike:
        count, (one, other) = alike
        yield (
            f"{one} and {other}, joined by a cable, hash with one seed (so do the ends of "
            f"{count:,} cables in all): where both have a choice, the first one settles the "
            "second; the figures include that"
        )


def _alike(design: Design, seed: dict[str, int]) -> tuple[int, tuple[str, str]] | None:
    """Cables between switches of one seed that each have other cables too, and the first pair."""
    found = [
        (link.a.device, link.b.device)
        for link in design.topology.fabric_links
        if seed[link.a.device] == seed[link.b.device]
    ]
    return (len(found), found[0]) if found else None
