"""1xx: what is cabled to what."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabric.checks.rules import ERROR, INFO, WARNING, Found, grouped, rule, some
from fabric.model.names import natural_sorted
from fabric.model.units import speed_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.checks.facts import Facts
    from fabric.model.topology import Link

_NEEDS = ("topology",)
_RAIL_ONLY = (
    "NICs of different parts reach each other over NVLink only: NCCL needs NCCL_CROSS_NIC=0 and PXN"
)


@rule(
    "RCE105",
    title="cables between switches of one tier",
    severity=WARNING,
    needs=_NEEDS,
    why="a path that goes sideways can close a ring of buffers that wait for each other: PFC "
    "deadlock is likely, and one pause storm is enough to bring it about",
    fix="cable adjacent tiers only; accept a ring that is meant under suppress, with the reason",
    example="""\
topology:
  kind: explicit
  switches: [{name: r0, tier: 0}, {name: r1, tier: 0}]
  cables: [{a: r0, b: r1}]""",
)
def same_tier(facts: Facts) -> Iterator[Found]:
    """Look for cables whose two switches stand in the same tier; one finding a tier.

    Not where the topology kind crosses them once at most, behind all ways up and before all ways
    down, and its route policy keeps BGP to that (dragonfly+): up, across, down closes no ring. Nor
    where RoCE rises to another class on the way (dragonfly, RCE330), which breaks the ring.
    """
    topology = facts.topology
    if topology.shape.ordered or facts.roce.rise is not None:
        return
    sideways: list[tuple[int, Link]] = []
    for link in topology.fabric_links:
        a, b = (topology.switch(end.device).position.tier for end in (link.a, link.b))
        if a == b:
            sideways.append((a, link))
    for tier, links in sorted(grouped(sideways).items()):
        devices = {end.device for link in links for end in (link.a, link.b)}
        yield Found(
            f"tier {tier}",
            f"{len(links):,} cable{'s' if len(links) > 1 else ''} between switches of tier {tier} "
            f"({facts.who(devices)})",
            evidence=some(link.id for link in links),
        )


@rule(
    "RCE106",
    title="the fabric is not connected",
    severity=ERROR,
    needs=_NEEDS,
    why="hosts in different parts can never reach each other",
    fix="add the missing cables, or split the inventory into one for each fabric",
    example="""\
topology:
  kind: explicit
  switches: [{name: l0, tier: 0, endpoints: 2}, {name: l1, tier: 0}, {name: s0, tier: 1}]
  cables: [{a: l0, b: s0}]                       # l1 has no uplink""",
)
def disconnected(facts: Facts) -> Iterator[Found]:
    """Follow the cables between switches from any one of them: every switch must be met.

    Parts that only hosts with several NICs join are a warning, and information alone where the
    topology kind means them to be apart (rail-only, spine planes).
    """
    topology = facts.topology
    names = [switch.name for switch in topology.switches]
    parts = _parts(names, topology.fabric_links)
    if len(parts) < 2:  # noqa: PLR2004 — one part is a fabric
        return
    hosts = [host.name for host in topology.hosts]
    joined = len(_parts([*names, *hosts], topology.links)) == 1
    listed = tuple(_part_text(part) for part in parts)
    meant = len(parts) == topology.shape.islands
    by_hosts = "; only hosts join them, through NVLink or their own memory" if joined else ""
    yield Found(
        facts.intent.name,
        f"the fabric falls into {len(parts)} parts without a cable between them: "
        f"{'; '.join(some(listed, 3))}{by_hosts}",
        evidence=some(listed),
        severity=ERROR if not joined else INFO if meant else WARNING,
        why=_RAIL_ONLY if joined else "",
        fix="nothing, where every job forwards over NVLink" if joined and meant else "",
    )


def _parts(names: list[str], links: Iterable[Link]) -> list[list[str]]:
    """Connected parts, largest first."""
    neighbours: dict[str, list[str]] = {name: [] for name in names}
    for link in links:
        neighbours[link.a.device].append(link.b.device)
        neighbours[link.b.device].append(link.a.device)
    left = dict.fromkeys(names)
    parts = []
    while left:
        waiting = [next(iter(left))]
        part = []
        while waiting:
            here = waiting.pop()
            if here in left:
                del left[here]
                part.append(here)
                waiting += neighbours[here]
        parts.append(natural_sorted(part))
    return sorted(parts, key=len, reverse=True)


def _part_text(part: list[str]) -> str:
    if len(part) == 1:
        return f"{part[0]} alone"
    return f"{len(part):,} switches around {part[0]}"


@rule(
    "RCE109",
    title="uplinks are uneven",
    severity=WARNING,
    needs=_NEEDS,
    why="equal-cost hashing gives each next hop the same share: the thinner way is full while the "
    "wider one is half empty",
    fix="give every switch of a tier the same number of cables to each switch above",
    example="""\
cables: [{a: l0, b: s0, count: 2}, {a: l0, b: s1, count: 1}]""",
)
def uneven(facts: Facts) -> Iterator[Found]:
    """Count each switch's cables to each switch above, and compare switches of one role."""
    counts = _uplink_counts(facts)
    odd = []
    for device, uplinks in counts.items():
        if len(set(uplinks.values())) > 1:
            text = ", ".join(f"{n} to {name}" for name, n in sorted(uplinks.items()))
            odd.append((text, device))
    for text, devices in grouped(odd).items():
        yield Found(
            facts.subject(devices),
            f"{facts.who(devices)}: uneven uplinks, {text}",
            evidence=some(devices),
            device=devices[0] if len(devices) == 1 else None,
            keys=("bundle",),
        )
    yield from _uneven_roles(facts, counts)


def _uplink_counts(facts: Facts) -> dict[str, dict[str, int]]:
    return {
        switch.name: {name: len(speeds) for name, speeds in facts.uplinks(switch.name).items()}
        for switch in facts.topology.switches
    }


def _uneven_roles(facts: Facts, counts: dict[str, dict[str, int]]) -> Iterator[Found]:
    roles = grouped(
        (switch.role, switch.name)
        for switch in facts.topology.switches
        if counts[switch.name]  # a switch without any is the top, or RCE106 tells
    )
    for role, devices in roles.items():
        totals = {device: sum(counts[device].values()) for device in devices}
        usual = Counter(totals.values()).most_common(1)[0][0]
        odd = [device for device in devices if totals[device] != usual]
        counted = " or ".join(map(str, sorted({totals[device] for device in odd})))
        if odd:
            yield Found(
                facts.subject(odd),
                f"{facts.who(odd)}: uplinks {counted}, other {role} switches have {usual}",
                evidence=some(odd) if len(odd) > 1 else (),
                keys=("role", role),
            )


@rule(
    "RCE110",
    title="uplinks of different speeds",
    severity=WARNING,
    needs=_NEEDS,
    why="equal-cost hashing sends each uplink the same share, so the slow one limits them all",
    fix="use one speed for all uplinks of a switch",
    example="""\
cables: [{a: l0, b: s0, speed: 400}, {a: l0, b: s1, speed: 100}]""",
)
def mixed_speeds(facts: Facts) -> Iterator[Found]:
    """Compare the speeds of each switch's cables to the tier above."""
    mixed = []
    for switch in facts.topology.switches:
        speeds = {s for found in facts.uplinks(switch.name).values() for s in found}
        if len(speeds) > 1:
            text = " and ".join(speed_text(s) for s in sorted(speeds))
            mixed.append(((switch.role, text), switch.name))
    for (role, text), devices in grouped(mixed).items():
        yield Found(
            facts.subject(devices),
            f"{facts.who(devices)}: uplinks of {text} share traffic evenly",
            evidence=some(devices),
            keys=(role,),
        )
