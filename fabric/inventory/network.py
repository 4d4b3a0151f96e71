"""``addressing:``, ``management:``, ``racks:`` and ``suppress:`` as policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.inventory.attachment import host_subnets
from fabric.inventory.hardware import Selector
from fabric.inventory.ranges import HINT, RangeError, expand
from fabric.inventory.ula import default_pools
from fabric.model.finding import Problem, Suppression
from fabric.model.intent import AddressingPolicy, ManagementPolicy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from fabric.files.yaml import Path
    from fabric.inventory.places import Places
    from fabric.inventory.schema import (
        AddressingSection,
        ManagementSection,
        SuppressSection,
    )
    from fabric.model.intent import HostGroup

_POOLS = ("loopbacks", "links", "hosts")
_V6 = "_v6"


def addressing_policy(
    section: AddressingSection,
    groups: Sequence[HostGroup],
    fabric: str,
    places: Places,
    problems: list[Problem],
) -> AddressingPolicy:
    """Pools and schemes; IPv6 pools that are not written follow from the fabric's name."""
    path: Path = ("addressing",)
    pools = section.pools
    problems += _pool_problems(section)
    if section.rdma_family is not None and section.family not in ("dual", section.rdma_family):
        message = f"rdma_family is {section.rdma_family}, but family is {section.family}"
        fix = "leave rdma_family out, or write family: dual"
        problems.append(Problem("RCE006", (*path, "rdma_family"), message, fix))
    v4, v6 = section.family != "ipv6", section.family != "ipv4"
    own = default_pools(fabric)
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
        loopbacks_v6=(pools.loopbacks_v6 or own["loopbacks_v6"]) if v6 else None,
        links_v4=pools.links if v4 else None,
        links_v6=(pools.links_v6 or own["links_v6"]) if v6 else None,
        hosts_v4=pools.hosts if v4 else None,
        hosts_v6=(pools.hosts_v6 or own["hosts_v6"]) if v6 else None,
        host_subnets=host_subnets(section, groups, problems),
        asn_scheme=section.asn.scheme,
        asn_base=section.asn.base,
        bgp_keepalive_s=bgp.keepalive_s,
        bgp_hold_s=bgp.hold_s,
        bfd=bgp.bfd,
        max_paths=bgp.max_paths,
        location=places.locate(path),
        rdma_in_dual=section.rdma_family,
        rail_aggregates=section.rail_aggregates,
    )


def _pool_problems(section: AddressingSection) -> Iterator[Problem]:
    """Pools of the other family, or of a family that is not in use."""
    pools, family = section.pools, section.family
    for key in _POOLS:
        for name, wanted, other, unused in (
            (key, "IPv4", f"{key}{_V6}", family == "ipv6" and key != "loopbacks"),
            (f"{key}{_V6}", "IPv6", key, family == "ipv4"),
        ):
            prefix = getattr(pools, name)
            if name not in pools.model_fields_set or prefix is None:
                continue
            where: Path = ("addressing", "pools", name)
            found = "IPv6" if ":" in prefix else "IPv4"
            if found != wanted:
                message = f"{name} is an {found} prefix; the pool of that family is {other}"
                yield Problem("RCE006", where, message, f"write an {wanted} prefix")
            elif unused:
                message = f"{name} has no use with family: {family}"
                yield Problem("RCE006", where, message, "leave it out, or write family: dual")


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
    named = tuple(Selector(device, (*path, device), "one switch") for device, _ in addresses)
    return ManagementPolicy(section.interface, section.gateway, addresses), named


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
