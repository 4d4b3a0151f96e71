"""2xx: addresses, and what is announced."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_interface, ip_network
from typing import TYPE_CHECKING

from fabric.checks.rules import ERROR, INFO, WARNING, Found, grouped, rule, some
from fabric.model.roce_packet import FAMILY_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.checks.facts import Facts
    from fabric.model.topology import Host
    from fabric.model.underlay import Speaker


@rule(
    "RCE207",
    title="GID trap: NICs of one host in one subnet, or without a routable address",
    severity=WARNING,
    needs=("topology", "addressing"),
    why="RoCE picks its address from the GID table: with two NICs in one subnet the kernel may "
    "answer for the other one, and a link-local GID does not cross a router",
    fix="give each NIC a subnet of its own",
)
def gid_trap(facts: Facts) -> Iterator[Found]:
    """Compare the subnets of each host's NICs; look for NICs without a routable address."""
    yield from _shared_subnets(facts)
    bare = [
        (host.group, f"{host.name} {port.netdev}")
        for host in facts.topology.hosts
        for port in host.ports
        if not any(_usable(facts, text) for text in _addresses(facts, host, port.netdev))
    ]
    for group, names in grouped(bare).items():
        yield Found(
            group,
            f"{names[0]}{_more(names)}: no routable address{_of_family(facts)}, so the GIDs are "
            "link-local",
            evidence=some(names),
            severity=ERROR,
            keys=("link-local",),
        )


@rule(
    "RCE108",
    title="parallel cables get addresses",
    severity=INFO,
    needs=("topology", "addressing"),
    why="all ports of a switch may share one MAC, so the link-local addresses of parallel cables "
    "are equal and their sessions fail (sonic-net/sonic-buildimage#12042)",
    fix="nothing; addressing.links: numbered makes all links alike",
    example="""\
topology: {kind: leaf-spine, leaves: 2, spines: 2, links: 2}
addressing: {links: unnumbered}""",
)
def parallel_unnumbered(facts: Facts) -> Iterator[Found]:
    """Look for numbered cables between switches where the inventory asks for unnumbered ones."""
    if facts.underlay.numbering != "unnumbered":
        return
    pairs: dict[tuple[str, str], int] = {}
    for link in facts.topology.fabric_links:
        found = facts.addressing.at(link.a.device, link.a.port)
        if found is not None and not found.unnumbered:
            pair = (link.a.device, link.b.device)
            pairs[pair] = pairs.get(pair, 0) + 1
    if pairs:
        names = [f"{a} – {b}: {count} cables" for (a, b), count in pairs.items()]
        total = sum(pairs.values())
        families = facts.intent.addressing.families
        lengths = " and ".join("/31s" if family == "ipv4" else "/127s" for family in families)
        yield Found(
            "addressing.links",
            f"{total:,} cables between {len(pairs):,} pairs of switches get {lengths} although the "
            "inventory asks for unnumbered links: they run in parallel",
            evidence=some(names),
        )


def _more(items: list[str]) -> str:
    return f" (and {len(items) - 1:,} more)" if len(items) > 1 else ""


def _addresses(facts: Facts, host: Host, netdev: str) -> tuple[str, ...]:
    found = facts.addressing.at(host.name, netdev)
    return () if found is None else tuple(text for text in (found.v4, found.v6) if text)


def _of_family(facts: Facts) -> str:
    policy = facts.intent.addressing
    return f" of {FAMILY_NAMES[policy.rdma_family]}" if policy.family == "dual" else ""


def _usable(facts: Facts, text: str) -> bool:
    """Whether RDMA can use it: of the family that RDMA uses here, and not link-local."""
    version = 6 if facts.intent.addressing.rdma_family == "ipv6" else 4
    address = ip_interface(text)
    return address.version == version and not address.is_link_local


def _routable(text: str) -> bool:
    return not ip_interface(text).is_link_local


def _shared_subnets(facts: Facts) -> Iterator[Found]:
    shared = []
    for host in facts.topology.hosts:
        if len(host.ports) < 2:  # noqa: PLR2004 — it takes two
            continue
        nets = grouped(
            (str(ip_interface(text).network), port.netdev)
            for port in host.ports
            for text in _addresses(facts, host, port.netdev)
            if _routable(text)
        )
        shared += [
            (host.group, f"{host.name}: {', '.join(nics)} in {net}")
            for net, nics in nets.items()
            if len(nics) > 1
        ]
    for group, texts in grouped(shared).items():
        yield Found(
            group,
            f"{facts.hosts_text(group)}: NICs of one host share a subnet: {texts[0]}{_more(texts)}",
            evidence=some(texts),
            keys=("subnet",),
            location=facts.intent.addressing.location,
        )


@rule(
    "RCE209",
    title="a switch announces the wrong prefixes",
    severity=ERROR,
    needs=("addressing", "underlay"),
    why="a missing host prefix is unreachable; a point-to-point prefix that leaks fills the tables "
    "and gives every failed cable a route that leads nowhere",
    fix="announce the loopback and the host prefixes of the switch, nothing else",
)
def announced(facts: Facts) -> Iterator[Found]:
    """Compare what each switch announces with its loopback, host prefixes and aggregates."""
    hosts = grouped((subnet.leaf, subnet.prefix) for subnet in facts.addressing.host_subnets)
    for speaker in facts.underlay.speakers:
        own = [text for text in facts.addressing.loopback(speaker.device) if text]
        wanted = (*own, *hosts.get(speaker.device, ()))
        leaked = sorted(set(speaker.announces) - {*wanted, *_aggregates(facts, speaker)})
        missing = sorted(_uncovered(wanted, speaker))
        for word, prefixes in (("leaks", leaked), ("does not announce", missing)):
            if prefixes:
                yield Found(
                    speaker.device,
                    f"{speaker.device} {word} {', '.join(some(prefixes, 3))}",
                    evidence=some(prefixes),
                    device=speaker.device,
                    keys=(word,),
                )


def _aggregates(facts: Facts, speaker: Speaker) -> Iterable[str]:
    return (*speaker.discards, *facts.addressing.host_aggregates)


def _uncovered(wanted: Iterable[str], speaker: Speaker) -> Iterator[str]:
    known = set(speaker.announces)
    missing = [ip_network(text) for text in wanted if text not in known]
    covers = [ip_network(text) for text in speaker.announces] if missing else []
    for net in missing:
        if not any(_covers(wider, net) for wider in covers):
            yield str(net)


def _covers(wider: IPv4Network | IPv6Network, net: IPv4Network | IPv6Network) -> bool:
    if isinstance(wider, IPv4Network) and isinstance(net, IPv4Network):
        return net.subnet_of(wider)
    if isinstance(wider, IPv6Network) and isinstance(net, IPv6Network):
        return net.subnet_of(wider)
    return False
