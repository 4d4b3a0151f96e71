"""2xx: which paths routing and hashing use."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from fabric.checks.rules import ERROR, INFO, WARNING, Found, grouped, rule, some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.topology import Switch


@rule(
    "RCE205",
    title="the ASNs allow valleys",
    severity=INFO,
    needs=("topology", "addressing", "underlay"),
    why="after two failed cables a path may go up, down, up and down again through a third leaf; "
    "two such paths can close a PFC deadlock. The price of forbidding it: that pair of leaves is "
    "cut off instead",
    fix="set addressing.asn.scheme to rfc7938 if losing a pair is better than a possible deadlock",
    example="""\
addressing: {asn: {scheme: unique}}""",
)
def valleys(facts: Facts) -> Iterator[Found]:
    """Look whether some switch can pass a route from one switch above it to another above it.

    It cannot while all switches above it share an ASN: the second refuses what came from the
    first. Accepting the own ASN in a path undoes that (a warning). Fabrics of one tier, or with
    cables inside a tier (RCE105), are left out.
    """
    relaxed = [s.device for s in facts.underlay.speakers if s.allowas_in]
    if relaxed:
        yield Found(
            facts.subject(relaxed),
            f"{facts.who(relaxed)}: paths with the own ASN are accepted (allowas-in), so valleys "
            "are possible whatever the ASNs",
            severity=WARNING,
            fix="remove allowas-in",
            keys=("allowas-in",),
        )
    if not _tiered(facts) or facts.valley is None:
        return
    switch, one, other = facts.valley
    yield Found(
        facts.intent.name,
        f"ASN scheme {facts.addressing.asn_scheme} lets routes go down and up again, for example "
        f"from {one} over {switch} to {other}",
        location=facts.intent.addressing.location,
    )


def _tiered(facts: Facts) -> bool:
    """More than one tier, and every cable between two."""
    tier = {s.name: s.position.tier for s in facts.topology.switches}
    sideways = any(tier[x.a.device] == tier[x.b.device] for x in facts.topology.fabric_links)
    return len(set(tier.values())) > 1 and not sideways


@rule(
    "RCE208",
    title="more equal-cost next hops than paths in use",
    severity=WARNING,
    needs=("topology", "underlay", "hardware"),
    why="next hops beyond the limit carry nothing: those cables are idle",
    fix="raise addressing.bgp.max_paths up to what the system takes, or use fewer parallel cables",
    example="""\
addressing: {bgp: {max_paths: 2}}             # with four spines""",
)
def too_many_paths(facts: Facts) -> Iterator[Found]:
    """Compare each switch's equal-cost next hops with max-paths and with the system's limit.

    Next hops: all cables to the tier above, or the most parallel cables to one neighbour. Cables
    inside a tier count as one way up.
    """
    short = []
    for switch in facts.topology.switches:
        limit = _path_limit(facts, switch.name)
        need = _next_hops(facts, switch)
        if need > limit:
            short.append(((switch.role, need, limit), switch.name))
    for (role, need, limit), devices in grouped(short).items():
        yield Found(
            facts.subject(devices),
            f"{facts.who(devices)}: {need} equal-cost next hops, {limit} can be used",
            evidence=some(devices),
            keys=(role,),
            location=facts.intent.addressing.location,
        )


def _path_limit(facts: Facts, device: str) -> int:
    system = facts.hardware[device].platform.capabilities.max_ecmp_paths
    return min(system, facts.underlay.speaker(device).max_paths)


def _next_hops(facts: Facts, switch: Switch) -> int:
    parallel: dict[str, int] = {}
    up = 0
    for link in facts.topology.links_of(switch.name):
        other = link.other(switch.name).device
        if not facts.topology.is_switch(other):
            continue
        parallel[other] = parallel.get(other, 0) + 1
        up += facts.topology.switch(other).position.tier >= switch.position.tier
    return max(up, *parallel.values(), 0)


@rule(
    "RCE210",
    title="adjacent tiers hash with the same seed",
    severity=WARNING,
    needs=("topology",),
    why="flows that reach a switch have all been picked by the same hash, so its own choice is "
    "made already: most of its uplinks stay empty",
    fix="give each tier a hash seed of its own",
)
def polarised(facts: Facts) -> Iterator[Found]:
    """Compare the hash seeds of roles in adjacent tiers that both have a choice of uplinks."""
    seeds = dict(facts.intent.hash_seeds)
    ways = {s.name: sum(map(len, facts.uplinks(s.name).values())) for s in facts.topology.switches}
    met = []
    for link in facts.topology.fabric_links:
        lower, upper = (facts.topology.switch(end.device) for end in (link.a, link.b))
        if lower.position.tier > upper.position.tier:
            lower, upper = upper, lower
        if seeds.get(lower.role) is None or seeds.get(lower.role) != seeds.get(upper.role):
            continue
        here, there = ways[lower.name], ways[upper.name]
        if lower.position.tier != upper.position.tier and here > 1 and there > 1:
            met.append(((lower.role, upper.role, here, there), (lower.name, upper.name)))
    for (low, high, here, there), pairs in grouped(met).items():
        usable = there // gcd(here, there)
        yield Found(
            f"{low}, {high}",
            f"{pairs[0][0]} ({low}) and {pairs[0][1]} ({high}) hash with the same seed "
            f"{seeds[low]}: {usable} of {there} uplinks of each {high} are used",
            keys=(low, high),
        )


@rule(
    "RCE211",
    title="the ASNs refuse routes with nothing failed",
    severity=ERROR,
    needs=("topology", "addressing"),
    why="two switches of one ASN drop each other's routes, so the leaves beneath them do not reach "
    "each other that way; allowas-in would let valleys in",
    fix="give the two different ASNs, or let addressing.asn.scheme: rfc7938 number the fabric",
    example="""\
switches: [{name: a0, tier: 1, asn: 65010}, {name: a1, tier: 1, asn: 65010}]   # two pods""",
)
def refused(facts: Facts) -> Iterator[Found]:
    """Look for two switches of one ASN below a third, with different leaves beneath them."""
    if facts.refused_pair is None:
        return
    switch, one, other = facts.refused_pair
    yield Found(
        f"{one}, {other}",
        f"{one} and {other} share ASN {facts.addressing.asn(one)}: routes between their leaves "
        f"over {switch} are refused",
        location=facts.intent.addressing.location,
    )
