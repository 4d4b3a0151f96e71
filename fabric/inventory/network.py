"""``addressing:``, ``management:``, ``connection:``, ``racks:`` and ``suppress:`` as policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.inventory.attachment import host_subnets
from fabric.inventory.hardware import Selector
from fabric.inventory.ranges import HINT, RangeError, expand
from fabric.model.finding import Problem, Suppression
from fabric.model.intent import AddressingPolicy, ConnectionPolicy, ManagementPolicy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fabric.files.yaml import Path
    from fabric.inventory.places import Places
    from fabric.inventory.schema import (
        AddressingSection,
        ConnectionSection,
        ManagementSection,
        SuppressSection,
    )
    from fabric.model.intent import HostGroup

_POOLS = ("loopbacks", "links", "hosts")


def addressing_policy(
    section: AddressingSection,
    groups: Sequence[HostGroup],
    places: Places,
    problems: list[Problem],
) -> AddressingPolicy:
    """Pools and schemes; IPv6 is part of the schema and refused until it is built."""
    path: Path = ("addressing",)
    if section.family != "ipv4":
        message = f"family: {section.family} is not built yet"
        problems.append(Problem("RCE010", (*path, "family"), message, "use ipv4"))
    pools = section.pools
    for key in _POOLS:
        if getattr(pools, f"{key}_v6") is not None and section.family == "ipv4":
            message = f"{key}_v6 has no use with family: ipv4, and IPv6 is not built yet"
            problems.append(
                Problem("RCE010", (*path, "pools", f"{key}_v6"), message, "leave it out")
            )
        if ":" in getattr(pools, key):
            message = f"{key} is an IPv6 prefix; the pool of that family is {key}_v6"
            problems.append(
                Problem("RCE006", (*path, "pools", key), message, "write an IPv4 prefix")
            )
    bgp = section.bgp
    if bgp.hold_s < 3 * bgp.keepalive_s:
        message = (
            f"hold_s {bgp.hold_s} is less than three times keepalive_s {bgp.keepalive_s}: "
            "one lost packet could end a session"
        )
        fix = f"use at least {3 * bgp.keepalive_s}"
        problems.append(Problem("RCE022", (*path, "bgp", "hold_s"), message, fix))
    return AddressingPolicy(
        family=section.family,
        link_numbering=section.links,
        loopbacks_v4=pools.loopbacks,
        loopbacks_v6=pools.loopbacks_v6,
        links_v4=pools.links,
        links_v6=pools.links_v6,
        hosts_v4=pools.hosts,
        hosts_v6=pools.hosts_v6,
        host_subnets=host_subnets(section, groups, problems),
        asn_scheme=section.asn.scheme,
        asn_base=section.asn.base,
        bgp_keepalive_s=bgp.keepalive_s,
        bgp_hold_s=bgp.hold_s,
        bfd=bgp.bfd,
        max_paths=bgp.max_paths,
        location=places.locate(path),
    )


def management_policy(
    section: ManagementSection, problems: list[Problem]
) -> tuple[ManagementPolicy, tuple[Selector, ...]]:
    """Management addresses, none of them twice."""
    path: Path = ("management", "addresses")
    taken: dict[str, str] = {}
    for device, address in section.addresses.items():
        first = taken.setdefault(address.partition("/")[0], device)
        if first != device:
            message = f"{device} has the management address of {first}, {address}"
            problems.append(Problem("RCE012", (*path, device), message, "give each its own"))
    addresses = tuple(section.addresses.items())
    named = tuple(Selector(device, (*path, device), "switch") for device, _ in addresses)
    return ManagementPolicy(section.interface, section.gateway, addresses), named


def connection_policy(section: ConnectionSection) -> ConnectionPolicy:
    """How to log in, by reference."""
    return ConnectionPolicy(**section.model_dump())


def resolve_racks(
    section: Mapping[str, str], problems: list[Problem]
) -> tuple[tuple[tuple[str, str], ...], tuple[Selector, ...]]:
    """Rack by device, ranges expanded."""
    racks: dict[str, str] = {}
    selectors: list[Selector] = []
    for text, rack in section.items():
        try:
            names = expand(text)
        except RangeError as error:
            problems.append(Problem("RCE019", ("racks", text), str(error), HINT))
            continue
        for name in names:
            if name in racks:
                message = f"{name} stands in two racks, {racks[name]} and {rack}"
                problems.append(
                    Problem("RCE012", ("racks", text), message, "name each device once")
                )
                break
            racks[name] = rack
            selectors.append(Selector(name, ("racks", text), "device"))
    return tuple(racks.items()), tuple(selectors)


def suppressions(sections: Iterable[SuppressSection], places: Places) -> tuple[Suppression, ...]:
    """Accepted findings with their places."""
    return tuple(
        Suppression(
            section.rule,
            section.subject,
            section.reason,
            section.expires,
            places.locate(("suppress", number)),
        )
        for number, section in enumerate(sections)
    )
