"""3xx: MTU along the path."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabric.checks.rules import ERROR, WARNING, Found, grouped, rule, some
from fabric.model.roce_packet import ETHERNET_BYTES, ip_packet_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.topology import End, Link


@rule(
    "RCE314",
    title="MTU does not fit along the path",
    severity=ERROR,
    needs=("chains", "hardware"),
    why="pings and small messages work, large ones are dropped at the first port that is smaller",
    fix="set roce.mtu so that rdma + headers <= host <= switch <= what the system takes",
    example="""\
roce: {mtu: {host: 9216, switch: 9100}}""",
)
def mismatch(facts: Facts) -> Iterator[Found]:
    """Compare both ends of every cable, the switch's limit, and the RDMA MTU with the host's.

    Where a system counts the Ethernet header, a host needs 14 bytes more on the switch port. An
    RDMA MTU that does not fit the host's is a warning: the NIC falls back to a smaller one.
    """
    yield from _ends(facts)
    yield from _system_limit(facts)
    roce = facts.roce
    need = ip_packet_bytes(roce.rdma_mtu_bytes, facts.intent.addressing.rdma_family)
    if need > roce.host_mtu_bytes:
        yield Found(
            "hosts",
            f"every host: an RDMA MTU of {roce.rdma_mtu_bytes} needs "
            f"{need} bytes with its headers, the host MTU is "
            f"{roce.host_mtu_bytes}",
            severity=WARNING,
            keys=("rdma",),
            location=roce.location,
        )


class _Fault(NamedTuple):
    """``cause`` is the same for all links alike, ``text`` names the direction."""

    cause: str
    text: str


def _ends(facts: Facts) -> Iterator[Found]:
    differing = []
    for link in facts.topology.links:
        between = facts.topology.is_switch(link.a.device)
        fault = _between(facts, link) if between else _from_host(facts, link)
        if fault:
            differing.append(((link.kind, fault.cause), (link, fault.text)))
    for (kind, cause), links in grouped(differing).items():
        first, text = links[0]
        alike = "" if len(links) == 1 else f" ({len(links):,} {kind} links alike)"
        yield Found(
            first.id if len(links) == 1 else f"{kind} links",
            f"{first.a.device} {first.a.port} to {first.b.device} {first.b.port}: {text}{alike}",
            evidence=some(link.id for link, _text in links),
            keys=(kind, cause.split()[0]),
            location=facts.roce.location,
        )


def _between(facts: Facts, link: Link) -> _Fault | None:
    here, there = _port_mtu(facts, link.a), _port_mtu(facts, link.b)
    if here == there:
        return None
    least = min(here, there)
    smaller = link.a if here == least else link.b
    return _Fault(
        f"ends {least} {max(here, there)}",
        f"MTU {here} at one end, {there} at the other: packets above {least} are dropped on the "
        f"way to {smaller.device}",
    )


def _from_host(facts: Facts, link: Link) -> _Fault | None:
    there = _port_mtu(facts, link.b)
    counts = facts.hardware[link.b.device].platform.capabilities.mtu_counts_l2_header
    host = facts.roce.host_mtu_bytes
    need = host + (ETHERNET_BYTES if counts else 0)
    if need <= there:
        return None
    header = f" ({need} with the Ethernet header, which the switch counts)" if counts else ""
    return _Fault(
        f"host {need} {there}",
        f"host MTU {host}{header} above the switch port's {there}: larger packets are dropped on "
        f"the way to {link.b.device}",
    )


def _port_mtu(facts: Facts, end: End) -> int:
    chain = facts.chains.at(end)
    mtu = None if chain is None else chain.mtu_bytes
    return facts.roce.switch_mtu_bytes if mtu is None else mtu


def _system_limit(facts: Facts) -> Iterator[Found]:
    mtu = facts.roce.switch_mtu_bytes
    above = (
        ((hw.platform.title, hw.platform.capabilities.mtu_max_bytes), device)
        for device, hw in facts.hardware.items()
        if mtu > hw.platform.capabilities.mtu_max_bytes
    )
    for (title, most), devices in grouped(above).items():
        yield Found(
            facts.subject(devices),
            f"{facts.who(devices)}: MTU {mtu}, {title} takes at most {most}",
            evidence=some(devices),
            keys=("limit",),
            location=facts.roce.location,
        )
