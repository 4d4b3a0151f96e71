"""5xx: lossless packets that are flooded, which no up-down routing holds back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.rules import ERROR, INFO, WARNING, Found, grouped, rule, some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.platform import PlatformSpec


@rule(
    "RCE510",
    title="lossless traffic on a VLAN that can be flooded",
    severity=WARNING,
    needs=("topology", "addressing", "hardware"),
    why="while the ARP entry of a host lives and its MAC entry is gone, the leaf sends lossless "
    "packets for it to every port of the VLAN: hosts that drop them pause the leaf, and over "
    "uplinks the packets close a cyclic buffer dependency in any leaf-spine with two leaves and "
    "two spines (SIGCOMM'16, RDMA over Commodity Ethernet at Scale, 4.2)",
    fix="hosts.port: routed, which has no MAC table in the way of a packet",
    example="""\
platforms: {default: {platform: sonic, model: nvidia-sn3700}}
hosts: {count: 8, port: vlan}""",
)
def flooded(facts: Facts) -> Iterator[Found]:
    """Look at the VLANs of lossless leaves: how far they reach, and which entry lives longer.

    A VLAN on one leaf alone (each has its own subnet) floods no uplink. MAC entries that outlive
    ARP entries keep packets to a host that went silent from being flooded; a port that goes down
    loses its MAC entries at once, so then its host's packets are flooded until the ARP entry ends.
    """
    lossless = set(facts.lossless_switches)
    found = [s for s in facts.addressing.host_subnets if s.vlan is not None and s.leaf in lossless]
    stretched: set[str] = set()
    for prefix, leaves in grouped((s.prefix, s.leaf) for s in found).items():
        if len(set(leaves)) > 1:
            stretched.update(leaves)
            yield Found(
                facts.subject(leaves),
                f"{facts.who(leaves)}: the VLAN of {prefix} reaches over several leaves, so "
                "lossless packets are flooded over uplinks",
                evidence=some(leaves),
                severity=ERROR,
                fix="a VLAN and a subnet for each leaf",
                keys=("stretched", prefix),
            )
    confined = [leaf for leaf in dict.fromkeys(s.leaf for s in found) if leaf not in stretched]
    systems = ((facts.hardware[leaf].platform, leaf) for leaf in confined)
    for spec, leaves in grouped(systems).items():
        yield _left(facts, spec, leaves)


def _left(facts: Facts, spec: PlatformSpec, leaves: list[str]) -> Found:
    """What the configuration ensures, and what stays."""
    words = spec.vlan
    who, where = facts.who(leaves), facts.subject(leaves)
    stays = "lossless packets are flooded to the leaf's own host ports, and to no uplink"
    if words is None or words.arp_timeout_s is None or words.mac_aging_s is None:
        return Found(
            where,
            f"{who}: how long ARP and MAC entries live is left to {spec.title}, so to a host that "
            f"went silent {stays}",
            evidence=some(leaves),
            keys=("left",),
            fix="hosts.port: routed; else make MAC entries on the box outlive its ARP entries",
        )
    if words.mac_aging_s <= words.arp_timeout_s:
        return Found(
            where,
            f"{who}: MAC entries end after {words.mac_aging_s} s, ARP entries after "
            f"{words.arp_timeout_s} s, so to a host that went silent {stays}",
            evidence=some(leaves),
            keys=("timers",),
        )
    arp, mac = words.arp_timeout_s, words.mac_aging_s
    return Found(
        where,
        f"{who}: MAC entries ({mac} s) outlive ARP entries ({arp} s); after a host's port went "
        f"down, for up to {arp} s {stays}",
        evidence=some(leaves),
        severity=INFO,
        keys=("down",),
        fix="nothing, or hosts.port: routed",
    )
