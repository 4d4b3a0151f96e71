"""2xx: bonds that end on two leaves."""

from __future__ import annotations

from ipaddress import IPv4Interface, IPv4Network, ip_network
from typing import TYPE_CHECKING

from fabric.checks.hosts import about_hosts
from fabric.checks.rules import ERROR, WARNING, Found, grouped, rule, some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.topology import Lag

_BOND = """\
hosts: {count: 4, nic: connectx-6, speed: 100, attach: dual-tor}"""


@rule(
    "RCE213",
    title="two leaves do not face a bond alike",
    severity=ERROR,
    needs=("topology", "addressing", "underlay"),
    why="the host takes both leaves for one switch: with another LACP key one member stays out of "
    "the bond, with another address or MAC a leaf drops what the host sends it, and a leaf that "
    "announces more than the bond's own network goes on drawing its packets when the cable is cut",
    fix="the same address, MAC and LACP key on both, and the bond's /31 announced by itself",
    example=_BOND,
)
def unlike(facts: Facts) -> Iterator[Found]:
    """Compare the two port-channels of each bond, and what their leaves announce for it.

    Equal must be the address, the MAC (which follows from the pair) and the LACP key; each leaf
    announces exactly the network of the bond and discards no prefix that covers it.
    """
    bonds = grouped(((lag.host, lag.netdev), lag) for lag in facts.topology.lags if lag.pair)
    wrong = [
        (word, f"{host} {netdev}")
        for (host, netdev), lags in bonds.items()
        for word in _differences(facts, lags)
    ]
    for word, names in grouped(wrong).items():
        yield Found(
            names[0].partition(" ")[0],
            f"{names[0]}{f' and {len(names) - 1:,} more' if len(names) > 1 else ''}: {word}",
            evidence=some(names),
            keys=(word,),
        )


def _differences(facts: Facts, lags: list[Lag]) -> Iterator[str]:
    if {lag.device for lag in lags} != {*lags[0].pair}:
        yield "the bond does not end on both leaves of its pair"
    if len({lag.pair for lag in lags}) > 1:
        yield "the leaves have different MACs towards it"
    if len({lag.lacp_key for lag in lags}) > 1:
        yield "the leaves have different LACP keys towards it"
    at = [facts.addressing.at(lag.device, lag.name) for lag in lags]
    addresses = {one.v4 for one in at if one is not None and one.v4 is not None}
    if len(addresses) != 1 or None in at:
        yield "the leaves have different addresses towards it"
        return
    network = IPv4Interface(addresses.pop()).network
    for lag in lags:
        speaker = facts.underlay.speaker(lag.device)
        if str(network) not in speaker.announces:
            yield "a leaf does not announce its network"
        if any(_covers(prefix, network) for prefix in speaker.discards):
            yield "a leaf would go on announcing it with the cable cut"


def _covers(prefix: str, network: IPv4Network) -> bool:
    wider = ip_network(prefix)
    return isinstance(wider, IPv4Network) and network.subnet_of(wider)


@rule(
    "RCE214",
    title="two leaves share bonds, and no cable joins them",
    severity=WARNING,
    needs=("topology", "host_groups"),
    why="from the moment a leaf loses its cable to a host until BGP has withdrawn the host's "
    "network, packets for it go up again and down to the other leaf: where two leaves do so for "
    "each other, a ring of buffers can wait for each other (PFC deadlock); and a leaf without "
    "uplinks, or whose BGP still starts, drops its half of what its hosts send, for LACP is up",
    fix="accept it under suppress, with the watchdog on and BFD where the system has it; or write "
    "attach: bond, or a NIC a leaf (kind: rail)",
    example=_BOND,
)
def unjoined(facts: Facts) -> Iterator[Found]:
    """Look for groups of hosts whose bonds end on two leaves; what this costs is told once a group.

    No system here is told to take its host ports down with its uplinks.
    """
    group_of = {host.name: host.group for host in facts.topology.hosts}
    pairs = grouped((group_of[lag.host], lag.pair) for lag in facts.topology.lags if lag.pair)
    for group in facts.host_groups:
        found = list(dict.fromkeys(pairs.get(group.name, ())))
        if found:
            count = f"{len(found):,} pair{'s' if len(found) > 1 else ''} of leaves"
            yield about_hosts(
                facts,
                group,
                f"bonds end on {count} that fail over by BGP alone",
                evidence=some(" + ".join(pair) for pair in found),
            )
